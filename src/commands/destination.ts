// The file that a command writes: inspected first, and written only if it has not changed since.
import { outFileOf, type Wanted } from '../io/profiles/out-file.ts'
import { digestAt, save, type Saved } from '../io/profiles/save.ts'
import { Failure } from './failure.ts'

export interface Destination {
  /** As typed. */
  readonly out: string
  /** Absolute, with links resolved. */
  readonly file: string
  /** Digest of its content; `undefined` where the file does not exist. */
  readonly before: string | undefined
}

export function destinationOf(out: string, wanted: Wanted): Destination {
  const place = outFileOf(out, process.cwd(), wanted)
  if ('hint' in place) throw new Failure('usage', `${out} ${place.message}`, [place.hint])
  return { out, file: place.file, before: place.taken ? digestAt(place.file) : undefined }
}

export function writeTo({ out, file, before }: Destination, text: string): void {
  throwUnsaved(save(file, text, before), out)
}

/** `out` names the files in messages. */
export function throwUnsaved(saved: Saved, out: string): void {
  switch (saved.kind) {
    case 'saved':
      return
    case 'changed':
      throw new Failure('conflict', `${out} was changed by another program; nothing was written`, [
        'run the command again: it begins with what the file holds now',
      ])
    case 'held':
      throw new Failure('conflict', `another run is writing ${out}; nothing was written`, [
        `if no other run is active, remove ${saved.lock}`,
      ])
    case 'unsaved':
      throw new Failure('failure', `cannot write ${out}: ${saved.cause}; nothing was written`)
  }
}

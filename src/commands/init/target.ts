// Target: where the profile goes: stdout, or a file that is looked at before the first question.
import { placeOf } from '../../io/profiles/place.ts'
import { save } from '../../io/profiles/save.ts'
import { Failure } from '../failure.ts'

export interface Target {
  /** As a person typed it. */
  readonly out: string
  /** Absolute; `undefined` for stdout. */
  readonly file: string | undefined
  /** A file is there already. */
  readonly taken: boolean
}

export function targetOf(out: string): Target {
  if (out === '-') return { out, file: undefined, taken: false }
  const place = placeOf(out, process.cwd())
  if ('hint' in place) throw new Failure('usage', `${out} ${place.message}`, [place.hint])
  return { out, ...place }
}

/** Why no new file can be written there. */
export function whyNot(out: string): string | undefined {
  const place = placeOf(out, process.cwd())
  if ('hint' in place) return `it ${place.message}: ${place.hint}`
  return place.taken ? 'it is there already' : undefined
}

export function alreadyThere(out: string): Failure {
  return new Failure('conflict', `${out} is there already; nothing was written`, [
    '--force replaces it, --out writes another one',
  ])
}

/** Without `replaces`, a file that came meanwhile stays. */
export function writeTo(
  { out, file }: { readonly out: string; readonly file: string },
  text: string,
  replaces: boolean,
): void {
  const saved = save(file, text, replaces)
  if (saved.kind === 'taken') throw alreadyThere(out)
  if (saved.kind === 'unsaved') {
    throw new Failure('failure', `cannot write ${out}: ${saved.cause}; nothing was written`)
  }
}

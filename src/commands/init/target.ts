// Where the profile goes: stdout, or a file that is inspected before the first question.
import { outFileOf } from '../../io/profiles/out-file.ts'
import { type Destination, destinationOf } from '../destination.ts'
import { Failure } from '../failure.ts'
import type { EditedProfile } from '../edited-profile.ts'

/** `file` is `undefined` for stdout. */
export type Target = Destination | { readonly out: string; readonly file: undefined }

const wanted = { name: 'node.yaml', instead: '--out - writes to stdout' }

/** The profile to edit must be unchanged since winnode read it, not only since this call. */
export function targetOf(out: string, edited?: Pick<EditedProfile, 'file' | 'digest'>): Target {
  if (out === '-') return { out, file: undefined }
  const destination = destinationOf(out, wanted)
  return edited?.file === destination.file ? { ...destination, before: edited.digest } : destination
}

export function exists(target: Target): boolean {
  return target.file !== undefined && target.before !== undefined
}

/** Why no new file can be written to `out`. */
export function reasonNotWritable(out: string): string | undefined {
  const place = outFileOf(out, process.cwd(), wanted)
  if ('hint' in place) return `it ${place.message}: ${place.hint}`
  return place.taken ? 'it exists' : undefined
}

export function existsFailure(out: string): Failure {
  return new Failure('conflict', `${out} exists; nothing was written`, [
    'use --force to overwrite it, or --out to write another file',
  ])
}

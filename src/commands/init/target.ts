// Where the profile goes: stdout, or a file that is inspected before the first question.
import { dirname, resolve } from 'node:path'
import { outFileOf } from '../../io/profiles/out-file.ts'
import { realPath } from '../../io/real-path.ts'
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

/** `folder` is that of the profile to edit, if its paths are relative to it. */
export function checkFolder(out: string, folder: string | undefined): void {
  const reason = reasonNotIn(folder, out)
  if (reason !== undefined)
    throw new Failure('usage', `${out} ${reason}`, [
      'write to that folder, or use --out - and change the paths',
    ])
}

function reasonNotIn(folder: string | undefined, out: string): string | undefined {
  if (folder === undefined || out === '-') return undefined
  const [theirs, ours] = [folder, dirname(out)].map((path) => realPath(path) ?? resolve(path))
  return theirs === ours ? undefined : `is not in ${folder}, where extends and facts name files`
}

/** Why no new file can be written to `out`. */
export function reasonNotWritable(out: string, folder: string | undefined): string | undefined {
  const place = outFileOf(out, process.cwd(), wanted)
  if ('hint' in place) return `it ${place.message}: ${place.hint}`
  if (place.taken) return 'it exists'
  const reason = reasonNotIn(folder, out)
  return reason && `it ${reason}`
}

export function existsFailure(out: string): Failure {
  return new Failure('conflict', `${out} exists; nothing was written`, [
    'use --force to overwrite it, or --out to write another file',
  ])
}

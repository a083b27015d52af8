// A profile file that a command changes: its text as it was read, and the profile in it.
import { resolve } from 'node:path'
import { loadProfile, type LoadedProfile, type MissingFile } from '../io/profiles.ts'
import { isPath } from '../io/profiles/profile-file.ts'
import { readRegularFile } from '../io/profiles/read-file.ts'
import { realPath } from '../io/real-path.ts'
import type { JsonObject } from '../model/json.ts'
import type { Layer } from '../model/layer.ts'
import { placeName } from '../present/pretty.ts'
import { digestOf } from '../render/digest.ts'
import { missingProfile } from './check-profile.ts'
import { destinationOf, writeTo } from './destination.ts'
import { Failure } from './failure.ts'
import { profileReference, validateCommand } from './next-commands.ts'

export interface EditedProfile {
  readonly text: string
  /** SHA-256 of the file's bytes. */
  readonly digest: string
  /** Absolute, with links resolved. */
  readonly file: string | undefined
  readonly patch: JsonObject
}

/** For commands with `--write`. */
export function checkWrite(
  { layer, set }: { readonly layer?: unknown; readonly set?: unknown },
  typed: string,
): void {
  if (!isProfileFile(typed)) throw new Failure('usage', '--write needs a profile in a file')
  if (layer !== undefined || set !== undefined)
    throw new Failure('usage', '--write does not go with --layer and --set', [
      'they would override what is written',
    ])
}

export function isProfileFile(typed: string): boolean {
  return isPath(typed) && typed !== '-'
}

/** Unless another program has changed the file since. */
export function writeEdited(typed: string, { digest }: EditedProfile, text: string): void {
  writeTo({ ...destinationOf(typed, writable), before: digest }, text)
}

export const writable = {
  name: 'node.yaml',
  instead: 'copy the profile to a folder that you may write to',
}

/** Throws if the file cannot be read, or holds no profile. */
export function readEditedProfile(
  typed: string,
  { root, within }: { readonly root: string; readonly within?: string | undefined },
  failureFor: (missing: MissingFile) => Failure = missingProfile,
): { readonly edited: EditedProfile; readonly own: Layer; readonly loaded: LoadedProfile } {
  const cwd = process.cwd()
  const path = resolve(cwd, typed)
  // Read before anything else, so that a later save by another program is noticed.
  const read = readRegularFile(path)
  if (read.kind === 'unreadable')
    throw new Failure('rejected', `${typed}: the file cannot be read: ${read.reason}`)
  const loaded = loadProfile({ profile: profileReference(typed), root, cwd, within })
  const [nothing] = loaded.missing
  if (nothing) throw failureFor({ ...nothing, name: typed })
  const { own, findings } = loaded
  const [problem] = findings
  if (!own || problem || read.kind !== 'read') {
    const where = problem?.place ? placeName({ ...problem.place, file: typed }) : typed
    throw new Failure('rejected', `${where}: ${problem?.message ?? 'it is not a profile'}`, [
      `see: ${validateCommand(typed)}`,
    ])
  }
  const text = Buffer.from(read.bytes).toString('utf8')
  const edited = { text, digest: digestOf(read.bytes), file: realPath(path), patch: own.patch }
  return { edited, own, loaded }
}

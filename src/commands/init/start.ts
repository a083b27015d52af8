// Starts a session of the wizard, from built-in profiles or from the profile to edit.
import { resolve } from 'node:path'
import { loadProfile } from '../../io/profiles.ts'
import { builtinBases, layersBelow } from '../../io/profiles/bases.ts'
import { builtinNames } from '../../io/profiles/builtins.ts'
import { readRegularFile } from '../../io/profiles/read-file.ts'
import { realPath } from '../../io/real-path.ts'
import type { Detected } from '../../model/detected.ts'
import { nearest } from '../../text/nearest.ts'
import { digestOf } from '../../render/digest.ts'
import { baseOf, newSession, type Session } from '../../wizard/session.ts'
import { missingProfile } from '../check-profile.ts'
import { Failure } from '../failure.ts'
import { profileReference, validateCommand } from './next-commands.ts'

interface StartOptions {
  readonly base: string | undefined
  readonly from: string | undefined
  readonly root: string
  readonly today: string
  readonly allowNewer: boolean
  /** Detected from the cluster. */
  readonly found: readonly Detected[]
}

/** The profile to edit. */
export interface EditedProfile {
  readonly text: string
  /** SHA-256 of the file's bytes. */
  readonly digest: string
  /** Absolute, with links resolved. */
  readonly file: string | undefined
  readonly patch: Session['context']['bases'][number]['document']
}

export function startSession(asked: StartOptions): {
  readonly session: Session
  readonly edited?: EditedProfile
} {
  const { base, from, root, today, allowNewer, found } = asked
  const common = { name: 'node', today, allowNewer, found }
  if (from !== undefined) return startEditing(from, { root, common })
  const known = builtinNames(root)
  if (base !== undefined && !known.includes(base)) {
    const guess = nearest(base, known)
    throw new Failure('usage', `${base}: no such built-in profile`, [
      guess === undefined ? 'see: winnode profiles' : `did you mean ${guess}?`,
    ])
  }
  const bases =
    base === undefined
      ? builtinBases(root).map(({ name, layers }) => baseOf(name, layers))
      : [baseOf(base, layersBelow(base, root))]
  const [first, ...rest] = bases
  if (!first) throw new Error('there are no built-in profiles')
  return { session: newSession({ ...common, bases: [first, ...rest] }) }
}

type Common = Pick<Session['context'], 'name' | 'today' | 'allowNewer' | 'found'>

function startEditing(
  from: string,
  { root, common }: { readonly root: string; readonly common: Common },
): { readonly session: Session; readonly edited: EditedProfile } {
  const cwd = process.cwd()
  const path = resolve(cwd, from)
  // Read before anything else, so that a later save by another program is noticed.
  const read = readRegularFile(path)
  if (read.kind === 'unreadable')
    throw new Failure('rejected', `${from}: the file cannot be read: ${read.reason}`)
  const profile = profileReference(from)
  const { layers, own, findings, missing, name } = loadProfile({ profile, root, cwd })
  const [nothing] = missing
  if (nothing) throw missingProfile({ ...nothing, name: from })
  const [problem] = findings
  if (!own || problem || read.kind !== 'read') {
    throw new Failure('rejected', `${from}: ${problem?.message ?? 'it is not a profile'}`, [
      `see: ${validateCommand(from)}`,
    ])
  }
  const below = baseOf(from, layers.slice(0, -1))
  const session = newSession({ ...common, name, own, bases: [below] })
  const text = Buffer.from(read.bytes).toString('utf8')
  const edited = { text, digest: digestOf(read.bytes), file: realPath(path), patch: own.patch }
  return { session, edited }
}

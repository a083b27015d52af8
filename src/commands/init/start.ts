// Starts a session of the wizard, from built-in profiles or from the profile to edit.
import { dirname } from 'node:path'
import { builtinBases, layersBelow } from '../../io/profiles/bases.ts'
import { builtinNames } from '../../io/profiles/builtins.ts'
import type { LoadedProfile, MissingFile } from '../../io/profiles.ts'
import type { Detected } from '../../model/detected.ts'
import { nearest } from '../../text/nearest.ts'
import { baseOf, newSession, type Session } from '../../wizard/session.ts'
import { missingProfile } from '../check-profile.ts'
import { type EditedProfile, readEditedProfile } from '../edited-profile.ts'
import { Failure } from '../failure.ts'

interface StartOptions {
  readonly base: string | undefined
  readonly from: string | undefined
  readonly root: string
  readonly today: string
  readonly allowNewer: boolean
  /** Detected from the cluster. */
  readonly found: readonly Detected[]
}

interface Started {
  readonly session: Session
  /** The profile to edit, as text and as layers. */
  readonly edited?: EditedProfile
  readonly loaded?: LoadedProfile
  /** That of the profile to edit, if its `extends` or `facts` is a path, which is relative to it. */
  readonly folder?: string
}

export function startSession(asked: StartOptions): Started {
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
): Started {
  if (from === '-')
    throw new Failure('usage', '--from edits a file, not standard input', ['name a file'])
  const { edited, own, loaded } = readEditedProfile(from, { root }, (missing) =>
    missingFile(missing, builtinNames(root)),
  )
  const { layers, name, facts } = loaded
  const at = layers.indexOf(own)
  const parents = layers.slice(0, at)
  const below = baseOf(from, parents)
  const above = layers.slice(at + 1)
  const session = newSession({ ...common, name, own, above, added: facts, bases: [below] })
  const namesFile = facts !== undefined || parents.some(({ file }) => file)
  return { session, edited, loaded, ...(namesFile && { folder: dirname(from) }) }
}

/** A built-in profile is a base, and no file to edit. */
function missingFile(missing: MissingFile, known: readonly string[]): Failure {
  const { name, suggestion } = missing
  const meant = known.includes(name) ? name : suggestion
  return meant?.split(' or ').every((one) => known.includes(one))
    ? new Failure('usage', `${name}: no such file`, [
        `to start from a built-in profile: --base ${meant}`,
      ])
    : missingProfile(missing)
}

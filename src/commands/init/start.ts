// Starts a session of the wizard, from built-in profiles or from the profile to edit.
import { builtinBases, layersBelow } from '../../io/profiles/bases.ts'
import { builtinNames } from '../../io/profiles/builtins.ts'
import type { Detected } from '../../model/detected.ts'
import { nearest } from '../../text/nearest.ts'
import { baseOf, newSession, type Session } from '../../wizard/session.ts'
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
  const { edited, own, loaded } = readEditedProfile(from, { root })
  const { layers, name } = loaded
  const below = baseOf(from, layers.slice(0, -1))
  const session = newSession({ ...common, name, own, bases: [below] })
  return { session, edited }
}

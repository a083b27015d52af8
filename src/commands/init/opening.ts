// Opening: what the wizard begins with: a built-in profile, or the one that is edited.
import { resolve } from 'node:path'
import { loadProfile } from '../../io/profiles.ts'
import { builtinBases, layersBelow } from '../../io/profiles/bases.ts'
import { builtinNames } from '../../io/profiles/builtins.ts'
import { readRegularFile } from '../../io/profiles/read-file.ts'
import { realPath } from '../../io/real-path.ts'
import type { Detected } from '../../model/detected.ts'
import { nearest } from '../../model/nearest.ts'
import { digestOf } from '../../render/digest.ts'
import { baseOf, begin, type Session } from '../../wizard/session.ts'
import { nowhere } from '../check-profile.ts'
import { Failure } from '../failure.ts'
import { referenceTo, validating } from './next.ts'

interface Asked {
  readonly base: string | undefined
  readonly from: string | undefined
  readonly root: string
  readonly today: string
  readonly allowNewer: boolean
  /** What the cluster says. */
  readonly found: readonly Detected[]
}

/** The text of the profile that is edited, and what it says. */
export interface Edited {
  readonly text: string
  /** Of the bytes of that text. */
  readonly digest: string
  /** Absolute, and behind all links. */
  readonly file: string | undefined
  readonly patch: Session['opening']['bases'][number]['document']
}

export function openingOf(asked: Asked): { readonly session: Session; readonly edited?: Edited } {
  const { base, from, root, today, allowNewer, found } = asked
  const common = { name: 'node', today, allowNewer, found }
  if (from !== undefined) return editing(from, { root, common })
  const known = builtinNames(root)
  if (base !== undefined && !known.includes(base)) {
    const guess = nearest(base, known)
    throw new Failure('usage', `there is no built-in profile ${base}`, [
      guess === undefined ? 'see: winnode profiles' : `did you mean ${guess}?`,
    ])
  }
  const bases =
    base === undefined
      ? builtinBases(root).map(({ name, layers }) => baseOf(name, layers))
      : [baseOf(base, layersBelow(base, root))]
  const [first, ...rest] = bases
  if (!first) throw new Error('there are no built-in profiles')
  return { session: begin({ ...common, bases: [first, ...rest] }) }
}

type Common = Pick<Session['opening'], 'name' | 'today' | 'allowNewer' | 'found'>

function editing(
  from: string,
  { root, common }: { readonly root: string; readonly common: Common },
): { readonly session: Session; readonly edited: Edited } {
  const cwd = process.cwd()
  const path = resolve(cwd, from)
  // First: what is saved from here on is found when the profile is written.
  const read = readRegularFile(path)
  if (read.kind === 'unreadable')
    throw new Failure('rejected', `${from}: the file cannot be read: ${read.reason}`)
  const profile = referenceTo(from)
  const { layers, own, findings, missing, name } = loadProfile({ profile, root, cwd })
  const [nothing] = missing
  if (nothing) throw nowhere({ ...nothing, name: from })
  const [problem] = findings
  if (!own || problem || read.kind !== 'read') {
    throw new Failure('rejected', `${from}: ${problem?.message ?? 'it is not a profile'}`, [
      `see: ${validating(from)}`,
    ])
  }
  const below = baseOf(from, layers.slice(0, -1))
  const session = begin({ ...common, name, own, bases: [below] })
  const text = Buffer.from(read.bytes).toString('utf8')
  const edited = { text, digest: digestOf(read.bytes), file: realPath(path), patch: own.patch }
  return { session, edited }
}

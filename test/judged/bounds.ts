// Whether `setting-boundaries.ts` fails when a bound of a constraint’s range is off by one minor.
import { constraintsOf } from '../../src/matrix/constraints.ts'
import type { Constraint } from '../../src/model/tables.ts'
import type { Facts } from '../../src/model/facts.ts'
import { mergeJson } from '../../src/model/json.ts'
import { factsOf } from '../../src/profile/lookup.ts'
import { mergeLayers } from '../../src/profile/merge.ts'
import { parseProfile } from '../../src/profile/parse.ts'
import { resolveProfile } from '../../src/profile/resolve.ts'
import { constraintConflicts, type ViolationEffect } from '../../src/rules/settings/check.ts'
import { configTables } from '../../src/components/index.ts'
import type { ConfigTable } from '../../src/components/config-table.ts'
import { effectiveConfig } from '../../src/rules/settings/effective.ts'
import { settingBoundaries, type SettingBoundary } from '../rules/setting-boundaries.ts'
import { layerOf, today } from '../tools/bundle.ts'

interface Case {
  readonly facts: Facts
  readonly kind: ViolationEffect
  readonly fires: boolean
  readonly asked: string
}

/** Of these an older row refuses whatever the newer one would: that the newer begins earlier shows nowhere. */
const narrower = [
  'cgroupsPerQOS',
  'enforceNodeAllocatable',
  'eviction',
  'nodePortAddresses',
  'preloadedImagesVerificationAllowlist',
]

/** By the end of the rule’s name. */
const kinds: Readonly<Record<string, ViolationEffect>> = {
  refused: 'refused',
  ignored: 'ignored',
  'ends-start': 'late',
}

const words = (text: string) => text.split(' ').filter((word) => word !== '')

function casesOf({ name }: ConfigTable): readonly Case[] {
  return Object.entries(kinds).flatMap(([ending, kind]) =>
    settingBoundaries
      .filter(([id]) => id === `${name}-setting-${ending}`)
      .flatMap(([, , profile, fires, silent]) => [
        ...words(fires).map((version) => caseOf(profile, version, kind, true)),
        ...words(silent).map((version) => caseOf(profile, version, kind, false)),
      ]),
  )
}

function caseOf(
  profile: SettingBoundary[2],
  version: string,
  kind: Case['kind'],
  fires: boolean,
): Case {
  const { document } = mergeLayers([layerOf(mergeJson({ kubernetes: { version } }, profile))])
  const { spec } = resolveProfile(parseProfile(document).values, 'test')
  const facts = factsOf(spec, { today, allowNewer: true })
  return { facts, kind, fires, asked: JSON.stringify(profile) }
}

/** Each bound, a minor earlier and a minor later. */
function shiftsOf({ path, range = '' }: Constraint): readonly string[] {
  return [...range.matchAll(/([<>]=?)1\.(\d+)/g)].flatMap((found) => {
    const [bound, sign = '', minor] = found
    const hidden = sign === '>=' && narrower.some((word) => path.startsWith(word))
    return (hidden ? [1] : [-1, 1]).map((by) => {
      const behind = range.slice(found.index + bound.length)
      return `${range.slice(0, found.index)}${sign}1.${Number(minor) + by}${behind}`
    })
  })
}

/** A line for each shifted range that passes all boundary rows, although it is wrong. */
export function unnoticedShifts(): readonly string[] {
  return configTables.flatMap((component) => {
    const cases = casesOf(component)
    const isRight = ({ facts, kind, fires }: Case) =>
      constraintConflicts(effectiveConfig(component, facts), kind).length > 0 === fires
    return constraintsOf(component.name).flatMap((row) => {
      const { path, range } = row
      const [field = path] = /^\w+/.exec(path) ?? []
      const near = cases.filter(({ asked }) => asked.includes(field))
      const unseen = shiftsOf(row).filter((shifted) => {
        Object.assign(row, { range: shifted })
        return near.every(isRight)
      })
      if (range !== undefined) Object.assign(row, { range })
      return unseen.map((shifted) => `${component.name}: ${path} ${range ?? ''} as ${shifted}`)
    })
  })
}

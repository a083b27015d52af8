// Whether the turns notice when a bound of a constraint’s range stands a minor too early or too late.
import { constraintsOf } from '../../src/matrix/constraints.ts'
import type { Constraint } from '../../src/model/constraint.ts'
import type { Facts } from '../../src/model/facts.ts'
import { mergeJson } from '../../src/model/json.ts'
import { factsOf } from '../../src/profile/lookup.ts'
import { mergeLayers } from '../../src/profile/merge.ts'
import { parseProfile } from '../../src/profile/parse.ts'
import { resolveProfile } from '../../src/profile/resolve.ts'
import { brokenRows, type Broken } from '../../src/rules/settings/check.ts'
import { components } from '../../src/components/index.ts'
import type { Component } from '../../src/components/component.ts'
import { effectiveOf } from '../../src/rules/settings/effective.ts'
import { settingTurns, type SettingTurn } from '../rules/setting-turns.ts'
import { layerOf, today } from '../tools/bundle.ts'

interface Case {
  readonly facts: Facts
  readonly kind: Broken
  readonly fires: boolean
  readonly asked: string
}

/** Of these an older row refuses whatever the newer one would: that the newer begins earlier shows nowhere. */
const narrower = ['cgroupsPerQOS', 'enforceNodeAllocatable', 'eviction', 'nodePortAddresses']

/** By the end of the rule’s name. */
const kinds: Readonly<Record<string, Broken>> = {
  refused: 'refused',
  ignored: 'ignored',
  'ends-start': 'late',
}

const words = (text: string) => text.split(' ').filter((word) => word !== '')

function casesOf({ name }: Component): readonly Case[] {
  return Object.entries(kinds).flatMap(([ending, kind]) =>
    settingTurns
      .filter(([id]) => id === `${name}-setting-${ending}`)
      .flatMap(([, , profile, fires, silent]) => [
        ...words(fires).map((version) => caseOf(profile, version, kind, true)),
        ...words(silent).map((version) => caseOf(profile, version, kind, false)),
      ]),
  )
}

function caseOf(
  profile: SettingTurn[2],
  version: string,
  kind: Case['kind'],
  fires: boolean,
): Case {
  const { document } = mergeLayers([layerOf(mergeJson({ kubernetes: { version } }, profile))])
  const { spec } = resolveProfile(parseProfile(document).values, 'turns')
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

/** One readable line of each shift that no turn tells from the row as it is. */
export function unnoticedShifts(): readonly string[] {
  return components.flatMap((component) => {
    const cases = casesOf(component)
    const isRight = ({ facts, kind, fires }: Case) =>
      brokenRows(effectiveOf(component, facts), kind).length > 0 === fires
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

// What an upgrade changes: the findings of a profile after it, compared with those before it.
import type { Facts } from '../model/facts.ts'
import { bySeverityAndHarm, type Finding, findingKey } from '../model/finding.ts'
import { memo } from '../model/memo.ts'
import type { Rule } from '../model/rule.ts'
import type { Upgrade } from '../model/upgrade.ts'
import { findingsOf, rulesFor } from './check.ts'
import { withoutIgnored } from './ignore.ts'

/** Each rule runs at most once per upgrade, and only when a method needs it. */
export interface UpgradeEffect {
  /** Whether the rule no longer reports the finding. */
  readonly resolves: (rule: Rule, finding: Finding) => boolean
  /** Whether the upgrade adds an error, or turns a finding into one. */
  readonly addsError: () => boolean
  /** Every finding after the upgrade. */
  readonly after: () => readonly Finding[]
  /** Findings that are new or more severe. */
  readonly added: () => readonly Finding[]
  /** How many warnings and errors it resolves. */
  readonly resolvedCount: () => number
}

type FindingsByKey = ReadonlyMap<string, Finding>

/** Memoized, because the same upgrade is a candidate for many findings. */
export function upgradeEffects(
  before: readonly Finding[],
  factsAfter: (upgrade: Upgrade) => Facts,
): (upgrade: Upgrade) => UpgradeEffect {
  const earlier = keyed(before)
  return memoizeByValue((upgrade: Upgrade) => effectOf(factsAfter(upgrade), earlier))
}

function effectOf(facts: Facts, before: FindingsByKey): UpgradeEffect {
  const rules = rulesFor(facts)
  const run = memo((rule: Rule): FindingsByKey => keyed(findingsOf(rule, facts)))
  const isWorse = (key: string, one: Finding) => {
    const was = before.get(key)
    return was === undefined || bySeverityAndHarm(one, was) < 0
  }
  let broken: boolean | undefined
  let all: FindingsByKey | undefined
  const after = () =>
    (all ??= keyed(
      withoutIgnored(
        rules.flatMap((rule) => [...run(rule).values()]),
        facts,
      ).findings,
    ))
  return {
    resolves: (rule, finding) => !run(rule).has(keyOf(finding)),
    addsError: () =>
      (broken ??= rules.some((rule) =>
        [...run(rule)].some(([key, one]) => one.severity === 'error' && isWorse(key, one)),
      )),
    after: () => [...after().values()],
    added: () => [...after()].flatMap(([key, one]) => (isWorse(key, one) ? [one] : [])),
    resolvedCount: () =>
      [...before].filter(([key, one]) => one.severity !== 'info' && !after().has(key)).length,
  }
}

const keyed = (findings: readonly Finding[]): FindingsByKey =>
  new Map(findings.map((finding) => [keyOf(finding), finding]))

/** Memoizes by the JSON text of the argument. */
function memoizeByValue<From, To>(compute: (from: From) => To): (from: From) => To {
  const known = new Map<string, { readonly value: To }>()
  return (from) => {
    const key = JSON.stringify(from)
    const found = known.get(key) ?? { value: compute(from) }
    known.set(key, found)
    return found.value
  }
}

/** Memoized for each finding: a path can be a megabyte long, and every upgrade looks it up. */
const keyOf = memo(findingKey)

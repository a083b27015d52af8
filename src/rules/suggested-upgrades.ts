// Adds a suggested version to remedies: one that resolves the finding and was checked with the rest of the profile.
import type { Facts } from '../model/facts.ts'
import { byWeight, type Finding } from '../model/finding.ts'
import { formatPath } from '../model/path.ts'
import type { Rule } from '../model/rule.ts'
import type { Upgradable, Upgrade } from '../model/upgrade.ts'
import { components } from './components.ts'
import { rules } from './index.ts'
import { changesApiServer, candidatesFor, sentenceOf } from './upgrade-candidates.ts'
import { memoizeByValue, upgradeEffects, type UpgradeEffect } from './upgrade-effect.ts'

const byId = new Map(rules.map((rule) => [rule.id, rule]))

/**
 * Appends `Set FIELD to VERSION.` to the rule's own remedy. An upgrade that resolves several findings is
 * suggested for each of them, so that one edit is enough. `factsAfter` looks up the facts after an upgrade.
 */
export function withSuggestedUpgrades(
  findings: readonly Finding[],
  facts: Facts,
  factsAfter: (upgrade: Upgrade) => Facts,
): readonly Finding[] {
  const effectOf = upgradeEffects(findings, factsAfter)
  const resolvable = findings.flatMap((finding) => {
    const rule = byId.get(finding.id)
    return rule?.upgrades ? [{ rule, finding }] : []
  })
  const resolvedBy = (upgrade: Upgrade) =>
    resolvable.filter(({ rule, finding }) => effectOf(upgrade).resolves(rule, finding)).length
  const bestFirst = memoizeByValue((component: Upgradable) =>
    candidatesFor(component, facts)
      .map((upgrade) => ({
        upgrade,
        cluster: Number(changesApiServer(upgrade)),
        // A control plane is upgraded one minor at a time, so there the nearest version comes first.
        resolved: changesApiServer(upgrade) ? 0 : resolvedBy(upgrade),
      }))
      .toSorted((a, b) => a.cluster - b.cluster || b.resolved - a.resolved)
      .map(({ upgrade }) => upgrade),
  )
  const suggestions = new Map(
    resolvable.map((one) => {
      const upgrades = upgradableBy(one.rule, one.finding).flatMap(bestFirst)
      return [one.finding, suggestionAmong(upgrades, one, effectOf)]
    }),
  )
  return findings.map((finding) => {
    const sentence = suggestions.get(finding)
    return sentence ? { ...finding, remedy: `${finding.remedy ?? ''} ${sentence}` } : finding
  })
}

interface Resolvable {
  readonly rule: Rule
  readonly finding: Finding
}

/**
 * The first upgrade that resolves the finding and adds no error, no warning and no more harmful finding. If there is
 * none, the one that adds the fewest, if it resolves more than it adds; the sentence then names the added findings.
 */
function suggestionAmong(
  upgrades: readonly Upgrade[],
  { rule, finding }: Resolvable,
  effectOf: (upgrade: Upgrade) => UpgradeEffect,
): string | undefined {
  const works = (upgrade: Upgrade) =>
    effectOf(upgrade).resolves(rule, finding) && !effectOf(upgrade).addsError()
  const drawbacksOf = (upgrade: Upgrade) =>
    effectOf(upgrade)
      .added()
      .filter((one) => one.severity !== 'info' || byWeight(one, finding) < 0)
  const clean = upgrades.find((upgrade) => works(upgrade) && drawbacksOf(upgrade).length === 0)
  if (clean) return sentenceOf(clean)
  const [least] = upgrades
    .filter(works)
    .map((upgrade) => ({ upgrade, drawbacks: drawbacksOf(upgrade) }))
    .filter(({ upgrade, drawbacks }) => isWorthIt(finding, drawbacks, effectOf(upgrade)))
    .toSorted((a, b) => a.drawbacks.length - b.drawbacks.length)
  if (!least) return undefined
  const ids = [...new Set(least.drawbacks.map(({ id }) => id))]
  const kind = least.drawbacks.every(({ severity }) => severity === 'warning')
    ? 'warning'
    : 'finding'
  return `${sentenceOf(least.upgrade)} This adds the ${kind}${ids.length === 1 ? '' : 's'} ${ids.join(', ')}.`
}

/** Resolving an error justifies any new warnings; resolving a warning justifies at most as many as it resolves. */
function isWorthIt(
  { severity }: Finding,
  drawbacks: readonly Finding[],
  { resolvedCount }: UpgradeEffect,
): boolean {
  return severity === 'error' || (severity === 'warning' && drawbacks.length <= resolvedCount())
}

/** The component whose version field the finding is about; otherwise every component of the rule. */
function upgradableBy({ upgrades = [] }: Rule, { path }: Finding): readonly Upgradable[] {
  const at = formatPath(path)
  const own = upgrades.filter(
    (name) => name !== 'sandboxImage' && formatPath(components[name].path) === at,
  )
  return own.length > 0 ? own : upgrades
}

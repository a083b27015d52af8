// Adds a suggested version to remedies: one that resolves the finding and was checked with the rest of the profile.
import type { Facts } from '../model/facts.ts'
import { bySeverityAndHarm, type Finding, type Severity } from '../model/finding.ts'
import { formatPath } from '../model/path.ts'
import { compareRanks } from '../model/rank.ts'
import type { Rule } from '../model/rule.ts'
import type { Upgradable, Upgrade } from '../model/upgrade.ts'
import { components } from './components.ts'
import { rules } from './index.ts'
import { changesApiServer, candidatesFor, changeOf, sentenceOf } from './upgrade-candidates.ts'
import { upgradeEffects, type UpgradeEffect } from './upgrade-effect.ts'

const byId = new Map(rules.map((rule) => [rule.id, rule]))

type Kind = readonly Upgradable[]

/** Components that one decision moves: the kubelet, kube-proxy and kubeadm follow the API server. */
const kinds: readonly Kind[] = [
  ['kubelet', 'kube-proxy', 'kubeadm', 'kube-apiserver'],
  ['containerd'],
  ['sandboxImage'],
]

/**
 * Appends `Set FIELD to VERSION.` to the rule's own remedy. A profile has one target version for each component, the one
 * that resolves most; findings that it resolves are one group. `factsAfter` looks up the facts after an upgrade.
 */
export function withSuggestedUpgrades(
  findings: readonly Finding[],
  facts: Facts,
  factsAfter: (upgrade: Upgrade) => Facts,
): readonly Finding[] {
  const effectOf = upgradeEffects(findings, factsAfter)
  const resolvable = findings.flatMap((finding): readonly Resolvable[] => {
    const rule = byId.get(finding.id)
    return rule?.upgrades ? [{ rule, finding, by: upgradableBy(rule, finding) }] : []
  })
  const targets = new Map<Kind, Upgrade | undefined>()
  const suggested = new Map<Finding, Finding>()
  // The first kind that a rule names comes first; another one only for what that one does not resolve.
  for (const place of kinds.keys()) {
    for (const kind of kinds) {
      const open = resolvable.filter(
        ({ finding, by }) => !suggested.has(finding) && kindsOf(by)[place] === kind,
      )
      if (open.length === 0) continue
      if (!targets.has(kind)) targets.set(kind, targetAmong(kind, open, facts, effectOf))
      const target = targets.get(kind)
      if (!target) continue
      const resolved = open.filter((one) => resolves(target, one, effectOf))
      const remedy = sentenceWith(sentenceOf(target, facts.spec), target, resolved, effectOf)
      const title = `${changeOf(target, facts.spec)} resolves`
      for (const { rule, finding } of resolved)
        suggested.set(finding, {
          ...finding,
          remedy: `${finding.remedy ?? ''} ${remedy}`,
          group: { id: 'upgrade', title, remedy, ...(rule.part && { part: rule.part }) },
        })
    }
  }
  return findings.map((finding) => suggested.get(finding) ?? finding)
}

type EffectOf = (upgrade: Upgrade) => UpgradeEffect

interface Resolvable {
  readonly rule: Rule
  readonly finding: Finding
  /** Components to upgrade, the preferred first. */
  readonly by: readonly Upgradable[]
}

const kindsOf = (by: readonly Upgradable[]) => [
  ...new Set(by.flatMap((name) => kinds.filter((kind) => kind.includes(name)))),
]

const resolves = (upgrade: Upgrade, { rule, finding }: Resolvable, effectOf: EffectOf) =>
  effectOf(upgrade).resolves(rule, finding)

/** Findings that it adds, notes aside. */
const drawbacksOf = (upgrade: Upgrade, effectOf: EffectOf) =>
  effectOf(upgrade)
    .added()
    .filter(({ severity }) => severity !== 'info')

/**
 * The upgrade that resolves the most errors, if possible without the API server, then the most warnings. Among equals: one
 * that leaves the API server alone, then one that resolves the most notes, then the nearest version.
 */
function targetAmong(
  kind: Kind,
  open: readonly Resolvable[],
  facts: Facts,
  effectOf: EffectOf,
): Upgrade | undefined {
  const names = kind.filter((name) => open.some(({ by }) => by.includes(name)))
  const candidates = names
    .flatMap((name) => candidatesFor(name, facts))
    .map((upgrade) => {
      const resolved = open.filter((one) => resolves(upgrade, one, effectOf))
      const gone = (severity: Severity) =>
        resolved.filter(({ finding }) => finding.severity === severity).length
      const stays = Number(!changesApiServer(upgrade))
      const [errors, warnings, notes] = [gone('error'), gone('warning'), gone('info')]
      const rank = [errors, errors > 0 ? stays : 0, warnings, stays, notes] as const
      return { upgrade, rank }
    })
    .filter(({ rank: [errors, , warnings, , notes] }) => errors + warnings + notes > 0)
    .toSorted((a, b) => compareRanks(b.rank, a.rank))
  let best: (typeof candidates)[number] | undefined
  for (const { upgrade, rank } of candidates) {
    // What an upgrade adds costs a run of every rule, and only lowers its rank.
    if (best && compareRanks(rank, best.rank) <= 0) break
    if (effectOf(upgrade).addsError()) continue
    const [errors, first, warnings, stays, notes] = rank
    const drawbacks = drawbacksOf(upgrade, effectOf).length
    // Resolving an error justifies any new warnings; resolving warnings at most as many.
    if (errors === 0 && drawbacks > effectOf(upgrade).resolvedCount()) continue
    const lowered = [errors, first, warnings - drawbacks, stays, notes] as const
    if (!best || compareRanks(lowered, best.rank) > 0) best = { upgrade, rank: lowered }
  }
  return best?.upgrade
}

/** Names what the upgrade adds: errors, warnings, and notes that weigh more than a finding that it resolves. */
function sentenceWith(
  sentence: string,
  upgrade: Upgrade,
  resolved: readonly Resolvable[],
  effectOf: EffectOf,
): string {
  const added = effectOf(upgrade)
    .added()
    .filter(
      (one) =>
        one.severity !== 'info' ||
        resolved.some(({ finding }) => bySeverityAndHarm(one, finding) < 0),
    )
  if (added.length === 0) return sentence
  const ids = [...new Set(added.map(({ id }) => id))]
  const kind = added.every(({ severity }) => severity === 'warning') ? 'warning' : 'finding'
  return `${sentence} This adds the ${kind}${ids.length === 1 ? '' : 's'} ${ids.join(', ')}.`
}

/** The component whose version field the finding is about; otherwise every component of the rule. */
function upgradableBy({ upgrades = [] }: Rule, { path }: Finding): readonly Upgradable[] {
  const at = formatPath(path)
  const own = upgrades.filter(
    (name) => name !== 'sandboxImage' && formatPath(components[name].path) === at,
  )
  return own.length > 0 ? own : upgrades
}

// Adds a suggested version to remedies: one that resolves the finding and was checked with the rest of the profile.
// Notes about defects that no such version fixes are one group.
import type { Facts } from '../model/facts.ts'
import { bySeverityAndHarm, findingKey, type Finding, type Severity } from '../model/finding.ts'
import { formatPath } from '../model/path.ts'
import { compareRanks } from '../model/rank.ts'
import type { Rule } from '../model/rule.ts'
import type { Upgradable, Upgrade } from '../model/upgrade.ts'
import { components } from './components.ts'
import { rules } from './index.ts'
import {
  changesApiServer,
  candidatesFor,
  changeOf,
  goesBack,
  sentenceOf,
} from './upgrade-candidates.ts'
import { upgradeEffects, type UpgradeEffect } from './upgrade-effect.ts'

const byId = new Map(rules.map((rule) => [rule.id, rule]))

type Kind = readonly Upgradable[]

/** Components that one decision moves: the kubelet, kube-proxy and kubeadm follow the API server. */
const kinds: readonly Kind[] = [
  ['kubelet', 'kube-proxy', 'kubeadm'],
  ['containerd'],
  ['sandboxImage'],
]

/**
 * Appends `Set FIELD to VERSION.` to the rule's own remedy. A profile has one target version for each component, the one
 * that resolves most of what the targets before it leave, on the profile with those targets; findings that it resolves are
 * one group. `factsAfter` looks up the facts after an upgrade.
 */
export function withSuggestedUpgrades(
  findings: readonly Finding[],
  facts: Facts,
  factsAfter: (upgrade: Upgrade) => Facts,
): readonly Finding[] {
  const resolvable = findings.flatMap((finding): readonly Resolvable[] => {
    const rule = byId.get(finding.id)
    return rule?.upgrades ? [{ rule, finding, by: upgradableBy(rule, finding) }] : []
  })
  const alone = upgradeEffects(findings, factsAfter)
  const { chosen, left } = chooseTargets(resolvable, findings, facts, factsAfter)
  const keysLeft = new Set(left.map(findingKey))
  const suggested = new Map(
    chosen.flatMap(({ target, resolved, added }) => {
      const stays = added.filter((one) => keysLeft.has(findingKey(one)))
      const keysAdded = new Set(stays.map(findingKey))
      // What another target takes away again.
      const onlyAlone = alone(target)
        .added()
        .filter((one) => !keysAdded.has(findingKey(one)))
      const remedy = [
        sentenceOf(target, facts.spec),
        ...sentenceOfAdded('This adds', resolved, stays),
        ...sentenceOfAdded('Set all suggested versions: this one alone adds', resolved, onlyAlone),
      ].join(' ')
      const title = `${changeOf(target, facts.spec)} resolves`
      return resolved.map(({ rule, finding }) => {
        const group = {
          id: 'upgrade',
          title,
          remedy,
          ...(rule.countedAs && { countedAs: rule.countedAs }),
        }
        return [
          finding,
          { ...finding, remedy: `${finding.remedy ?? ''} ${remedy}`, group },
        ] as const
      })
    }),
  )
  return findings.map((finding) => suggested.get(finding) ?? withRemainingDefects(finding))
}

/** One target after the other, each on the profile with those before it; `left` are the findings with all of them. */
function chooseTargets(
  resolvable: readonly Resolvable[],
  findings: readonly Finding[],
  facts: Facts,
  factsAfter: (upgrade: Upgrade) => Facts,
): { readonly chosen: readonly Chosen[]; readonly left: readonly Finding[] } {
  const chosen: Chosen[] = []
  let [unserved, open, left] = [kinds, resolvable, findings]
  for (;;) {
    const before = chosen.reduce<Upgrade>((all, { target }) => ({ ...all, ...target }), {})
    const effectOf = upgradeEffects(left, (next) => factsAfter({ ...before, ...next }))
    const found = firstTarget(unserved, open, facts, effectOf)
    if (!found) return { chosen, left }
    const { kind, target } = found
    const resolved = open.filter((one) => resolves(target, one, effectOf))
    chosen.push({ target, resolved, added: effectOf(target).added() })
    unserved = unserved.filter((one) => one !== kind)
    open = open.filter((one) => !resolved.includes(one))
    left = effectOf(target).after()
  }
}

/** A target version, the findings that it resolves, and those that it adds. */
interface Chosen {
  readonly target: Upgrade
  readonly resolved: readonly Resolvable[]
  readonly added: readonly Finding[]
}

/**
 * The first kind that a rule names comes first; another one only for what that one does not resolve. A target can make one
 * possible for a kind before it: an old containerd, for example, works with no newer kubelet.
 */
function firstTarget(
  unserved: readonly Kind[],
  open: readonly Resolvable[],
  facts: Facts,
  effectOf: EffectOf,
): { readonly kind: Kind; readonly target: Upgrade } | undefined {
  for (const place of kinds.keys()) {
    for (const kind of unserved) {
      const own = open.filter(({ by }) => kindsOf(by)[place] === kind)
      const target = own.length > 0 ? targetAmong(kind, own, facts, effectOf) : undefined
      if (target) return { kind, target }
    }
  }
  return undefined
}

function withRemainingDefects(finding: Finding): Finding {
  const { id, severity } = finding
  if (severity !== 'info' || byId.get(id)?.countedAs !== 'defect') return finding
  return {
    ...finding,
    group: { id: 'defects', title: 'known defects of these versions', countedAs: id },
  }
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
 * The upgrade that resolves the most errors, if possible without the API server and without a step back to an older
 * minor, then the most warnings. Among equals: one that leaves the API server alone, then one that resolves the most
 * notes, then the nearest version. Notes alone do not justify an upgrade of the control plane.
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
      const ahead = Number(!goesBack(upgrade, facts.spec))
      const [errors, warnings, notes] = [gone('error'), gone('warning'), gone('info')]
      const rank = [errors, errors > 0 ? stays : 0, ahead, warnings, stays, notes] as const
      return { upgrade, rank }
    })
    .filter(
      ({ rank: [errors, , , warnings, stays, notes] }) => errors + warnings + stays * notes > 0,
    )
    .toSorted((a, b) => compareRanks(b.rank, a.rank))
  let best: (typeof candidates)[number] | undefined
  for (const { upgrade, rank } of candidates) {
    // What an upgrade adds costs a run of every rule, and only lowers its rank.
    if (best && compareRanks(rank, best.rank) <= 0) break
    if (effectOf(upgrade).addsError()) continue
    const [errors, first, ahead, warnings, stays, notes] = rank
    const drawbacks = drawbacksOf(upgrade, effectOf).length
    // Resolving an error justifies any new warnings; resolving warnings at most as many.
    if (errors === 0 && drawbacks > effectOf(upgrade).resolvedCount()) continue
    const lowered = [errors, first, ahead, warnings - drawbacks, stays, notes] as const
    if (!best || compareRanks(lowered, best.rank) > 0) best = { upgrade, rank: lowered }
  }
  return best?.upgrade
}

/** Names what the upgrade adds: errors, warnings, and notes that weigh more than a finding that it resolves. */
function sentenceOfAdded(
  start: string,
  resolved: readonly Resolvable[],
  all: readonly Finding[],
): readonly string[] {
  const added = all.filter(
    (one) =>
      one.severity !== 'info' ||
      resolved.some(({ finding }) => bySeverityAndHarm(one, finding) < 0),
  )
  if (added.length === 0) return []
  const ids = [...new Set(added.map(({ id }) => id))]
  const kind = added.every(({ severity }) => severity === 'warning') ? 'warning' : 'finding'
  return [`${start} the ${kind}${ids.length === 1 ? '' : 's'} ${ids.join(', ')}.`]
}

/** The component whose version field the finding is about; otherwise every component of the rule. */
function upgradableBy({ upgrades = [] }: Rule, { path }: Finding): readonly Upgradable[] {
  const at = formatPath(path)
  const own = upgrades.filter(
    (name) => name !== 'sandboxImage' && formatPath(components[name].path) === at,
  )
  return own.length > 0 ? own : upgrades
}

// Judges a profile: layers in, findings out, and all that they follow from.
import type { Facts, Judging } from './model/facts.ts'
import { compareFindings, type Finding, type Ignored } from './model/finding.ts'
import type { Layer } from './model/layer.ts'
import type { Upgrade } from './model/upgrade.ts'
import type { Path } from './model/path.ts'
import type { Decision } from './model/plan.ts'
import { factsOf } from './profile/lookup.ts'
import { assumed } from './profile/assumed.ts'
import type { ProfileValues } from './profile/fields/index.ts'
import { mergeLayers } from './profile/merge.ts'
import { parseProfile } from './profile/parse.ts'
import { resolveProfile, withUpgrade } from './profile/resolve.ts'
import { runRules } from './rules/check.ts'
import { withSuggestedUpgrades } from './rules/suggested-upgrades.ts'
import { checkIgnored, withoutIgnored } from './rules/ignore.ts'

export interface Judged {
  /** Errors first. */
  readonly findings: readonly Finding[]
  /** What the profile says that nobody needs to be told. */
  readonly ignored: readonly Ignored[]
  readonly facts: Facts
  /** What the layers and the table of fields say; whatever is absent was decided. */
  readonly values: ProfileValues
  /** Paths whose value was refused: the default stands there. */
  readonly refused: readonly Path[]
  /** The layer that last set a path, or its nearest parent. */
  readonly origin: (path: Path) => Layer | undefined
  /** What was decided, and why. */
  readonly decisions: readonly Decision[]
}

/**
 * Never throws on what a person can write. `name` is the bundle's where the profile gives none;
 * `today` (YYYY-MM-DD) reaches life-cycle findings only, `allowNewer` those about unknown lines.
 */
export function check(
  layers: readonly Layer[],
  name: string,
  today: string,
  allowNewer = false,
): Judged {
  const judging = { today, allowNewer }
  const judged = judge(layers, name, judging)
  const { facts, values, refused } = judged
  // A refused value stands for a default here, so the effect of an upgrade is unknown.
  if (refused.length > 0) return judged
  const factsAfter = (upgrade: Upgrade) =>
    factsOf(resolveProfile(withUpgrade(values, upgrade), name).spec, judging)
  const findings = withSuggestedUpgrades(judged.findings, facts, factsAfter)
  return { ...judged, findings }
}

/** As `check`, without versions in remedies. */
export function judge(layers: readonly Layer[], name: string, judging: Judging): Judged {
  const { parsed, spec, facts, decisions, origin } = read(layers, name, judging)
  const broken = runRules(facts, parsed.refused, look(judging))
  const { findings: kept, ignored } = withoutIgnored([...parsed.findings, ...broken], facts)
  const findings = [...kept, ...checkIgnored(facts)].toSorted(compareFindings)
  const taken = assumed(spec, origin)
  const known = decisions.filter(({ subject }) => !taken.some((one) => one.subject === subject))
  const decided = [...known, ...sized(facts), ...taken]
  const { values, refused } = parsed
  return { findings, ignored, facts, values, refused, origin, decisions: decided }
}

/** Its decisions are those of versions and images. */
export type Tried = Pick<Judged, 'findings' | 'facts' | 'values' | 'decisions'>

/** The errors that `judge` finds, alone: for whoever tries one answer after another. */
export function tryOut(layers: readonly Layer[], name: string, judging: Judging): Tried {
  const { parsed, facts, decisions } = read(layers, name, judging)
  const broken = runRules(facts, parsed.refused, look(judging), 'error')
  const findings = [...parsed.findings, ...broken, ...checkIgnored(facts)]
    .filter(({ severity }) => severity === 'error')
    .toSorted(compareFindings)
  return { findings, facts, values: parsed.values, decisions }
}

const look = (judging: Judging) => (spec: Facts['spec']) => factsOf(spec, judging)

function read(layers: readonly Layer[], name: string, judging: Judging) {
  const { document, origin } = mergeLayers(layers)
  const parsed = parseProfile(document)
  const { spec, decisions } = resolveProfile(parsed.values, name)
  return { parsed, spec, facts: factsOf(spec, judging), decisions, origin }
}

function sized({ spec, reservations }: Facts): readonly Decision[] {
  const { capacity, kube, system, eviction, allocatable } = reservations
  return [
    {
      subject: 'memory for pods',
      value: `${allocatable.memory}Mi`,
      reason: `${capacity.memory}Mi less ${kube.memory}Mi for Kubernetes, ${system.memory}Mi for Windows and ${eviction.memory}Mi before eviction (model ${reservations.model})`,
    },
    {
      subject: 'CPU for pods',
      value: `${allocatable.cpu}m`,
      reason: `${capacity.cpu}m less ${kube.cpu}m for Kubernetes and ${system.cpu}m for Windows`,
    },
    {
      subject: 'taints',
      value:
        spec.kubelet.taints
          .map(({ key, value, effect }) => `${key}=${value}:${effect}`)
          .join(', ') || 'none',
      reason: 'pods land here only if they tolerate them',
    },
    {
      subject: 'network',
      value: spec.network.name,
      reason: `${spec.network.cni} ${spec.network.backend}, an HNS network of type ${spec.network.mode}`,
    },
  ]
}

// Checks a profile: merges its layers, resolves what they leave open, and runs the rules.
import { cniOf } from './cni/index.ts'
import type { Facts, CheckOptions } from './model/facts.ts'
import {
  compareFindings,
  errorsIn,
  findingKey,
  type Finding,
  type Ignored,
} from './model/finding.ts'
import type { Layer } from './model/layer.ts'
import type { AddedFacts } from './model/tables.ts'
import type { Upgrade } from './model/upgrade.ts'
import type { Path } from './model/path.ts'
import type { Decision } from './model/plan.ts'
import { factsOf } from './profile/lookup.ts'
import { assumed } from './profile/assumed.ts'
import type { ProfileValues } from './profile/fields/index.ts'
import { parseLayers } from './profile/parse.ts'
import { resolveProfile, withUpgrade } from './profile/resolve.ts'
import { runRules } from './rules/check.ts'
import { withSuggestedUpgrades } from './rules/suggested-upgrades.ts'
import { checkIgnored, withoutIgnored } from './rules/ignore.ts'

export interface Checked {
  /** Errors first. */
  readonly findings: readonly Finding[]
  /** Findings that the profile's `ignore` accepts. */
  readonly ignored: readonly Ignored[]
  readonly facts: Facts
  /** Values set by layers or by the table of fields; an absent value was derived. */
  readonly values: ProfileValues
  /** Paths whose value was refused and replaced by the default. */
  readonly refused: readonly Path[]
  /** The layer that last set a path, or its nearest parent. */
  readonly origin: (path: Path) => Layer | undefined
  /** Derived and assumed values, with reasons. */
  readonly decisions: readonly Decision[]
}

export type CheckInput = Parameters<typeof check>

/** Never throws on any profile. `name` is the bundle's where the profile sets none. */
export function check(layers: readonly Layer[], name: string, options: CheckOptions): Checked {
  const checked = checkWith(layers, name, options)
  const { added, ...without } = options
  return added ? markAdded(checked, checkWith(layers, name, without).findings, added) : checked
}

function checkWith(layers: readonly Layer[], name: string, options: CheckOptions): Checked {
  const judged = judge(layers, name, options)
  const { facts, values, refused } = judged
  // A refused value stands for a default here, so the effect of an upgrade is unknown.
  if (refused.length > 0) return judged
  const factsAfter = (upgrade: Upgrade) =>
    factsOf(resolveProfile(withUpgrade(values, upgrade), name).spec, options)
  const findings = withSuggestedUpgrades(judged.findings, facts, factsAfter)
  return { ...judged, findings }
}

/** As `check`, without suggested versions in remedies. */
export function checkWithoutUpgrades(
  layers: readonly Layer[],
  name: string,
  options: CheckOptions,
): Checked {
  const checked = judge(layers, name, options)
  const { added, ...without } = options
  return added ? markAdded(checked, judge(layers, name, without).findings, added) : checked
}

/** As `checkWithoutUpgrades`, without marks of added rows: a mark takes a second check. */
export function judge(layers: readonly Layer[], name: string, options: CheckOptions): Checked {
  const { parsed, spec, facts, decisions } = read(layers, name, options)
  const broken = runRules(facts, parsed.refused, factsFor(options))
  const { findings: kept, ignored } = withoutIgnored([...parsed.findings, ...broken], facts)
  const findings = [...kept, ...checkIgnored(facts)].toSorted(compareFindings)
  const { values, refused, origin } = parsed
  const assumptions = assumed(spec, origin)
  const isAssumed = (subject: string) => assumptions.some((one) => one.subject === subject)
  const derived = decisions.filter(({ subject }) => !isAssumed(subject))
  const all = [...derived, ...sizingDecisions(facts), ...assumptions]
  return { findings, ignored, facts, values, refused, origin, decisions: all }
}

/** `decisions` contains only versions and images. */
export type ErrorCheck = Pick<Checked, 'findings' | 'facts' | 'values' | 'decisions'>

/** Errors only, for the wizard, which checks many drafts. */
export function checkErrors(
  layers: readonly Layer[],
  name: string,
  options: CheckOptions,
): ErrorCheck {
  const { parsed, facts, decisions } = read(layers, name, options)
  const broken = runRules(facts, parsed.refused, factsFor(options), 'error')
  const findings = errorsIn([...parsed.findings, ...broken, ...checkIgnored(facts)]).toSorted(
    compareFindings,
  )
  return { findings, facts, values: parsed.values, decisions }
}

/** An error that the tables have and the added rows take away. */
export const clearedByFacts = {
  id: 'facts-clear-error',
  severity: 'info',
  summary: 'No file of facts takes away an error.',
  remedy: 'Check that the row of the file is right for these nodes.',
} as const

/** Marks the findings that the added rows cause, and lists the file and what it turns into less. */
function markAdded(
  checked: Checked,
  known: readonly Finding[],
  { name, digest, why }: AddedFacts,
): Checked {
  const keyOf = ({ id, path, severity, message }: Finding) =>
    JSON.stringify([id, path, severity, message])
  const before = new Set(known.map(keyOf))
  const errors = new Set(errorsIn(checked.findings).map(findingKey))
  const less = errorsIn(known).filter((one) => !errors.has(findingKey(one)))
  return {
    ...checked,
    findings: [
      ...checked.findings.map((one) =>
        before.has(keyOf(one)) ? one : { ...one, message: `${one.message} (facts: ${name})` },
      ),
      ...less.map(({ id, path, message, see }): Finding => ({
        id: clearedByFacts.id,
        severity: 'info',
        harm: 'limits',
        path,
        remedy: clearedByFacts.remedy,
        ...(see !== undefined && { see }),
        message: `no longer an error: ${id}: ${message}; ${why} (facts: ${name})`,
      })),
    ].toSorted(compareFindings),
    decisions: [
      ...checked.decisions,
      { subject: 'facts', value: `${name} (SHA-256 ${digest})`, reason: why },
      ...less.map(({ id }) => ({
        subject: 'facts',
        value: `no longer an error: ${id}`,
        reason: `${why} (facts: ${name})`,
      })),
    ],
  }
}

const factsFor = (options: CheckOptions) => (spec: Facts['spec']) => factsOf(spec, options)

function read(layers: readonly Layer[], name: string, options: CheckOptions) {
  const parsed = parseLayers(layers)
  const { spec, decisions } = resolveProfile(parsed.values, name)
  return { parsed, spec, facts: factsOf(spec, options), decisions }
}

function sizingDecisions({ spec, reservations }: Facts): readonly Decision[] {
  const { capacity, kube, system, eviction, allocatable } = reservations
  const { title, podRequests } = cniOf(spec.network.cni)
  const requested = (resource: 'cpu' | 'memory', unit: string) =>
    podRequests ? `; the pod of ${title} requests ${podRequests[resource]}${unit} of it` : ''
  return [
    {
      subject: 'allocatable memory',
      value: `${allocatable.memory}Mi`,
      reason: `${capacity.memory}Mi - ${kube.memory}Mi kubeReserved - ${system.memory}Mi systemReserved - ${eviction.memory}Mi evictionHard (model: ${reservations.model})${requested('memory', 'Mi')}`,
    },
    {
      subject: 'allocatable CPU',
      value: `${allocatable.cpu}m`,
      reason: `${capacity.cpu}m - ${kube.cpu}m kubeReserved - ${system.cpu}m systemReserved${requested('cpu', 'm')}`,
    },
    {
      subject: 'taints',
      value:
        spec.kubelet.taints
          .map(({ key, value, effect }) => `${key}=${value}:${effect}`)
          .join(', ') || 'none',
      reason: 'only pods that tolerate these are scheduled here',
    },
    {
      subject: 'network',
      value: spec.network.name || 'created by a DaemonSet',
      reason: `${`${spec.network.cni} ${spec.network.backend}`.trim()}, HNS network mode ${spec.network.mode}`,
    },
  ]
}

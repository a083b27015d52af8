// One difference between the expected and the actual state, as a finding.
import type { DriftId } from './drift-kinds.ts'
import type { Finding } from './finding.ts'
import type { Json } from './json.ts'
import type { Need } from './need.ts'
import type { Path } from './path.ts'

/** Origin of the difference: the profile or winnode changed, the other side was modified by hand, or both. */
export type Owner = 'ours' | 'theirs' | 'both'

/** Effect on the exit code: drift, missing evidence, a node that does not work, or none. */
export type ExitEffect = 'drift' | 'incomplete' | 'not-working' | 'informational'

/** A variant of a difference, with the nodes that have it. */
export interface Variant {
  readonly message: string
  readonly nodes: readonly string[]
}

export interface Drift extends Finding {
  readonly id: DriftId
  /** Identifies the difference in `ignore` and in a baseline: `files/kubelet/config.json#maxPods`. */
  readonly subject: string
  readonly weight: ExitEffect
  /** The actual value; absent if missing. */
  readonly was?: Json | undefined
  /** The expected value; absent if none is expected. */
  readonly should?: Json | undefined
  readonly owner?: Owner | undefined
  readonly need?: Need | undefined
  /** The nodes that have the difference. */
  readonly nodes?: readonly string[] | undefined
  /** The most frequent first. */
  readonly variants?: readonly Variant[] | undefined
  /** The purpose of the field. */
  readonly why?: string | undefined
  /** The field of the profile that decides it. */
  readonly field?: Path | undefined
  /** Where the value of that field comes from: its line in the profile, `default` or `decided`. */
  readonly fieldFrom?: string | undefined
}

/** A difference that the profile or a baseline accepts. */
export interface IgnoredDrift {
  readonly drift: Drift
  readonly reason: string
}

export interface DriftResult {
  readonly drifts: readonly Drift[]
  /** Names of the nodes that could be read. */
  readonly nodes: readonly string[]
  readonly ignored: readonly IgnoredDrift[]
}

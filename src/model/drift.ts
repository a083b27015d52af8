// Drift: one difference between the expected and the actual state, as a finding.
import type { Finding } from './finding.ts'
import type { Json } from './json.ts'
import type { Need } from './need.ts'
import type { Path } from './path.ts'

/** Origin of the difference: the profile or winnode changed, the other side was modified by hand, or both. */
export type Owner = 'ours' | 'theirs' | 'both'

/** Its effect on the exit code: drift, missing evidence, a node that does not work, or none. */
export type Weight = 'drift' | 'incomplete' | 'not-working' | 'told'

/** A variant of a difference, with the nodes that have it. */
export interface Variant {
  readonly message: string
  readonly nodes: readonly string[]
}

export interface Drift extends Finding {
  /** Names it for `ignore` and for a baseline: `files/kubelet/config.json#maxPods`. */
  readonly subject: string
  readonly weight: Weight
  /** Absent where there is nothing. */
  readonly was?: Json | undefined
  /** Absent where nothing should be. */
  readonly should?: Json | undefined
  readonly owner?: Owner | undefined
  readonly need?: Need | undefined
  /** Those that have it, where it is of nodes. */
  readonly nodes?: readonly string[] | undefined
  /** The most frequent first. */
  readonly variants?: readonly Variant[] | undefined
  /** What the field is for. */
  readonly why?: string | undefined
  /** The field of the profile that decides it. */
  readonly field?: Path | undefined
  /** Added at the border: the line of that field, `default` or `decided`. */
  readonly fieldFrom?: string | undefined
}

/** Kinds of differences that a profile may ignore: all but errors and missing evidence. */
const driftIds = [
  'field-edited',
  'field-outdated',
  'file-edited',
  'file-outdated',
  'file-rewritten',
  'step-differs',
  'step-outdated',
  'step-waits',
  'node-waits',
  'node-warns',
  'node-suspended',
  'label-differs',
  'taint-differs',
  'windows-differs',
  'version-differs',
  'bundle-differs',
  'allocatable-differs',
  'kubelet-differs',
  'cluster-differs',
  'object-differs',
  'object-left',
  'daemonset-strays',
] as const

/** Whether an entry of `ignore` is about drift: it names a kind of difference or a subject, and no rule. */
export function isOfDrift(name: string): boolean {
  return driftIds.some((id) => id === name) || /[#./]/.test(name)
}

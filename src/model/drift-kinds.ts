// The kinds of differences, with what they mean: for reports that show only the id, and for `ignore` of a profile.
import { ownOf } from './json.ts'

interface DriftKind {
  readonly means: string
  /** An error, or missing evidence: a profile cannot ignore it. */
  readonly isError?: true
}

export const driftKinds = {
  'field-edited': { means: 'A field of a rendered file was modified by hand.' },
  'field-outdated': {
    means: 'A field differs from what the profile and this winnode version render.',
  },
  'file-edited': { means: 'A rendered file was modified by hand.' },
  'file-outdated': {
    means: 'A file differs from what the profile and this winnode version render.',
  },
  'file-missing': { means: 'A rendered file is missing.', isError: true },
  'file-broken': { means: 'A file can no longer be parsed by its program.', isError: true },
  'file-rewritten': {
    means: 'A file has the same settings in another layout or order.',
  },
  'step-differs': { means: 'A step of a node differs from the profile.' },
  'step-outdated': {
    means: 'A node has a step that the profile no longer has, or lacks a new one.',
  },
  'step-waits': { means: 'A step needs a reboot.' },
  'step-unknown': { means: 'A node could not check a step.', isError: true },
  'bundle-other': { means: 'A node was installed from a bundle with another name.', isError: true },
  'check-fails': { means: 'A preflight check fails.', isError: true },
  'node-waits': { means: 'A reboot is pending.' },
  'node-warns': { means: 'A check reports a warning.' },
  'node-twice': { means: 'Two snapshots or reports have the same node name.' },
  'node-suspended': { means: 'The reconcile loop of a node is suspended.' },
  'node-not-working': { means: 'A node has no drift but does not work.', isError: true },
  'node-unknown': {
    means: 'A node could not check whether it works, or did not publish it.',
    isError: true,
  },
  'label-differs': { means: 'A Node lacks labels of the profile.' },
  'taint-differs': { means: 'A Node lacks taints of the profile.' },
  'windows-differs': { means: 'A Node runs another Windows build than the profile.' },
  'version-differs': { means: 'A Node runs another component version than the profile.' },
  'bundle-differs': { means: 'A node has another bundle than the profile renders.' },
  'allocatable-differs': { means: 'The allocatable resources of a Node differ from the profile.' },
  'kubelet-differs': { means: 'The running configuration of a kubelet differs from the profile.' },
  'cluster-differs': { means: 'A setting of the cluster differs from the profile.' },
  'linux-side-unknown': {
    means:
      'The network plugin has no ConfigMap, so its settings on Linux nodes could not be compared.',
  },
  'object-differs': { means: 'An object in the cluster differs from its manifest in the bundle.' },
  'object-missing': { means: 'An object of the bundle is missing in the cluster.', isError: true },
  'object-left': { means: 'The cluster has an object of an earlier bundle or of another profile.' },
  'daemonset-strays': {
    means: 'A DaemonSet for Linux is scheduled on Windows nodes, where its pods never start.',
  },
  'evidence-unreadable': {
    means: 'A bundle, snapshot, report or object could not be read.',
    isError: true,
  },
} as const satisfies Readonly<Record<string, DriftKind>>

export type DriftId = keyof typeof driftKinds

const kinds: Readonly<Record<string, DriftKind>> = driftKinds

/** Whether an entry of `ignore` is about drift: it names a kind of difference or a subject, and no rule. */
export function isOfDrift(name: string): boolean {
  const kind = ownOf(kinds, name)
  return (kind && !kind.isError) ?? /[#./]/.test(name)
}

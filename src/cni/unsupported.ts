// Network plugins that a cluster may run, and that winnode cannot set up.

/** Titles, by the names of the DaemonSets in their own manifests. */
export const unsupportedPlugins: ReadonlyMap<string, string> = new Map([
  ['aws-node', 'the Amazon VPC CNI'],
  ['calico-node', 'Calico'],
  ['canal', 'Canal'],
  ['cilium', 'Cilium'],
  ['kindnet', 'kindnet'],
  ['kube-router', 'kube-router'],
  ['weave-net', 'Weave Net'],
])

// Network plugins that winnode can detect in a cluster but does not support.

/** Titles, by the DaemonSet names in their manifests. */
export const unsupportedPlugins: ReadonlyMap<string, string> = new Map([
  ['canal', 'Canal'],
  ['cilium', 'Cilium'],
  ['kindnet', 'kindnet'],
  ['kube-router', 'kube-router'],
  ['weave-net', 'Weave Net'],
])

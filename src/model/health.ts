// A test that a joined node works.

/** Runs on a joined node without drift, so no step can fix a failure. */
export interface HealthCheck {
  readonly id: string
  readonly kind: HealthKind
  /** What the check needs, by kind. */
  readonly with: Readonly<Record<string, boolean | number | string | readonly string[]>>
}

/** What each kind of check requires. */
export const healthKinds = {
  kubelet: 'The kubelet answers at its health endpoint.',
  certificate: 'The client certificate of the kubelet works, and does not expire soon.',
  node: 'The Node is Ready, with the version, labels and taints of the profile.',
  network: 'HNS has the network of the plugin, with what the host needs in it.',
  sandboxes: 'The sandbox of every pod has its HNS endpoint.',
  endpoints: 'The HNS endpoint of every pod is attached.',
  bgp: 'The BGP peers of the node are connected.',
  proxy: 'kube-proxy keeps up with changes.',
  services: 'HNS has the load balancers of two Services that every cluster has.',
  image: 'containerd has the sandbox image.',
  clock: 'The clock agrees with the clock of the API server.',
  disk: 'The drive has more free space than the eviction threshold of the kubelet.',
  ports: 'The expected programs use the ports of the node, and enough dynamic ports are free.',
  logs: 'kube-log-runner still writes the logs that it rotates.',
  firewall: 'Windows Firewall applies the rules of the bundle.',
  tokens: 'The tokens in files are valid, and do not expire soon.',
  gmsa: 'The machine can get the passwords of group managed service accounts.',
} as const
export type HealthKind = keyof typeof healthKinds

// A value that is known only on the node.

/** A closed list: templates/node detects each of them. */
export type NodeFact =
  /** The lower-cased DNS host name. */
  | 'nodeName'
  /** The IPv4 address of the adapter. */
  | 'nodeIP'
  /** The alias of the adapter that carries the default route. */
  | 'adapter'
  /** Reserved for kube-proxy on an overlay network. */
  | 'sourceVip'
  /** This node's share of the pod CIDR, as the network plugin wrote it. */
  | 'podSubnet'
  /** The cloud's name for the machine. */
  | 'providerID'

// NodeFact: a value that is known only on the node.

/**
 * What is known only on the node. The list is closed.
 *
 * - `nodeName`: the lower-cased DNS host name, or the override
 * - `nodeIP`: IPv4 address of the adapter that carries the default route, or the override
 * - `adapter`: alias of that adapter
 * - `podSubnet`: this node's share of the pod CIDR, as the network plugin wrote it
 * - `sourceVip`: address reserved for kube-proxy on an overlay network
 * - `providerID`: the cloud's name for the machine
 */
export const nodeFacts = [
  'nodeName',
  'nodeIP',
  'adapter',
  'podSubnet',
  'sourceVip',
  'providerID',
] as const
export type NodeFact = (typeof nodeFacts)[number]

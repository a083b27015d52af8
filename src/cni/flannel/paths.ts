// The folders and the file of flannel on a node, at the places of its Linux defaults.
export const paths = {
  conf: 'C:\\etc\\kube-flannel',
  run: 'C:\\run\\flannel',
  data: 'C:\\var\\lib\\cni\\flannel',
  /** The node's share of the pod network: flanneld writes it, the CNI plugin reads it. */
  subnetFile: 'C:\\run\\flannel\\subnet.env',
} as const

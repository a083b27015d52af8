// Paths of flannel on a node, the same as its defaults on Linux.
export const paths = {
  conf: 'C:\\etc\\kube-flannel',
  run: 'C:\\run\\flannel',
  data: 'C:\\var\\lib\\cni\\flannel',
  /** The node's pod subnet: written by flanneld, read by the CNI plugin. */
  subnetFile: 'C:\\run\\flannel\\subnet.env',
} as const

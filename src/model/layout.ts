// Paths on a node, and their access control lists.

/**
 * Absolute paths on the node. kubeadm and the CNI plugins have Linux defaults such as
 * `/etc/kubernetes`; Windows reads them as folders of the current drive, so these are the same places.
 */
export const layout = {
  /** kubelet, kube-proxy, kubeadm and their wrappers. */
  programs: 'C:\\k',
  containerd: 'C:\\Program Files\\containerd',
  containerdRoot: 'C:\\ProgramData\\containerd\\root',
  containerdState: 'C:\\ProgramData\\containerd\\state',
  registries: 'C:\\ProgramData\\containerd\\certs.d',
  cniBin: 'C:\\opt\\cni\\bin',
  cniConf: 'C:\\etc\\cni\\net.d',
  cniNetworks: 'C:\\var\\lib\\cni\\networks',
  kubernetes: 'C:\\etc\\kubernetes',
  pki: 'C:\\etc\\kubernetes\\pki',
  ca: 'C:\\etc\\kubernetes\\pki\\ca.crt',
  kubeletRoot: 'C:\\var\\lib\\kubelet',
  /** Not config.yaml, which kubeadm writes from the cluster's configuration and the kubelet then ignores. */
  kubeletConfig: 'C:\\var\\lib\\kubelet\\config.json',
  credentialProviders: 'C:\\etc\\kubernetes\\credential-providers.json',
  kubeletPki: 'C:\\var\\lib\\kubelet\\pki',
  pods: 'C:\\var\\lib\\kubelet\\pods',
  kubeletKubeconfig: 'C:\\etc\\kubernetes\\kubelet.conf',
  bootstrapKubeconfig: 'C:\\etc\\kubernetes\\bootstrap-kubelet.conf',
  discovery: 'C:\\etc\\kubernetes\\discovery.conf',
  joinConfiguration: 'C:\\etc\\kubernetes\\join.json',
  kubeProxy: 'C:\\var\\lib\\kube-proxy',
  logs: 'C:\\var\\log',
  podLogs: 'C:\\var\\log\\pods',
  containerLogs: 'C:\\var\\log\\containers',
  winnode: 'C:\\ProgramData\\winnode',
} as const

/** The folder of the bundle in pipelines and in its README. */
export const bundleFolder = 'C:\\win-node'

/** The drive of a path on the node: `D:`. Windows, the kubelet folder and the logs are on C:. */
export const driveOf = (path: string): string => path.slice(0, 2).toUpperCase()
export const systemDrive = 'C:'

/** containerd's named pipe, as containerd and as Kubernetes write it. */
export const pipe = {
  windows: '\\\\.\\pipe\\containerd-containerd',
  endpoint: 'npipe:////./pipe/containerd-containerd',
} as const

/** Only SYSTEM and Administrators, by SID, without inheritance from C:\, which Users can read. */
export const protectedList = 'D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)'

/**
 * As `protectedList`, and Users as on C:\ itself: they read, create files and folders, and own what
 * they made. A container that runs as ContainerUser counts as one of them: it reads its token below,
 * and writes to an emptyDir, which takes its list from the folder above.
 * setupDir in https://github.com/kubernetes/kubernetes/blob/master/pkg/volume/emptydir/empty_dir.go
 */
export const podsList =
  'D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1200a9;;;BU)(A;CI;0x6;;;BU)(A;OICIIO;FA;;;CO)'

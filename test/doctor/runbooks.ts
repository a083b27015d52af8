// Troubles that people look up, each with its section of docs/runbooks.md and what doctor finds.

export interface Runbook {
  readonly symptom: string
  /** Heading of its section. */
  readonly heading: string
  readonly diagnoses: readonly string[]
  readonly see: string
}

const debugging = 'https://kubernetes.io/docs/tasks/debug/debug-cluster/windows/'

export const runbooks: Readonly<Record<string, Runbook>> = {
  'image-mismatch': {
    symptom: 'the container operating system does not match the host operating system',
    heading: "The container's operating system does not match the host's",
    diagnoses: ['image-of-other-windows'],
    see: 'https://learn.microsoft.com/virtualization/windowscontainers/deploy-containers/version-compatibility',
  },
  'hns-endpoint': {
    symptom: 'a pod without an address, or with one and no traffic',
    heading: 'A pod has no address, or an address and no traffic',
    diagnoses: ['hns-network-missing', 'cni-configuration-foreign'],
    see: 'https://github.com/Azure/aks-engine/issues/3900',
  },
  'vfp-rules': {
    symptom: 'Services cannot be reached from Windows pods',
    heading: 'Services cannot be reached from Windows pods',
    diagnoses: ['service-without-load-balancer', 'source-vip-empty'],
    see: 'https://github.com/kubernetes/kubernetes/blob/master/pkg/proxy/winkernel/proxier.go',
  },
  'pipe-not-found': {
    symptom: 'the kubelet cannot connect to npipe:////./pipe/containerd-containerd',
    heading: "The kubelet cannot open containerd's pipe",
    diagnoses: ['containerd-stopped', 'runtime-endpoint-wrong', 'containerd-pipe-absent'],
    see: 'https://github.com/containerd/containerd/issues/9437',
  },
  'program-not-found': {
    symptom: 'the system cannot find the file specified (0x2)',
    heading: "A container's program is not found",
    diagnoses: ['container-program-missing'],
    see: 'https://github.com/containerd/containerd/issues/6300',
  },
  'endpoints-deleted': {
    symptom: 'endpoints of running containers are deleted',
    heading: 'Endpoints of running containers are deleted',
    diagnoses: ['kube-proxy-for-other-node'],
    see: 'https://github.com/kubernetes/kubernetes/issues/71799',
  },
  'flannel-rejoin': {
    symptom: 'a node that was deleted and joins again has trouble with its pod subnet',
    heading: 'A deleted node joins again with its old pod subnet',
    diagnoses: ['subnet-of-earlier-join'],
    see: debugging,
  },
  'flannel-waits': {
    symptom: 'Waiting for the Network to be created',
    heading: 'flannel waits for its network',
    diagnoses: ['hns-network-missing'],
    see: debugging,
  },
  'subnet-env-missing': {
    symptom: 'pods do not start: subnet.env is missing',
    heading: 'subnet.env is missing',
    diagnoses: ['subnet-file-missing'],
    see: debugging,
  },
  'no-adapter': {
    symptom: 'no network adapter when the kubelet starts',
    heading: 'No network adapter when the kubelet starts',
    diagnoses: ['adapter-missing'],
    see: debugging,
  },
  'mac-spoofing': {
    symptom: 'no pod traffic on a virtual machine',
    heading: 'A virtual machine has no pod traffic',
    diagnoses: ['mac-addresses-filtered'],
    see: debugging,
  },
}

// Network plugins and modes that winnode knows and does not set up: why, and what to use instead.
import type { RefusedValue } from '../model/field.ts'

interface UnsupportedPlugin extends RefusedValue {
  readonly title: string
  /** As profiles name it, and its DaemonSets in its own manifests. */
  readonly names: readonly string[]
}

const perCluster = 'Use flannel, Calico or Antrea as the network plugin of the cluster.'
const noWindows = 'has no agent for Windows'

export const unsupportedPlugins: readonly UnsupportedPlugin[] = [
  {
    title: 'Cilium',
    names: ['cilium'],
    reason: noWindows,
    instead: perCluster,
    see: 'https://docs.cilium.io/en/stable/operations/system_requirements/',
  },
  {
    title: 'Canal',
    names: ['canal'],
    reason: noWindows,
    instead: 'Use flannel or Calico as the network plugin of the cluster.',
    see: 'https://github.com/projectcalico/calico/blob/v3.32.1/manifests/canal.yaml',
  },
  {
    title: 'kindnet',
    names: ['kindnet'],
    reason: noWindows,
    instead: perCluster,
    see: 'https://github.com/kubernetes-sigs/kindnet',
  },
  {
    title: 'kube-router',
    names: ['kube-router'],
    reason: noWindows,
    instead: perCluster,
    see: 'https://www.kube-router.io/docs/',
  },
  {
    title: 'Weave Net',
    names: ['weave-net', 'weave'],
    reason: noWindows,
    instead: perCluster,
    see: 'https://github.com/weaveworks/weave',
  },
  {
    title: 'Azure CNI',
    names: ['azure', 'azure-cni', 'azure-vnet', 'azure-cns'],
    reason:
      'takes pod addresses from a service of AKS or of the Azure host, and the VNet routes them',
    instead: 'In AKS, use its own node pools; on other machines in Azure, calico or flannel.',
    see: 'https://github.com/Azure/azure-container-networking/blob/v1.8.12/cns/client/client.go',
  },
  {
    title: 'OVN-Kubernetes',
    names: ['ovn-kubernetes', 'ovnkube-node'],
    reason: 'gets its Windows nodes from OpenShift’s Windows Machine Config Operator',
    instead: 'Use that operator.',
    see: 'https://github.com/openshift/windows-machine-config-operator',
  },
  {
    title: 'kubenet',
    names: ['kubenet'],
    reason: 'never ran on Windows, and the kubelet lost it in Kubernetes 1.24',
    instead: 'Use flannel with network.mode l2bridge (host-gw).',
    see: 'https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/network-plugins/',
  },
  {
    title: 'wincni',
    names: ['wincni', 'wincni.exe'],
    reason: 'is for Docker’s sandboxes, which containerd does not create',
    instead: 'Use win-bridge, which also needs routes to the pod CIDRs.',
    see: 'https://github.com/microsoft/SDN/blob/master/Kubernetes/windows/cni/README_v1.md',
  },
]

const topologies =
  'https://learn.microsoft.com/virtualization/windowscontainers/container-networking/network-drivers-topologies'

/** Types of HNS networks that no network plugin of a cluster uses. */
export const unsupportedModes: Readonly<Record<string, RefusedValue>> = {
  nat: {
    reason: 'connects the containers of one machine, and other nodes cannot reach their addresses',
    instead: 'Set overlay, or l2bridge if all nodes are in one subnet.',
    see: topologies,
  },
  l2tunnel: {
    reason: 'is only for the virtual network of Azure hosts',
    instead: 'Set l2bridge.',
    see: topologies,
  },
}

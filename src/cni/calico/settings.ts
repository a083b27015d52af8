// Why each setting of Calico must have this value.
import { explain } from '../../model/setting.ts'

export const calicoSettings = explain(
  'https://docs.tigera.io/calico/latest/getting-started/kubernetes/windows-calico/operator',
  {
    'spec.serviceCIDRs[]': {
      why: 'The operator renders nothing for Windows without them; the CNI configuration routes them and excludes them from NAT.',
      field: 'network.serviceCIDRs',
    },
    'spec.calicoNetwork.bgp':
      'Explicitly: left out it is Enabled. Enabled gives Windows nodes L2Bridge networks, also beside a VXLAN pool; Disabled overlay networks.',
    'spec.cni.type': 'Calico’s own plugin, which the next setting belongs to.',
    'spec.cni.ipam.type':
      'HostLocal: with BGP disabled, only it gives Windows nodes the backend none, and they use the pod CIDR of the Node. An existing cluster keeps its IPAM plugin.',
    'spec.calicoNetwork.windowsDataplane':
      'HNS; without it the operator deploys nothing to Windows nodes.',
    'spec.windowsNodes.vxlanAdapter': {
      why: 'The adapter of the HNS network, on all Windows nodes of the cluster. Left out, HNS chooses it.',
      field: 'network.adapter',
    },
    cidr: {
      why: 'The pod CIDR of the cluster. The operator reads only the first IPv4 pool for Windows.',
      field: 'network.podCIDRs',
    },
    encapsulation:
      'VXLAN for overlay networks, None for l2bridge: the only ones that Windows supports. Left out it is IPIP, which the operator refuses with Windows nodes.',
    natOutgoing: {
      why: 'Pods reach addresses outside of the cluster with the node’s address.',
      field: 'network.calico.natOutgoing',
    },
    blockSize: {
      why: 'The addresses of a node: Calico for Windows uses one block per node.',
      field: 'network.calico.blockSize',
    },
    nodeSelector: 'Pods of all nodes use the pool.',
    'spec.vxlanVNI': {
      why: 'HNS needs 4096 or more; Linux and Windows nodes must have the same VNI.',
      field: 'network.calico.vni',
    },
    'spec.strictAffinity': 'Linux nodes may not borrow addresses from the blocks of Windows nodes.',
    'data.KUBERNETES_SERVICE_HOST': {
      why: 'The API server’s own address: its Service IP works only after kube-proxy has started.',
      field: 'join.endpoint',
    },
    'data.KUBERNETES_SERVICE_PORT': {
      why: 'The port of that address; the operator requires both.',
      field: 'join.endpoint',
    },
    apiVersion: 'API version of the object.',
    kind: 'A ConfigMap, which Calico’s operator reads.',
    'metadata.name': 'The name that the operator reads.',
    'metadata.namespace': 'The namespace of the operator.',
  },
)

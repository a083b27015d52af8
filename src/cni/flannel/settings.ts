// Why each setting stands in the files of flannel, or on the command line of flanneld.
import { explain } from '../../model/setting.ts'
import { policySettings } from '../endpoint-policies.ts'

const plugin = 'https://github.com/flannel-io/cni-plugin/blob/main/README.md'
const overlay = 'https://www.cni.dev/plugins/current/main/win-overlay/'
const conventions = 'https://github.com/containernetworking/cni/blob/main/CONVENTIONS.md'

const conflist = explain('https://github.com/containernetworking/cni/blob/main/SPEC.md', {
  cniVersion:
    'What containerd’s libcni reads back: 1.0.0 from containerd 1.6 on, 0.4.0 before. With a newer one no pod starts.',
  name: 'The HNS network. Addresses are kept under the same name, so that the source VIP stays reserved.',
  'plugins[].type': ['flannel: it reads this node’s share and calls the plugin below.', plugin],
  'plugins[].subnetFile': ['Where flanneld writes this node’s share of the pod network.', plugin],
  'plugins[].dataDir': ['Where the plugin remembers what it gave to whom.', plugin],
  'plugins[].capabilities.dns': [
    'containerd passes each pod’s DNS settings on; Windows has no resolv.conf to carry them.',
    conventions,
  ],
  'plugins[].capabilities.portMappings': [
    'hostPort of pods works; win-overlay would take it without acting on it.',
    conventions,
  ],
  'plugins[].delegate.type': ['win-overlay or win-bridge, by the type of the network.', overlay],
  'plugins[].delegate.apiVersion': [
    '2, the interface that knows containerd’s network namespaces; with 1 no pod starts.',
    'https://github.com/containernetworking/plugins/tree/main/plugins/main/windows',
  ],
  'plugins[].delegate.endpointMacPrefix': [
    'MAC addresses are this and the IP address; flanneld must use the same.',
    overlay,
  ],
  'plugins[].delegate.loopbackDSR': [
    'A pod reaches itself through its own service; goes with direct server return.',
    'https://github.com/containernetworking/plugins/tree/main/plugins/main/windows',
  ],
})

export const conflistSettings = { ...conflist, ...policySettings('plugins[].delegate.policies[]') }

export const netConfSettings = explain(
  'https://github.com/flannel-io/flannel/blob/master/Documentation/backends.md',
  {
    Network: {
      why: 'The pod network; the Linux side must say the same.',
      field: 'network.podCIDRs',
    },
    'Backend.Type': {
      why: 'vxlan for an overlay, host-gw for l2bridge; one for the whole cluster.',
      field: 'network.mode',
    },
    'Backend.VNI': {
      why: 'At least 4096 on Windows. Linux defaults to 1, and nodes with another one are not seen.',
      field: 'network.flannel.vni',
    },
    'Backend.Port': {
      why: '4789, which is the only one on Windows. Linux defaults to 8472.',
      field: 'network.flannel.port',
    },
    'Backend.Name': {
      why: 'The name of the HNS network, the same as in the CNI conf and for kube-proxy.',
      field: 'network.name',
    },
    'Backend.MacPrefix': {
      why: 'The same as in the CNI conf.',
      field: 'network.flannel.macPrefix',
    },
  },
)

export const flannelRoleSettings = explain(
  'https://github.com/flannel-io/flannel/blob/master/Documentation/kube-flannel.yml',
  {
    'rules[].apiGroups[]': 'Nodes are in the core group.',
    'rules[].resources[]': 'flanneld reads the shares of all nodes, and notes its own address.',
    'rules[].verbs[]': 'It reads nodes, and changes the status of its own.',
  },
)

export const flannelFlags = explain(
  'https://github.com/flannel-io/flannel/blob/master/Documentation/configuration.md',
  {
    '--kube-subnet-mgr': 'Shares of the pod network come from the Node objects, not from etcd.',
    '--kubeconfig-file': 'Credentials of its own.',
    '--iface':
      'The node’s address, found on the node: traffic to other nodes goes through its adapter.',
    '--net-config-path': 'The network that it makes.',
    '--subnet-file': 'Where it writes this node’s share for the CNI plugin.',
    '--iptables-forward-rules': 'false: there are no iptables here.',
    NODE_NAME: 'The node’s name in its environment: whose share of the pod network it takes.',
  },
)

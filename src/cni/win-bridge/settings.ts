// Why each setting stands in the CNI conf of win-bridge.
import { explain } from '../../model/setting.ts'
import { policySettings } from '../endpoint-policies.ts'

const windows = 'https://github.com/containernetworking/plugins/tree/main/plugins/main/windows'
const hostLocal = 'https://www.cni.dev/plugins/current/ipam/host-local/'
const conventions = 'https://github.com/containernetworking/cni/blob/main/CONVENTIONS.md'

export const conflistSettings = {
  ...explain('https://github.com/containernetworking/cni/blob/main/SPEC.md', {
    cniVersion:
      'What containerd’s libcni reads back: 1.0.0 from containerd 1.6 on, 0.4.0 before. With a newer one no pod starts.',
    name: {
      why: 'The HNS network that win-bridge opens, and the folder in which host-local keeps addresses.',
      field: 'network.name',
    },
    'plugins[].type': [
      'win-bridge: makes an endpoint in the network for each pod. Its gateway is the second address of the subnet, the endpoint of the host.',
      'https://www.cni.dev/plugins/current/main/win-bridge/',
    ],
    'plugins[].apiVersion': [
      '2, the interface that knows containerd’s network namespaces; with 1 no pod starts.',
      windows,
    ],
    'plugins[].capabilities.dns': [
      'containerd passes each pod’s DNS settings on; Windows has no resolv.conf to carry them.',
      conventions,
    ],
    'plugins[].capabilities.portMappings': ['hostPort of pods works.', conventions],
    'plugins[].loopbackDSR': [
      'A pod reaches itself through its own service; goes with direct server return.',
      windows,
    ],
    'plugins[].ipam.type': [
      'host-local: gives each pod an address of this node’s share.',
      hostLocal,
    ],
    'plugins[].ipam.dataDir': ['Where host-local keeps which pod has which address.', hostLocal],
    'plugins[].ipam.subnet': ['This node’s podCIDR; the node fills it in.', hostLocal],
  }),
  ...policySettings('plugins[].policies[]'),
}

// Why each setting of win-bridge's CNI conf has its value.
import { explain } from '../../model/setting.ts'
import { policySettings } from '../endpoint-policies.ts'

const windows = 'https://github.com/containernetworking/plugins/tree/main/plugins/main/windows'
const hostLocal = 'https://www.cni.dev/plugins/current/ipam/host-local/'
const conventions = 'https://github.com/containernetworking/cni/blob/main/CONVENTIONS.md'

export const conflistSettings = {
  ...explain('https://github.com/containernetworking/cni/blob/main/SPEC.md', {
    cniVersion:
      'The newest version that containerd’s libcni accepts: 1.0.0 from containerd 1.6 on, 0.4.0 before. With a newer one no pod starts.',
    name: {
      why: 'The HNS network that win-bridge uses, and the folder in which host-local stores addresses.',
      field: 'network.name',
    },
    'plugins[].type': [
      'win-bridge: creates an HNS endpoint for each pod. The gateway is the second address of the subnet, the host’s endpoint.',
      'https://www.cni.dev/plugins/current/main/win-bridge/',
    ],
    'plugins[].apiVersion': [
      '2, the HNS API with network namespaces, which containerd needs; with 1 no pod starts.',
      windows,
    ],
    'plugins[].capabilities.dns': [
      'containerd passes each pod’s DNS settings, because Windows has no resolv.conf.',
      conventions,
    ],
    'plugins[].capabilities.portMappings': ['hostPort of pods works.', conventions],
    'plugins[].loopbackDSR': [
      'A pod can reach itself through its own Service; needs direct server return (DSR).',
      windows,
    ],
    'plugins[].ipam.type': [
      'host-local: assigns each pod an address of this node’s podCIDR.',
      hostLocal,
    ],
    'plugins[].ipam.dataDir': [
      'The folder in which host-local stores address assignments.',
      hostLocal,
    ],
    'plugins[].ipam.subnet': ['This node’s podCIDR; the node fills it in.', hostLocal],
  }),
  ...policySettings('plugins[].policies[]'),
}

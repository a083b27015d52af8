// flannel: what flanneld on Windows refuses, and what the Linux side must say.
import { isDevice } from '../../model/bundle-path.ts'
import { defineRule, when, type Rule } from '../../model/rule.ts'

const backends = 'https://github.com/flannel-io/flannel/blob/master/Documentation/backends.md'

const vniOutOfRange = defineRule({
  id: 'flannel-vni-out-of-range',
  severity: 'error',
  summary: 'The VNI is from 4096 to 65535.',
  remedy: 'Use 4096, here and in net-conf.json of the Linux side.',
  see: backends,
  check: ({ spec: { network } }) => {
    const { vni } = network.flannel
    if (network.cni !== 'flannel' || network.mode !== 'overlay') return []
    const path = ['network', 'flannel', 'vni']
    // A lease holds 16 bits of it: pkg/backend/vxlan/vxlan_windows.go.
    const told = vni % 65_536
    return [
      ...when(
        vni < 4096,
        path,
        `VNI ${vni} is refused by flanneld on Windows; it takes 4096 and more`,
      ),
      ...when(
        vni > 65_535,
        path,
        `VNI ${vni} is told to the other nodes as ${told}, so no packet arrives; 65535 is the largest`,
      ),
    ]
  },
})

const portFixed = defineRule({
  id: 'flannel-port-not-4789',
  severity: 'error',
  summary: 'The VXLAN port is 4789.',
  remedy: 'Use 4789, here and in net-conf.json of the Linux side.',
  see: backends,
  check: ({ spec: { network } }) =>
    when(
      network.cni === 'flannel' && network.mode === 'overlay' && network.flannel.port !== 4789,
      ['network', 'flannel', 'port'],
      `port ${network.flannel.port} is refused by flanneld on Windows; it takes 4789 only`,
    ),
})

const macPrefixOfGroup = defineRule({
  id: 'flannel-mac-prefix-of-group',
  severity: 'error',
  summary: 'Endpoints of an overlay network have addresses of single adapters.',
  remedy: 'Begin it with an even byte, such as 0E-2A.',
  see: 'https://github.com/containernetworking/plugins/blob/main/plugins/main/windows/win-overlay/win-overlay_windows.go',
  check: ({ spec: { network } }) => {
    const { macPrefix } = network.flannel
    return when(
      network.cni === 'flannel' &&
        network.mode === 'overlay' &&
        parseInt(macPrefix.slice(0, 2), 16) % 2 === 1,
      ['network', 'flannel', 'macPrefix'],
      `the plugin puts ${macPrefix} before the MAC address of each pod, and an odd first byte makes it that of a group`,
    )
  },
})

const networkNamedAsDevice = defineRule({
  id: 'network-named-as-device',
  severity: 'error',
  summary: 'The name of the network becomes that of a folder on the node.',
  remedy: 'Choose another name, or leave network.name out.',
  see: 'https://github.com/containernetworking/plugins/blob/main/plugins/ipam/host-local/backend/disk/backend.go',
  check: ({ spec: { network } }) =>
    when(
      network.cni === 'flannel' && isDevice(network.name),
      ['network', 'name'],
      `host-local keeps addresses in a folder that is called ${network.name}, and Windows takes that for a device`,
    ),
})

const linuxSideDiffers = defineRule({
  id: 'flannel-linux-defaults-differ',
  severity: 'info',
  harm: 'breaks',
  summary: 'The Linux side is told the VNI and the port.',
  remedy: 'Compare net-conf.json of the Linux side with cluster/linux-side/flannel-net-conf.json.',
  see: backends,
  check: ({ spec: { network } }) =>
    when(
      network.cni === 'flannel' && network.mode === 'overlay',
      ['network', 'flannel', 'vni'],
      `flannel on Linux defaults to VNI 1 and port 8472, and Windows needs ${network.flannel.vni} and ${network.flannel.port} on every node`,
    ),
})

const hostGwSpans = defineRule({
  id: 'host-gw-spans-subnets',
  severity: 'error',
  summary: 'Nodes of a host-gw network share one subnet.',
  remedy: 'Use an overlay network, or list the one CIDR of the segment that all nodes share.',
  see: backends,
  check: ({ spec: { network } }) => {
    const subnets = network.nodeCIDRs.filter((cidr) => !cidr.includes(':'))
    return when(
      network.cni === 'flannel' && network.mode === 'l2bridge' && subnets.length > 1,
      ['network', 'nodeCIDRs', 1],
      `flannel routes pods straight to their node, which needs one subnet for all nodes, and these are ${subnets.join(' and ')}`,
    )
  },
})

const oneFlannelNetwork = defineRule({
  id: 'flannel-has-one-network',
  severity: 'error',
  summary: 'flannel on Windows has one pod network, of IPv4.',
  remedy: 'Leave the other CIDRs out.',
  see: 'https://github.com/flannel-io/flannel/blob/master/pkg/subnet/kube/kube.go',
  check: ({ spec: { network } }) => {
    if (network.cni !== 'flannel') return []
    const six = (cidr: string) => cidr.includes(':')
    const told = (cidr: string) => six(cidr) && network.mode === 'overlay'
    return [
      ...network.podCIDRs.flatMap((cidr, at) =>
        when(
          at > 0 && !told(cidr),
          ['network', 'podCIDRs', at],
          six(cidr)
            ? `flannel on Windows gives pods no IPv6 address, so nothing reaches ${cidr}`
            : `flanneld makes a network of ${network.podCIDRs[0] ?? ''} alone, and ends on a node whose share is of ${cidr}`,
        ),
      ),
      ...network.serviceCIDRs.flatMap((cidr, at) =>
        when(
          six(cidr) && !told(cidr),
          ['network', 'serviceCIDRs', at],
          `flannel on Windows gives pods no IPv6 address, so they cannot use services of ${cidr}`,
        ),
      ),
    ]
  },
})

export const flannelRules: readonly Rule[] = [
  vniOutOfRange,
  portFixed,
  macPrefixOfGroup,
  networkNamedAsDevice,
  linuxSideDiffers,
  hostGwSpans,
  oneFlannelNetwork,
]

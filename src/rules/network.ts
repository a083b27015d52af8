// The plugin, its mode, and what both need.
import { cniOf } from '../cni/index.ts'
import { defineRule, when } from '../model/rule.ts'

const windowsNetwork = 'https://kubernetes.io/docs/concepts/services-networking/windows-networking/'
const backends = 'https://github.com/flannel-io/flannel/blob/master/Documentation/backends.md'

export const modeOfPlugin = defineRule({
  id: 'network-mode-not-of-plugin',
  severity: 'error',
  summary: 'The plugin has the mode.',
  remedy: 'Choose a mode that the plugin has on Windows.',
  see: windowsNetwork,
  refs: ['cni/CNI070', 'cni/CNI102'],
  check: ({ spec: { network } }) => {
    const { title, modes } = cniOf(network.cni)
    return when(
      modes[network.mode] === undefined,
      ['network', 'mode'],
      `${title} has no mode ${network.mode} on Windows; it has ${Object.keys(modes).join(' and ')}`,
    )
  },
})

export const vniTooSmall = defineRule({
  id: 'flannel-vni-out-of-range',
  severity: 'error',
  summary: 'The VNI is from 4096 to 65535.',
  remedy: 'Use 4096, here and in net-conf.json of the Linux side.',
  see: backends,
  refs: ['cni/CNI066', 'cni/CNI069'],
  check: ({ spec: { network } }) =>
    when(
      network.cni === 'flannel' &&
        network.mode === 'overlay' &&
        (network.vni < 4096 || network.vni > 65_535),
      ['network', 'vni'],
      `VNI ${network.vni} is refused by flanneld on Windows; it takes 4096 to 65535`,
    ),
})

export const portFixed = defineRule({
  id: 'flannel-port-not-4789',
  severity: 'error',
  summary: 'The VXLAN port is 4789.',
  remedy: 'Use 4789, here and in net-conf.json of the Linux side.',
  see: backends,
  refs: ['cni/CNI067', 'cni/CNI075'],
  check: ({ spec: { network } }) =>
    when(
      network.cni === 'flannel' && network.mode === 'overlay' && network.port !== 4789,
      ['network', 'port'],
      `port ${network.port} is refused by flanneld on Windows; it takes 4789 only`,
    ),
})

export const linuxSideDiffers = defineRule({
  id: 'flannel-linux-defaults-differ',
  severity: 'info',
  harm: 'breaks',
  summary: 'The Linux side is told the VNI and the port.',
  remedy: 'Compare net-conf.json of the Linux side with cluster/linux-side/flannel-net-conf.json.',
  see: backends,
  refs: ['cni/CNI069'],
  check: ({ spec: { network } }) =>
    when(
      network.cni === 'flannel' && network.mode === 'overlay',
      ['network', 'vni'],
      `flannel on Linux defaults to VNI 1 and port 8472, and Windows needs ${network.vni} and ${network.port} on every node`,
    ),
})

export const hostGwSpans = defineRule({
  id: 'host-gw-spans-subnets',
  severity: 'error',
  summary: 'Nodes of a host-gw network share one subnet.',
  remedy: 'Use an overlay network, or list the one CIDR of the segment that all nodes share.',
  see: backends,
  refs: ['cni/CNI050'],
  check: ({ spec: { network } }) => {
    const subnets = network.nodeCIDRs.filter((cidr) => !cidr.includes(':'))
    return when(
      network.mode === 'l2bridge' && subnets.length > 1,
      ['network', 'nodeCIDRs', 1],
      `flannel routes pods straight to their node, which needs one subnet for all nodes, and these are ${subnets.join(' and ')}`,
    )
  },
})

export const cloudDropsPods = defineRule({
  id: 'l2bridge-in-cloud',
  severity: 'warning',
  harm: 'breaks',
  summary: 'The network below an l2bridge lets pods through.',
  remedy:
    'Turn the source and destination check off (AWS), or IP forwarding and routes on (Azure, Google), for every node.',
  see: 'https://learn.microsoft.com/virtualization/windowscontainers/container-networking/network-drivers-topologies',
  refs: ['cni/CNI053'],
  check: ({ spec: { network, kubelet } }) =>
    when(
      network.mode === 'l2bridge' && kubelet.cloudProvider !== undefined,
      ['network', 'mode'],
      'clouds drop packets of addresses that they did not give out, and pods on l2bridge have such',
    ),
})

export const overlayDualStack = defineRule({
  id: 'overlay-single-stack',
  severity: 'error',
  summary: 'An overlay network has one address family.',
  remedy: 'Leave the IPv6 CIDRs out.',
  see: windowsNetwork,
  refs: ['cni/CNI021', 'k8s-matrix/KPX008'],
  check: ({ spec: { network } }) =>
    when(
      network.mode === 'overlay' &&
        [...network.podCIDRs, ...network.serviceCIDRs].some((cidr) => cidr.includes(':')),
      ['network', 'podCIDRs'],
      'kube-proxy falls back to one address family on an overlay network',
    ),
})

export const oneFlannelNetwork = defineRule({
  id: 'flannel-has-one-network',
  severity: 'error',
  summary: 'flannel on Windows has one pod network, of IPv4.',
  remedy: 'Leave the other CIDRs out.',
  see: 'https://github.com/flannel-io/flannel/blob/master/pkg/subnet/kube/kube.go',
  refs: ['cni/CNI022'],
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

export const dualStackNeedsRelease = defineRule({
  id: 'dual-stack-needs-newer-windows',
  severity: 'error',
  summary: 'Two address families need Windows Server 2022.',
  remedy: 'Use Windows Server 2022 or newer, or one family.',
  see: windowsNetwork,
  refs: ['cni/CNI022', 'k8s-matrix/KPX009'],
  check: ({ spec: { network }, windows }) =>
    when(
      windows.build < 20_348 && network.podCIDRs.some((cidr) => cidr.includes(':')),
      ['network', 'podCIDRs'],
      `HNS of ${windows.name} has no dual stack`,
    ),
})

export const singleMachine = defineRule({
  id: 'bundle-for-one-machine',
  severity: 'info',
  harm: 'limits',
  summary: 'The bundle serves every machine of its kind.',
  remedy: 'Leave the value out: the node finds it.',
  see: 'https://kubernetes.io/docs/concepts/architecture/nodes/#node-name-uniqueness',
  refs: [],
  check: ({ spec: { network, kubelet } }) => [
    ...when(
      typeof kubelet.nodeName === 'string',
      ['kubelet', 'nodeName'],
      'the name makes this a bundle for one machine',
    ),
    ...when(
      network.nodeIP !== undefined,
      ['network', 'nodeIP'],
      `the address ${network.nodeIP} makes this a bundle for one machine`,
    ),
    ...when(
      network.sourceVip !== undefined,
      ['network', 'sourceVip'],
      `the source VIP ${network.sourceVip} makes this a bundle for one machine`,
    ),
    ...when(
      typeof kubelet.providerID === 'string',
      ['kubelet', 'providerID'],
      'the provider id makes this a bundle for one machine',
    ),
  ],
})

// The cluster DNS address, the source VIP and the per-node pod CIDR mask: inside their CIDRs, with room for maxPods.
import { addressAt, contains, parseAddress, parseCidr, type Cidr } from '../net/cidr.ts'
import { endpointParts } from '../net/endpoint.ts'
import { cniOf, modeOf } from '../cni/index.ts'
import { defineRule, when } from '../model/rule.ts'

const windowsNetwork = 'https://kubernetes.io/docs/concepts/services-networking/windows-networking/'

export const dnsOutside = defineRule({
  id: 'cluster-dns-outside-services',
  severity: 'error',
  summary: 'Cluster DNS addresses are in the service CIDR.',
  remedy:
    'Set network.clusterDNS to an address in network.serviceCIDRs, or remove it to use the default.',
  see: 'https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/',
  check: ({ spec: { network } }) =>
    network.clusterDNS.flatMap((text, index) => {
      const address = parseAddress(text)
      const inside = network.serviceCIDRs.some((cidr) => {
        const parsed = parseCidr(cidr)
        return parsed && address && contains(parsed, address)
      })
      return when(
        !inside,
        ['network', 'clusterDNS', index],
        `${text} is outside the service CIDR ${network.serviceCIDRs.join(', ')}`,
      )
    }),
})

/** RFC 6890. A load balancer on the node itself is at a loopback address. */
const ofNoHost = [
  { what: 'the block of unspecified addresses,', cidrs: ['0.0.0.0/8', '::/128'] },
  { what: 'the block of multicast addresses,', cidrs: ['224.0.0.0/4', 'ff00::/8'] },
  { what: 'the block of reserved addresses,', cidrs: ['240.0.0.0/4'] },
]
/** validateNodeIP: https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/kubelet_node_status.go */
const ofNoNode = [
  { what: 'the block of loopback addresses,', cidrs: ['127.0.0.0/8'] },
  { what: 'the block of link-local addresses,', cidrs: ['169.254.0.0/16'] },
]

export const machineInside = defineRule({
  id: 'machine-address-not-of-machine',
  severity: 'error',
  summary: 'Addresses of machines are outside the pod CIDRs and the service CIDRs.',
  remedy: 'Set an address of the machine in the network of the nodes, or its name.',
  see: 'https://kubernetes.io/docs/concepts/cluster-administration/networking/',
  check: ({ spec: { network, join } }) => {
    const ranges = [
      { what: 'the pod CIDR', cidrs: network.podCIDRs },
      { what: 'the service CIDR', cidrs: network.serviceCIDRs },
      ...ofNoHost,
    ]
    const written = [
      { path: ['join', 'endpoint'], text: endpointParts(join.endpoint ?? '').host, not: ranges },
      { path: ['network', 'nodeIP'], text: network.nodeIP, not: [...ranges, ...ofNoNode] },
    ]
    return written.flatMap(({ path, text = '', not }) => {
      const address = parseAddress(text)
      return not.flatMap(({ what, cidrs }) =>
        cidrs.flatMap((cidr) => {
          const parsed = parseCidr(cidr)
          return when(
            address !== undefined && parsed !== undefined && contains(parsed, address),
            path,
            `${text} is in ${what} ${cidr}: no machine has it`,
          )
        }),
      )
    })
  },
})

export const nodeOutside = defineRule({
  id: 'node-ip-outside-node-cidrs',
  severity: 'warning',
  harm: 'breaks',
  summary: 'network.nodeIP is in one of network.nodeCIDRs.',
  remedy: 'Correct network.nodeIP, or add its subnet to network.nodeCIDRs.',
  see: 'https://kubernetes.io/docs/concepts/cluster-administration/networking/',
  check: ({ spec: { network } }) => {
    const address = parseAddress(network.nodeIP ?? '')
    const subnets = network.nodeCIDRs
      .flatMap((text) => parseCidr(text) ?? [])
      .filter(({ family }) => family === address?.family)
    return when(
      address !== undefined &&
        subnets.length > 0 &&
        !subnets.some((cidr) => contains(cidr, address)),
      ['network', 'nodeIP'],
      `${network.nodeIP} is in none of the subnets of nodes: ${network.nodeCIDRs.join(', ')}`,
    )
  },
})

export const badSourceVip = defineRule({
  id: 'source-vip-unusable',
  severity: 'error',
  summary: 'network.sourceVip is a usable address in the node’s pod subnet.',
  remedy: 'Remove network.sourceVip: the node reserves an address itself.',
  see: 'https://github.com/kubernetes/kubernetes/issues/96996',
  check: ({ spec: { network } }) => {
    const vip = parseAddress(network.sourceVip ?? '')
    if (!vip) return []
    const path = ['network', 'sourceVip']
    const pods = network.podCIDRs.map(parseCidr).find((cidr) => cidr?.family === 4)
    if (!pods || !contains(pods, vip))
      return [
        {
          path,
          message: `${network.sourceVip} is outside the pod CIDR ${network.podCIDRs.join(', ')}`,
        },
      ]
    const subnet: Cidr = { family: 4, prefix: network.nodeCIDRMaskSize, base: vip.value }
    const reserved = [0, 1, -1].some((offset) => addressAt(subnet, offset).value === vip.value)
    return when(
      reserved,
      path,
      `${network.sourceVip} is the network, gateway or broadcast address of its pod subnet`,
    )
  },
})

export const vipWithoutOverlay = defineRule({
  id: 'source-vip-without-overlay',
  severity: 'info',
  harm: 'limits',
  summary: 'network.sourceVip is set only with network.mode overlay.',
  remedy: 'Remove network.sourceVip.',
  see: windowsNetwork,
  check: ({ spec: { network } }) =>
    when(
      network.sourceVip !== undefined && network.mode !== 'overlay',
      ['network', 'sourceVip'],
      `sourceVip has no effect with network.mode ${network.mode}`,
    ),
})

export const nodeMaskTooShort = defineRule({
  id: 'node-subnet-larger-than-network',
  severity: 'error',
  summary: 'The per-node pod CIDR fits in the pod CIDR.',
  remedy: 'Increase network.nodeCIDRMaskSize, or use a larger pod CIDR.',
  see: 'https://kubernetes.io/docs/reference/command-line-tools-reference/kube-controller-manager/',
  check: ({ spec: { network } }) => {
    const pods = parseCidr(network.podCIDRs[0] ?? '')
    return when(
      cniOf(network.cni).nodeShare === undefined &&
        pods?.family === 4 &&
        network.nodeCIDRMaskSize < pods.prefix,
      ['network', 'nodeCIDRMaskSize'],
      `a /${network.nodeCIDRMaskSize} per node does not fit in the pod CIDR ${network.podCIDRs[0] ?? ''}`,
    )
  },
})

export const oneNodeSubnet = defineRule({
  id: 'node-subnet-only-one',
  severity: 'warning',
  harm: 'breaks',
  summary: 'The pod CIDR has room for more than one per-node pod CIDR.',
  remedy: 'Increase network.nodeCIDRMaskSize, or use a larger pod CIDR.',
  see: 'https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/nodeipam/ipam/cidrset/cidr_set.go',
  check: ({ spec: { network } }) => {
    const pods = parseCidr(network.podCIDRs[0] ?? '')
    return when(
      cniOf(network.cni).nodeShare === undefined &&
        pods?.family === 4 &&
        network.nodeCIDRMaskSize === pods.prefix,
      ['network', 'nodeCIDRMaskSize'],
      `one node uses the whole pod CIDR ${network.podCIDRs[0] ?? ''}; kube-controller-manager gives no other node a pod CIDR`,
    )
  },
})

const maskSize = 'network.nodeCIDRMaskSize'

export const tooFewAddresses = defineRule({
  id: 'pods-exceed-addresses',
  severity: 'warning',
  harm: 'breaks',
  summary: 'A node’s pod subnet has an address for each of maxPods pods.',
  remedy: 'Lower kubelet.maxPods, or give each node a larger subnet.',
  see: windowsNetwork,
  check: ({ spec }) => {
    const { network, kubelet } = spec
    const { prefix, field = maskSize } = cniOf(network.cni).nodeShare?.(network) ?? {
      prefix: network.nodeCIDRMaskSize,
    }
    const free = 2 ** (32 - prefix) - (modeOf(network)?.reserved ?? 0)
    const share = `a /${prefix}`
    if (free < 1)
      return [
        {
          path: field.split('.'),
          severity: 'error',
          message: `${share} has no address left for pods: the gateway and the node use them all`,
        },
      ]
    return kubelet.maxPods > free
      ? [
          {
            path: ['kubelet', 'maxPods'],
            message: `maxPods ${kubelet.maxPods} is more than the ${free} addresses of ${share}`,
            remedy: `Lower kubelet.maxPods, or lower ${field} for larger node subnets.`,
          },
        ]
      : []
  },
})

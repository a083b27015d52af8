// The cluster DNS address, the source VIP and the per-node pod CIDR mask: inside their CIDRs, with room for maxPods.
import { addressAt, contains, parseAddress, parseCidr, type Cidr } from '../net/cidr.ts'
import { cniOf } from '../cni/index.ts'
import { defineRule, when } from '../model/rule.ts'

const windowsNetwork = 'https://kubernetes.io/docs/concepts/services-networking/windows-networking/'

export const dnsOutside = defineRule({
  id: 'cluster-dns-outside-services',
  severity: 'error',
  summary: 'The DNS service has an address of the service network.',
  remedy: 'Give an address of network.serviceCIDRs, or leave clusterDNS out.',
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
        `${text} lies outside of the service network ${network.serviceCIDRs.join(', ')}`,
      )
    }),
})

export const badSourceVip = defineRule({
  id: 'source-vip-unusable',
  severity: 'error',
  summary: 'A given source VIP is a free address of a node’s pod subnet.',
  remedy: 'Leave network.sourceVip out: the node reserves one.',
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
          message: `${network.sourceVip} lies outside of the pod network ${network.podCIDRs.join(', ')}`,
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
  summary: 'A source VIP is given on an overlay network only.',
  remedy: 'Remove network.sourceVip.',
  see: windowsNetwork,
  check: ({ spec: { network } }) =>
    when(
      network.sourceVip !== undefined && network.mode !== 'overlay',
      ['network', 'sourceVip'],
      `sourceVip has no effect on ${network.mode}`,
    ),
})

export const nodeMaskTooShort = defineRule({
  id: 'node-subnet-larger-than-network',
  severity: 'error',
  summary: 'A node’s share fits into the pod network.',
  remedy: 'Use a larger network.nodeCIDRMaskSize, or a larger pod network.',
  see: 'https://kubernetes.io/docs/reference/command-line-tools-reference/kube-controller-manager/',
  check: ({ spec: { network } }) => {
    const pods = parseCidr(network.podCIDRs[0] ?? '')
    return when(
      pods?.family === 4 && network.nodeCIDRMaskSize < pods.prefix,
      ['network', 'nodeCIDRMaskSize'],
      `a /${network.nodeCIDRMaskSize} for each node does not fit into ${network.podCIDRs[0] ?? ''}`,
    )
  },
})

export const tooFewAddresses = defineRule({
  id: 'pods-exceed-addresses',
  severity: 'warning',
  harm: 'breaks',
  summary: 'Every pod can get an address.',
  remedy: 'Give each node a larger share, or lower kubelet.maxPods.',
  see: windowsNetwork,
  check: ({ spec }) => {
    const { network, kubelet } = spec
    const mode = cniOf(network.cni).modes[network.mode]
    const free = 2 ** (32 - network.nodeCIDRMaskSize) - (mode?.reserved ?? 0)
    const share = `a /${network.nodeCIDRMaskSize}`
    if (free < 1)
      return [
        {
          path: ['network', 'nodeCIDRMaskSize'],
          severity: 'error',
          message: `${share} has no address for a pod: its gateway and the node take them all`,
        },
      ]
    return when(
      kubelet.maxPods > free,
      ['kubelet', 'maxPods'],
      `maxPods ${kubelet.maxPods} is more than the ${free} addresses of ${share}`,
    )
  },
})

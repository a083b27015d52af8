// Addresses and CIDRs: whole, apart from each other, and enough of them.
import {
  addressAt,
  contains,
  isCanonical,
  overlaps,
  parseAddress,
  parseCidr,
  type Cidr,
} from '../cni/cidr.ts'
import { cniOf } from '../cni/index.ts'
import type { Path } from '../model/path.ts'
import { defineRule, when } from '../model/rule.ts'
import type { NodeSpec } from '../model/spec.ts'

const windowsNetwork = 'https://kubernetes.io/docs/concepts/services-networking/windows-networking/'

interface Named {
  readonly text: string
  readonly path: Path
  readonly cidr: Cidr | undefined
}

const lists = ['podCIDRs', 'serviceCIDRs', 'nodeCIDRs'] as const

function cidrsOf({ network }: NodeSpec): readonly Named[] {
  return lists.flatMap((name) =>
    network[name].map((text, index) => ({
      text,
      path: ['network', name, index],
      cidr: parseCidr(text),
    })),
  )
}

export const notCidr = defineRule({
  id: 'cidr-malformed',
  severity: 'error',
  summary: 'CIDRs are addresses with a prefix length that fits.',
  remedy: 'Write it like 10.244.0.0/16.',
  see: 'https://www.rfc-editor.org/rfc/rfc4632',
  refs: ['cni/CNI058'],
  check: ({ spec }) =>
    cidrsOf(spec).flatMap(({ text, path, cidr }) =>
      when(cidr === undefined, path, `${text} is not a CIDR; it must be like 10.244.0.0/16`),
    ),
})

export const hostBits = defineRule({
  id: 'cidr-has-host-bits',
  severity: 'error',
  summary: 'CIDRs begin at the first address of their block.',
  remedy: 'Write the network address.',
  see: 'https://github.com/microsoft/hcsshim/issues/1951',
  refs: ['cni/CNI058'],
  check: ({ spec }) =>
    cidrsOf(spec).flatMap(({ text, path, cidr }) =>
      when(
        cidr !== undefined && !isCanonical(cidr),
        path,
        `${text} has bits after its prefix, which HNS refuses`,
      ),
    ),
})

export const overlap = defineRule({
  id: 'cidrs-overlap',
  severity: 'error',
  summary: 'Pod, service and node networks lie apart.',
  remedy: 'Renumber one of them.',
  see: windowsNetwork,
  refs: ['cni/CNI054'],
  check: ({ spec }) => {
    const all = cidrsOf(spec)
    return all.flatMap((later, at) =>
      all
        .slice(0, at)
        .flatMap((earlier) =>
          when(
            later.cidr !== undefined &&
              earlier.cidr !== undefined &&
              overlaps(later.cidr, earlier.cidr),
            later.path,
            `${later.text} overlaps with ${earlier.text} of ${String(earlier.path[1])}`,
          ),
        ),
    )
  },
})

/** Used by flannel's and Calico's helper networks, and by instance metadata. */
const taken = ['192.168.255.0/30', '169.254.0.0/16'].flatMap((text) => {
  const cidr = parseCidr(text)
  return cidr ? [{ text, cidr }] : []
})

export const helperNetworks = defineRule({
  id: 'cidr-used-by-helper-network',
  severity: 'warning',
  summary: 'Networks leave the ranges of helper networks alone.',
  remedy: 'Renumber the network.',
  see: windowsNetwork,
  refs: ['cni/CNI063'],
  check: ({ spec }) =>
    cidrsOf(spec).flatMap(({ text, path, cidr }) =>
      taken.flatMap((one) =>
        when(
          cidr !== undefined && overlaps(cidr, one.cidr),
          path,
          `${text} overlaps with ${one.text}, which helper networks use`,
        ),
      ),
    ),
})

export const onlyIPv6 = defineRule({
  id: 'network-lacks-ipv4',
  severity: 'error',
  summary: 'Pods and services have IPv4 addresses.',
  remedy: 'Add an IPv4 CIDR, first.',
  see: windowsNetwork,
  refs: ['cni/CNI023', 'cni/CNI038'],
  check: ({ spec: { network } }) =>
    (['podCIDRs', 'serviceCIDRs'] as const).flatMap((list) =>
      when(
        parseCidr(network[list][0] ?? '')?.family === 6,
        ['network', list, 0],
        `${list} begins with IPv6, and Windows nodes need IPv4 first`,
      ),
    ),
})

export const dnsOutside = defineRule({
  id: 'cluster-dns-outside-services',
  severity: 'error',
  summary: 'The DNS service has an address of the service network.',
  remedy: 'Give an address of network.serviceCIDRs, or leave clusterDNS out.',
  see: 'https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/',
  refs: [],
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
  refs: ['cni/CNI007', 'cni/CNI008', 'cni/CNI009'],
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
  summary: 'A source VIP is given on an overlay network only.',
  remedy: 'Remove network.sourceVip.',
  see: windowsNetwork,
  refs: ['cni/CNI011'],
  check: ({ spec: { network } }) =>
    when(
      network.sourceVip !== undefined && network.mode !== 'overlay',
      ['network', 'sourceVip'],
      `sourceVip has no effect on ${network.mode}`,
    ),
})

export const maskOutside = defineRule({
  id: 'node-subnet-larger-than-network',
  severity: 'error',
  summary: 'A node’s share fits into the pod network.',
  remedy: 'Use a larger network.nodeCIDRMaskSize, or a larger pod network.',
  see: 'https://kubernetes.io/docs/reference/command-line-tools-reference/kube-controller-manager/',
  refs: [],
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
  summary: 'Every pod can get an address.',
  remedy: 'Lower kubelet.maxPods, or give each node a larger share.',
  see: windowsNetwork,
  refs: ['cni/CNI062', 'sizing/SIZ022'],
  check: ({ spec }) => {
    const { network, kubelet } = spec
    const mode = cniOf(network.cni).modes[network.mode]
    const free = 2 ** (32 - network.nodeCIDRMaskSize) - (mode?.reserved ?? 0)
    return when(
      kubelet.maxPods > free,
      ['kubelet', 'maxPods'],
      `maxPods ${kubelet.maxPods} is more than the ${free} addresses of a /${network.nodeCIDRMaskSize}`,
    )
  },
})

export const nodeSubnetUnknown = defineRule({
  id: 'l2bridge-needs-node-subnet',
  severity: 'warning',
  summary: 'On l2bridge the nodes’ own subnet is known.',
  remedy: 'List it in network.nodeCIDRs.',
  see: windowsNetwork,
  refs: ['cni/CNI057'],
  check: ({ spec: { network } }) =>
    when(
      network.mode === 'l2bridge' && network.nodeCIDRs.length === 0,
      ['network', 'nodeCIDRs'],
      'pods reach nodes through address translation, because network.nodeCIDRs is empty',
    ),
})

export const exceptionsCollide = defineRule({
  id: 'nat-exceptions-collide',
  severity: 'warning',
  summary: 'On Windows Server 2019 exceptions differ in their network address.',
  remedy: 'Keep the broadest of them.',
  see: windowsNetwork,
  refs: ['cni/CNI059'],
  check: ({ spec, windows }) => {
    const bases = cidrsOf(spec).map(({ text }) => text.replace(/\/.*/, ''))
    const twice = bases.some((base, at) => bases.indexOf(base) !== at)
    return when(
      windows.build === 17_763 && twice,
      ['network', 'podCIDRs'],
      `${windows.name} drops the prefix of exceptions with the same network address`,
    )
  },
})

// Pod, service and node CIDRs: well-formed, IPv4 first, without overlaps.
import { externalNetwork } from '../cni/external-network.ts'
import {
  enclosingPairs,
  formatCidr,
  isCanonical,
  overlaps,
  parseCidr,
  type Cidr,
} from '../net/cidr.ts'
import type { Path } from '../model/path.ts'
import { defineRule, when } from '../model/rule.ts'
import type { NodeSpec } from '../model/spec.ts'

const windowsNetwork = 'https://kubernetes.io/docs/concepts/services-networking/windows-networking/'

interface CidrField {
  readonly text: string
  readonly path: Path
  readonly cidr: Cidr | undefined
}

/** CIDRs that the cluster assigns addresses from; these must not overlap. */
const clusterLists = ['podCIDRs', 'serviceCIDRs', 'nodeCIDRs'] as const
/** Destinations that HNS exempts from outbound NAT (the exception list of its OutBoundNAT policy). */
const natExceptionLists = ['podCIDRs', 'serviceCIDRs', 'untranslated'] as const
const allLists = [...clusterLists, 'untranslated'] as const

function cidrsOf(
  { network }: NodeSpec,
  lists: readonly (typeof allLists)[number][] = clusterLists,
): readonly CidrField[] {
  return lists.flatMap((name) =>
    network[name].map((text, index) => ({
      text,
      path: ['network', name, index],
      cidr: parseCidr(text),
    })),
  )
}

export const hostBits = defineRule({
  id: 'cidr-has-host-bits',
  severity: 'error',
  summary: 'CIDRs have no host bits set.',
  remedy: 'Write the first address of the block.',
  see: 'https://github.com/microsoft/hcsshim/issues/1951',
  check: ({ spec }) =>
    cidrsOf(spec, allLists).flatMap(({ text, path, cidr }) =>
      cidr === undefined || isCanonical(cidr)
        ? []
        : [
            {
              path,
              message: `${text} has host bits set; HNS rejects it`,
              remedy: `Write ${formatCidr(cidr)}.`,
            },
          ],
    ),
})

export const overlap = defineRule({
  id: 'cidrs-overlap',
  severity: 'error',
  summary: 'Pod, service and node CIDRs must not overlap.',
  remedy: 'Change one of the CIDRs.',
  see: windowsNetwork,
  check: ({ spec }) => {
    const networks = cidrsOf(spec).flatMap((one) => (one.cidr ? [{ ...one, cidr: one.cidr }] : []))
    return enclosingPairs(networks.map(({ cidr }) => cidr)).flatMap((pair) => {
      const [earlier, later] = pair.toSorted((a, b) => a - b).map((index) => networks[index])
      if (!earlier || !later) return []
      const message = `${later.text} overlaps ${earlier.text} in ${String(earlier.path[1])}`
      return [{ path: later.path, message }]
    })
  },
})

/** The External HNS network of flannel and Calico, and link-local addresses such as instance metadata. */
const reserved = [externalNetwork.subnet, '169.254.0.0/16'].flatMap((text) => {
  const cidr = parseCidr(text)
  return cidr ? [{ text, cidr }] : []
})

export const helperNetworks = defineRule({
  id: 'cidr-used-by-helper-network',
  severity: 'error',
  severityVaries: true,
  summary: 'CIDRs do not overlap ranges that Windows networking reserves.',
  remedy: 'Use another CIDR.',
  see: windowsNetwork,
  check: ({ spec }) =>
    cidrsOf(spec).flatMap(({ text, path, cidr }) =>
      reserved.flatMap((one) => {
        const conflict = cidr !== undefined && overlaps(cidr, one.cidr)
        const certain = spec.network.external && one.text === externalNetwork.subnet
        return when(
          conflict,
          path,
          `${text} overlaps ${one.text}, which ${certain ? 'network.external' : 'Windows networking'} uses`,
          { severity: certain ? 'error' : 'warning' },
        )
      }),
    ),
})

export const onlyIPv6 = defineRule({
  id: 'network-lacks-ipv4',
  severity: 'error',
  summary: 'The first pod CIDR and service CIDR are IPv4.',
  remedy: 'Add an IPv4 CIDR as the first one.',
  see: windowsNetwork,
  check: ({ spec: { network } }) =>
    (['podCIDRs', 'serviceCIDRs'] as const).flatMap((list) =>
      when(
        parseCidr(network[list][0] ?? '')?.family === 6,
        ['network', list, 0],
        `${list} starts with an IPv6 CIDR; Windows nodes need IPv4 first`,
      ),
    ),
})

const helper = 'https://github.com/microsoft/SDN/blob/master/Kubernetes/windows/helper.v2.psm1'

export const untranslatedOffBridge = defineRule({
  id: 'untranslated-without-l2bridge',
  severity: 'error',
  summary: 'network.untranslated is set only with network.mode l2bridge.',
  remedy: 'Remove network.untranslated, or use l2bridge.',
  see: helper,
  check: ({ spec: { network } }) =>
    when(
      network.mode !== 'l2bridge' && network.untranslated.length > 0,
      ['network', 'untranslated'],
      network.mode === 'overlay'
        ? 'on an overlay network these packets leave without encapsulation, and no reply comes back: pods lose the API server and all other nodes'
        : `network.untranslated has no effect with network.mode ${network.mode}`,
    ),
})

export const untranslatedNeedsRoutes = defineRule({
  id: 'untranslated-needs-routes',
  severity: 'info',
  harm: 'breaks',
  summary: 'Hosts that see pod IPs have a route to them.',
  remedy:
    'Add a route to the pod CIDR on these hosts, or remove the CIDR from network.untranslated: hosts then see the node’s IP.',
  see: helper,
  check: ({ spec: { network } }) =>
    when(
      network.mode === 'l2bridge' && network.untranslated.length > 0,
      ['network', 'untranslated'],
      `hosts in ${network.untranslated.join(' and ')} without a route to ${network.podCIDRs.join(' and ')} cannot reply to pods; network plugins add routes on nodes only`,
    ),
})

export const natExceptionsCollide = defineRule({
  id: 'nat-exceptions-collide',
  severity: 'warning',
  harm: 'breaks',
  summary: 'On Windows Server 2019, NAT exceptions have different network addresses.',
  remedy: 'Keep only the largest of these CIDRs.',
  see: windowsNetwork,
  check: ({ spec, windows }) => {
    const bases = cidrsOf(spec, natExceptionLists).map(({ text }) => text.replace(/\/.*/, ''))
    const collide = new Set(bases).size < bases.length
    return when(
      windows.build === 17_763 && collide,
      ['network', 'podCIDRs'],
      `NAT exceptions have the same network address; ${windows.name} ignores their prefix lengths`,
    )
  },
})

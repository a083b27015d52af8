// win-bridge: what it does not do itself, and what it cannot do.
import type { Facts } from '../../model/facts.ts'
import { defineRule, when, type Rule } from '../../model/rule.ts'

const source =
  'https://github.com/containernetworking/plugins/blob/main/plugins/main/windows/win-bridge/win-bridge_windows.go'

const chosen = ({ spec }: Facts) => spec.network.cni === 'win-bridge'

const routesUnknown = defineRule({
  id: 'win-bridge-needs-routes',
  severity: 'error',
  summary: 'With win-bridge, something routes the pod CIDR of each node to that node.',
  remedy:
    'Set up the routes, then set network.routes: fabric for routers of the network, cloud for a route table of the cloud.',
  see: 'https://learn.microsoft.com/virtualization/windowscontainers/kubernetes/network-topologies',
  asks: ['network.routes'],
  check: (facts) =>
    when(
      chosen(facts) && facts.spec.network.routes === undefined,
      ['network', 'routes'],
      'win-bridge adds no routes to the pods of other nodes, and network.routes does not say what does',
    ),
})

const oneAddress = defineRule({
  id: 'win-bridge-gives-one-address',
  severity: 'error',
  summary: 'win-bridge gives a pod one address, of IPv4.',
  remedy: 'Leave the IPv6 CIDRs out.',
  see: source,
  check: (facts) =>
    (['podCIDRs', 'serviceCIDRs'] as const).flatMap((list) =>
      facts.spec.network[list].flatMap((cidr, at) =>
        when(
          chosen(facts) && cidr.includes(':'),
          ['network', list, at],
          `win-bridge uses the first address that host-local returns, so pods get none that reaches ${cidr}`,
        ),
      ),
    ),
})

export const winBridgeRules: readonly Rule[] = [routesUnknown, oneAddress]

// win-bridge: the routes that it needs, and its limits.
import type { Facts } from '../../model/facts.ts'
import { defineRule, when, type Rule } from '../../model/rule.ts'

const source =
  'https://github.com/containernetworking/plugins/blob/main/plugins/main/windows/win-bridge/win-bridge_windows.go'

const chosen = ({ spec }: Facts) => spec.network.cni === 'win-bridge'

const routesUnknown = defineRule({
  id: 'win-bridge-needs-routes',
  severity: 'error',
  summary: 'network.routes is set with win-bridge.',
  remedy:
    'Set up the routes, then set network.routes to fabric (network routers) or cloud (the cloud’s route table).',
  see: 'https://learn.microsoft.com/virtualization/windowscontainers/kubernetes/network-topologies',
  asks: ['network.routes'],
  check: (facts) =>
    when(
      chosen(facts) && facts.spec.network.routes === undefined,
      ['network', 'routes'],
      'network.routes is not set; win-bridge adds no routes to pods on other nodes',
    ),
})

const oneAddress = defineRule({
  id: 'win-bridge-gives-one-address',
  severity: 'error',
  summary: 'win-bridge is IPv4 single-stack.',
  remedy: 'Remove the IPv6 CIDRs.',
  see: source,
  check: (facts) =>
    (['podCIDRs', 'serviceCIDRs'] as const).flatMap((list) =>
      facts.spec.network[list].flatMap((cidr, at) =>
        when(
          chosen(facts) && cidr.includes(':'),
          ['network', list, at],
          `win-bridge uses only the first address from host-local, so pods cannot reach ${cidr}`,
        ),
      ),
    ),
})

export const winBridgeRules: readonly Rule[] = [routesUnknown, oneAddress]

// win-bridge: the routes that it needs, and its limits.
import type { Facts } from '../../model/facts.ts'
import { ipv4Only } from '../ipv4-only.ts'
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

const oneAddress = ipv4Only('win-bridge', {
  id: 'win-bridge-gives-one-address',
  title: 'win-bridge',
  see: source,
  why: 'win-bridge uses only the first address from host-local, so pods cannot reach',
})

export const winBridgeRules: readonly Rule[] = [routesUnknown, oneAddress]

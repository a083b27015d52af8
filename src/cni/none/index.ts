// none: a plugin that its own DaemonSet installs, with its kube-proxy. winnode only prepares the machine.
import type { Facts } from '../../model/facts.ts'
import { firewallRule, inPhase, type DraftStep } from '../../model/plan.ts'
import { pluginPart } from '../readme-part.ts'
import type { Cni, CniMode } from '../plugin.ts'
import { noneFields, type NoneSettings } from './fields.ts'
import { noneRules } from './rules.ts'

/** The name of the HNS network is the plugin’s; with network.name, Test-WinNode.ps1 checks it. */
const mode = (hnsType: CniMode['hnsType']): CniMode => ({
  backend: '',
  hnsType,
  networkName: () => '',
  // network, gateway and broadcast address
  reserved: 3,
  // On overlay, the endpoint with the source VIP of kube-proxy.
  ...(hnsType !== 'Overlay' && { withoutEndpoint: true }),
})

/** Firewall rules for the traffic of the plugin between nodes. */
function hostSteps({ spec }: Facts): readonly DraftStep[] {
  return inPhase(
    'image',
    spec.network.none.openPorts.map(({ protocol, ports }) =>
      firewallRule({
        id: `network-${protocol.toLowerCase()}-${ports}`,
        what: `network plugin, ${protocol} ${ports}`,
        protocol,
        ports,
        from: spec.host.firewall.networkFrom,
      }),
    ),
  )
}

const windowsNetworking =
  'https://kubernetes.io/docs/concepts/services-networking/windows-networking/'

export const none = {
  id: 'none',
  title: 'another plugin with a DaemonSet',
  see: windowsNetworking,
  ports: ({ none: { openPorts } }) => (openPorts.length > 0 ? windowsNetworking : undefined),
  modes: {
    overlay: mode('Overlay'),
    l2bridge: mode('L2Bridge'),
    transparent: mode('Transparent'),
  },
  fields: noneFields,
  settings: (written: NoneSettings) => written,
  needs: { 'network.none.openPorts': 'install' },
  stepFields: {
    'firewall-network-': { ports: 'network.none.openPorts', from: 'host.firewall.networkFrom' },
  },
  kubeProxy: 'asked',
  hostProcess: () => true,
  rules: noneRules,
  readme: ({ network, kubelet, kubeProxy }) => [
    pluginPart('none', 'cluster', {
      mode: network.mode,
      proxyIn: kubeProxy.runsAs === 'hostProcess' ? network.name : '',
      endpoint: network.mode === 'overlay' ? `${network.name}_ep` : '',
      dual: network.podCIDRs.some((cidr) => cidr.includes(':')),
      taints: kubelet.taints.map(({ key, value, effect }) => ({
        taint: `${key}=${value}:${effect}`,
      })),
    }),
  ],
  joined: () => [pluginPart('none', 'joined')],
  steps: { host: hostSteps },
} satisfies Cni

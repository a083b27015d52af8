// Calico with VXLAN, BGP, or routes of the network: its operator installs it with a DaemonSet, after the node has joined.
import type { Facts } from '../../model/facts.ts'
import { layout } from '../../model/layout.ts'
import { firewallRule, inPhase, type DraftStep } from '../../model/plan.ts'
import { listed, pluginPart } from '../readme-part.ts'
import type { Cni } from '../plugin.ts'
import { diagnoses } from './diagnoses.ts'
import { calicoFields, type CalicoSettings } from './fields.ts'
import {
  clusterSettings,
  encapsulationOf,
  ipamOf,
  isRouted,
  patchesOf,
  patchFile,
  usesBgp,
} from './files.ts'
import { linux } from './linux.ts'
import { calicoRules } from './rules.ts'

/**
 * VXLAN: Calico opens the port to all addresses, unless a rule of the name exists: New-NetFirewallRule fails then, and
 * Calico ignores that. BGP: either peer connects to the other.
 * https://github.com/projectcalico/calico/blob/v3.32.1/node/windows-packaging/CalicoWindows/node/node-service.ps1
 */
const openings = {
  vxlan: {
    id: 'vxlan',
    name: 'OverlayTraffic4789UDP',
    what: 'VXLAN between nodes',
    protocol: 'UDP',
    ports: '4789',
  },
  bgp: { id: 'bgp', what: 'BGP from its peers', protocol: 'TCP', ports: '179' },
} as const

function hostSteps({ spec }: Facts): readonly DraftStep[] {
  if (isRouted(spec.network)) return []
  const opening = openings[usesBgp(spec.network) ? 'bgp' : 'vxlan']
  return inPhase('image', [firewallRule({ ...opening, from: spec.host.firewall.networkFrom })])
}

/**
 * Its init containers write the conf at each start; later, at its first start after a boot, it removes all HNS networks
 * and creates its own again: a pod that the kubelet starts with the conf of an earlier boot loses its network then. Calico's own pods
 * need no conf. It never removes this conf: uninstall-calico-hpc.ps1 looks for it in its working folder.
 * https://github.com/projectcalico/calico/blob/v3.32.1/node/windows-packaging/CalicoWindows/node/node-service.ps1
 * https://github.com/projectcalico/calico/blob/v3.32.1/cni-plugin/pkg/install/install.go
 */
const beforeKubelet = ({ spec: { network } }: Facts): readonly DraftStep[] =>
  inPhase('boot', [
    // Calico's container node restarts the service, and its container confd configures the router in it.
    ...(usesBgp(network)
      ? [{ kind: 'remoteAccess' as const, id: 'remote-access', vpnType: 'RoutingOnly' as const }]
      : []),
    {
      kind: 'pluginFile',
      id: 'calico-conf',
      path: `${layout.cniConf}\\10-calico.conflist`,
      eachBoot: true,
    },
    {
      kind: 'pluginFile',
      id: 'calico-kubeconfig',
      path: `${layout.cniConf}\\calico-kubeconfig`,
      eachBoot: false,
    },
  ])

export const calico = {
  id: 'calico',
  title: 'Calico',
  see: 'https://docs.tigera.io/calico/latest/getting-started/kubernetes/windows-calico/operator',
  ports: (network) =>
    isRouted(network)
      ? undefined
      : 'https://docs.tigera.io/calico/latest/getting-started/kubernetes/requirements',
  modes: {
    overlay: {
      backend: 'vxlan',
      hnsType: 'Overlay',
      networkName: () => 'Calico',
      // Three at the start of the block and one at its end:
      // https://github.com/projectcalico/calico/blob/v3.32.1/cni-plugin/pkg/ipamplugin/ipam_plugin.go
      reserved: 4,
    },
    l2bridge: {
      backend: 'bgp',
      asks: 'all nodes must be in one subnet, or peer with its routers',
      hnsType: 'L2Bridge',
      networkName: () => 'Calico',
      reserved: 4,
      // With host-local too, the plugin keeps the first three and the last on Windows:
      // https://github.com/projectcalico/calico/blob/0c474030/cni-plugin/internal/pkg/utils/utils.go (getIPRanges)
      others: { none: { asks: 'the network must route pod CIDRs', routed: true } },
    },
  },
  fields: calicoFields,
  settings: (written: CalicoSettings) => written,
  nodeShare: ({ backend, calico: { blockSize } }) =>
    isRouted({ backend }) ? undefined : { prefix: blockSize, field: 'network.calico.blockSize' },
  questions: [
    {
      id: 'calico-vni',
      field: 'network.calico.vni',
      title: 'VXLAN VNI of Calico',
      mode: 'overlay',
    },
    { id: 'block-size', field: 'network.calico.blockSize', title: 'IPAM block size' },
  ],
  needs: {
    'network.calico.version': 'nothing',
    'network.calico.vni': 'apply',
    'network.calico.blockSize': 'nothing',
    'network.calico.natOutgoing': 'apply',
  },
  stepFields: {
    ...Object.fromEntries(
      Object.values(openings).map(({ id }) => [
        `firewall-${id}`,
        { from: 'host.firewall.networkFrom' },
      ]),
    ),
    'remote-access': 'network.backend',
  },
  kubeProxy: 'daemonSet',
  hostProcess: () => true,
  // https://github.com/tigera/operator/blob/007f622ac2cd1058263f190903328a5b2f262164/pkg/common/common.go (CalicoNamespace, WindowsDaemonSetName)
  daemonSets: () => [{ namespace: 'calico-system', name: 'calico-node-windows' }],
  artifacts: [clusterSettings],
  rules: calicoRules,
  diagnoses,
  readme: ({ network }, files) => [
    pluginPart('calico', 'cluster', {
      version: network.calico.version,
      bgp: usesBgp(network),
      routed: isRouted(network),
      prefix: network.nodeCIDRMaskSize,
      encapsulation: encapsulationOf(network),
      settings: listed(files, /^cluster\/linux-side\//),
    }),
  ],
  prepare: ({ network }) => ({
    commands: [
      { name: 'compare-calico', about: 'print Calico’s settings, and the bundle’s' },
      { name: 'configure-calico', about: 'patch Calico’s settings for Windows nodes' },
    ],
    variables: [],
    parts: [
      {
        template: 'cni/calico/prepare.sh.hbs',
        view: {
          encapsulation: encapsulationOf(network),
          ipam: ipamOf(network),
          patches: patchesOf(network).map(([name, { kind, object }]) => ({
            kind,
            object,
            file: patchFile(name),
          })),
        },
      },
    ],
  }),
  joined: () => [pluginPart('calico', 'joined')],
  linux,
  steps: { host: hostSteps, beforeKubelet },
  health: ({ network }) => (usesBgp(network) ? [{ id: 'bgp', kind: 'bgp', with: {} }] : []),
} satisfies Cni

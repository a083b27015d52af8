// Antrea: pod networking by Open vSwitch, set up by Antrea's DaemonSet. winnode only prepares the machine.
import { pluginPart } from '../readme-part.ts'
import type { Cni } from '../plugin.ts'
import { antreaFields, antreaSettings, newestPatches } from './fields.ts'
import { agentSettings, patchFile } from './files.ts'
import { agentPort, beforeKubelet, hostSteps, paths, preflight, stepFields } from './host.ts'
import { backends, linux } from './linux.ts'
import { readme } from './readme.ts'
import { antreaRules } from './rules.ts'

const hnsNetwork = 'antrea-hnsnetwork'

/**
 * The DaemonSet writes the CNI conf and the programs, and creates the HNS network, at each start.
 * https://github.com/antrea-io/antrea/blob/main/docs/windows.md
 */
export const antrea = {
  id: 'antrea',
  title: 'Antrea',
  see: 'https://github.com/antrea-io/antrea/blob/main/docs/windows.md',
  ports: () => 'https://github.com/antrea-io/antrea/blob/main/docs/network-requirements.md',
  modes: {
    transparent: {
      backend: 'geneve',
      hnsType: 'Transparent',
      networkName: () => hnsNetwork,
      // https://github.com/antrea-io/antrea/blob/main/docs/design/windows-design.md
      passesHypervisors: hnsNetwork,
      // https://github.com/antrea-io/antrea/blob/v2.7.0/pkg/agent/util/net_windows.go (PrepareHNSNetwork)
      agent: { bridge: 'br-int', port: agentPort },
      // network, gateway and broadcast address
      reserved: 3,
      others: {
        vxlan: {},
        // https://github.com/antrea-io/antrea/blob/main/docs/getting-started.md (Open vSwitch)
        stt: { asks: 'Linux nodes need the kernel module vport-stt, built from source' },
      },
    },
  },
  fields: antreaFields,
  settings: antreaSettings,
  questions: [
    { id: 'ovs-driver', field: 'network.antrea.ovsDriver', title: 'Open vSwitch driver signature' },
  ],
  needs: {
    'network.antrea.version': 'nothing',
    'network.antrea.ovsDriver': 'restart',
    'network.antrea.tunnelPort': 'install',
  },
  moved: { 'network.ovsDriver': 'ovsDriver' },
  stepFields,
  paths,
  versions: [
    {
      id: 'antrea',
      title: 'Antrea',
      path: ['network', 'antrea', 'version'],
      version: ({ network }) => network.antrea.version,
      newest: newestPatches,
      see: 'https://github.com/antrea-io/antrea/releases',
    },
  ],
  kubeProxy: false,
  hostProcess: () => true,
  // antrea-agent and antrea-ovs 200m and 100Mi each; install-cni, which runs before them, less:
  // https://github.com/antrea-io/antrea/blob/v2.7.0/build/charts/antrea-windows/templates/daemonset.yaml
  podRequests: { cpu: 400, memory: 200 },
  // https://github.com/antrea-io/antrea/blob/087489b088783d5cec01d1e049213e300be40ff5/build/yamls/windows/base/kustomization.yml
  daemonSets: () => [{ namespace: 'kube-system', name: 'antrea-agent-windows' }],
  artifacts: [agentSettings],
  rules: antreaRules,
  readme,
  prepare: () => ({
    commands: [
      { name: 'show-antrea', about: 'print the settings of Antrea on Linux nodes; change nothing' },
      { name: 'configure-antrea', about: 'give Antrea on Windows nodes its configuration' },
    ],
    variables: [],
    parts: [{ template: 'cni/antrea/prepare.sh.hbs', view: { file: patchFile } }],
  }),
  joined: () => [pluginPart('antrea', 'joined')],
  linux,
  linuxSide: ({ network }) => [
    {
      key: ['trafficEncapMode'],
      expected: 'encap',
      byDefault: 'encap',
      onWindows: ['encap', 'noEncap', 'hybrid'],
    },
    {
      key: ['tunnelType'],
      expected: network.backend,
      byDefault: 'geneve',
      onWindows: backends,
    },
  ],
  steps: { host: hostSteps, beforeKubelet },
  facts: ({ spec }) => [{ name: 'podSubnet', with: { network: spec.network.name } }],
  preflight,
} satisfies Cni

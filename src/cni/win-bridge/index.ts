// win-bridge: the reference plugin for l2bridge, where the fabric or the cloud routes pod CIDRs.
import { hnsProgram } from '../external-network.ts'
import { pluginPart } from '../readme-part.ts'
import type { Cni } from '../plugin.ts'
import { referencePlugins, referencePluginsVersion } from '../reference-plugins.ts'
import { diagnoses } from './diagnoses.ts'
import { winBridgeFields } from './fields.ts'
import { conflist } from './files.ts'
import { winBridgeRules } from './rules.ts'
import { bootSteps } from './steps.ts'

export const winBridge = {
  id: 'win-bridge',
  title: 'win-bridge',
  see: 'https://www.cni.dev/plugins/current/main/win-bridge/',
  modes: {
    l2bridge: {
      backend: 'l2bridge',
      asks: 'the network must route pod CIDRs',
      hnsType: 'L2Bridge',
      networkName: () => 'cbr0',
      routed: true,
      // network, gateway and broadcast address, and the endpoint of the host
      reserved: 4,
    },
  },
  fields: winBridgeFields,
  settings: (written: Readonly<Record<string, never>>) => written,
  questions: [{ id: 'routes', field: 'network.routes', title: 'Routes to each node’s pod CIDR' }],
  stepFields: { 'hns-network': 'network.mode' },
  kubeProxy: 'service',
  hostProcess: () => false,
  programs: ({ spec }) => [
    hnsProgram('hns-network'),
    referencePlugins(spec, ['win-bridge', 'host-local']),
  ],
  versions: [referencePluginsVersion],
  diagnoses,
  artifacts: [conflist],
  rules: winBridgeRules,
  readme: ({ network }) => [
    pluginPart('win-bridge', 'cluster', { cloud: network.routes === 'cloud' }),
  ],
  provides: () => ({ network: 'hns-network', nodeConf: 'file-cni-conf' }),
  steps: { boot: bootSteps },
  facts: ({ spec }) => [{ name: 'podSubnet', with: { network: spec.network.name } }],
} satisfies Cni

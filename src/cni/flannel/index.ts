// flannel: VXLAN overlay or host-gw routes, set up by flanneld, which nssm runs as a service.
import { toolRelease } from '../../matrix/tools.ts'
import { layout } from '../../model/layout.ts'
import type { Cni } from '../plugin.ts'
import { referencePlugins, referencePluginsVersion } from '../reference-plugins.ts'
import { clusterAccount, conflist, kubeconfig, netConf } from './files.ts'
import { compared } from './compared.ts'
import { diagnoses } from './diagnoses.ts'
import {
  flannelCredentials,
  flannelFields,
  flannelSettings,
  type FlannelSettings,
} from './fields.ts'
import { linux } from './linux.ts'
import { linuxSide } from './linux-side.ts'
import { paths } from './paths.ts'
import { prepare } from './prepare.ts'
import { readme } from './readme.ts'
import { flannelRules } from './rules.ts'
import { flannelFlags } from './settings.ts'
import { bootSteps, hostSteps, serviceSteps } from './steps.ts'

const flanneld = toolRelease('flanneld')
const nssm = toolRelease('nssm')

export const flannel = {
  id: 'flannel',
  title: 'flannel',
  see: 'https://github.com/flannel-io/flannel/blob/master/Documentation/backends.md',
  modes: {
    overlay: {
      backend: 'vxlan',
      hnsType: 'Overlay',
      networkName: ({ vni }: Pick<FlannelSettings, 'vni'>) => `flannel.${vni}`,
      // network, gateway and broadcast address, and the source VIP of kube-proxy
      reserved: 4,
    },
    l2bridge: {
      backend: 'host-gw',
      asks: 'all nodes must be in one subnet',
      hnsType: 'L2Bridge',
      networkName: () => 'cbr0',
      // network, gateway and broadcast address, and the endpoint of the host
      reserved: 4,
    },
  },
  fields: flannelFields,
  settings: flannelSettings,
  decided: { credentials: flannelCredentials },
  questions: [
    {
      id: 'vni',
      field: 'network.flannel.vni',
      title: 'VXLAN network identifier (VNI)',
      mode: 'overlay',
    },
    { id: 'port', field: 'network.flannel.port', title: 'VXLAN UDP port', mode: 'overlay' },
  ],
  needs: {
    'network.flannel.version': 'install',
    'network.flannel.cniPlugin': 'install',
    'network.flannel.credentials': 'install',
  },
  moved: {
    'network.vni': 'vni',
    'network.port': 'port',
    'network.macPrefix': 'macPrefix',
    'network.credentials': 'credentials',
  },
  fileNeeds: [[/^files\/flannel\/net-conf\.json$/, 'join']],
  stepFields: {
    'hns-network': 'network.mode',
    'firewall-vxlan': { ports: 'network.flannel.port', from: 'host.firewall.networkFrom' },
  },
  kubeProxy: 'service',
  credentials: ({ flannel: { credentials } }) => credentials,
  lists: 'nodes',
  hostProcess: false,
  paths,
  programs: ({ spec }) => [
    {
      kind: 'file',
      source: 'flanneld',
      version: spec.network.flannel.version,
      neededBy: 'service-flanneld',
      path: `${layout.programs}\\flanneld.exe`,
    },
    {
      kind: 'archive',
      source: 'flannel-cni',
      version: spec.network.flannel.cniPlugin,
      neededBy: 'file-cni-conf',
      format: 'tar.gz',
      // The runtime finds a plugin program by the type in the conf: flannel.
      members: [{ member: 'flannel-amd64.exe', path: `${layout.cniBin}\\flannel.exe` }],
    },
    referencePlugins(spec, [
      spec.network.mode === 'overlay' ? 'win-overlay' : 'win-bridge',
      'host-local',
    ]),
    {
      kind: 'archive',
      source: 'nssm',
      version: nssm.version,
      neededBy: 'service-flanneld',
      format: 'zip',
      members: [
        {
          member: `nssm-${nssm.version}/win64/nssm.exe`,
          path: `${layout.programs}\\nssm.exe`,
        },
      ],
    },
  ],
  versions: [
    {
      id: 'flannel',
      title: 'flannel',
      path: ['network', 'flannel', 'version'],
      version: ({ network }) => network.flannel.version,
      newest: [flanneld.newest ?? flanneld.version],
      see: 'https://github.com/flannel-io/flannel/releases',
    },
    {
      id: 'flannel-cni',
      title: 'flannel’s CNI plugin',
      path: ['network', 'flannel', 'cniPlugin'],
      version: ({ network }) => network.flannel.cniPlugin,
      newest: [toolRelease('flannel-cni').version],
      see: 'https://github.com/flannel-io/cni-plugin/releases',
    },
    referencePluginsVersion,
  ],
  flags: { flanneld: flannelFlags },
  diagnoses,
  artifacts: [conflist, netConf, kubeconfig, clusterAccount],
  rules: flannelRules,
  readme,
  prepare,
  linux,
  linuxSide,
  compared,
  provides: ({ network: { mode } }) => ({
    network: 'hns-network',
    nodeConf: 'file-cni-conf',
    ...(mode === 'overlay' ? { sourceVip: 'source-vip' } : {}),
  }),
  steps: { host: hostSteps, services: serviceSteps, boot: bootSteps },
  facts: ({ spec }) => [
    { name: 'podSubnet', with: { network: spec.network.name } },
    ...(spec.network.mode === 'overlay'
      ? [{ name: 'sourceVip' as const, with: { network: spec.network.name } }]
      : []),
  ],
} satisfies Cni

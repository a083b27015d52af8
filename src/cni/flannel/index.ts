// flannel: VXLAN overlay or host-gw routes, set up by flanneld, a service that nssm runs, or HostProcess pods.
import { toolRelease } from '../../matrix/tools.ts'
import type { Cni } from '../plugin.ts'
import { referencePluginsVersion } from '../reference-plugins.ts'
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
import { beforeKubelet, daemonSet } from './pods.ts'
import { pluginPart } from '../readme-part.ts'
import { prepare } from './prepare.ts'
import { programs } from './programs.ts'
import { readme } from './readme.ts'
import { reservationOf } from './reservation.ts'
import { flannelRules } from './rules.ts'
import { runsAsPods } from './runs-as.ts'
import { flannelFlags } from './settings.ts'
import { bootSteps, hostSteps, serviceSteps } from './steps.ts'

const flanneld = toolRelease('flanneld')

export const flannel = {
  id: 'flannel',
  title: 'flannel',
  see: 'https://github.com/flannel-io/flannel/blob/master/Documentation/backends.md',
  ports: ({ mode }) =>
    mode === 'overlay'
      ? 'https://github.com/flannel-io/flannel/blob/master/Documentation/troubleshooting.md'
      : undefined,
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
    'network.flannel.runsAs': 'join',
    'network.flannel.image': 'apply',
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
  credentials: (network) => (runsAsPods(network) ? undefined : network.flannel.credentials),
  lists: 'nodes',
  hostProcess: runsAsPods,
  podImage: (network) =>
    runsAsPods(network) && network.flannel.image !== undefined
      ? { image: network.flannel.image, neededBy: 'cluster-flannel-daemonset' }
      : undefined,
  daemonSets: (network) =>
    runsAsPods(network) ? [{ namespace: 'kube-system', name: 'winnode-flannel' }] : [],
  sourceVip: (network) => (network.mode === 'overlay' ? reservationOf(network) : undefined),
  paths,
  programs,
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
  artifacts: [conflist, netConf, kubeconfig, clusterAccount, daemonSet],
  rules: flannelRules,
  readme,
  joined: (network) => (runsAsPods(network) ? [pluginPart('flannel', 'joined')] : []),
  prepare,
  linux,
  linuxSide,
  compared,
  provides: ({ network }) =>
    runsAsPods(network)
      ? {}
      : {
          network: 'hns-network',
          nodeConf: 'file-cni-conf',
          ...(network.mode === 'overlay' ? { sourceVip: 'source-vip' } : {}),
        },
  steps: { host: hostSteps, services: serviceSteps, beforeKubelet, boot: bootSteps },
  facts: ({ spec: { network } }) => {
    if (runsAsPods(network)) return []
    const names =
      network.mode === 'overlay' ? (['podSubnet', 'sourceVip'] as const) : (['podSubnet'] as const)
    return names.map((name) => ({ name, with: { network: network.name } }))
  },
} satisfies Cni

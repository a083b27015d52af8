// Files that flannel reads: the CNI conf, net-conf.json, and its kubeconfig.
import { reasonsFor } from '../../matrix/reasons.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Facts } from '../../model/facts.ts'
import type { Json } from '../../model/json.ts'
import { layout } from '../../model/layout.ts'
import type { PlannedFile } from '../../model/plan.ts'
import { beforeConf } from '../before-conf.ts'
import { endpointPolicies, policyDerivations } from '../endpoint-policies.ts'
import { kubeconfigFile, usesSecret } from '../kubeconfig.ts'
import { paths } from './paths.ts'
import { runsAsPods } from './runs-as.ts'
import {
  conflistSettings,
  flannelRoleSettings,
  netConfSettings,
  policyObjectSettings,
} from './settings.ts'

export const conflistPath = `${layout.cniConf}\\10-flannel.conflist`

/**
 * The plugin sets `name`, `cniVersion`, `ipam`, `ipMasq` and `ipMasqNetwork` of the delegate, and
 * fails if `name` or `ipam` is set.
 * https://github.com/flannel-io/cni-plugin/blob/main/flannel_windows.go
 */
export const conflist: Artifact = (facts) => {
  if (runsAsPods(facts.spec.network)) return undefined
  const derive = policyDerivations(facts.spec.network, '/plugins/0/delegate/policies')
  const network = [facts.spec.network.mode === 'overlay' ? 'source-vip' : 'host-endpoint']
  return {
    id: 'cni-conf',
    path: 'files/cni/10-flannel.conflist',
    summary: 'CNI configuration that containerd uses for pods; the first file by name wins.',
    body: { kind: 'json', value: conflistOf(facts) },
    settings: conflistSettings,
    install: {
      path: conflistPath,
      phase: 'boot',
      // Written last: with this file containerd has a network, the Node becomes Ready, and pods are scheduled.
      after: ['directory-cni-conf', ...beforeConf(facts.spec, network)],
      ...(derive.length > 0 ? { derive } : {}),
    },
  }
}

/** `ownRoute` is the route for the node's own address on l2bridge; empty where a step fills it in. */
export function conflistOf({ spec, has }: Facts, ownRoute = ''): Json {
  const { network } = spec
  const overlay = network.mode === 'overlay'
  return {
    // The newest version that libcni of this containerd accepts in results; plugins answer in the version of the request.
    cniVersion: has('containerd-cni-results-1') ? '1.0.0' : '0.4.0',
    name: network.name,
    plugins: [
      {
        type: 'flannel',
        subnetFile: paths.subnetFile,
        dataDir: paths.data,
        // dns passes the pod's dnsPolicy, because Windows has no resolv.conf. win-overlay accepts
        // portMappings but ignores them.
        capabilities: overlay ? { dns: true } : { dns: true, portMappings: true },
        delegate: {
          type: overlay ? 'win-overlay' : 'win-bridge',
          // HCN: the older HNS API cannot attach to containerd's network namespaces.
          apiVersion: 2,
          ...(overlay ? { endpointMacPrefix: network.flannel.macPrefix } : {}),
          // Lets a pod reach itself through its own Service; needs DSR.
          loopbackDSR: network.dsr,
          policies: endpointPolicies(network, ownRoute),
        },
      },
    ],
  }
}

/** flanneld on the node reads the same document as Linux nodes read from flannel's ConfigMap. */
export function netConfOf({ spec }: Facts): Json {
  const { network } = spec
  return {
    Network: network.podCIDRs[0],
    Backend:
      network.mode === 'overlay'
        ? {
            Type: 'vxlan',
            VNI: network.flannel.vni,
            Port: network.flannel.port,
            Name: network.name,
            MacPrefix: network.flannel.macPrefix,
          }
        : { Type: 'host-gw', Name: network.name },
  }
}

export const netConf: Artifact = (facts) =>
  runsAsPods(facts.spec.network)
    ? undefined
    : {
        id: 'flannel-net-conf',
        path: 'files/flannel/net-conf.json',
        summary:
          'Network configuration of flanneld; must match flannel’s ConfigMap on the Linux nodes.',
        body: { kind: 'json', value: netConfOf(facts) },
        settings: netConfSettings,
        install: {
          path: `${paths.conf}\\net-conf.json`,
          phase: 'image',
          after: ['directory-flannel-conf'],
        },
      }

export const kubeconfig: Artifact = ({ spec }) =>
  runsAsPods(spec.network)
    ? undefined
    : kubeconfigFile(
        'flannel',
        'flanneld’s kubeconfig: the API server and paths of its credentials; contains no secret.',
        spec.network.flannel.credentials,
        spec.join,
      )

const clusterSettings = { ...reasonsFor('service accounts'), ...flannelRoleSettings }

const needsSecret = (network: Facts['spec']['network']) =>
  !runsAsPods(network) && usesSecret(network.flannel.credentials)

/** Whether the API server has ValidatingAdmissionPolicy. */
const hasPolicy = ({ has }: Facts) => has('apiserver-admission-policies')

const policy: PlannedFile = {
  id: 'cluster-flannel-policy',
  path: 'cluster/21-flannel-policy.yaml',
  summary: 'Admission policy that limits what the token of flanneld can change in Node objects.',
  body: { kind: 'template', template: 'cni/flannel/policy.yaml.hbs', view: {} },
  settings: policyObjectSettings,
}

export const clusterAccount: Artifact = (facts) => [
  {
    id: 'cluster-flannel',
    path: 'cluster/20-flannel.yaml',
    summary: 'ServiceAccount of flanneld, with the permissions of its subnet manager.',
    body: {
      kind: 'template',
      template: 'cni/flannel/account.yaml.hbs',
      view: {
        secret: needsSecret(facts.spec.network),
        service: !runsAsPods(facts.spec.network),
        policy: hasPolicy(facts),
      },
    },
    settings: clusterSettings,
  },
  ...(hasPolicy(facts) ? [policy] : []),
  {
    id: 'cluster-flannel-net-conf',
    path: 'cluster/linux-side/flannel-net-conf.json',
    summary:
      'Required content of net-conf.json in flannel’s ConfigMap; compare it before the first node joins.',
    body: { kind: 'json', value: netConfOf(facts) },
    settings: netConfSettings,
  },
]

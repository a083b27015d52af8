// Calico: what its operator refuses for Windows nodes, and what it takes and then breaks on.
import { parseCidr } from '../../net/cidr.ts'
import { isOfLaterMinor } from '../../matrix/standing.ts'
import type { Facts } from '../../model/facts.ts'
import { defineRule, when, type Rule } from '../../model/rule.ts'
import { needsApiServerAddress } from '../api-server-address.ts'
import { ipv4Only } from '../ipv4-only.ts'
import { testedUpTo } from './fields.ts'
import { isRouted, usesBgp, usesVxlan } from './files.ts'

const guide =
  'https://docs.tigera.io/calico/latest/getting-started/kubernetes/windows-calico/requirements'
const operator =
  'https://github.com/tigera/operator/blob/master/pkg/controller/installation/windows_controller.go'

const chosen = ({ spec }: Facts) => spec.network.cni === 'calico'

const needsEndpoint = needsApiServerAddress('calico', {
  title: 'Calico',
  see: operator,
  why: 'kube-proxy and Calico start before the API server’s Service IP works, so they need the real endpoint',
})

const windowsTooNew = defineRule({
  id: 'calico-lacks-windows-release',
  severity: 'error',
  summary: 'Calico supports the Windows release.',
  remedy: 'Use Windows Server 2022.',
  see: 'https://github.com/projectcalico/calico/issues/11691',
  check: (facts) =>
    when(
      chosen(facts) && facts.windows.build > 20_348,
      ['windows', 'release'],
      `Calico does not support ${facts.windows.name}, only Windows Server 2019 and 2022`,
    ),
})

/** The lowest update build revisions that Calico supports, by build. */
const lowestRevision: ReadonlyMap<number, number> = new Map([
  [17_763, 1432],
  [20_348, 169],
])

const windowsTooOld = defineRule({
  id: 'calico-needs-windows-update',
  severity: 'error',
  summary: 'Calico supports the update build revision of Windows.',
  remedy: 'Install a later update in the image, and set windows.revision to it.',
  see: guide,
  check: (facts) => {
    const { revision } = facts.spec.windows
    const lowest = lowestRevision.get(facts.windows.build) ?? 0
    return when(
      chosen(facts) && revision !== undefined && revision < lowest,
      ['windows', 'revision'],
      `Calico needs revision ${lowest} or newer of ${facts.windows.name}; windows.revision is ${String(revision)}`,
    )
  },
})

const hostProcess = defineRule({
  id: 'calico-needs-host-process',
  severity: 'error',
  summary: 'The kubelet supports Calico’s HostProcess DaemonSet.',
  remedy: 'Use a newer Kubernetes version.',
  upgrades: ['kubelet'],
  see: guide,
  check: (facts) =>
    when(
      chosen(facts) && !facts.has('kubelet-host-process'),
      ['kubernetes', 'version'],
      `HostProcess pods need kubelet 1.26 or newer; the kubelet is ${facts.spec.kubernetes.version}`,
    ),
})

const untested = defineRule({
  id: 'calico-untested-with-kubernetes',
  untested: true,
  countedAs: 'untested pair',
  severity: 'warning',
  harm: 'ages',
  summary: 'Calico is tested with the Kubernetes minor.',
  remedy: 'Use an older Kubernetes minor, or a newer Calico and set network.calico.version.',
  upgrades: ['kubelet'],
  see: 'https://docs.tigera.io/calico/latest/getting-started/kubernetes/requirements',
  check: (facts) => {
    const { version } = facts.spec.network.calico
    const ceiling = testedUpTo[version]
    return when(
      chosen(facts) && isOfLaterMinor(facts.spec.kubernetes.version, `${ceiling}.0`),
      ['kubernetes', 'version'],
      `Calico ${version} is tested up to Kubernetes ${ceiling}, not with ${facts.kubernetes.minor}`,
    )
  },
})

/** https://docs.rke2.io/networking/windows_bgp has the same list. */
const routingFeatures = ['RemoteAccess', 'RSAT-RemoteAccess-PowerShell', 'Routing'] as const

const needsRouting = defineRule({
  id: 'calico-bgp-needs-routing',
  severity: 'error',
  summary: 'The Windows features of Remote Access are installed with Calico’s BGP.',
  remedy: 'Add RemoteAccess, RSAT-RemoteAccess-PowerShell and Routing to host.features.',
  see: 'https://docs.rke2.io/networking/windows_bgp',
  check: (facts) => {
    const installed = facts.spec.host.features.map((name) => name.toLowerCase())
    const missing = routingFeatures.filter((name) => !installed.includes(name.toLowerCase()))
    return when(
      chosen(facts) && usesBgp(facts.spec.network) && missing.length > 0,
      ['host', 'features'],
      `host.features lacks ${missing.join(', ')}; Calico configures BGP in the router of Remote Access`,
    )
  },
})

/**
 * From 3.30.3 to 3.31.4, until 38c14b12 and a63cabeb. In 3.32, f3dc1ba1 removed a function that the
 * templates of Windows call; the branch of 3.32 has the fix, 9d99fc03, only after 3.32.1.
 */
const withoutBgp: Readonly<Partial<Record<keyof typeof testedUpTo, string>>> = {
  '3.30': '3.30.3 to 3.30.7',
  '3.31': '3.31.0 to 3.31.4',
  '3.32': '3.32.0 and 3.32.1',
}

const noBgp = defineRule({
  id: 'calico-configures-no-bgp',
  severity: 'warning',
  harm: 'breaks',
  summary: 'With Calico’s BGP, the Calico minor configures BGP on Windows.',
  remedy: 'Use a release of Calico that the message does not name, and set network.calico.version.',
  see: 'https://github.com/projectcalico/calico/issues/11714',
  check: ({ spec: { network } }) => {
    const releases = withoutBgp[network.calico.version]
    return when(
      network.cni === 'calico' && usesBgp(network) && releases !== undefined,
      ['network', 'calico', 'version'],
      `no BGP is configured on Windows nodes by Calico ${releases}, so no node has routes to their pods`,
    )
  },
})

/**
 * Its operator takes pools of two families, and asks its IPAM for no IPv6 address on Windows.
 * https://github.com/tigera/operator/blob/master/pkg/render/windows.go, createCalicoPluginConfig
 */
const ipv4 = ipv4Only('calico', {
  id: 'calico-ipv4-only',
  title: 'Calico on Windows',
  see: 'https://docs.tigera.io/calico/latest/getting-started/kubernetes/windows-calico/limitations',
  why: 'Calico gives pods on Windows no IPv6 addresses, so they cannot reach',
})

const onePool = defineRule({
  id: 'calico-reads-one-pool',
  severity: 'warning',
  harm: 'limits',
  summary: 'Calico on Windows has one pod CIDR.',
  remedy: 'Remove the other CIDRs.',
  see: operator,
  check: ({ spec: { network } }) =>
    network.podCIDRs.flatMap((cidr, at) =>
      when(
        network.cni === 'calico' && at > 0 && !cidr.includes(':'),
        ['network', 'podCIDRs', at],
        `Calico’s operator reads only the first pool for Windows, so ${cidr} is not checked by it`,
      ),
    ),
})

const poolTooSmall = defineRule({
  id: 'calico-pool-smaller-than-block',
  severity: 'error',
  summary: 'The pod CIDR has room for a block of Calico.',
  remedy: 'Use a larger pod CIDR, or a larger network.calico.blockSize.',
  see: 'https://docs.tigera.io/calico/latest/reference/resources/ippool',
  check: ({ spec: { network } }) => {
    const pool = parseCidr(network.podCIDRs[0] ?? '')
    const { blockSize } = network.calico
    return when(
      network.cni === 'calico' &&
        !isRouted(network) &&
        pool?.family === 4 &&
        pool.prefix > blockSize,
      ['network', 'calico', 'blockSize'],
      `a block of /${blockSize} does not fit in the pod CIDR ${network.podCIDRs[0] ?? ''}`,
    )
  },
})

const external = defineRule({
  id: 'calico-removes-external-network',
  severity: 'error',
  summary: 'With Calico, network.external is not set.',
  remedy: 'Remove network.external.',
  see: 'https://github.com/projectcalico/calico/blob/v3.32.1/node/windows-packaging/CalicoWindows/node/node-service.ps1',
  check: ({ spec: { network } }) =>
    when(
      network.cni === 'calico' && network.external,
      ['network', 'external'],
      'Calico removes all HNS networks at its first start after a boot, and creates its own external network',
    ),
})

const settingsUnused = defineRule({
  id: 'calico-settings-unused',
  severity: 'warning',
  harm: 'limits',
  summary:
    'The VNI in network.calico is set only with VXLAN, and the block size only with Calico’s IPAM.',
  remedy: 'Remove the field.',
  see: guide,
  check: (facts) => {
    const { cni, calico, backend } = facts.spec.network
    return [
      ...when(
        cni === 'calico' && !usesVxlan(facts.spec.network) && calico.vni !== 4096,
        ['network', 'calico', 'vni'],
        `network.calico.vni has no effect with the backend ${backend}: packets are not encapsulated`,
      ),
      ...when(
        cni === 'calico' && isRouted({ backend }) && calico.blockSize !== 26,
        ['network', 'calico', 'blockSize'],
        'network.calico.blockSize has no effect with the backend none: host-local uses the pod CIDR of the Node',
      ),
    ]
  },
})

const picksAdapter = defineRule({
  id: 'calico-l2bridge-picks-adapter',
  severity: 'warning',
  harm: 'breaks',
  summary: 'With Calico and l2bridge, the node has one network adapter.',
  remedy: 'Give the nodes one network adapter, or set network.mode to overlay.',
  see: 'https://github.com/projectcalico/calico/blob/v3.32.1/cni-plugin/pkg/dataplane/windows/dataplane_windows.go',
  check: ({ spec: { network } }) =>
    when(
      network.cni === 'calico' && network.mode === 'l2bridge' && network.adapter !== undefined,
      ['network', 'adapter'],
      `Calico names no adapter to HNS with l2bridge, so pods can be on another one than ${network.adapter ?? ''}`,
    ),
})

const needsRoutes = defineRule({
  id: 'calico-none-needs-routes',
  severity: 'error',
  summary: 'network.routes is set with Calico’s backend none.',
  remedy:
    'Set up the routes, then set network.routes to fabric (network routers) or cloud (the cloud’s route table).',
  see: 'https://docs.tigera.io/calico/latest/networking/determine-best-networking',
  asks: ['network.routes'],
  check: ({ spec: { network } }) =>
    when(
      network.cni === 'calico' && isRouted(network) && network.routes === undefined,
      ['network', 'routes'],
      'network.routes is not set; Calico with the backend none adds no routes to pods on other nodes',
    ),
})

/** The number of HNS endpoints on a node of the report below; each pod has one. */
const slowEndpoints = 140

const manyPods = defineRule({
  id: 'calico-slow-with-many-pods',
  severity: 'info',
  harm: 'limits',
  summary: `With Calico, a node has fewer than ${slowEndpoints} pods.`,
  remedy: 'Lower kubelet.maxPods, or ignore this finding if pods start together without errors.',
  see: 'https://github.com/projectcalico/calico/issues/7823',
  check: ({ spec: { kubelet, network } }) =>
    when(
      network.cni === 'calico' && kubelet.maxPods >= slowEndpoints,
      ['kubelet', 'maxPods'],
      `kubelet.maxPods is ${kubelet.maxPods}; pods that start together were reported to fail on a node with ${slowEndpoints} HNS endpoints`,
    ),
})

export const calicoRules: readonly Rule[] = [
  needsEndpoint,
  windowsTooNew,
  windowsTooOld,
  hostProcess,
  untested,
  needsRouting,
  noBgp,
  ipv4,
  onePool,
  poolTooSmall,
  external,
  settingsUnused,
  picksAdapter,
  needsRoutes,
  manyPods,
]

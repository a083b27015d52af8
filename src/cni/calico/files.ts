// Settings that Calico in the cluster must have for Windows nodes: patches of its objects, and a ConfigMap for its operator.
import type { Artifact } from '../../model/artifact.ts'
import type { Json } from '../../model/json.ts'
import type { NodeSpec } from '../../model/spec.ts'
import { endpointParts } from '../../net/endpoint.ts'
import { calicoSettings as settings } from './settings.ts'

type Network = NodeSpec['network']

type Backend = Pick<Network, 'backend'>

/** L2Bridge; Calico exchanges routes. */
export const usesBgp = ({ backend }: Backend) => backend === 'bgp'

/** L2Bridge; the network routes the pod CIDR of each Node, and pods get addresses of it from host-local. */
export const isRouted = ({ backend }: Backend) => backend === 'none'

export const usesVxlan = ({ backend }: Backend) => backend === 'vxlan'

/** What Windows supports with each backend. */
export const encapsulationOf = (network: Backend) => (usesVxlan(network) ? 'VXLAN' : 'None')

/** The only IPAM plugins of the operator: only host-local uses the pod CIDR of the Node. */
export const ipamOf = (network: Backend) => (isRouted(network) ? 'HostLocal' : 'Calico')

const bgpOf = (network: Backend) => (usesBgp(network) ? 'Enabled' : 'Disabled')

/** Its L2Bridge networks name no adapter. */
const namedAdapter = (network: Network) => (usesVxlan(network) ? network.adapter : undefined)

interface Patch {
  readonly kind: string
  readonly object: string
  readonly summary: (network: Network) => string
  /** A merge patch. */
  readonly patch: (network: Network) => Json
  /** By default, with each backend. */
  readonly isFor?: (network: Network) => boolean
}

/** By name. */
const patches: Readonly<Record<string, Patch>> = {
  installation: {
    kind: 'installations.operator.tigera.io',
    object: 'default',
    summary: (network) =>
      `In Calico’s Installation: serviceCIDRs, windowsDataplane HNS, bgp ${bgpOf(network)}${isRouted(network) ? ', and the IPAM plugin HostLocal' : ''}${namedAdapter(network) === undefined ? '' : ', and the adapter of Windows nodes'}.`,
    patch: (network) => ({
      spec: {
        serviceCIDRs: network.serviceCIDRs,
        ...(isRouted(network) && { cni: { type: 'Calico', ipam: { type: ipamOf(network) } } }),
        calicoNetwork: { bgp: bgpOf(network), windowsDataplane: 'HNS' },
        ...(namedAdapter(network) !== undefined && {
          windowsNodes: { vxlanAdapter: namedAdapter(network) },
        }),
      },
    }),
  },
  felix: {
    kind: 'felixconfigurations',
    object: 'default',
    summary: () => 'The VNI in Calico’s FelixConfiguration.',
    patch: ({ calico }) => ({ spec: { vxlanVNI: calico.vni } }),
    // Without VXLAN, the VNI that the operator writes by itself is enough: without one, it renders nothing for Windows.
    isFor: usesVxlan,
  },
  ipam: {
    kind: 'ipamconfigurations',
    object: 'default',
    summary: () => 'Strict affinity in Calico’s IPAMConfiguration.',
    patch: () => ({ spec: { strictAffinity: true } }),
    // The operator reads it only with Calico's IPAM:
    // https://github.com/tigera/operator/blob/master/pkg/controller/installation/windows_controller.go
    isFor: (network) => !isRouted(network),
  },
}

export const patchesOf = (network: Network) =>
  Object.entries(patches).filter(([, { isFor }]) => isFor?.(network) ?? true)

/** None of them is in cluster/ itself, because the cluster keeps them when the last Windows node is removed. */
export const patchFile = (name: string) => `cluster/linux-side/calico-${name}.json`

/** The first IPv4 pool of the Installation; the operator creates the IPPool. */
const pool = ({ network }: NodeSpec): Json => ({
  cidr: network.podCIDRs[0] ?? '',
  encapsulation: encapsulationOf(network),
  natOutgoing: network.calico.natOutgoing ? 'Enabled' : 'Disabled',
  blockSize: network.calico.blockSize,
  nodeSelector: 'all()',
})

export const clusterSettings: Artifact = ({ spec }) => {
  const { host, port } = endpointParts(spec.join.endpoint ?? '')
  return [
    {
      id: 'cluster-calico-endpoint',
      path: patchFile('endpoint'),
      summary: 'The ConfigMap with the API server’s address, for Calico on Windows nodes.',
      body: {
        kind: 'json',
        value: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'kubernetes-services-endpoint', namespace: 'tigera-operator' },
          data: { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port },
        },
      },
      settings,
    },
    ...patchesOf(spec.network).map(([name, { summary, patch }]) => ({
      id: `cluster-calico-${name}`,
      path: patchFile(name),
      summary: summary(spec.network),
      body: { kind: 'json' as const, value: patch(spec.network) },
      settings,
    })),
    {
      id: 'cluster-calico-pool',
      path: patchFile('pool'),
      summary: 'The first IPv4 pool in Calico’s Installation (calicoNetwork.ipPools).',
      body: { kind: 'json', value: pool(spec) },
      settings,
    },
  ]
}

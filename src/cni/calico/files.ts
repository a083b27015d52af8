// Settings that Calico in the cluster must have for Windows nodes: patches of its objects, and a ConfigMap for its operator.
import { defineArtifact } from '../../model/artifact.ts'
import type { Json } from '../../model/json.ts'
import type { NodeSpec } from '../../model/spec.ts'
import { calicoSettings as settings } from './settings.ts'

type Network = NodeSpec['network']

/** Backend bgp: pods have an L2Bridge network, and Calico exchanges routes. */
export const usesBgp = ({ mode, backend }: Network) => mode === 'l2bridge' && !isRouted({ backend })

/** Backend none: pods have an L2Bridge network, and the network routes each node's pod CIDR, of which host-local gives addresses. */
export const isRouted = ({ backend }: Pick<Network, 'backend'>) => backend === 'none'

export const usesVxlan = ({ mode }: Network) => mode === 'overlay'

/** What Windows supports with each backend. */
export const encapsulationOf = (network: Network) => (usesVxlan(network) ? 'VXLAN' : 'None')

/** The only IPAM plugins of the operator: only host-local uses the pod CIDR of the Node. */
export const ipamOf = (network: Network) => (isRouted(network) ? 'HostLocal' : 'Calico')

/** By name: an object of Calico, and a merge patch for it. */
const patches = {
  installation: {
    kind: 'installations.operator.tigera.io',
    object: 'default',
    summary: ({ network }: NodeSpec) =>
      `In Calico’s Installation: serviceCIDRs, windowsDataplane HNS, bgp ${bgpOf(network)}${isRouted(network) ? ', and the IPAM plugin HostLocal' : ''}.`,
    patch: ({ network }: NodeSpec): Json => ({
      spec: {
        serviceCIDRs: network.serviceCIDRs,
        ...(isRouted(network) && { cni: { type: 'Calico', ipam: { type: ipamOf(network) } } }),
        calicoNetwork: { bgp: bgpOf(network), windowsDataplane: 'HNS' },
      },
    }),
  },
  felix: {
    kind: 'felixconfigurations',
    object: 'default',
    summary: () => 'The VNI in Calico’s FelixConfiguration.',
    patch: ({ network }: NodeSpec): Json => ({ spec: { vxlanVNI: network.calico.vni } }),
  },
  ipam: {
    kind: 'ipamconfigurations',
    object: 'default',
    summary: () => 'Strict affinity in Calico’s IPAMConfiguration.',
    patch: (): Json => ({ spec: { strictAffinity: true } }),
  },
} as const

/**
 * Without VXLAN, the VNI that the operator writes by itself is enough: it renders nothing for Windows without one. It reads
 * the IPAMConfiguration only with Calico's IPAM.
 * https://github.com/tigera/operator/blob/master/pkg/controller/installation/windows_controller.go
 */
export const patchesOf = (network: Network) =>
  Object.entries(patches).filter(
    ([name]) => (name !== 'felix' || usesVxlan(network)) && (name !== 'ipam' || !isRouted(network)),
  )

const bgpOf = (network: Network) => (usesBgp(network) ? 'Enabled' : 'Disabled')

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

export const clusterSettings = defineArtifact({
  id: 'cluster-calico',
  plan: ({ spec }) => {
    const [host = '', port = ''] = endpointParts(spec.join.endpoint)
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
        summary: summary(spec),
        body: { kind: 'json' as const, value: patch(spec) },
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
  },
})

/** `host:port`, of which an IPv6 address has brackets. */
function endpointParts(endpoint = ''): readonly string[] {
  return (
    /^(.*):(\d+)$/
      .exec(endpoint)
      ?.slice(1)
      .map((one) => one.replace(/^\[|\]$/g, '')) ?? []
  )
}

// Settings that Calico in the cluster must have for Windows nodes: patches of its objects, and a ConfigMap for its operator.
import { defineArtifact } from '../../model/artifact.ts'
import type { Json } from '../../model/json.ts'
import type { NodeSpec } from '../../model/spec.ts'
import { calicoSettings as settings } from './settings.ts'

/** Backend bgp: pods have an L2Bridge network, and Calico exchanges routes. The other backend is VXLAN. */
export const usesBgp = ({ mode }: NodeSpec['network']) => mode === 'l2bridge'

/** What Windows supports with each backend. */
export const encapsulationOf = (network: NodeSpec['network']) =>
  usesBgp(network) ? 'None' : 'VXLAN'

/** By name: an object of Calico, and a merge patch for it. */
const patches = {
  installation: {
    kind: 'installations.operator.tigera.io',
    object: 'default',
    summary: 'Windows nodes, with or without BGP, in Calico’s Installation.',
    patch: ({ network }: NodeSpec): Json => ({
      spec: {
        serviceCIDRs: network.serviceCIDRs,
        calicoNetwork: { bgp: usesBgp(network) ? 'Enabled' : 'Disabled', windowsDataplane: 'HNS' },
      },
    }),
  },
  felix: {
    kind: 'felixconfigurations',
    object: 'default',
    summary: 'The VNI in Calico’s FelixConfiguration.',
    patch: ({ network }: NodeSpec): Json => ({ spec: { vxlanVNI: network.calico.vni } }),
  },
  ipam: {
    kind: 'ipamconfigurations',
    object: 'default',
    summary: 'Strict affinity in Calico’s IPAMConfiguration.',
    patch: (): Json => ({ spec: { strictAffinity: true } }),
  },
} as const

/** Without VXLAN, the VNI that the operator writes by itself is enough: it renders nothing for Windows without one. */
export const patchesOf = (network: NodeSpec['network']) =>
  Object.entries(patches).filter(([name]) => !usesBgp(network) || name !== 'felix')

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
        summary,
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

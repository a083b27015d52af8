// Compares the settings that kube-proxy on Linux nodes and on Windows nodes must share.
import type { Drift } from '../model/drift.ts'
import { type Json, type JsonObject, valueAt } from '../model/json.ts'
import { clusterDiffers } from './cluster-values.ts'

export const kubeProxyFile = 'files/kube-proxy/config.json'

interface Shared {
  readonly field: string
  /** The part of the value that must match. */
  readonly reads: (value: Json | undefined) => Json
  readonly why: string
  readonly see: string
}

/**
 * `clusterCIDR` is compared as `network.podCIDRs`. The other fields that kube-proxy on Windows reads are specific
 * to its machine: its name and address, credentials, `winkernel`, and how often it works. Where Linux nodes restrict node
 * ports to `nodePortAddresses`, it serves them on every address, and no setting changes that:
 * https://github.com/kubernetes/kubernetes/blob/master/pkg/proxy/winkernel/proxier.go, NewProxier.
 */
const shared: readonly Shared[] = [
  {
    field: 'healthzBindAddress',
    reads: healthPort,
    why: 'A load balancer checks the health of all nodes on the same port.',
    see: 'https://github.com/kubernetes/enhancements/tree/master/keps/sig-network/3836-kube-proxy-improved-ingress-connectivity-reliability',
  },
]

const where = 'ConfigMap kube-system/kube-proxy'

/** `theirs` is the configuration in the cluster's ConfigMap, `ours` the file of the bundle. */
export function kubeProxyDrifts(theirs: JsonObject, ours: Json): readonly Drift[] {
  return shared.flatMap(({ field, reads, why, see }) => {
    const [value, wanted] = [reads(theirs[field]), reads(valueAt(ours, [field]))]
    if (value === wanted) return []
    const actual = { where: `${where}, ${field}`, value }
    return [{ ...clusterDiffers(['kubeProxy', 'config', field], actual, wanted), why, see }]
  })
}

/** Without an address or port, the default applies: apis/config/v1alpha1/defaults.go. */
function healthPort(address: Json | undefined): number {
  const [, port] = /:(\d+)$/.exec(typeof address === 'string' ? address : '') ?? []
  return port === undefined ? 10_256 : Number(port)
}

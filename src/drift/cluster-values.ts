// Compares values detected in a cluster with the fields of a profile.
import { carries } from '../cni/index.ts'
import { judgeSkew, kubeletWithApiServer } from '../matrix/skew.ts'
import { isOfSameMinor } from '../matrix/standing.ts'
import type { Detected, DetectedValue } from '../model/detected.ts'
import type { Drift } from '../model/drift.ts'
import { isList, isSameJson, type Json, parseObject, valueAt } from '../model/json.ts'
import { formatPath, type Path } from '../model/path.ts'
import type { NodeSpec } from '../model/spec.ts'
import { nodeDrift } from './node-drift.ts'
import { formatValue } from './format-value.ts'

/** How to compare a detected value with the profile. Settings of the network plugin are in linux-side.ts. */
export const fields: Readonly<Record<string, (actual: Json, wanted: Json) => boolean>> = {
  // Only the minor counts: control planes change their patch version.
  'kubernetes.apiServer': (actual, wanted) => isOfSameMinor(textOf(actual), textOf(wanted)),
  'join.caCertHashes': (actual, wanted) =>
    listed(actual).some((one) => listed(wanted).includes(one)),
  'network.cni': isSameJson,
  'network.podCIDRs': sameSet,
  'network.serviceCIDRs': sameSet,
  'network.nodeCIDRMaskSize': isSameJson,
  'network.clusterDNS': isSameJson,
  'network.clusterDomain': isSameJson,
  'host.firewall.nodePortRange': isSameJson,
}

export function clusterDrifts(detected: readonly Detected[], spec: NodeSpec): readonly Drift[] {
  const values = parseObject(JSON.stringify(spec))
  return detected
    .filter(({ path }) => carries(spec.network.cni, path))
    .flatMap(({ path, value, where, others }) => {
      const name = formatPath(path)
      const wanted = valueAt(values, path)
      const equal = fields[name]
      if (!equal || wanted === undefined || (isList(wanted) && wanted.length === 0)) return []
      const other = [{ value, where }, ...others].find((actual) => !equal(actual.value, wanted))
      if (!other) return []
      const drift = clusterDiffers(path, other, wanted)
      return [
        name === 'kubernetes.apiServer' ? withKubelet(drift, textOf(other.value), spec) : drift,
      ]
    })
}

/** An older API server is not only another value: the kubelets of the profile must not be newer. */
function withKubelet(drift: Drift, apiServer: string, { kubernetes }: NodeSpec): Drift {
  if (judgeSkew(kubeletWithApiServer, kubernetes.version, apiServer) !== 'newer') return drift
  return {
    ...drift,
    remedy: `Upgrade the control plane to ${kubernetes.version}.`,
    why: `The profile has kubelet ${kubernetes.version}; Kubernetes does not support a kubelet that is newer than the API server.`,
    see: kubeletWithApiServer.see,
  }
}

export function clusterDiffers(field: Path, { where, value }: DetectedValue, wanted: Json): Drift {
  const name = formatPath(field)
  return nodeDrift({
    id: 'cluster-differs',
    severity: 'warning',
    weight: 'drift',
    subject: `cluster/${name}`,
    message: `${where}: is ${formatValue(value)}, expected ${formatValue(wanted)}`,
    remedy: `Update ${name} to match the cluster, or fix the cluster.`,
    was: value,
    should: wanted,
    owner: 'theirs',
    field,
    // No change on the node: the cluster or the profile must change.
    need: 'nothing',
  })
}

function sameSet(actual: Json, wanted: Json): boolean {
  return isSameJson([...listed(actual)].sort(), [...listed(wanted)].sort())
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : ''
}

function listed(value: Json): readonly Json[] {
  return isList(value) ? value : [value]
}

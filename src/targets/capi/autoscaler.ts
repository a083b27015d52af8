// Annotations that let the autoscaler scale from zero: what a node of this group would have.
import { windowsVersion } from '../../matrix/windows.ts'
import type { Facts } from '../../model/facts.ts'

const capacity = 'capacity.cluster-autoscaler.kubernetes.io'
const group = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group'

interface Bounds {
  readonly min: number
  readonly max: number
}

/**
 * The autoscaler takes the capacity for allocatable, so the annotations hold what the reservations leave. Without the
 * OS label it takes the node for Linux, and does not scale up for pods that select Windows.
 * https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/cloudprovider/clusterapi/clusterapi_nodegroup.go (TemplateNodeInfo)
 */
export function autoscalerAnnotations(facts: Facts, { min, max }: Bounds) {
  const { kubelet } = facts.spec
  const { cpu, memory, ephemeralStorage } = facts.reservations.allocatable
  const taints = kubelet.taints.map(({ key, value, effect }) => `${key}=${value}:${effect}`)
  return {
    [`${group}-min-size`]: `${min}`,
    [`${group}-max-size`]: `${max}`,
    [`${capacity}/cpu`]: `${cpu}m`,
    [`${capacity}/memory`]: `${memory}Mi`,
    [`${capacity}/ephemeral-disk`]: `${ephemeralStorage}Mi`,
    [`${capacity}/maxPods`]: `${kubelet.maxPods}`,
    [`${capacity}/labels`]: labelsOf(facts),
    ...(taints.length > 0 && { [`${capacity}/taints`]: taints.join() }),
  }
}

function labelsOf({ spec, windows }: Facts): string {
  const labels = {
    ...spec.kubelet.labels,
    'kubernetes.io/os': 'windows',
    'kubernetes.io/arch': 'amd64',
    'node.kubernetes.io/windows-build': windowsVersion(windows),
  }
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join()
}

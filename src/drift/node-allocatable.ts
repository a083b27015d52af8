// Compares the allocatable resources of a node with the reservations of the profile.
import type { Drift } from '../model/drift.ts'
import type { Facts } from '../model/facts.ts'
import type { JsonObject } from '../model/json.ts'
import { mebibytes, millicores, thresholdMebibytes } from '../sizing/quantities.ts'
import { nodeDifference, text } from './node-difference.ts'

/**
 * capacity - kubeReserved - systemReserved - evictionHard, as the kubelet computes it for this machine:
 * https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/cm/container_manager_windows.go
 */
export function allocatable(node: JsonObject, { spec, reservations }: Facts): readonly Drift[] {
  const amount = (of: string, name: string) => text(node, ['status', of, name])
  const { kube, system } = reservations
  const memory = mebibytes(amount('capacity', 'memory') ?? '', 'down')
  const evicted = thresholdMebibytes(
    spec.reserve.evictionHard['memory.available'] ?? '500Mi',
    memory ?? 0,
  )
  const cpu = millicores(amount('capacity', 'cpu') ?? '', 'down')
  const rows = [
    {
      name: 'memory',
      unit: 'Mi',
      was: mebibytes(amount('allocatable', 'memory') ?? '', 'down'),
      should:
        memory === undefined ? undefined : memory - kube.memory - system.memory - (evicted ?? 0),
      // Capacity and amounts are each rounded to whole MiB.
      slack: 2,
      field: ['reserve'],
    },
    {
      name: 'cpu',
      unit: 'm',
      was: millicores(amount('allocatable', 'cpu') ?? '', 'down'),
      should: cpu === undefined ? undefined : cpu - kube.cpu - system.cpu,
      slack: 0,
      field: ['reserve'],
    },
    {
      name: 'pods',
      unit: '',
      was: count(amount('allocatable', 'pods')),
      should: spec.kubelet.maxPods,
      slack: 0,
      field: ['kubelet', 'maxPods'],
    },
  ]
  return rows.flatMap(({ name, unit, was, should, slack, field }) => {
    if (was === undefined || should === undefined || Math.abs(was - should) <= slack) return []
    return nodeDifference({
      id: 'allocatable-differs',
      what: `allocatable.${name}`,
      name: `allocatable ${name}`,
      was: `${was}${unit}`,
      should: `${should}${unit}`,
      field,
      need: 'install',
      remedy:
        'Run Install-WinNode.ps1 of the current bundle on the node; the reservations of its kubelet differ.',
    })
  })
}

function count(amount: string | undefined): number | undefined {
  return amount === undefined ? undefined : Number(amount)
}

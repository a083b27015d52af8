// Windows: which workloads are meant for Windows nodes.
import type { Facts } from '../model/facts.ts'
import { handlers } from '../artifacts/cluster.ts'
import { buildsOf } from './image-builds.ts'
import { textAt } from './manifest.ts'
import { classOf, isSelected, untolerated } from './node.ts'
import type { Around } from './rule.ts'
import { osLabel, selectedOs } from './scheduling.ts'
import { hasWindowsOptions, osNameOf, type Workload } from './workload.ts'

/** One sign is enough: each of the others may be missing by mistake. */
export function isForWindows(workload: Workload, around: Around): boolean {
  const os = osNameOf(workload)?.toLowerCase()
  const runtimeClass = classOf(workload, around.runtimeClasses)
  const selected = selectedOs(workload)
  if (os === 'windows' || selected?.includes('windows') || hasWindowsOptions(workload)) return true
  if (runtimeClass?.nodeSelector[osLabel] === 'windows') return true
  if (runtimeClass && Object.values<string>(handlers).includes(runtimeClass.handler)) return true
  if (os === 'linux' || selected) return false
  const hasWindowsImage = workload.containers.some(
    ({ spec }) => buildsOf(textAt(spec, ['image']), around.platforms).isForWindows,
  )
  return hasWindowsImage || (around.node !== undefined && takes(around.node, workload, around))
}

/** Whether the scheduler could choose the node of the profile. */
function takes(node: Facts, workload: Workload, around: Around): boolean {
  const runtimeClass = classOf(workload, around.runtimeClasses)
  return (
    isSelected(workload, node, runtimeClass) &&
    untolerated(workload, node, runtimeClass).length === 0
  )
}

// Detects which workloads are meant for Windows nodes.
import { textAt } from '../model/json.ts'
import type { Facts } from '../model/facts.ts'
import { handlers } from '../artifacts/cluster.ts'
import { buildsOf } from '../matrix/image-builds.ts'
import { classOf, isSelected, untolerated } from './node.ts'
import type { RuleContext } from './rule.ts'
import { osLabel, selectedOs } from './scheduling.ts'
import { hasWindowsOptions, podOsName, type Workload } from './workload.ts'

/** One indication is enough, because each of the others can be missing by mistake. */
export function isForWindows(workload: Workload, around: RuleContext): boolean {
  const os = podOsName(workload)?.toLowerCase()
  const runtimeClass = classOf(workload, around.runtimeClasses)
  const selected = selectedOs(workload)
  if (os === 'windows' || selected?.includes('windows') || hasWindowsOptions(workload)) return true
  if (runtimeClass?.nodeSelector[osLabel] === 'windows') return true
  if (runtimeClass && Object.values<string>(handlers).includes(runtimeClass.handler)) return true
  if (os === 'linux' || selected) return false
  const hasWindowsImage = workload.containers.some(
    ({ spec }) => buildsOf(textAt(spec, ['image']), around.platforms).isForWindows,
  )
  return (
    hasWindowsImage || (around.node !== undefined && canSchedule(around.node, workload, around))
  )
}

/** Whether the scheduler could place the pods on a node of the profile. */
function canSchedule(node: Facts, workload: Workload, around: RuleContext): boolean {
  const runtimeClass = classOf(workload, around.runtimeClasses)
  return (
    isSelected(workload, node, runtimeClass) &&
    untolerated(workload, node, runtimeClass).length === 0
  )
}

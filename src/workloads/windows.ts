// Detects which workloads are meant for Windows nodes.
import { textAt } from '../model/json.ts'
import type { Facts } from '../model/facts.ts'
import { handlers } from '../artifacts/cluster.ts'
import { buildsOf } from '../matrix/image-builds.ts'
import { hasLinuxSign } from './linux-signs.ts'
import { classOf, hasEachLabel, isSelected, untolerated } from './node.ts'
import type { RuleContext } from './rule.ts'
import { hasNodeName, osLabel, runtimeClassName, selectedOs } from './scheduling.ts'
import { hasWindowsOptions, podOsName, type Workload } from './workload.ts'

/**
 * `undecided`: names no OS, and the nodes of the profile can run it.
 * `astray`: is for Linux, and the nodes of the profile can be chosen for it.
 */
export type Target = 'windows' | 'undecided' | 'astray' | 'elsewhere'

/** One indication of Windows is enough, because each of the others can be missing by mistake. */
export function targetOf(workload: Workload, around: RuleContext): Target {
  const os = podOsName(workload)?.toLowerCase()
  const runtimeClass = classOf(workload, around.runtimeClasses)
  const selected = selectedOs(workload)
  if (os === 'windows' || selected?.includes('windows') || hasWindowsOptions(workload))
    return 'windows'
  if (runtimeClass?.nodeSelector[osLabel] === 'windows') return 'windows'
  if (runtimeClass && Object.values<string>(handlers).includes(runtimeClass.handler))
    return 'windows'
  if (os === 'linux' || selected) return 'elsewhere'
  if (hasWindowsImage(workload, around)) return 'windows'
  const { node } = around
  if (!node || !canSchedule(node, workload, around)) return 'elsewhere'
  if (!hasLinuxSign(workload, around)) return 'undecided'
  // Labels and a RuntimeClass that are not known here can be of Linux nodes.
  const isKnown =
    hasEachLabel(workload, node) &&
    (runtimeClassName(workload) === '' || runtimeClass !== undefined)
  return isKnown && !hasNodeName(workload) ? 'astray' : 'elsewhere'
}

/** Whether an image is for nothing but Windows. */
export function hasWindowsImage({ containers }: Workload, { platforms }: RuleContext): boolean {
  return containers.some(({ spec }) => buildsOf(textAt(spec, ['image']), platforms).isForWindows)
}

/** Whether the scheduler could place the pods on a node of the profile. */
function canSchedule(node: Facts, workload: Workload, around: RuleContext): boolean {
  const runtimeClass = classOf(workload, around.runtimeClasses)
  return (
    isSelected(workload, node, runtimeClass) &&
    untolerated(workload, node, runtimeClass).length === 0
  )
}

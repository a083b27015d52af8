// The newest lines that are supported and carry no known advisory: what a profile gets by default.
import type { ContainerdLine, KubernetesMinor } from '../model/tables.ts'
import { appliesByDefault } from './advisories.ts'
import { containerdLines } from './containerd.ts'
import { kubernetesMinors } from './kubernetes.ts'
import { lastRow } from './nearest.ts'
import { tablesDate } from './tables-date.ts'
import { inRange } from './version.ts'

/** By the date of the tables, not of today: the same tables give the same default. */
export function newestKubernetes(): KubernetesMinor {
  return lastRow(
    kubernetesMinors,
    (row) => tablesDate <= row.endOfLife && isClean(['kubelet', 'kube-proxy'], row.newestPatch),
  )
}

/** Among the lines whose newest patch is in `range`; rather outside of it than unsupported. */
export function newestContainerd(range = '*'): ContainerdLine {
  const fits = ({ endOfLife, newestPatch }: ContainerdLine) =>
    tablesDate <= endOfLife && isClean(['containerd'], newestPatch)
  const tested = containerdLines.filter(({ newestPatch }) => inRange(newestPatch, range))
  return tested.findLast(fits) ?? lastRow(containerdLines, fits)
}

function isClean(components: readonly string[], version: string): boolean {
  return components.every((component) => appliesByDefault(component, version).length === 0)
}

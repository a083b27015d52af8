// The newest lines that are supported and carry no known advisory: what a profile gets by default.
import type { ContainerdLine, KubernetesMinor } from '../model/rows.ts'
import { appliesByDefault } from './advisories.ts'
import { containerdLines } from './containerd.ts'
import { kubernetesMinors } from './kubernetes.ts'
import { tablesDate } from './tables-date.ts'
import { inRange } from './version.ts'

/** By the date of the tables, not of today: the same tables give the same default. */
export function newestKubernetes(): KubernetesMinor {
  return (
    kubernetesMinors.findLast(
      (row) => tablesDate <= row.endOfLife && isClean(['kubelet', 'kube-proxy'], row.newestPatch),
    ) ?? kubernetesMinors[0]
  )
}

/** Among the lines whose newest patch is in `range`; the newest of all where none is. */
export function newestContainerd(range = '*'): ContainerdLine {
  const clean = containerdLines.filter(
    (row) => tablesDate <= row.endOfLife && isClean(['containerd'], row.newestPatch),
  )
  return (
    clean.findLast((row) => inRange(row.newestPatch, range)) ?? clean.at(-1) ?? containerdLines[0]
  )
}

function isClean(components: readonly string[], version: string): boolean {
  return components.every((component) => appliesByDefault(component, version).length === 0)
}

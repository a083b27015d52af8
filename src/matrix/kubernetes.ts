// Kubernetes minors: one row each, with the newest patch that any source names.
import tables from '#tables'
import type { AddedFacts, ContainerdLine, KubernetesMinor } from '../model/tables.ts'
import { orderedWithAdded } from './added-rows.ts'
import { lastRow, nearestRow, type Nearest } from './nearest.ts'
import { inRange } from './version.ts'

/** Oldest first. */
export const kubernetesMinors = tables.kubernetes.minors

/** The minor of a version such as 1.36.5 or 1.36; the nearest older one if it is unknown. */
export function kubernetesOf(version: string, added?: AddedFacts): Nearest<KubernetesMinor> {
  return nearestRow(minorsWith(added), (row) => row.minor, version)
}

export function minorsWith(added: AddedFacts | undefined) {
  return orderedWithAdded(kubernetesMinors, added?.kubernetes, ({ minor }) => minor)
}

/** Whether it is supported or not; `newestKubernetes` is the default of profiles. */
export function newestMinor(): KubernetesMinor {
  return lastRow(kubernetesMinors, () => true)
}

/** Whether containerd's own table recommends that version for the minor, or would if it listed newer lines. */
export function isRecommendedWith(row: KubernetesMinor, containerd: string): boolean {
  return inRange(containerd, row.containerd)
}

/** Whether the minor ended before the line of containerd was released: upstream tests supported minors only. */
export function endedBefore(row: KubernetesMinor, line: ContainerdLine): boolean {
  return row.endOfLife < line.released
}

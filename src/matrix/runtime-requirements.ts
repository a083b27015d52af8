// What a kubelet requires of its container runtime.
import tables from '#tables'
import type { RuntimeRequirement } from '../model/tables.ts'
import { inRange } from './version.ts'

export const runtimeRequirements = tables['runtime-requirements'].requirements

export function isUnmet(row: RuntimeRequirement, kubelet: string, containerd: string): boolean {
  return inRange(kubelet, row.range) && !inRange(containerd, row.containerd)
}

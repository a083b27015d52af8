// Versions that are known to misbehave on Windows, security aside.
import type { Defect } from '../model/rows.ts'
import { containerdDefects } from './defects/containerd.ts'
import { kubeProxyDefects } from './defects/kube-proxy.ts'
import { kubeletDefects } from './defects/kubelet.ts'
import { inRange } from './version.ts'

export const defects: readonly Defect[] = [
  ...kubeletDefects,
  ...kubeProxyDefects,
  ...containerdDefects,
]

/** Builds, modes and conditions are left to the caller. */
export function isDefective(row: Defect, version: string): boolean {
  return inRange(version, row.range)
}

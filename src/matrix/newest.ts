// The versions that a profile gets by default: supported, and with no known CVEs.
import type { AddedFacts, ContainerdLine, KubernetesMinor } from '../model/tables.ts'
import { appliesByDefault } from './advisories.ts'
import { containerdLines } from './containerd.ts'
import { minorsWith } from './kubernetes.ts'
import { lastRow } from './nearest.ts'
import { tablesDate } from './tables-date.ts'
import { inRange } from './version.ts'

/** By the date of the tables, not of today: the same tables give the same default, which has no added rows. */
export function newestKubernetes(added?: AddedFacts): KubernetesMinor {
  return lastRow(
    minorsWith(added),
    (row) =>
      tablesDate <= row.endOfLife && isClean(['kubelet', 'kube-proxy'], row.newestPatch, added),
  )
}

/**
 * The long-term line, else the newest supported one. Lines that Kubernetes accepts (`range`) come first; a line outside
 * the range is better than an unsupported one.
 */
export function newestContainerd(range = '*'): ContainerdLine {
  const fits = ({ endOfLife, newestPatch }: ContainerdLine) =>
    tablesDate <= endOfLife && isClean(['containerd'], newestPatch)
  const supported = containerdLines.filter(fits)
  const accepted = supported.filter(({ newestPatch }) => inRange(newestPatch, range))
  const among = accepted.length > 0 ? accepted : supported
  return (
    among.findLast(({ status }) => status === 'lts') ??
    lastRow(containerdLines, (row) => among.includes(row))
  )
}

function isClean(components: readonly string[], version: string, added?: AddedFacts): boolean {
  return components.every((component) => appliesByDefault(component, version, added).length === 0)
}

// How far apart the components of a cluster may be, in minors.
import tables from '#tables'
import type { SkewRule } from '../model/tables.ts'
import { lastRow } from './nearest.ts'
import { inRange, minorDistance } from './version.ts'

export const skewRules = tables.skew.rules

export const kubeletWithApiServer = lastRow(skewRules, ({ id }) => id === 'kubelet-with-api-server')

export type SkewVerdict = 'newer' | 'older' | 'edge' | 'fine'

/** The table's limits for this version of the component. */
function boundsFor(rule: SkewRule, of: string): Pick<SkewRule, 'maxNewer' | 'maxOlder'> {
  return rule.except && inRange(of, rule.except.range) ? rule.except : rule
}

/** By how many minors this kubelet may be older than the API server. */
export function kubeletMayBeOlderBy(version: string): number {
  return boundsFor(kubeletWithApiServer, version).maxOlder
}

/**
 * By how many minors kubeadm may be newer than a control plane that it joins: it refuses an older one, and only warns of
 * a newer one. https://github.com/kubernetes/kubernetes/blob/master/cmd/kubeadm/app/util/config/common.go
 */
export const kubeadmMayBeNewerBy = 1

/** `edge`: as old as it may be, so the other side cannot be upgraded first. */
export function judgeSkew(rule: SkewRule, of: string, to: string): SkewVerdict {
  const distance = minorDistance(of, to)
  if (distance === undefined) return 'fine'
  const bounds = boundsFor(rule, of)
  if (distance > bounds.maxNewer) return 'newer'
  if (-distance > bounds.maxOlder) return 'older'
  return -distance === bounds.maxOlder ? 'edge' : 'fine'
}

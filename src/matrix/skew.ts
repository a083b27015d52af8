// How far apart the components of a cluster may be, in minors.
import tables from '#tables'
import type { SkewRule } from '../model/tables.ts'
import { lastRow } from './nearest.ts'
import { isOfLaterMinor } from './standing.ts'
import { inRange, isNewer, minorDistance } from './version.ts'

export const skewRules = tables.skew.rules

export const kubeletWithApiServer = lastRow(skewRules, ({ id }) => id === 'kubelet-with-api-server')

type SkewVerdict = 'newer' | 'older' | 'edge' | 'fine'

/** The table's limits for this version of the component. */
export function skewBounds(rule: SkewRule, of: string): Pick<SkewRule, 'maxNewer' | 'maxOlder'> {
  return rule.except && inRange(of, rule.except.range) ? rule.except : rule
}

/** By how many minors this kubelet may be older than the API server. */
export function kubeletMayBeOlderBy(version: string): number {
  return skewBounds(kubeletWithApiServer, version).maxOlder
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
  const bounds = skewBounds(rule, of)
  if (distance > bounds.maxNewer) return 'newer'
  if (-distance > bounds.maxOlder) return 'older'
  return -distance === bounds.maxOlder ? 'edge' : 'fine'
}

/** https://kubernetes.io/releases/version-skew-policy/: the API server must not. */
export function skipsMinors(from: string, to: string): boolean {
  return (minorDistance(to, from) ?? 0) > 1
}

interface Standing {
  /** The kubelet's. */
  readonly version: string
  readonly apiServer: string
  /** The oldest kubelet of the cluster, if there is an older one. */
  readonly oldest?: string | undefined
}

/**
 * The versions that nodes may go to next on the way to the target, the farthest first. The API server goes there before
 * them, and must not leave the skew of the oldest kubelet, unless it has left it already.
 */
export function nextStops(
  newest: readonly string[],
  target: string,
  { version, apiServer, oldest = version }: Standing,
): readonly string[] {
  const reaches = (patch: string) =>
    (minorDistance(patch, oldest) ?? 0) <= kubeletMayBeOlderBy(oldest) ||
    !isOfLaterMinor(patch, apiServer)
  const between = newest.filter(
    (patch) => isOfLaterMinor(patch, version) && isOfLaterMinor(target, patch) && reaches(patch),
  )
  return [...(reaches(target) ? [target] : []), ...between.toReversed()]
}

/** The fewest versions that nodes need on the way of an API server to the target, the target included, in order. */
export function stopsOfNodes(
  newest: readonly string[],
  target: string,
  { version, apiServer }: Standing,
): readonly string[] {
  const [next] = nextStops(newest, target, { version, apiServer })
  return next === undefined || next === target
    ? [target]
    : [next, ...stopsOfNodes(newest, target, { version: next, apiServer })]
}

/** The versions of an API server on its way to the target, the target included: it must not skip a minor. */
export function minorSteps(
  newest: readonly string[],
  target: string,
  apiServer: string,
): readonly string[] {
  const between = newest.filter(
    (patch) => isOfLaterMinor(patch, apiServer) && isOfLaterMinor(target, patch),
  )
  return isNewer(target, apiServer) ? [...between, target] : []
}

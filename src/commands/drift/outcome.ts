// Outcome: where the field of a difference is set, and how a run with these differences ends.
import type { Drift } from '../../model/drift.ts'
import type { JudgedProfile } from '../check-profile.ts'
import type { Exit } from '../exit.ts'
import { originOf } from '../origin.ts'

export function withOrigin(drift: Drift, compiled: JudgedProfile): Drift {
  const { field } = drift
  return field ? { ...drift, fieldFrom: originOf(compiled, field) } : drift
}

/** As on a node: what differs is sure, whatever else could not be read; that is listed all the same. */
export function exitOf(drifts: readonly Drift[]): Exit {
  const weights = new Set(drifts.map(({ weight }) => weight))
  if (weights.has('drift')) return 'drift'
  return weights.has('incomplete') ? 'incomplete' : 'done'
}

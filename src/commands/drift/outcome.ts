// Adds the origin of its field to a difference, and derives the exit code of the run.
import type { Drift } from '../../model/drift.ts'
import type { CheckedProfile } from '../check-profile.ts'
import type { Exit } from '../exit.ts'
import { originOf } from '../value-origin.ts'

export function withOrigin(drift: Drift, compiled: CheckedProfile): Drift {
  const { field } = drift
  return field ? { ...drift, fieldFrom: originOf(compiled, field) } : drift
}

/** Drift outweighs missing evidence, as in Test-WinNode.ps1; both are listed. */
export function exitOf(drifts: readonly Drift[]): Exit {
  const weights = new Set(drifts.map(({ weight }) => weight))
  if (weights.has('drift')) return 'drift'
  return weights.has('incomplete') ? 'incomplete' : 'done'
}

// Adds the origin of its field to a difference, and derives the exit code of the run.
import type { Drift } from '../../model/drift.ts'
import type { CheckedProfile } from '../check-profile.ts'
import type { Exit } from '../exit.ts'
import { originOf } from '../value-origin.ts'

export function withOrigin(drift: Drift, compiled: CheckedProfile): Drift {
  const { field } = drift
  return field ? { ...drift, fieldFrom: originOf(compiled, field) } : drift
}

/** The first that applies, as in Test-WinNode.ps1; all of them are listed. */
const ends = ['drift', 'incomplete', 'not-working'] as const

export function exitOf(drifts: readonly Drift[]): Exit {
  return ends.find((end) => drifts.some(({ weight }) => weight === end)) ?? 'done'
}

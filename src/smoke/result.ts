// The result of each check of a smoke test.
import type { Check } from './checks.ts'

export interface CheckResult extends Pick<Check, 'id' | 'title' | 'where'> {
  /** A skipped check says nothing about the node. */
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why it failed or was skipped; empty where it passed. */
  readonly message: string
  /** Skipped because of another failure, although the cluster supports the check. */
  readonly couldNotRun?: true
}

export interface SmokeReport {
  readonly image: string
  /** Absent where nothing was created. */
  readonly namespace?: string
  readonly results: readonly CheckResult[]
  /** Why the namespace was not removed. */
  readonly notRemoved?: string
}

export function countOutcomes(results: readonly CheckResult[]): string {
  const outcomes = ['passed', 'failed', 'skipped'] as const
  return outcomes
    .map((outcome) => `${results.filter((one) => one.outcome === outcome).length} ${outcome}`)
    .join(', ')
}

// The result of each check of a smoke test.
import type { Check } from './checks.ts'

export interface Result extends Pick<Check, 'id' | 'title' | 'where'> {
  /** A skipped check says nothing of the node. */
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why it failed or was skipped; empty where it passed. */
  readonly message: string
  /** Skipped, although the cluster has what it needs. */
  readonly unread?: true
}

export interface Smoke {
  readonly image: string
  /** Absent where nothing was created. */
  readonly namespace?: string
  readonly results: readonly Result[]
  /** Why the namespace was not removed. */
  readonly left?: string
}

export function countsOf(results: readonly Result[]): string {
  const outcomes = ['passed', 'failed', 'skipped'] as const
  return outcomes
    .map((outcome) => `${results.filter((one) => one.outcome === outcome).length} ${outcome}`)
    .join(', ')
}

// Types of run.mjs for the tests.
import type { Case } from './cases.mjs'

export interface Outcome {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
  /** Digests by path. */
  readonly files: Readonly<Record<string, string>>
}

export function outcomeOf(
  program: readonly string[],
  one: Omit<Case, 'name'>,
  folder: string,
): Promise<Outcome>

export function withCache(one: Case, folder: string): Case

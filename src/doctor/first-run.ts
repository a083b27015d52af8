// Compares a first run on a real Windows Server with what the simulated one assumes.
import { windowsAssumptions } from '../matrix/windows-assumptions.ts'
import type { Measured, WindowsAssumption } from '../model/tables.ts'
import type { FirstRun, Measurement } from '../report/first-run.ts'
import { redactSecrets } from '../text/secrets.ts'
import { truncateMiddle } from '../text/shortened.ts'

export type Verdict = 'same' | 'differs' | 'not measured'

export interface Compared {
  readonly assumption: WindowsAssumption
  readonly verdict: Verdict
  /** Absent if not measured. */
  readonly measured?: Measured
  /** Why it was not measured. */
  readonly why?: string
}

export interface FirstRunComparison {
  readonly run: FirstRun
  readonly rows: readonly Compared[]
  /** Ids that another version of the script measured. */
  readonly unknown: readonly string[]
}

/** In the order of the table. */
export function compareFirstRun(run: FirstRun): FirstRunComparison {
  const ids = new Set(windowsAssumptions.map(({ id }) => id))
  return {
    run,
    rows: windowsAssumptions.map((assumption) => compared(assumption, run)),
    unknown: [...run.rows.keys()].filter((id) => !ids.has(id)).map((id) => truncateMiddle(id, 60)),
  }
}

function compared(assumption: WindowsAssumption, { rows, cluster }: FirstRun): Compared {
  const found: Measurement = rows.get(assumption.id) ?? { why: 'missing in the file' }
  const without = (why: string) => ({ assumption, verdict: 'not measured', why }) as const
  if ('why' in found) return without(truncateMiddle(redactSecrets(found.why), 200))
  if (assumption.cluster && cluster !== 'real') return without('there was no real API server')
  const { value } = found
  if (!isPossible(assumption, value)) return without('the value cannot be read')
  return { assumption, verdict: isSame(assumption, value) ? 'same' : 'differs', measured: value }
}

function isPossible({ assumed, words }: WindowsAssumption, value: Measured): boolean {
  if (typeof value !== typeof assumed) return false
  if (typeof value === 'string') return words?.includes(value) ?? false
  return typeof value !== 'number' || value >= 0
}

function isSame({ assumed, compare }: WindowsAssumption, value: Measured): boolean {
  return compare === 'at most' ? value <= assumed : value === assumed
}

// The whole pipeline in one pure function: layers in, findings and a plan out.
import { check, type Judged } from './check.ts'
import { hasErrors } from './model/finding.ts'
import type { Plan } from './model/plan.ts'
import { planOf } from './plan.ts'

export interface Compiled extends Judged {
  /** Absent where a finding is an error. */
  readonly plan: Plan | undefined
}

/** As `check`, and with what follows for the node. */
export function compile(...asked: Parameters<typeof check>): Compiled {
  const checked = check(...asked)
  const { findings, facts, decisions } = checked
  return { ...checked, plan: hasErrors(findings) ? undefined : planOf(facts, decisions) }
}

// The whole pipeline as one pure function: from layers to findings and a plan.
import { check, type Checked, type CheckInput } from './check.ts'
import { hasErrors } from './model/finding.ts'
import type { Plan } from './model/plan.ts'
import { planOf } from './plan.ts'

export interface Compiled extends Checked {
  /** `undefined` where a finding is an error. */
  readonly plan: Plan | undefined
}

/** As `check`, with the plan. */
export function compile(...input: CheckInput): Compiled {
  const checked = check(...input)
  const { findings, facts, decisions } = checked
  return { ...checked, plan: hasErrors(findings) ? undefined : planOf(facts, decisions) }
}

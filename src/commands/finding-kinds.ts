// Every kind of finding and difference, with what it means.
import { clearedByFacts } from '../check.ts'
import { problems } from '../io/problems.ts'
import { driftKinds } from '../model/drift-kinds.ts'
import type { Description } from '../present/formats/reported.ts'
import { structuralErrors } from '../profile/structural-errors.ts'
import { checkKinds } from '../smoke/checks.ts'
import { ignoreRules } from '../rules/ignore.ts'
import { rulesTogether } from '../rules/together.ts'
import { refusals } from '../targets/index.ts'

/** Findings that no rule makes: about the files of a profile, the shapes of its values, and targets. */
export const kindsBesideRules: readonly Description[] = [
  ...Object.entries(problems).map(([id, { message, remedy }]) => ({
    id,
    summary: message.replace('{}', '…'),
    remedy,
  })),
  ...described(structuralErrors),
  ...refusals,
  ...Object.entries(ignoreRules).map(([id, { severity, message, remedy }]) => ({
    id,
    severity,
    summary: message('…', { reason: '', until: '…' }),
    remedy,
  })),
  clearedByFacts,
  ...rulesTogether,
]

/** Checks of `winnode smoke`. */
export const smokeKinds = described(checkKinds)

export const differenceKinds: readonly Description[] = Object.entries(driftKinds).map(
  ([id, { means }]) => ({ id, summary: means }),
)

function described(summaries: Readonly<Record<string, string>>): readonly Description[] {
  return Object.entries(summaries).map(([id, summary]) => ({ id, summary }))
}

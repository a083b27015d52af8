// Summary: everything that a person wants to see before the profile is written.
import { prettyFindings } from '../present/pretty.ts'
import type { Screen } from '../present/screen.ts'
import { table } from '../present/table.ts'
import type { Outcome } from '../wizard/question.ts'

export interface Drawn {
  /** The profile as it would be written. */
  readonly text: string
  /** The files that render would write; none where the profile is refused. */
  readonly files: readonly string[]
}

/** What is worst, and the profile itself, come last: there a person looks. */
export function summary(outcome: Outcome, { text, files }: Drawn, screen: Screen): string {
  const { compiled, answers, open } = outcome
  const decisions = compiled.plan?.decisions ?? []
  const parts = [
    table(
      ['ANSWER', 'VALUE', 'FROM'],
      answers.map(({ title, value, from }) => [title, value, from]),
      screen,
    ),
    table(
      ['DECIDED', 'VALUE', { prose: 'WHY' }],
      decisions.map(({ subject, value, reason }) => [subject, value, reason]),
      screen,
    ),
    files.length > 0 ? `render would write ${files.length} files: ${files.join(', ')}\n` : '',
    prettyFindings(compiled, screen),
    open.length > 0
      ? table(
          ['COMPARE WITH YOUR CLUSTER', 'VALUE', { prose: 'HOW' }],
          open.map(({ subject, value, compare }) => [subject, value, compare]),
          screen,
        )
      : '',
    text,
  ]
  return parts.filter((part) => part !== '').join('\n')
}

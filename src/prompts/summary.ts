// Summary: everything that a person wants to see before the profile is written.
import { prettyFindings } from '../present/pretty.ts'
import { columnsOf, type Screen } from '../present/screen.ts'
import { table } from '../present/table.ts'
import { wrap } from '../present/wrap.ts'
import { onOneLine, type Outcome } from '../wizard/question.ts'

export interface Drawn {
  /** The profile as it would be written. */
  readonly text: string
  /** The files that render would write; none where the profile is refused. */
  readonly files: readonly string[]
}

/** What is worst, and the profile itself, come last: there a person looks. */
export function summary(outcome: Outcome, { text, files }: Drawn, screen: Screen): string {
  const { compiled, answers, open } = outcome
  const said = answers.filter(({ from }) => from !== 'left open')
  const left = answers.length - said.length
  const assumed = open.map(({ subject }) => subject)
  const decisions = (compiled.plan?.decisions ?? []).filter((one) => !assumed.includes(one.subject))
  const prose = (words: string) => wrap('', words, columnsOf(screen))
  const parts = [
    said.length > 0
      ? table(
          ['ANSWER', 'VALUE', 'FROM'],
          said.map(({ title, value, from }) => [title, onOneLine(value), from]),
          screen,
        )
      : '',
    left > 0 ? prose(`${left} defaults used`) : '',
    table(
      ['DECIDED', 'VALUE', { prose: 'WHY' }],
      decisions.map(({ subject, value, reason }) => [subject, value, reason]),
      screen,
    ),
    files.length > 0 ? prose(`render will write ${files.length} files: ${files.join(', ')}`) : '',
    prettyFindings(compiled, screen),
    comparisons(open, screen),
    text,
  ]
  return `\n${parts.filter((part) => part !== '').join('\n')}`
}

/** What the cluster or the machine alone knows, and where to look; empty where nothing was assumed. */
export function comparisons(open: Outcome['open'], screen: Screen): string {
  if (open.length === 0) return ''
  return table(
    ['COMPARE WITH YOUR CLUSTER', 'VALUE', { prose: 'HOW' }],
    open.map(({ subject, value, compare }) => [subject, value, compare]),
    screen,
  )
}

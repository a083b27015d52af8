// The review before a profile is written: at most fifteen lines; an edited profile is shown as a diff.
import { compareFindings } from '../model/finding.ts'
import { valueAt } from '../model/json.ts'
import { oneLine } from '../present/one-line.ts'
import { shortOf } from '../present/pretty.ts'
import { columnsOf, type Screen } from '../present/screen.ts'
import { summarize } from '../present/summary.ts'
import { cut, widthOf } from '../present/width.ts'
import { fold } from '../present/wrap.ts'
import { onOneLine, type Answered, type Outcome } from '../wizard/question.ts'

const mostAnswers = 8

export interface Reviewed {
  /** The file to write. */
  readonly out: string
  /** Of an edited profile. */
  readonly diff: string | undefined
}

export function review(outcome: Outcome, { out, diff }: Reviewed, screen: Screen): string {
  const { compiled, answers, open, base, patch } = outcome
  const { findings, facts } = compiled
  const { kubernetes, containerd } = facts.spec
  const { cpu, memory } = facts.reservations.allocatable
  const columns = columnsOf(screen)
  // The answers above have the values that the profile states.
  const assumed = open.map(({ subject, path, value }) =>
    valueAt(patch, path) === undefined ? `${subject} ${value}` : subject,
  )
  const subjects = open.map(({ subject }) => subject)
  const [worst] = findings.toSorted(compareFindings)
  const lines = [
    '',
    diff === undefined ? `${out} extends ${base}` : `changes of ${out}`,
    ...(diff === undefined ? answerLines(answers.filter(({ from }) => from !== 'proposed')) : []),
    `kubelet ${kubernetes.version}, containerd ${containerd.version}; allocatable: ${cpu}m CPU, ${memory}Mi memory`,
    ...(open.length > 0 ? compareLines([assumed, subjects], columns) : []),
    ...(worst && worst.severity !== 'info' ? [shortOf(worst, screen)] : []),
    summarize(findings),
  ]
  const short = lines.map((line) => cut(oneLine(line), columns))
  return [...short, ...(diff === undefined ? [] : [diff.trimEnd() || 'no changes'])].join('\n')
}

/** Two lines; without the values where they would not fit. */
function compareLines(
  [whole, brief]: readonly [readonly string[], readonly string[]],
  columns: number,
): readonly string[] {
  const linesOf = (subjects: readonly string[]) =>
    fold(`compare with your cluster: ${subjects.join(', ')}`, 0, columns)
  const lines = linesOf(whole)
  return lines.length <= 2 ? lines : linesOf(brief).slice(0, 2)
}

/** A line each, in two columns. */
function answerLines(answers: readonly Answered[]): readonly string[] {
  const shown = answers.slice(0, answers.length > mostAnswers ? mostAnswers - 1 : mostAnswers)
  const width = Math.max(0, ...shown.map(({ title }) => widthOf(title)))
  const more = answers.length - shown.length
  return [
    ...shown.map(
      ({ title, value, from }) =>
        `  ${title.padEnd(width)}  ${onOneLine(value)}${from === 'answered' ? '' : ` (${from})`}`,
    ),
    ...(more > 0 ? [`  and ${more} more answers`] : []),
  ]
}

/** What only the cluster or the machine knows, and where to look: a line each. */
export function comparisons(open: Outcome['open']): readonly string[] {
  return open.map(
    ({ subject, value, compare }) => `${subject}: ${value}  (compare with ${compare})`,
  )
}

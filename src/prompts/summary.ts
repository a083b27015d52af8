// The review before a profile is written: at most fifteen lines; an edited profile is shown as a diff.
import { compareFindings } from '../model/finding.ts'
import { oneLine } from '../present/one-line.ts'
import { findingOnOneLine } from '../present/pretty.ts'
import type { Screen } from '../present/screen.ts'
import { summarize } from '../present/summary.ts'
import { cut, widthOf } from '../present/width.ts'
import { fold } from '../present/wrap.ts'
import { kubeadmConfig } from '../profile/assumed.ts'
import { onOneLine, type Answered, type Outcome } from '../wizard/question.ts'

const maxLines = 15

/** At least the first answers, also beside a finding of many lines. */
const minAnswers = 4

interface ReviewOptions {
  /** The file to write. */
  readonly out: string
  /** Of an edited profile. */
  readonly diff: string | undefined
}

export function review(outcome: Outcome, { out, diff }: ReviewOptions, screen: Screen): string {
  const { compiled, answers, open, base } = outcome
  const { findings, facts } = compiled
  const { kubernetes, containerd } = facts.spec
  const { cpu, memory } = facts.reservations.allocatable
  const columns = screen.columns
  const short = (line: string) => cut(oneLine(line), columns)
  const whole = (line: string) => fold(oneLine(line), 0, columns).join('\n')
  const [worst] = findings.toSorted(compareFindings)
  const rest = [
    short(
      `kubelet ${kubernetes.version}, containerd ${containerd.version}; allocatable: ${cpu}m CPU, ${memory}Mi memory`,
    ),
    ...compareLines(open).map(whole),
    ...(worst && worst.severity !== 'info' ? [findingOnOneLine(worst, screen)] : []),
    summarize(findings),
  ].join('\n')
  if (diff !== undefined)
    return ['', short(`changes of ${out}`), rest, diff.trimEnd() || 'no changes'].join('\n')
  const room = Math.max(minAnswers, maxLines - 1 - rest.split('\n').length)
  const given = answerLines(
    answers.filter(({ from }) => from !== 'proposed'),
    room,
  ).map(short)
  const lines = [short(`${out} extends ${base}`), ...given, rest]
  return (given.length < room ? ['', ...lines] : lines).join('\n')
}

function compareLines(open: Outcome['open']): readonly string[] {
  return [...new Set(open.map(({ where }) => where))].map((place) => {
    const there = open.filter(({ where }) => where === place)
    const values = there.map(({ subject, value }) => `${subject} ${value}`).join(', ')
    const isInConfig = there.some(({ compare }) => compare.endsWith(kubeadmConfig))
    return `compare with ${place}: ${values}${isInConfig ? ` (${kubeadmConfig})` : ''}`
  })
}

/** A line each, in two columns; the last one counts those that do not fit. */
function answerLines(answers: readonly Answered[], maxAnswers: number): readonly string[] {
  const shown = answers.slice(0, answers.length > maxAnswers ? maxAnswers - 1 : maxAnswers)
  const width = Math.max(0, ...shown.map(({ title }) => widthOf(title)))
  const more = answers.length - shown.length
  return [
    ...shown.map(
      ({ title, value, from }) =>
        `  ${title.padEnd(width)}  ${onOneLine(value)}${from === 'answered' ? '' : ` (${from})`}`,
    ),
    ...(more > 0 ? [`  and ${more} more answers, all in the profile`] : []),
  ]
}

/** Values to check against the cluster or the machine, a line each. */
export function comparisons(open: Outcome['open']): readonly string[] {
  return open.map(
    ({ subject, value, where, compare }) =>
      `${subject}: ${value}  (compare with ${where}: ${compare})`,
  )
}

// Findings as text for a terminal, each with its source line, remedy and link.
import type { Finding, Ignored, Place, Severity } from '../model/finding.ts'
import { errorsIn, worstLast } from '../model/finding.ts'
import { formatPath } from '../model/path.ts'
import { excerpt } from './excerpt.ts'
import { groupFindings, type FindingOrGroup } from './groups.ts'
import { oneLine } from './one-line.ts'
import type { Style } from './paint.ts'
import type { Screen } from './screen.ts'
import { counts, countsWithIds } from './summary.ts'
import { fold } from './wrap.ts'

interface SeverityStyle {
  readonly label: string
  readonly style: Style
}

const severityStyles: Readonly<Record<Severity, SeverityStyle>> = {
  error: { label: 'error', style: 'red' },
  warning: { label: 'warning', style: 'magenta' },
  info: { label: 'note', style: 'bold' },
}

export interface FindingsReport {
  readonly findings: readonly Finding[]
  readonly ignored?: readonly Ignored[]
  /** Warnings reject the profile too (`--strict`). */
  readonly strict?: boolean
}

/**
 * With errors, prints only errors, and counts the rest in the last line, unless the screen is verbose.
 * Without errors, prints notes without details, then warnings. Ends in a newline.
 */
export function prettyFindings(report: FindingsReport, screen: Screen): string {
  const errorsOnly = !screen.verbose && report.findings.some(isError)
  const shown = errorsOnly ? errorsIn(report.findings, report.strict) : report.findings
  const sorted = (screen.verbose ? shown : groupFindings(shown)).toSorted(worstLast)
  const isOneLine = (finding: Finding) => finding.severity === 'info' && !screen.verbose
  const ignored = screen.verbose ? (report.ignored ?? []) : []
  const lines = [
    ...ignored.map(({ finding, reason }) => ignoredLine(finding, reason, screen)),
    ...sorted.filter(isOneLine).map((finding) => findingOnOneLine(finding, screen)),
  ]
  const blocks = sorted
    .filter((one) => !isOneLine(one))
    .map((finding) => findingBlock(finding, screen))
  const parts = [...(lines.length > 0 ? [lines.join('\n')] : []), ...blocks]
  return `${[...parts, totalLine(report, screen)].join('\n\n')}\n`
}

function isError({ severity }: Finding): boolean {
  return severity === 'error'
}

/** `note[id] message`, wrapped on a terminal. */
export function findingOnOneLine(finding: Finding, screen: Screen): string {
  return findingLine(severityStyles[finding.severity], finding, screen)
}

export function ignoredLine(finding: Finding, reason: string, screen: Screen): string {
  const message = `${finding.message} (${reason})`
  return findingLine({ label: 'ignored', style: 'dim' }, { ...finding, message }, screen)
}

function findingLine(
  { label, style }: SeverityStyle,
  { id, message }: Finding,
  screen: Screen,
): string {
  const head = `${label}[${oneLine(id)}]`
  const text = fold(`${head} ${oneLine(message)}`, 2, screen.columns).join('\n  ')
  return screen.paint(style, text.slice(0, head.length)) + text.slice(head.length)
}

/** `2 errors: wrong-kind, unknown-field; and 1 warning, 4 notes: --verbose`. */
function totalLine(
  { findings, ignored = [], strict = false }: FindingsReport,
  screen: Screen,
): string {
  const errors = findings.filter(isError)
  const others = findings.filter((one) => !isError(one))
  const grouped = [...groupFindings(errors), ...groupFindings(others)]
  const shown = screen.verbose ? findings : grouped
  const hasErrors = errors.length > 0
  const hasNames = ({ severity }: Finding) =>
    severity === 'error' || (severity === 'warning' && (strict || !hasErrors))
  const rest = [
    ...counts(shown.filter((one) => !hasNames(one))),
    ...(ignored.length > 0 ? [`${ignored.length} ignored`] : []),
  ].join(', ')
  const verbose = screen.verbose ? '' : hasErrors ? ': --verbose' : ' (--verbose for details)'
  const isStrictAlone = strict && !hasErrors && others.some(({ severity }) => severity !== 'info')
  const parts = [
    !hasErrors && !isStrictAlone && 'valid',
    countsWithIds(shown.filter(hasNames)).join(', '),
    rest !== '' && `${hasErrors ? 'and ' : ''}${rest}${verbose}`,
    grouped.length < shown.length &&
      `${shown.length} findings grouped as ${grouped.length} without --verbose`,
    isStrictAlone && '--strict rejects warnings',
  ]
  const text = oneLine(parts.filter(Boolean).join('; '))
  const style: Style = hasErrors || isStrictAlone ? 'red' : 'bold'
  return fold(text, 0, screen.columns)
    .map((one) => screen.paint(style, one))
    .join('\n')
}

export function findingBlock(
  finding: FindingOrGroup,
  screen: Screen,
  more: readonly Detail[] = detailsOf(finding),
): string {
  const { severity, message, place } = finding
  const lines = [
    ...fold(oneLine(message), 2, screen.columns),
    ...(place ? excerpt(place, screen, severityStyles[severity].style) : []),
    ...more.flatMap(([name, text]) => detailLines(name, text, screen)),
  ]
  return [
    ...headLines(finding, locationText(finding), screen),
    ...lines.map((line) => `  ${line}`),
  ].join('\n')
}

/** `warning[field-edited] win-node/files/kubelet/config.json:41:14`; the location goes on the next line if it does not fit. */
export function headLines(
  { id, severity }: Pick<Finding, 'id' | 'severity'>,
  where: string,
  screen: Screen,
): readonly string[] {
  const { label, style } = severityStyles[severity]
  const kind = `${label}[${oneLine(id)}]`
  // Without a terminal, lines are searched with grep, so they are not wrapped.
  const { paint, columns } = screen
  const [first = '', ...rest] = fold(`${kind} ${where}`, 0, columns)
  const more = rest.length > 0 ? fold(rest.join(' '), 2, columns) : []
  const beside = first.slice(kind.length)
  return [
    paint(style, kind) + (beside === '' ? '' : ` ${paint('bold', beside.slice(1))}`),
    ...more.map((line) => `  ${paint('bold', line)}`),
  ]
}

export type Detail = readonly [name: string, text: string]

/** The details that have a text. */
export function detailsIn(rows: Readonly<Record<string, string | undefined>>): readonly Detail[] {
  return Object.entries(rows).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, text] as const],
  )
}

export function detailLines(name: string, text: string, screen: Screen): readonly string[] {
  const label = `${name}: `
  const [first = '', ...more] = fold(oneLine(text), label.length + 2, screen.columns)
  return [
    `${screen.paint('dim', `${name}:`)} ${first}`,
    ...more.map((line) => ' '.repeat(label.length) + line),
  ]
}

/** The location to edit, and the field if no line of the profile sets it. */
function locationText({ path, place, valueFrom }: Finding): string {
  const from = valueFrom === undefined ? '' : ` (${valueFrom})`
  const field = oneLine(formatPath(path) + from)
  if (!place) return field
  return valueFrom === undefined ? placeName(place) : `${placeName(place)} ${field}`
}

export function placeName({ file, line, column }: Place): string {
  return oneLine(`${file}:${line}:${column}`)
}

function detailsOf({ remedy, see, ids }: FindingOrGroup): readonly Detail[] {
  return detailsIn({ fix: remedy, see, rules: ids?.join(', ') })
}

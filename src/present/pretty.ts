// Findings as text for a terminal, each with its source line, remedy and link.
import type { Finding, Ignored, Place, Severity } from '../model/finding.ts'
import { worstLast } from '../model/finding.ts'
import { formatPath } from '../model/path.ts'
import { excerpt } from './excerpt.ts'
import { grouped, type Shown } from './groups.ts'
import { oneLine } from './one-line.ts'
import type { Style } from './paint.ts'
import { columnsOf, type Screen } from './screen.ts'
import { count, countWithIds } from './summary.ts'
import { fold } from './wrap.ts'

interface Look {
  readonly label: string
  readonly style: Style
}

const looks: Readonly<Record<Severity, Look>> = {
  error: { label: 'error', style: 'red' },
  warning: { label: 'warning', style: 'magenta' },
  info: { label: 'note', style: 'bold' },
}

export interface Told {
  readonly findings: readonly Finding[]
  readonly ignored?: readonly Ignored[]
  /** Warnings reject too. */
  readonly strict?: boolean
}

/**
 * Errors come alone, and the last line counts the rest, unless the screen is verbose. Without errors: notes without details, then
 * warnings. Ends in a newline.
 */
export function prettyFindings(told: Told, screen: Screen): string {
  const alone = !screen.verbose && told.findings.some(isError)
  const shown: readonly Finding[] = alone
    ? told.findings.filter((one) => isError(one) || told.strict)
    : told.findings
  const sorted = (screen.verbose ? shown : grouped(shown)).toSorted(worstLast)
  const brief = (finding: Finding) => finding.severity === 'info' && !screen.verbose
  const ignored = screen.verbose ? (told.ignored ?? []) : []
  const lines = [
    ...ignored.map(({ finding, reason }) => ignoredLine(finding, reason, screen)),
    ...sorted.filter(brief).map((finding) => shortOf(finding, screen)),
  ]
  const blocks = sorted.filter((one) => !brief(one)).map((finding) => block(finding, screen))
  const parts = [...(lines.length > 0 ? [lines.join('\n')] : []), ...blocks]
  return `${[...parts, total(told, screen)].join('\n\n')}\n`
}

function isError({ severity }: Finding): boolean {
  return severity === 'error'
}

/** `note[id] message`, wrapped on a terminal. */
export function shortOf(finding: Finding, screen: Screen): string {
  return short(looks[finding.severity], finding, screen)
}

export function ignoredLine(finding: Finding, reason: string, screen: Screen): string {
  const message = `${finding.message} (${reason})`
  return short({ label: 'ignored', style: 'dim' }, { ...finding, message }, screen)
}

function short({ label, style }: Look, { id, message }: Finding, screen: Screen): string {
  const head = `${label}[${oneLine(id)}]`
  const text = fold(`${head} ${oneLine(message)}`, 2, screen.columns ?? Infinity).join('\n  ')
  return screen.paint(style, text.slice(0, head.length)) + text.slice(head.length)
}

/** `2 errors: wrong-kind, unknown-field; and 1 warning, 4 notes: --verbose`. */
function total({ ignored = [], strict = false, ...told }: Told, screen: Screen): string {
  const alone = told.findings.filter(isError)
  const others = told.findings.filter((one) => !isError(one))
  const findings = screen.verbose ? told.findings : [...grouped(alone), ...grouped(others)]
  const of = (severity: Severity) => findings.filter((one) => one.severity === severity)
  const [errors, warnings, notes] = [of('error'), of('warning'), of('info')]
  const named = strict || errors.length === 0 ? warnings : []
  const counts = [
    ...(errors.length > 0 ? [countWithIds('error', errors)] : []),
    ...(named.length > 0 ? [countWithIds('warning', named)] : []),
  ]
  const rest = [
    ...(warnings.length > named.length ? [count('warning', warnings.length)] : []),
    ...(notes.length > 0 ? [count('info', notes.length)] : []),
    ...(ignored.length > 0 ? [`${ignored.length} ignored`] : []),
  ].join(', ')
  const verbose = screen.verbose
    ? ''
    : errors.length > 0
      ? ': --verbose'
      : ' (--verbose for details)'
  const more = rest === '' ? [] : [`${errors.length > 0 ? 'and ' : ''}${rest}${verbose}`]
  const reason =
    strict && errors.length === 0 && warnings.length > 0 ? ['--strict rejects warnings'] : []
  const groups = screen.verbose && errors.length === 0 ? grouped(findings).length : findings.length
  const fewer = groups < findings.length ? [`grouped as ${groups} without --verbose`] : []
  const parts = [
    ...(errors.length === 0 && reason.length === 0 ? ['valid'] : []),
    ...(counts.length > 0 ? [counts.join(', ')] : []),
    ...more,
    ...fewer,
    ...reason,
  ]
  const text = oneLine(parts.join('; '))
  const style: Style = errors.length > 0 || reason.length > 0 ? 'red' : 'bold'
  return fold(text, 0, columnsOf(screen))
    .map((one) => screen.paint(style, one))
    .join('\n')
}

export function block(
  finding: Shown,
  screen: Screen,
  more: readonly Detail[] = details(finding),
): string {
  const { severity, message, place } = finding
  const lines = [
    ...fold(oneLine(message), 2, columnsOf(screen)),
    ...(place ? excerpt(place, screen, looks[severity].style) : []),
    ...more.flatMap(([name, text]) => detail(name, text, screen)),
  ]
  return [...headOf(finding, whereOf(finding), screen), ...lines.map((line) => `  ${line}`)].join(
    '\n',
  )
}

/** `warning[field-edited] win-node/files/kubelet/config.json:41:14`; the location goes on the next line if it does not fit. */
export function headOf(
  { id, severity }: Pick<Finding, 'id' | 'severity'>,
  where: string,
  screen: Screen,
): readonly string[] {
  const { label, style } = looks[severity]
  const kind = `${label}[${oneLine(id)}]`
  // In a file a line is looked for, and stays whole.
  const { paint, columns = Infinity } = screen
  const [first = '', ...rest] = fold(`${kind} ${where}`, 0, columns)
  const more = rest.length > 0 ? fold(rest.join(' '), 2, columns) : []
  const beside = first.slice(kind.length)
  return [
    paint(style, kind) + (beside === '' ? '' : ` ${paint('bold', beside.slice(1))}`),
    ...more.map((line) => `  ${paint('bold', line)}`),
  ]
}

export type Detail = readonly [name: string, text: string]

export function detail(name: string, text: string, screen: Screen): readonly string[] {
  const label = `${name}: `
  const [first = '', ...more] = fold(oneLine(text), label.length + 2, columnsOf(screen))
  return [
    `${screen.paint('dim', `${name}:`)} ${first}`,
    ...more.map((line) => ' '.repeat(label.length) + line),
  ]
}

/** The location to edit, and the field if no line of the profile sets it. */
function whereOf({ path, place, valueFrom }: Finding): string {
  const from = valueFrom === undefined ? '' : ` (${valueFrom})`
  const field = oneLine(formatPath(path) + from)
  if (!place) return field
  return valueFrom === undefined ? placeName(place) : `${placeName(place)} ${field}`
}

export function placeName({ file, line, column }: Place): string {
  return oneLine(`${file}:${line}:${column}`)
}

function details({ remedy, see, ids }: Shown): readonly Detail[] {
  return [
    ...(remedy === undefined ? [] : [['fix', remedy] as const]),
    ...(see === undefined ? [] : [['see', see] as const]),
    ...(ids === undefined ? [] : [['rules', ids.join(', ')] as const]),
  ]
}

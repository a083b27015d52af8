// Pretty: findings for a person, each with its line, what to do and where to read about it.
import type { Finding, Place, Severity } from '../model/finding.ts'
import { worstLast } from '../model/finding.ts'
import { formatPath, type Path } from '../model/path.ts'
import { excerpt } from './excerpt.ts'
import { oneLine } from './one-line.ts'
import type { Style } from './paint.ts'
import { columnsOf, type Screen } from './screen.ts'
import { count, countWithIds } from './summary.ts'
import { cut, fold } from './wrap.ts'

const looks: Readonly<Record<Severity, { readonly label: string; readonly style: Style }>> = {
  error: { label: 'error', style: 'red' },
  warning: { label: 'warning', style: 'yellow' },
  info: { label: 'note', style: 'cyan' },
}

/** Errors last, with their count below them; a note is one line, unless all is to be said. Ends in a newline. */
export function prettyFindings(
  findings: readonly Finding[],
  screen: Screen,
  strict = false,
): string {
  const sorted = findings.toSorted(worstLast)
  const brief = (finding: Finding) => finding.severity === 'info' && !screen.verbose
  const notes = sorted.filter(brief).map((finding) => noteLine(finding, screen))
  const blocks = sorted.filter((one) => !brief(one)).map((finding) => block(finding, screen))
  const parts = [...(notes.length > 0 ? [notes.join('\n')] : []), ...blocks]
  return `${[...parts, total(findings, screen, strict)].join('\n\n')}\n`
}

function noteLine({ id, severity, message }: Finding, { paint, columns }: Screen): string {
  const { label, style } = looks[severity]
  const head = `${label}[${oneLine(id)}]`
  const line = cut(`${head} ${oneLine(message)}`, columns ?? Infinity)
  return paint(style, line.slice(0, head.length)) + line.slice(head.length)
}

/** What is worst comes last, and by name. */
function total(findings: readonly Finding[], screen: Screen, strict: boolean): string {
  const of = (severity: Severity) => findings.filter((one) => one.severity === severity)
  const [errors, warnings, notes] = [of('error'), of('warning'), of('info')]
  const more = screen.verbose ? '' : ' (--verbose says more)'
  const counts = [
    ...(notes.length > 0 ? [count('info', notes.length) + more] : []),
    ...(warnings.length > 0
      ? [errors.length > 0 ? count('warning', warnings.length) : countWithIds('warning', warnings)]
      : []),
    ...(errors.length > 0 ? [countWithIds('error', errors)] : []),
  ]
  const reason =
    strict && errors.length === 0 && warnings.length > 0 ? '; --strict rejects warnings' : ''
  const text = oneLine((counts.join(', ') || 'no findings') + reason)
  const style: Style = errors.length > 0 || reason !== '' ? ['red', 'bold'] : 'bold'
  return fold(text, 0, columnsOf(screen))
    .map((line) => screen.paint(style, line))
    .join('\n')
}

function block(finding: Finding, screen: Screen): string {
  const { paint } = screen
  const { id, severity, message, path, place } = finding
  const { label, style } = looks[severity]
  const head = paint(style, `${label}[${oneLine(id)}]`)
  const where = paint('bold', place ? placeName(place) : unset(path))
  const lines = [
    ...fold(oneLine(message), 2, columnsOf(screen)),
    ...(place ? excerpt(place, screen, style) : []),
    ...details(finding).flatMap(([name, text]) => detail(name, text, screen)),
  ]
  return [`${head} ${where}`, ...lines.map((line) => `  ${line}`)].join('\n')
}

function detail(name: string, text: string, screen: Screen): readonly string[] {
  const label = `${name}: `
  const [first = '', ...more] = fold(oneLine(text), label.length + 2, columnsOf(screen))
  return [
    `${screen.paint('dim', `${name}:`)} ${first}`,
    ...more.map((line) => ' '.repeat(label.length) + line),
  ]
}

/** A default that nobody wrote has no place. */
function unset(path: Path): string {
  return oneLine(formatPath(path)) + (path.length > 0 ? ' (not set)' : '')
}

export function placeName({ file, line, column }: Place): string {
  return oneLine(`${file}:${line}:${column}`)
}

function details({ remedy, see }: Finding): readonly (readonly [string, string])[] {
  return [
    ...(remedy === undefined ? [] : [['fix', remedy] as const]),
    ...(see === undefined ? [] : [['see', see] as const]),
  ]
}

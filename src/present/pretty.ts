// Pretty: findings for a person, each with its line, what to do and where to read about it.
import type { Finding, Place, Severity } from '../model/finding.ts'
import { compareFindings } from '../model/finding.ts'
import { formatPath, type Path } from '../model/path.ts'
import { excerpt } from './excerpt.ts'
import { oneLine } from './one-line.ts'
import type { Paint, Style } from './paint.ts'
import { summarize } from './summary.ts'
import { fold } from './wrap.ts'

const colours: Readonly<Record<Severity, Style>> = { error: 'red', warning: 'yellow', info: 'cyan' }

/** Errors first; the last line counts them. Ends in a newline. */
export function prettyFindings(findings: readonly Finding[], paint: Paint): string {
  const blocks = findings.toSorted(compareFindings).map((finding) => block(finding, paint))
  const total = paint('bold', summarize(findings))
  return `${[...blocks, total].join('\n\n')}\n`
}

function block(finding: Finding, paint: Paint): string {
  const { id, severity, message, path, place } = finding
  const label = paint(colours[severity], `${severity}[${oneLine(id)}]`)
  const where = paint('bold', place ? placeName(place) : unset(path))
  const lines = [
    ...fold(oneLine(message), 2),
    ...(place ? excerpt(place, paint) : []),
    ...details(finding).flatMap(([name, text]) => detail(name, text, paint)),
  ]
  return [`${label} ${where}`, ...lines.map((line) => `  ${line}`)].join('\n')
}

function detail(name: string, text: string, paint: Paint): readonly string[] {
  const label = `${name}: `
  const [first = '', ...more] = fold(oneLine(text), label.length + 2)
  return [
    `${paint('dim', `${name}:`)} ${first}`,
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

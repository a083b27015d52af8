// Pretty: findings for a person, each with its line, what to do and where to read about it.
import type { Finding, Place, Severity } from '../model/finding.ts'
import { compareFindings } from '../model/finding.ts'
import { formatPath } from '../model/path.ts'
import { excerpt } from './excerpt.ts'
import { oneLine } from './one-line.ts'
import type { Paint, Style } from './paint.ts'
import { summarize } from './summary.ts'

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
  const where = paint('bold', place ? placeName(place) : oneLine(formatPath(path)))
  const lines = [
    oneLine(message),
    ...(place ? excerpt(place, paint) : []),
    ...details(finding).map(([name, text]) => `${paint('dim', `${name}:`)} ${oneLine(text)}`),
  ]
  return [`${label} ${where}`, ...lines.map((line) => `  ${line}`)].join('\n')
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

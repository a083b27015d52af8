// Markdown: findings as a page, for a comment or the summary of a job.
import { type Severity, severities } from '../../model/finding.ts'
import { oneLine } from '../one-line.ts'
import { count } from '../summary.ts'
import { type Entry, filePlace, type Reported } from './reported.ts'

/** A comment takes 65536 characters; nobody reads more. */
const most = 100

export function markdown(reported: Reported): string {
  const { command, profile, entries } = reported
  const open = entries.filter(({ accepted }) => accepted === undefined)
  const accepted = entries.filter((entry) => entry.accepted !== undefined)
  const counts = severities.flatMap((severity) => countOf(severity, open))
  const left = accepted.length > 0 ? [`${accepted.length} accepted`] : []
  const rest = open.length - most
  return [
    `## winnode ${command}: ${prose(profile)}`,
    [...counts, ...left].join(', ') || 'Nothing was found.',
    ...(open.length > 0 ? [tableOf(open.slice(0, most), reported)] : []),
    ...(rest > 0 ? [`${rest} more are not shown.`] : []),
    ...(accepted.length > 0 ? [acceptedList(accepted)] : []),
  ]
    .map((part) => `${part}\n`)
    .join('\n')
}

function countOf(severity: Severity, entries: readonly Entry[]): readonly string[] {
  const some = entries.filter((entry) => entry.severity === severity).length
  return some > 0 ? [count(severity, some)] : []
}

const names: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
}

function tableOf(entries: readonly Entry[], reported: Reported): string {
  const rows = entries.map((entry) => {
    const { id, severity, message, remedy, see } = entry
    const name =
      see === undefined
        ? code(id)
        : `[${code(id)}](${see.replaceAll(/[()\s]/g, encodeURIComponent)})`
    const text = remedy === undefined ? prose(message) : `${prose(message)}<br>${prose(remedy)}`
    return `| ${names[severity]} | ${whereOf(entry, reported)} | ${text} | ${name} |`
  })
  return ['| | where | what, and what to do | id |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  )
}

function whereOf(entry: Entry, reported: Reported): string {
  const { place, about } = entry
  const at = place ?? filePlace(entry, reported)
  if (at && place) return code(`${at.file}:${at.line}:${at.column}`)
  return about === '' ? '' : prose(about)
}

function acceptedList(entries: readonly Entry[]): string {
  const lines = entries.map(
    ({ id, message, accepted = '' }) => `- ${code(id)}: ${prose(message)} (${prose(accepted)})`,
  )
  return ['<details><summary>accepted</summary>\n', ...lines, '\n</details>'].join('\n')
}

/** Means itself: no mark-up, and nobody and nothing is mentioned by it. */
function prose(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_{}[\]<>|~$&]/g, (sign) => (sign === '&' ? '&amp;' : `\\${sign}`))
    .replace(/([@#])(?=[\w])/g, '$1<!-- -->')
}

/** In a table a bar ends its cell even within code. */
function code(text: string): string {
  const line = oneLine(text).replaceAll('|', '\\|')
  const ticks = '`'.repeat(Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length)) + 1)
  const pad = /^`|`$/.test(line) ? ' ' : ''
  return ticks + pad + line + pad + ticks
}

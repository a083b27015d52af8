// Markdown: findings as a page, for a pull request comment or a job summary.
import { counts, severityWords } from '../summary.ts'
import { code, linked, prose } from './markdown-text.ts'
import { type Entry, type Reported, subjectOf } from './reported.ts'

/** Most entries listed: GitHub limits a comment to 65536 characters. */
const most = 100

export function markdown(reports: readonly Reported[]): string {
  return reports.map(sectionOf).join('\n')
}

function sectionOf({ command, profile, entries }: Reported): string {
  const open = entries.filter(({ accepted }) => accepted === undefined)
  const accepted = entries.filter((entry) => entry.accepted !== undefined)
  const left = accepted.length > 0 ? [`${accepted.length} accepted`] : []
  const rest = open.length - most
  return [
    `## winnode ${command}: ${prose(profile)}`,
    [...counts(open), ...left].join(', ') || 'Nothing was found.',
    ...(open.length > 0 ? [tableOf(open.slice(0, most))] : []),
    ...(rest > 0 ? [`${rest} more are not shown.`] : []),
    ...(accepted.length > 0 ? [acceptedList(accepted)] : []),
  ]
    .map((part) => `${part}\n`)
    .join('\n')
}

function tableOf(entries: readonly Entry[]): string {
  const rows = entries.map((entry) => {
    const { id, severity, message, remedy, see } = entry
    const name = linked(id, see)
    const text = remedy === undefined ? prose(message) : `${prose(message)}<br>${prose(remedy)}`
    return `| ${severityWords[severity]} | ${whereOf(entry)} | ${text} | ${name} |`
  })
  return ['| | where | what, and what to do | id |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  )
}

function whereOf(entry: Entry): string {
  const { place } = entry
  if (place) return code(`${place.file}:${place.line}:${place.column}`)
  return prose(subjectOf(entry))
}

function acceptedList(entries: readonly Entry[]): string {
  const lines = entries.map(
    ({ id, message, accepted = '' }) => `- ${code(id)}: ${prose(message)} (${prose(accepted)})`,
  )
  return ['<details><summary>accepted</summary>\n', ...lines, '\n</details>'].join('\n')
}

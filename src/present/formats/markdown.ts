// Markdown: findings as a page, for a pull request comment or a job summary.
import { counts, severityWords } from '../summary.ts'
import { code, linked, prose } from './markdown-text.ts'
import { type Entry, type RunReport, subjectOf } from './reported.ts'

/** Most entries listed: GitHub limits a comment to 65536 characters. */
const maxEntries = 100

export function markdown(reports: readonly RunReport[]): string {
  return reports.map(sectionOf).join('\n')
}

function sectionOf({ command, profile, entries }: RunReport): string {
  const open = entries.filter(({ accepted }) => accepted === undefined)
  const accepted = entries.filter((entry) => entry.accepted !== undefined)
  const acceptedCount = accepted.length > 0 ? [`${accepted.length} accepted`] : []
  const hidden = open.length - maxEntries
  return [
    `## winnode ${command}: ${prose(profile)}`,
    [...counts(open), ...acceptedCount].join(', ') || 'Nothing was found.',
    ...(open.length > 0 ? [tableOf(open.slice(0, maxEntries))] : []),
    ...(hidden > 0 ? [`${hidden} more are not shown.`] : []),
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

// GitHub: findings as workflow commands, which the runner shows as annotations of the changed lines.
import type { Severity } from '../../model/finding.ts'
import { escapeControls } from '../../text/printable.ts'
import { oneLine } from '../one-line.ts'
import { type Entry, placeInFile, type RunReport, repositoryPath, subjectOf } from './reported.ts'

// https://github.com/actions/runner/blob/main/src/Runner.Worker/ActionCommandManager.cs
const commands: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
}

// The runner unescapes these, the percent sign last.
// https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
const ofText: Readonly<Record<string, string>> = { '%': '%25', '\r': '%0D', '\n': '%0A' }
const ofProperty: Readonly<Record<string, string>> = { ...ofText, ':': '%3A', ',': '%2C' }

const escaped = (text: string, table: Readonly<Record<string, string>>) =>
  text.replace(/[%\r\n:,]/g, (character) => table[character] ?? character)

/** `::error title=id,file=node.yaml,line=14,col=8,endColumn=12::message`; without ignored findings. */
export function github(reports: readonly RunReport[]): string {
  return reports
    .flatMap((reported) =>
      reported.entries
        .filter(({ accepted }) => accepted === undefined)
        .map((entry) => command(entry, reported)),
    )
    .join('')
}

function command(entry: Entry, reported: RunReport): string {
  const place = placeInFile(entry, reported)
  const properties = Object.entries({
    title: oneLine(entry.id),
    ...(place && {
      file: repositoryPath(escapeControls(place.file)),
      line: String(place.line),
      col: String(place.column),
      endColumn: String(place.column + (place.length ?? 1)),
    }),
  }).map(([name, value]) => `${name}=${escaped(value, ofProperty)}`)
  const subject = subjectOf(entry)
  const about = (place && entry.place === place) || subject === '' ? '' : `${subject}: `
  const text = [about + entry.message, ...(entry.remedy === undefined ? [] : [entry.remedy])]
  const message = escaped(text.map(escapeControls).join('\n'), ofText)
  return `::${commands[entry.severity]} ${properties.join(',')}::${message}\n`
}

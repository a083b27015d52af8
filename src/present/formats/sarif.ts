// SARIF 2.1.0 (Static Analysis Results Interchange Format), for code scanning.
import { escapeControls } from '../../text/printable.ts'
import type { Severity } from '../../model/finding.ts'
import {
  type Entry,
  placeInFile,
  type Description,
  type RunReport,
  repositoryPath,
} from './reported.ts'

const levels: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
}

const schema =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

export function sarif(reports: readonly RunReport[]): string {
  const document = { $schema: schema, version: '2.1.0', runs: reports.map(runOf) }
  return `${escapeControls(JSON.stringify(document, null, 2))}\n`
}

function runOf(reported: RunReport): object {
  const { command, version, profile, entries } = reported
  const order = [...new Set(entries.map(({ id }) => id))]
  const rules = order.map(
    (id) => reported.descriptions.find((kind) => kind.id === id) ?? { id, summary: id },
  )
  return {
    tool: {
      driver: { name: 'winnode', semanticVersion: version, rules: rules.map(descriptor) },
    },
    // The part after the last slash identifies a run; it stays empty, so that the output is reproducible.
    automationDetails: { id: `winnode/${command}/${profile}/` },
    columnKind: 'utf16CodeUnits',
    results: entries.map((entry) => result(entry, order.indexOf(entry.id), reported)),
  }
}

function descriptor({ id, summary, remedy, see, severity }: Description): object {
  const text = [summary, ...(remedy === undefined ? [] : [remedy])].join('\n\n')
  return {
    id,
    shortDescription: { text: summary },
    help: { text, markdown: see === undefined ? text : `${text}\n\n[source](${see})` },
    ...(see !== undefined && { helpUri: see }),
    ...(severity && { defaultConfiguration: { level: levels[severity] } }),
  }
}

function result(entry: Entry, ruleIndex: number, reported: RunReport): object {
  const { id, severity, about, on, message, remedy, accepted } = entry
  const text = [on === undefined ? message : `${message}, on ${on}`, remedy]
    .filter((part) => part !== undefined)
    .join('\n\n')
  return {
    ruleId: id,
    ruleIndex,
    level: levels[severity],
    message: { text },
    locations: [location(entry, reported)],
    // No line number, so that a finding is recognized after its line has moved.
    partialFingerprints: { 'winnode/v1': `${id}:${about}` },
    ...(accepted !== undefined && {
      suppressions: [{ kind: 'external', status: 'accepted', justification: accepted }],
    }),
  }
}

function location(entry: Entry, reported: RunReport): object {
  const place = placeInFile(entry, reported)
  const logical = { logicalLocations: [{ fullyQualifiedName: entry.about || entry.id }] }
  if (!place) return logical
  const { line, column, length = 1 } = place
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(place.file) },
      region: { startLine: line, startColumn: column, endColumn: column + length },
    },
    ...logical,
  }
}

/** Relative to the working directory, as code scanning requires; an absolute path exists on this machine only. */
function uriOf(file: string): string {
  const path = repositoryPath(file).split('/').map(encodeURIComponent).join('/')
  if (path.startsWith('/')) return `file://${path}`
  return path.replace(/^([A-Za-z])%3A\//, 'file:///$1:/')
}

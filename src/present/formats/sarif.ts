// SARIF 2.1.0 (Static Analysis Results Interchange Format), for code scanning.
import { printable } from '../../text/printable.ts'
import type { Severity } from '../../model/finding.ts'
import { type Entry, filePlace, type Kind, type Reported, slashed } from './reported.ts'

const levels: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
}

const schema =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

export function sarif(reports: readonly Reported[]): string {
  const document = { $schema: schema, version: '2.1.0', runs: reports.map(runOf) }
  return `${printable(JSON.stringify(document, null, 2))}\n`
}

function runOf(reported: Reported): object {
  const { command, version, profile, entries } = reported
  const order = [...new Set(entries.map(({ id }) => id))]
  const rules = order.map((id) => reported.kinds.find((kind) => kind.id === id) ?? bare(id))
  return {
    tool: {
      driver: { name: 'winnode', semanticVersion: version, rules: rules.map(descriptor) },
    },
    // The last part distinguishes runs; it is empty, because output does not depend on the time.
    automationDetails: { id: `winnode/${command}/${profile}/` },
    columnKind: 'utf16CodeUnits',
    results: entries.map((entry) => result(entry, order.indexOf(entry.id), reported)),
  }
}

function bare(id: string): Kind {
  return { id, summary: id }
}

function descriptor({ id, summary, remedy, see, severity }: Kind): object {
  const text = [summary, ...(remedy === undefined ? [] : [remedy])].join('\n\n')
  return {
    id,
    shortDescription: { text: summary },
    help: { text, markdown: see === undefined ? text : `${text}\n\n[source](${see})` },
    ...(see !== undefined && { helpUri: see }),
    ...(severity && { defaultConfiguration: { level: levels[severity] } }),
  }
}

function result(entry: Entry, ruleIndex: number, reported: Reported): object {
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
    // The same finding, wherever its line has moved.
    partialFingerprints: { 'winnode/v1': `${id}:${about}` },
    ...(accepted !== undefined && {
      suppressions: [{ kind: 'external', status: 'accepted', justification: accepted }],
    }),
  }
}

function location(entry: Entry, reported: Reported): object {
  const place = filePlace(entry, reported)
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
  const path = slashed(file)
    .replace(/^(\.\/)+/, '')
    .split('/')
    .map(encodeURIComponent)
    .join('/')
  if (path.startsWith('/')) return `file://${path}`
  return path.replace(/^([A-Za-z])%3A\//, 'file:///$1:/')
}

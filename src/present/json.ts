// Findings and differences as JSON.
import type { Drift, DriftResult } from '../model/drift.ts'
import type { Finding, Ignored, Place } from '../model/finding.ts'
import { compareFindings } from '../model/finding.ts'
import { largestNeed } from '../model/need.ts'
import { formatPath } from '../model/path.ts'

/** Every key is always present. Print it with `jsonText`. */
export function findingsJson(findings: readonly Finding[]) {
  return findings.toSorted(compareFindings).map(findingJson)
}

/** Findings that the profile ignores, each with its reason. */
export function ignoredJson(ignored: readonly Ignored[]) {
  return ignored.map(({ finding, reason }) => ({ ...findingJson(finding), reason }))
}

function findingJson(finding: Finding) {
  const { advisory } = finding
  return {
    ...statementJson(finding),
    advisory: advisory ? { ...advisory, condition: advisory.condition ?? null } : null,
  }
}

/** Differences, in the shape of docs/drift.schema.json. */
export function driftJson({ drifts, nodes, ignored }: DriftResult): object {
  return {
    version: 1,
    need: largestNeed(drifts.flatMap(({ need }) => need ?? [])),
    nodes: nodes.length,
    drift: drifts.map(oneDrift),
    ignored: ignored.map(({ drift: { id, subject, message }, reason }) => ({
      id,
      subject,
      message,
      reason,
    })),
  }
}

function oneDrift(drift: Drift): object {
  const { subject, weight, owner = null, need = null, was = null, should = null } = drift
  const { why = null, field, fieldFrom = null, nodes = null, variants = null } = drift
  return {
    ...statementJson(drift),
    subject,
    weight,
    owner,
    need,
    was,
    should,
    why,
    field: field ? formatPath(field) : null,
    fieldFrom,
    nodes,
    variants,
  }
}

/** The keys that findings and differences share. */
function statementJson(finding: Finding) {
  const { id, severity, path, message, remedy = null, see = null, place } = finding
  return {
    id,
    severity,
    path: formatPath(path),
    message,
    remedy,
    see,
    place: place ? placeJson(place) : null,
  }
}

/** The location without the text of the line. */
function placeJson(place: Place) {
  const { file, line, column, length = 1 } = place
  return { file, line, column, length }
}

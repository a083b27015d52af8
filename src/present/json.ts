// Findings as JSON.
import type { Finding, Ignored, Place } from '../model/finding.ts'
import { compareFindings } from '../model/finding.ts'
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

/** The keys that findings and differences share. */
export function statementJson(finding: Finding) {
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

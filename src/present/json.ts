// Json: findings as data for other programs.
import type { Finding, Ignored, Severity } from '../model/finding.ts'
import { compareFindings } from '../model/finding.ts'
import { formatPath } from '../model/path.ts'

export interface FindingJson {
  readonly id: string
  readonly severity: Severity
  /** As `--set` takes it. */
  readonly path: string
  readonly message: string
  readonly remedy: string | null
  readonly see: string | null
  /** Without the text of the line. */
  readonly place: {
    readonly file: string
    readonly line: number
    readonly column: number
    readonly length: number
  } | null
}

/** Every key is always there; print it with `jsonText`. */
export function findingsJson(findings: readonly Finding[]): readonly FindingJson[] {
  return findings.toSorted(compareFindings).map(findingJson)
}

/** What the profile ignores, each with its reason. */
export function ignoredJson(
  ignored: readonly Ignored[],
): readonly (FindingJson & { readonly reason: string })[] {
  return ignored.map(({ finding, reason }) => ({ ...findingJson(finding), reason }))
}

function findingJson(finding: Finding): FindingJson {
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

function placeJson(place: NonNullable<Finding['place']>): FindingJson['place'] {
  const { file, line, column, length = 1 } = place
  return { file, line, column, length }
}

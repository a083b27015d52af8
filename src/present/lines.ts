// Lines: one finding a line, in the form that editors and pipelines read.
import type { Finding } from '../model/finding.ts'
import { compareFindings } from '../model/finding.ts'
import { formatPath } from '../model/path.ts'
import { oneLine } from './one-line.ts'
import { placeName } from './pretty.ts'

/** `site.yaml:14:8: error: message [id]`; nothing for no findings. */
export function findingLines(findings: readonly Finding[]): string {
  return findings
    .toSorted(compareFindings)
    .map(({ id, severity, message, path, place }) => {
      const where = place ? placeName(place) : oneLine(formatPath(path))
      return `${where}: ${severity}: ${oneLine(message)} [${oneLine(id)}]\n`
    })
    .join('')
}

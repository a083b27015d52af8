// One finding or difference per line, in the format of compilers, for editors and CI.
import type { Drift } from '../model/drift.ts'
import { compareFindings, type Finding } from '../model/finding.ts'
import { formatPath } from '../model/path.ts'
import { nodeShareWithNames, subjectLabel } from './fleet.ts'
import { oneLine } from './one-line.ts'
import { placeName } from './pretty.ts'

/** `site.yaml:14:8: error: message [id]`; nothing for no findings. */
export function findingLines(findings: readonly Finding[]): string {
  return linesOf(findings, ({ path, place }) =>
    place ? placeName(place) : oneLine(formatPath(path)),
  )
}

/** `win-node/node.json:14:8: error: message [id]`; for nodes, the subject and the names. */
export function driftLines(drifts: readonly Drift[], all: readonly string[]): string {
  return linesOf(drifts, ({ subject, place, nodes }) => {
    const what = nodes || !place ? subjectLabel(subject) : placeName(place)
    return nodes ? `${what} on ${nodeShareWithNames(nodes, all.length)}` : what
  })
}

function linesOf<T extends Finding>(findings: readonly T[], whereOf: (one: T) => string): string {
  return findings
    .toSorted(compareFindings)
    .map(
      (one) => `${whereOf(one)}: ${one.severity}: ${oneLine(one.message)} [${oneLine(one.id)}]\n`,
    )
    .join('')
}

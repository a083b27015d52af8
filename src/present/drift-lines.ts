// Drift-lines: one difference a line, in the form that editors and pipelines read.
import type { Drift } from '../model/drift.ts'
import { compareFindings } from '../model/finding.ts'
import { shareByName, thing } from './fleet.ts'
import { oneLine } from './one-line.ts'
import { placeName } from './pretty.ts'

/** `win-node/node.json:14:8: error: message [id]`; of nodes, what differs and on which. */
export function driftLines(drifts: readonly Drift[], all: readonly string[]): string {
  return drifts
    .toSorted(compareFindings)
    .map((drift) => {
      const { id, severity, message, place, nodes } = drift
      const what = nodes || !place ? thing(drift.subject) : placeName(place)
      const where = nodes ? `${what} on ${shareByName(nodes, all.length)}` : what
      return `${where}: ${severity}: ${oneLine(message)} [${oneLine(id)}]\n`
    })
    .join('')
}

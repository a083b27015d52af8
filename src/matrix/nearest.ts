// The row of a version in a table of lines, or the one that comes closest.
import { inRange, minorOf } from './version.ts'

export interface Nearest<Row> {
  readonly row: Row
  /** False where the tables lack the line of that version. */
  readonly exact: boolean
}

/** `rows` are ordered, oldest first; a version before all of them gets the oldest. */
export function nearestRow<Row>(
  rows: readonly [Row, ...Row[]],
  lineOf: (row: Row) => string,
  version: string,
): Nearest<Row> {
  const found = rows.findLast((row) => inRange(version, `>=${lineOf(row)}`)) ?? rows[0]
  return { row: found, exact: lineOf(found) === minorOf(version) }
}

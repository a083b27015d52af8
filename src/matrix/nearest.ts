// Looks up rows of a table ordered by line: the row of a version, and the last matching row.
import { compareVersions, minorOf } from './version.ts'

export interface Nearest<Row> {
  readonly row: Row
  /** False if the line of that version is unknown. */
  readonly exact: boolean
}

/** `rows` are ordered, oldest first; a version before all of them gets the oldest. */
export function nearestRow<Row>(
  rows: readonly [Row, ...Row[]],
  lineOf: (row: Row) => string,
  version: string,
): Nearest<Row> {
  const [oldest, ...later] = rows
  const line = minorOf(version) ?? ''
  const row = later.findLast((one) => compareVersions(line, lineOf(one)) >= 0) ?? oldest
  return { row, exact: line === lineOf(row) }
}

/** A table without such a row is a bug in winnode. */
export function lastRow<Row>(rows: readonly Row[], fits: (row: Row) => boolean): Row {
  const found = rows.findLast(fits)
  if (found === undefined) throw new Error('the tables have no row that fits')
  return found
}

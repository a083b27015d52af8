// Looks up rows of a table ordered by line: the row of a version, and the last matching row.
import { compareVersions, isPartial, minorOf, parseVersion } from './version.ts'

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

/** The line nearest to a version, of lines in any order; `undefined` if a text is no line, or no version. */
export function nearestLine(lines: readonly string[], version: string): string | undefined {
  if (!parseVersion(version) || !lines.every(isPartial)) return undefined
  const [oldest, ...later] = lines.toSorted(compareVersions)
  if (oldest === undefined) return undefined
  return nearestRow([oldest, ...later], (line) => line, version).row
}

/** A table without such a row is a bug in winnode. */
export function lastRow<Row>(rows: readonly Row[], fits: (row: Row) => boolean): Row {
  const found = rows.findLast(fits)
  if (found === undefined) throw new Error('the tables have no row that fits')
  return found
}

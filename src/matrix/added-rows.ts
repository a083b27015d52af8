// Rows that `--facts` adds to a table: a row with the key of a known one replaces it.
import { isList, isObject, type Json, type JsonObject } from '../model/json.ts'
import { compareVersions, isVersionRange } from './version.ts'

export function withAdded<Row>(
  rows: readonly Row[],
  added: readonly Row[] | undefined,
  keyOf: (row: Row) => string,
): readonly Row[] {
  if (added === undefined) return rows
  const keys = new Set(added.map(keyOf))
  return [...rows.filter((row) => !keys.has(keyOf(row))), ...added]
}

/** Of a table that is ordered by version, oldest first. */
export function orderedWithAdded<Row>(
  rows: readonly [Row, ...Row[]],
  added: readonly Row[] | undefined,
  lineOf: (row: Row) => string,
): readonly [Row, ...Row[]] {
  const all = withAdded(rows, added, lineOf).toSorted((a, b) =>
    compareVersions(lineOf(a), lineOf(b)),
  )
  const [first = rows[0], ...later] = all
  return [first, ...later]
}

/** Fields of rows that are ranges of versions. */
const ranges = ['range', 'affected', 'containerd']

/** The first text that should be a range and is none. */
export function malformedRange(rows: Json | undefined): string | undefined {
  const inner = isList(rows)
    ? rows.map((row) => ['', row] as const)
    : isObject(rows)
      ? Object.entries(rows)
      : []
  return inner
    .map(([key, value]) =>
      ranges.includes(key) && typeof value === 'string' && !isVersionRange(value)
        ? `${key}: ${value} is not a range of versions`
        : malformedRange(value),
    )
    .find((fault) => fault !== undefined)
}

/** The first key that two rows of a table have: nothing says which of them counts. */
export function repeatedKey(facts: JsonObject): string | undefined {
  return Object.entries(facts)
    .map(([table, rows]) => {
      const keys = (isList(rows) ? rows : []).filter(isObject).map(addedKey)
      const twice = keys.find((key, at) => keys.indexOf(key) !== at)
      return twice === undefined ? undefined : `${table}: two rows have ${twice}`
    })
    .find((fault) => fault !== undefined)
}

/** An advisory can have a row for each component; a defect is one rule. */
function addedKey({ minor, line, id, component, effect }: JsonObject): string {
  const key = minor ?? line ?? id
  return JSON.stringify(effect === undefined && id !== undefined ? [id, component] : key)
}

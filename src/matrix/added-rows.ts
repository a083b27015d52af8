// Rows that `--facts` adds to a table: a row with the key of a known one replaces it.
import { isList, isObject, type Json, type JsonObject } from '../model/json.ts'
import type { Path } from '../model/path.ts'
import type { FactsFault } from '../model/tables.ts'
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
  if (added === undefined) return rows
  const all = withAdded(rows, added, lineOf).toSorted((a, b) =>
    compareVersions(lineOf(a), lineOf(b)),
  )
  const [first = rows[0], ...later] = all
  return [first, ...later]
}

/** Fields of rows that are ranges of versions. */
const ranges = ['range', 'affected', 'containerd']

/** The first text that should be a range and is none. */
export function malformedRange(rows: Json | undefined, path: Path = []): FactsFault | undefined {
  return children(rows)
    .map(([step, value]) =>
      ranges.includes(String(step)) && typeof value === 'string' && !isVersionRange(value)
        ? { path: [...path, step], message: `${value} is not a range of versions` }
        : malformedRange(value, [...path, step]),
    )
    .find((fault) => fault !== undefined)
}

/** The first row that was checked after `day`. */
export function checkedAfter(
  day: string,
  rows: Json | undefined,
  path: Path = [],
): FactsFault | undefined {
  return children(rows)
    .map(([step, value]) =>
      step === 'checked' && typeof value === 'string' && value > day
        ? {
            path: [...path, step],
            message: `${value} is in the future; write the day on which the row was compared with its source`,
          }
        : checkedAfter(day, value, [...path, step]),
    )
    .find((fault) => fault !== undefined)
}

function children(
  value: Json | undefined,
): readonly (readonly [string | number, Json | undefined])[] {
  if (isList(value)) return value.map((item, at) => [at, item])
  return isObject(value) ? Object.entries(value) : []
}

/** The first key that two rows of a table have: nothing says which of them counts. */
export function repeatedKey(facts: JsonObject): FactsFault | undefined {
  return Object.entries(facts)
    .map(([table, rows]) => {
      const keys = (isList(rows) ? rows : []).filter(isObject).map(addedKey)
      const at = keys.findIndex((key, index) => keys.indexOf(key) !== index)
      return at < 0 ? undefined : { path: [table, at], message: `two rows have ${keys[at]}` }
    })
    .find((fault) => fault !== undefined)
}

/** An advisory can have a row for each component; a defect is one rule. */
function addedKey({ minor, line, id, component, effect }: JsonObject): string {
  const key = minor ?? line ?? id
  return JSON.stringify(effect === undefined && id !== undefined ? [id, component] : key)
}

// When the rows of each table were last compared with their sources.
import tables from '#tables'
import { isList, isObject, parseObject, type Json } from '../model/json.ts'
import type { AddedFacts } from '../model/tables.ts'

interface CheckedRow {
  /** The page that the row was read from. */
  readonly see: string
  /** YYYY-MM-DD. */
  readonly checked: string
}

interface CheckedTable {
  readonly name: string
  /** Of `--facts`; absent for a table of winnode. */
  readonly file?: string
  /** Empty for a table without such days. */
  readonly rows: readonly CheckedRow[]
}

/** The tables of winnode, then tables of the file. */
export function checkedTables(added?: AddedFacts): readonly CheckedTable[] {
  const { kubernetes, containerd, windows, advisories, defects, name: file = '' } = added ?? {}
  const own = tablesIn({ kubernetes, containerd, windows, advisories, defects })
  return [...tablesIn(tables), ...own.map((one) => ({ ...one, file }))]
}

function tablesIn(all: object): readonly CheckedTable[] {
  return Object.entries(parseObject(JSON.stringify(all)) ?? {}).map(([name, value]) => ({
    name,
    rows: checkedIn(value),
  }))
}

function checkedIn(value: Json | undefined): readonly CheckedRow[] {
  if (isList(value)) return value.flatMap(checkedIn)
  if (!isObject(value)) return []
  const { see, checked } = value
  const own = typeof see === 'string' && typeof checked === 'string' ? [{ see, checked }] : []
  return [...own, ...Object.values(value).flatMap(checkedIn)]
}

// When the rows of each table were last compared with their sources.
import tables from '#tables'
import { isList, isObject, parseObject, type Json } from '../model/json.ts'

interface CheckedRow {
  readonly table: string
  /** The page that the row was read from. */
  readonly see: string
  /** YYYY-MM-DD. */
  readonly checked: string
}

/** Tables without such days are not listed: programs answered what they hold. */
export function checkedRows(): readonly CheckedRow[] {
  const all = parseObject(JSON.stringify(tables)) ?? {}
  return Object.entries(all).flatMap(([table, rows]) => checkedIn(table, rows))
}

function checkedIn(table: string, value: Json | undefined): readonly CheckedRow[] {
  if (isList(value)) return value.flatMap((item) => checkedIn(table, item))
  if (!isObject(value)) return []
  const { see, checked } = value
  const own =
    typeof see === 'string' && typeof checked === 'string' ? [{ table, see, checked }] : []
  return [...own, ...Object.values(value).flatMap((item) => checkedIn(table, item))]
}

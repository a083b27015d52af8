// Where a value of a profile comes from.
import type { Checked } from '../check.ts'
import { valueAt } from '../model/json.ts'
import type { Path } from '../model/path.ts'

/**
 * `FILE:LINE` of the layer that sets the value, `default` for a default of the table of fields, `decided` for a value
 * derived from others.
 */
export function originOf({ origin, values }: Checked, path: Path): string {
  const place = origin(path)?.place(path)
  if (place) return `${place.file}:${place.line}`
  return valueAt(values, path) === undefined ? 'decided' : 'default'
}

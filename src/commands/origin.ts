// Origin: who set a value of a profile.
import type { Judged } from '../check.ts'
import { valueAt } from '../model/json.ts'
import type { Path } from '../model/path.ts'

/**
 * `FILE:LINE` of the layer that writes the value, `default` for a constant of the table of fields, `decided` for
 * what follows from other values.
 */
export function originOf({ origin, values }: Judged, path: Path): string {
  const place = origin(path)?.place(path)
  if (place) return `${place.file}:${place.line}`
  return valueAt(values, path) === undefined ? 'decided' : 'default'
}

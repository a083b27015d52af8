// Origin: the file and line that set a value of a profile.
import type { Compiled } from '../compile.ts'
import type { Path } from '../model/path.ts'

/** A value that no layer writes is a default of the table of fields, or decided from others. */
export function originOf({ origin }: Compiled, path: Path): string {
  const layer = origin(path)
  const place = layer?.place(path)
  const parent = layer?.place(path.slice(0, -1))
  if (!place) return 'default'
  const own = place.line !== parent?.line || place.column !== parent.column
  return own ? `${place.file}:${place.line}` : 'default'
}

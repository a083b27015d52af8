// Programs with versions of their own: the release of each that a profile gets.
import tables from '#tables'
import type { ToolRelease } from '../model/tables.ts'

/** Only names of the table are asked for; another one is a mistake in winnode. */
export function toolRelease(name: string): ToolRelease {
  const release = tables.tools.tools[name]
  if (!release) throw new Error(`src/matrix/tables/tools.json has no ${name}`)
  return release
}

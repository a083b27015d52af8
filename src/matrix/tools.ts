// Programs with separate versions: the release that a profile uses by default.
import tables from '#tables'
import type { ToolRelease } from '../model/tables.ts'

/** Only names in the table are used; another one is a bug in winnode. */
export function toolRelease(name: string): ToolRelease {
  const release = tables.tools.tools[name]
  if (!release) throw new Error(`src/matrix/tables/tools.json has no ${name}`)
  return release
}

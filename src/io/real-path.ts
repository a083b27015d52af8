// Real paths, with all links resolved.
import { realpathSync } from 'node:fs'
import nodePath from 'node:path'

type System = Pick<typeof nodePath, 'isAbsolute' | 'relative' | 'sep'>

/** `undefined` if the target does not exist. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/** Both are real paths. A folder is within itself. */
export function isWithinFolder(path: string, folder: string, system: System = nodePath): boolean {
  const relative = system.relative(folder, path)
  return (
    relative !== '..' && !relative.startsWith(`..${system.sep}`) && !system.isAbsolute(relative)
  )
}

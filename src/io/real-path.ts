// Real-path: where a path leads when all links are followed.
import { realpathSync } from 'node:fs'
import nodePath from 'node:path'

type System = Pick<typeof nodePath, 'isAbsolute' | 'relative' | 'sep'>

/** `undefined` where it leads nowhere. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/** Both absolute and without links; a folder is within itself. */
export function isWithinFolder(path: string, folder: string, system: System = nodePath): boolean {
  const way = system.relative(folder, path)
  return way !== '..' && !way.startsWith(`..${system.sep}`) && !system.isAbsolute(way)
}

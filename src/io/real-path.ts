// Real-path: where a path leads when all links are followed.
import { realpathSync } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'

/** `undefined` where it leads nowhere. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/** Both absolute and without links; a folder is within itself. */
export function isWithinFolder(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

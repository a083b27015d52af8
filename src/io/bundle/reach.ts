// Reach: paths into a folder tree that stay true when somebody exchanges a folder for a link.
import { basename, dirname, join } from 'node:path'
import type { Disk } from './disk.ts'
import type { Held } from './hold.ts'
import { Unsettled } from './unsettled.ts'

export interface Reach {
  /** The path to use for `path`, which lies below the top with forward slashes. */
  readonly at: (path: string) => string
  /** Whether the folder is there; throws `Unsettled` where something else is. */
  readonly has: (folder: string) => boolean
  /** What was reached before in the folder is reached anew. */
  readonly forget: (folder: string) => void
  readonly release: () => void
}

export function reachInto(disk: Disk, top: string): Reach {
  const held = new Map<string, Held>()
  const folderOf = (folder: string): string => {
    const known = held.get(folder)
    if (known) return known.path
    const found = disk.hold(folder === '' ? top : at(folder))
    held.set(folder, found)
    return found.path
  }
  const at = (path: string): string => {
    if (path === '') return top
    const above = dirname(path)
    return join(folderOf(above === '.' ? '' : above), basename(path))
  }
  return {
    at,
    has: (folder) => {
      const kind = disk.look(at(folder))?.kind
      if (kind !== undefined && kind !== 'folder') throw new Unsettled()
      return kind === 'folder'
    },
    forget: (folder) => {
      held.get(folder)?.release()
      held.delete(folder)
    },
    release: () => {
      for (const { release } of held.values()) release()
      held.clear()
    },
  }
}

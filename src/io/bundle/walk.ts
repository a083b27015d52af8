// Walk: all of a folder tree at once: what is in it, its removal, and the folders that lead to it.
import { dirname, join } from 'node:path'
import { compareText } from '../../model/finding.ts'
import type { Disk, Look } from './disk.ts'

/** No bundle is near it; a home folder given by mistake is far above. */
export const entryLimit = 10_000

export interface Entry extends Look {
  /** Below the folder, with forward slashes. */
  readonly path: string
}

/** `undefined` where there are too many; none where there is no folder. */
export function entriesOf(disk: Disk, folder: string): readonly Entry[] | undefined {
  const entries: Entry[] = []
  if (disk.look(folder)?.kind !== 'folder') return entries
  for (const entry of walk(disk, folder, '')) {
    if (entries.push(entry) > entryLimit) return undefined
  }
  return entries
}

/** Folders come before what is in them; links are not followed. */
function* walk(disk: Disk, folder: string, below: string): Generator<Entry> {
  for (const name of [...disk.list(join(folder, below))].sort(compareText)) {
    const path = below + name
    const found = disk.look(join(folder, path))
    if (found) yield { path, ...found }
    if (found?.kind === 'folder') yield* walk(disk, folder, `${path}/`)
  }
}

export function removeTree(disk: Disk, path: string): void {
  const kind = disk.look(path)?.kind
  if (kind === undefined) return
  if (kind !== 'folder') {
    disk.removeFile(path)
    return
  }
  for (const name of disk.list(path)) removeTree(disk, join(path, name))
  disk.removeFolder(path)
}

export function makeParents(disk: Disk, path: string): void {
  const parent = dirname(path)
  if (parent === path || disk.look(parent)) return
  makeParents(disk, parent)
  disk.makeFolder(parent, parent)
}

/** `a/b/c` lies in `a` and `a/b`. */
export function foldersOf(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

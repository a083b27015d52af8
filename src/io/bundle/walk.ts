// Walk: all of a folder tree at once: what is in it, and the folders that lead to it.
import { dirname, join } from 'node:path'
import { compareText } from '../../model/finding.ts'
import type { Disk, Look } from './disk.ts'
import type { Undo } from './undo.ts'

/** No bundle is near it; a home folder given by mistake is far above. */
export const entryLimit = 10_000

export interface Entry extends Look {
  /** Below the folder, with forward slashes. */
  readonly path: string
}

/** What has a name that cannot be said, or went away meanwhile. */
const none = { device: 0, size: 0, changed: 0, owner: 0, group: 0, mode: 0, id: 0 }
const unseen: Look = { kind: 'other', ...none }

/** Without what is at `except`. `undefined` where there are too many; none where there is no folder. */
export function entriesOf(
  disk: Disk,
  folder: string,
  except?: string,
): readonly Entry[] | undefined {
  const entries: Entry[] = []
  if (disk.look(folder)?.kind !== 'folder') return entries
  for (const entry of walk(disk, folder, [], except)) {
    if (entries.push(entry) > entryLimit) return undefined
  }
  return entries
}

/** Folders come before what is in them; links are not followed. */
function* walk(
  disk: Disk,
  folder: string,
  below: readonly string[],
  except: string | undefined,
): Generator<Entry> {
  for (const name of [...disk.list(join(folder, ...below))].sort(compareText)) {
    const parts = [...below, name]
    const place = join(folder, ...parts)
    if (place === except) continue
    const found = disk.look(place) ?? unseen
    yield { path: parts.join('/'), ...found }
    if (found.kind === 'folder') yield* walk(disk, folder, parts, except)
  }
}

/** Two runs may make the same one. */
export function makeParents(disk: Disk, path: string, undo: Undo): void {
  const parent = dirname(path)
  if (parent === path || disk.look(parent)) return
  makeParents(disk, parent, undo)
  try {
    disk.makeFolder(parent)
  } catch (error) {
    if (disk.look(parent)?.kind === 'folder') return
    throw error
  }
  undo.add(() => {
    removeEmpty(disk, parent)
  })
}

/** Says whether it is gone. */
export function removeEmpty(disk: Disk, folder: string): boolean {
  try {
    disk.removeFolder(folder)
  } catch {
    // Something is in it, or it went already.
  }
  return disk.look(folder) === undefined
}

/** `a/b/c` lies in `a` and `a/b`. */
export function foldersOf(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** Those that lead to any of the paths, each once; a folder comes before what is in it. */
export function allFoldersOf(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap(foldersOf))].sort(compareText)
}

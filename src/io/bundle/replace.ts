// Replace: puts finished files one by one into a folder that holds things of others too.
import { join } from 'node:path'
import type { FileChange } from './changes.ts'
import type { Disk } from './disk.ts'
import { digestAt } from './held.ts'
import type { Reach } from './reach.ts'
import { manifestLast } from './stage.ts'
import type { Undo } from './undo.ts'
import { Unsettled } from './unsettled.ts'
import { allFoldersOf, foldersOf, removeEmpty } from './walk.ts'

export interface Places {
  /** Into the folder of the bundle. */
  readonly reach: Reach
  readonly fresh: string
  /** Where what is replaced or removed waits for its end. */
  readonly old: string
}

/**
 * `changes` are those that do something, `held` the digests of what lay there when they were planned.
 * What goes makes room for what comes; node.json comes last.
 */
export function replace(
  disk: Disk,
  { reach, fresh, old }: Places,
  changes: readonly FileChange[],
  held: ReadonlyMap<string, string>,
  undo: Undo,
): void {
  const removed = changes.filter(({ change }) => change === 'remove').map(({ path }) => path)
  const put = manifestLast(changes.filter(({ change }) => change !== 'remove'))
  const keepOld = (path: string) => {
    const [at, before] = [reach.at(path), join(old, path)]
    for (const folder of ['', ...foldersOf(path)]) {
      if (!disk.look(join(old, folder))) disk.makeFolder(join(old, folder))
    }
    disk.carry(at, before)
    undo.add(() => {
      putBack(disk, before, reach.at(path))
    })
    if (digestAt(disk, before) !== held.get(path)) throw new Unsettled()
  }

  for (const path of removed) {
    keepOld(path)
    disk.removeFile(reach.at(path))
  }
  for (const folder of [...allFoldersOf(removed)].reverse()) dropFolder(disk, reach, folder, undo)
  for (const { path, change } of put) {
    for (const folder of ['', ...foldersOf(path)]) ensureFolder(disk, reach, folder, undo)
    const [at, next] = [reach.at(path), join(fresh, path)]
    if (change === 'create') {
      // Fails where somebody has made the file meanwhile.
      disk.carry(next, at)
      undo.add(() => {
        const made = reach.at(path)
        if (disk.look(made) && digestAt(disk, made) === digestAt(disk, next)) disk.removeFile(made)
      })
    } else {
      keepOld(path)
      disk.rename(next, at)
    }
  }
  for (const folder of ['', ...allFoldersOf(changes.map(({ path }) => path))]) {
    if (disk.look(reach.at(folder))?.kind === 'folder') disk.sync(reach.at(folder))
  }
}

/** Renaming a file to a second name of its own would leave both. */
function putBack(disk: Disk, before: string, at: string): void {
  const untouched = disk.look(at) && digestAt(disk, at) === digestAt(disk, before)
  if (untouched) disk.removeFile(before)
  else disk.rename(before, at)
}

function ensureFolder(disk: Disk, reach: Reach, folder: string, undo: Undo): void {
  if (reach.has(folder)) return
  disk.makeFolder(reach.at(folder))
  undo.add(() => {
    removeEmpty(disk, reach.at(folder))
    reach.forget(folder)
  })
}

function dropFolder(disk: Disk, reach: Reach, folder: string, undo: Undo): void {
  if (!reach.has(folder)) return
  const path = reach.at(folder)
  const mode = disk.look(path)?.mode
  if (!removeEmpty(disk, path)) return
  reach.forget(folder)
  undo.add(() => {
    disk.makeFolder(reach.at(folder), mode)
  })
}

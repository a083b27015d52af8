// Replace: puts finished files one by one into a folder that holds things of others too.
import { dirname, join } from 'node:path'
import type { FileChange } from './changes.ts'
import type { Disk, Look } from './disk.ts'
import { digestAt } from './held.ts'
import type { Reach } from './reach.ts'
import { inheritedFrom } from './rights.ts'
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
 * What goes makes room for what comes; the manifest comes last.
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
  /** `written` is the digest of what comes to its place, if anything does. */
  const keepOld = (path: string, written?: string) => {
    const [at, before] = [reach.at(path), join(old, path)]
    const seen = disk.look(at)
    for (const folder of ['', ...foldersOf(path)]) {
      if (!disk.look(join(old, folder))) disk.makeFolder(join(old, folder))
    }
    disk.carry(at, before)
    undo.add(() => {
      putBack(disk, before, reach.at(path), written)
    })
    if (digestAt(disk, before) !== held.get(path)) throw new Unsettled()
    // Editors save by putting a new file in the place of the old one.
    if (!isSame(disk.look(at), seen)) throw new Unsettled()
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
      keepOld(path, digestAt(disk, next))
      disk.rename(next, at)
    }
  }
  // A folder that went took those in it along, and may have become a file.
  const stands = (folder: string) => disk.look(reach.at(folder))?.kind === 'folder'
  for (const folder of ['', ...allFoldersOf(changes.map(({ path }) => path))]) {
    if ([...foldersOf(folder), folder].every(stands)) disk.sync(reach.at(folder))
  }
}

function isSame(now: Look | undefined, seen: Look | undefined): boolean {
  return now?.id === seen?.id && now?.size === seen?.size && now?.changed === seen?.changed
}

/** Not over what somebody has saved there meanwhile; a second name of the same file is only taken away. */
function putBack(disk: Disk, before: string, at: string, written: string | undefined): void {
  const now = disk.look(at) ? digestAt(disk, at) : undefined
  if (now === undefined || now === written) disk.rename(before, at)
  else if (now === digestAt(disk, before)) disk.removeFile(before)
}

function ensureFolder(disk: Disk, reach: Reach, folder: string, undo: Undo): void {
  if (reach.has(folder)) return
  const above = disk.look(reach.at(dirname(folder) === '.' ? '' : dirname(folder)))
  disk.makeFolder(reach.at(folder), above && inheritedFrom(above))
  undo.add(() => {
    removeEmpty(disk, reach.at(folder))
    reach.forget(folder)
  })
}

function dropFolder(disk: Disk, reach: Reach, folder: string, undo: Undo): void {
  if (!reach.has(folder)) return
  const path = reach.at(folder)
  const rights = disk.look(path)
  if (!removeEmpty(disk, path)) return
  reach.forget(folder)
  undo.add(() => {
    disk.makeFolder(reach.at(folder), rights)
  })
}

// Replace: puts finished files one by one into a folder that holds things of others too.
import { join } from 'node:path'
import type { FileChange } from './changes.ts'
import type { Disk } from './disk.ts'
import { digestAt } from './held.ts'
import { manifestLast } from './stage.ts'
import type { Undo } from './undo.ts'
import { Unsettled } from './unsettled.ts'
import { allFoldersOf, foldersOf, removeEmpty } from './walk.ts'

export interface Places {
  readonly out: string
  readonly fresh: string
  /** Where what is replaced or removed waits for its end. */
  readonly old: string
}

/**
 * `changes` are those that do something, `held` the digests of what lay in `out` when they were planned.
 * What goes makes room for what comes; node.json comes last.
 */
export function replace(
  disk: Disk,
  { out, fresh, old }: Places,
  changes: readonly FileChange[],
  held: ReadonlyMap<string, string>,
  undo: Undo,
): void {
  const removed = changes.filter(({ change }) => change === 'remove').map(({ path }) => path)
  const put = manifestLast(changes.filter(({ change }) => change !== 'remove'))
  const keepOld = (path: string) => {
    const [at, before] = [join(out, path), join(old, path)]
    for (const folder of ['', ...foldersOf(path)]) ensureFolder(disk, join(old, folder), undo)
    disk.carry(at, before)
    undo.add(() => {
      putBack(disk, before, at)
    })
    if (digestAt(disk, before) !== held.get(path)) throw new Unsettled()
  }

  for (const path of removed) {
    keepOld(path)
    disk.removeFile(join(out, path))
  }
  for (const folder of [...allFoldersOf(removed)].reverse()) {
    dropFolder(disk, join(out, folder), undo)
  }
  for (const { path, change } of put) {
    const [at, next] = [join(out, path), join(fresh, path)]
    for (const folder of ['', ...foldersOf(path)]) ensureFolder(disk, join(out, folder), undo)
    if (change === 'create') {
      // Fails where somebody has made the file meanwhile.
      disk.carry(next, at)
      undo.add(() => {
        disk.removeFile(at)
      })
    } else {
      keepOld(path)
      disk.rename(next, at)
    }
  }
  const folders = ['', ...allFoldersOf(changes.map(({ path }) => path))]
  for (const folder of folders.filter((one) => disk.look(join(out, one)))) {
    disk.sync(join(out, folder))
  }
}

/** Renaming a file to a second name of its own would leave both. */
function putBack(disk: Disk, before: string, at: string): void {
  const untouched = disk.look(at) && digestAt(disk, at) === digestAt(disk, before)
  if (untouched) disk.removeFile(before)
  else disk.rename(before, at)
}

function ensureFolder(disk: Disk, path: string, undo: Undo): void {
  const found = disk.look(path)
  if (found?.kind === 'folder') return
  // A link that was put there meanwhile could lead anywhere.
  if (found) throw new Unsettled()
  disk.makeFolder(path)
  undo.add(() => {
    removeEmpty(disk, path)
  })
}

function dropFolder(disk: Disk, path: string, undo: Undo): void {
  const mode = disk.look(path)?.mode
  if (mode === undefined || !removeEmpty(disk, path)) return
  undo.add(() => {
    disk.makeFolder(path, mode)
  })
}

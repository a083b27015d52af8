// Swap: puts a finished bundle in the place of the old one, and repairs what a crash left behind.
import { basename, dirname, join } from 'node:path'
import type { Disk } from './disk.ts'
import { manifestFile, readManifest } from './manifest.ts'
import { removeTree } from './walk.ts'

export interface Siblings {
  readonly parent: string
  /** Where the new bundle is completed. */
  readonly fresh: string
  /** Where the old one waits for its end. */
  readonly old: string
}

export function siblingsOf(out: string): Siblings {
  const parent = dirname(out)
  const name = basename(out)
  return { parent, fresh: join(parent, `.${name}.new`), old: join(parent, `.${name}.old`) }
}

/** What lies beside `out` is complete. At each moment, `out` or `old` holds a whole bundle. */
export function swap(disk: Disk, out: string): void {
  const { parent, fresh, old } = siblingsOf(out)
  if (disk.look(out)) moveTo(disk, out, old)
  moveTo(disk, fresh, out)
  removeTree(disk, old)
  disk.sync(parent)
}

export type Repair = 'nothing' | 'finished' | 'undone' | 'cleaned'

/** After it, `out` is a whole bundle or absent, and nothing lies beside it. */
export function repair(disk: Disk, out: string): Repair {
  const { fresh, old } = siblingsOf(out)
  const left = disk.look(fresh) ?? disk.look(old)
  if (!left) return 'nothing'
  const interrupted = !disk.look(out) && disk.look(old) !== undefined
  const complete = interrupted && isComplete(disk, fresh)
  if (interrupted) moveTo(disk, complete ? fresh : old, out)
  removeTree(disk, fresh)
  removeTree(disk, old)
  if (!interrupted) return 'cleaned'
  return complete ? 'finished' : 'undone'
}

/** node.json is written last, and lists all others with their digests. */
function isComplete(disk: Disk, folder: string): boolean {
  const read = (path: string) =>
    disk.look(join(folder, path))?.kind === 'file' ? disk.read(join(folder, path)) : undefined
  const content = read(manifestFile)
  const manifest = content && readManifest(content)
  if (!manifest) return false
  return [...manifest.files.keys()].every((path) => {
    const held = read(path)
    return held !== undefined && manifest.ownerOf(path, held) === 'ours'
  })
}

function moveTo(disk: Disk, from: string, to: string): void {
  disk.rename(from, to)
  disk.sync(dirname(to))
}

// Stage: completes the new files in the workspace, so that nothing is changed before all are there.
import { join } from 'node:path'
import type { RenderedFile } from '../../model/plan.ts'
import type { Disk } from './disk.ts'
import { manifestFiles } from './manifest.ts'
import type { Rights } from './rights.ts'
import { inheritedFrom } from './rights.ts'
import { allFoldersOf, foldersOf } from './walk.ts'

export interface Staging {
  readonly fresh: string
  readonly files: readonly RenderedFile[]
  /** What `out` holds already at the same path, and need not be written again. */
  readonly same: readonly string[]
  readonly out: string
  /** Throws to give up. */
  readonly safePoint: () => Promise<void>
}

/** The manifest comes last: where that is, everything is. */
export async function stage(disk: Disk, staging: Staging): Promise<void> {
  const { fresh, files, same, out, safePoint } = staging
  const folders = ['', ...allFoldersOf([...files.map(({ path }) => path), ...same])]
  for (const folder of folders) {
    const found = disk.look(join(out, folder))
    disk.makeFolder(join(fresh, folder), found?.kind === 'folder' ? found : undefined)
  }
  for (const path of same) disk.carry(join(out, path), join(fresh, path))
  for (const { path, content } of manifestLast(files)) {
    await safePoint()
    disk.write(join(fresh, path), content, rightsOf(disk, out, path))
  }
  for (const folder of [...folders].reverse()) disk.sync(join(fresh, folder))
  await safePoint()
}

/** Those of the file that it replaces; a new one goes to whom the folder belongs. */
function rightsOf(disk: Disk, out: string, path: string): Rights | undefined {
  const before = disk.look(join(out, path))
  if (before?.kind === 'file') return { ...before, mode: before.mode & 0o777 }
  const folders = ['', ...foldersOf(path)].map((folder) => disk.look(join(out, folder)))
  const folder = folders.findLast((one) => one?.kind === 'folder')
  return folder && inheritedFrom(folder)
}

/** Of anything with a path. */
export function manifestLast<T extends { readonly path: string }>(
  items: readonly T[],
): readonly T[] {
  const isManifest = ({ path }: T) => manifestFiles.includes(path)
  return [...items.filter((item) => !isManifest(item)), ...items.filter(isManifest)]
}

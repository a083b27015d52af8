// Stage: completes the new files in the workspace, so that nothing is changed before all are there.
import { join } from 'node:path'
import type { RenderedFile } from '../../model/plan.ts'
import type { Disk } from './disk.ts'
import { manifestFile } from './manifest.ts'
import { allFoldersOf } from './walk.ts'

export interface Staging {
  readonly fresh: string
  readonly files: readonly RenderedFile[]
  /** What `out` holds already at the same path, and need not be written again. */
  readonly same: readonly string[]
  readonly out: string
  /** Throws to give up. */
  readonly safePoint: () => Promise<void>
}

/** node.json comes last: where that is, everything is. */
export async function stage(disk: Disk, staging: Staging): Promise<void> {
  const { fresh, files, same, out, safePoint } = staging
  const folders = ['', ...allFoldersOf([...files.map(({ path }) => path), ...same])]
  for (const folder of folders) {
    disk.makeFolder(join(fresh, folder), disk.look(join(out, folder))?.mode)
  }
  for (const path of same) disk.carry(join(out, path), join(fresh, path))
  for (const { path, content } of manifestLast(files)) {
    await safePoint()
    const before = disk.look(join(out, path))
    // What a person may read or not stays so.
    disk.write(join(fresh, path), content, before?.kind === 'file' ? before.mode : undefined)
  }
  for (const folder of [...folders].reverse()) disk.sync(join(fresh, folder))
  await safePoint()
}

/** Of anything with a path. */
export function manifestLast<T extends { readonly path: string }>(
  items: readonly T[],
): readonly T[] {
  const isManifest = ({ path }: T) => path === manifestFile
  return [...items.filter((item) => !isManifest(item)), ...items.filter(isManifest)]
}

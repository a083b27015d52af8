// Stage: completes a bundle beside the folder it will replace.
import { join } from 'node:path'
import type { RenderedFile } from '../../model/plan.ts'
import type { FileChange } from './changes.ts'
import type { Disk } from './disk.ts'
import { manifestFile } from './manifest.ts'
import { siblingsOf } from './swap.ts'
import { foldersOf } from './walk.ts'

/** What is kept comes first and node.json last: where that is, everything is. */
export function stage(
  disk: Disk,
  out: string,
  files: readonly RenderedFile[],
  changes: readonly FileChange[],
): void {
  const { fresh } = siblingsOf(out)
  const same = new Set(changes.flatMap(({ path, change }) => (change === 'same' ? [path] : [])))
  const written = files.filter(({ path }) => path === manifestFile || !same.has(path))
  const [last, first] = partition(written, ({ path }) => path === manifestFile)
  const kept = changes
    .filter(({ change }) => change === 'keep' || change === 'same')
    .map(({ path }) => path)
    .filter((path) => !written.some((file) => file.path === path))
  const [empty, carried] = partition(kept, (path) => disk.look(join(out, path))?.kind === 'folder')
  const paths = [...carried, ...written.map(({ path }) => path), ...empty.map((path) => `${path}/`)]
  // Each once; parents come before what is in them.
  const folders = [...new Set(paths.flatMap(foldersOf))].sort()

  disk.makeFolder(fresh, out)
  for (const folder of folders) disk.makeFolder(join(fresh, folder), join(out, folder))
  for (const path of carried) disk.carry(join(out, path), join(fresh, path))
  for (const { path, content } of [...first, ...last]) disk.write(join(fresh, path), content)
  for (const folder of ['', ...folders].reverse()) disk.sync(join(fresh, folder))
}

function partition<T>(items: readonly T[], fits: (item: T) => boolean): readonly [T[], T[]] {
  return [items.filter(fits), items.filter((item) => !fits(item))]
}

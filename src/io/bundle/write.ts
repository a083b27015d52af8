// Write: carries out what was planned for a folder that this run holds, whole or not at all.
import { dirname } from 'node:path'
import type { RenderedFile } from '../../model/plan.ts'
import { pieceOf, writeContents } from './contents.ts'
import type { Disk } from './disk.ts'
import type { Reach } from './reach.ts'
import { reachInto } from './reach.ts'
import { replace } from './replace.ts'
import { stage } from './stage.ts'
import type { Planned } from './survey.ts'
import { swap } from './swap.ts'
import type { Undo } from './undo.ts'
import { allFoldersOf, foldersOf, removeEmpty } from './walk.ts'
import { wayTo } from './way.ts'
import type { Workspace } from './workspace.ts'
import { contentsIn, parkedAt, workOf } from './workspace.ts'
import type { World } from './world.ts'
import { GivenUp } from './world.ts'

/**
 * Puts the old bundle back, where a run was cut off between moving it away and the new one, and
 * removes the folders that such a run has emptied.
 */
export function recover(disk: Disk, out: string, { place, generations }: Workspace): void {
  const parked = parkedAt(disk, out, place, generations)
  if (parked !== undefined) {
    disk.rename(parked, out)
    disk.sync(dirname(out))
  }
  const paths = contentsIn(disk, place, generations).flatMap(({ old }) =>
    old.map((one) => one.path),
  )
  if (!disk.look(out)) return
  const reach = reachInto(disk, out)
  try {
    for (const folder of [...allFoldersOf(paths)].reverse()) {
      const there = [...foldersOf(folder), folder].every((one) => reach.has(one))
      if (there && removeEmpty(disk, reach.at(folder))) reach.forget(folder)
    }
  } finally {
    reach.release()
  }
}

/** One run in a folder that it holds. */
export interface Work {
  readonly out: string
  readonly workspace: Workspace
  /** Into `out`; released when nothing is left to take back. */
  readonly reach: Reach
  readonly undo: Undo
}

/** Throws in the middle, with in `undo` what was changed until then. */
export async function write(
  world: World,
  { out, workspace, reach, undo }: Work,
  files: readonly RenderedFile[],
  plan: Planned,
): Promise<void> {
  const { disk, goOn } = world
  const { changes, held, entries } = plan
  const { folder, contents, fresh, old } = workOf(workspace.place, workspace.generation)
  const way = wayTo(world, out, workspace.path, plan)
  const acted = changes.filter(({ change }) => change !== 'same' && change !== 'keep')
  const touched = new Set((way === 'swap' ? changes : acted).map(({ path }) => path))
  const wanted = files.filter(({ path }) => touched.has(path))
  const same = changes.filter(({ path, change }) => change === 'same' && touched.has(path))
  const kept = new Set(same.map(({ path }) => path))

  disk.makeFolder(folder, { mode: 0o700 })
  writeContents(disk, contents, {
    way,
    fresh: wanted.map(({ path, content }) => pieceOf(path, content)),
    old: entries.flatMap(({ path, size }) => {
      const sha256 = touched.has(path) ? held.get(path) : undefined
      return sha256 === undefined ? [] : [{ path, sha256, size }]
    }),
  })
  await stage(disk, {
    fresh,
    files: wanted.filter(({ path }) => !kept.has(path)),
    same: [...kept],
    out,
    safePoint: async () => {
      if (!(await goOn())) throw new GivenUp()
    },
  })
  if (way === 'swap') swap(disk, out, { fresh, old }, entries, undo)
  else replace(disk, { reach, fresh, old }, acted, held, undo)
}

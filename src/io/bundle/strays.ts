// Strays: folders of runs that were killed just when a workspace got its name, or lost it.
import { basename, dirname, join } from 'node:path'
import type { Run } from '../run-identity.ts'
import { generationsIn, isClaim, isDraft, readHolder } from './claims.ts'
import type { Disk, Look } from './disk.ts'
import { isOthers } from './exposure.ts'
import { removeEmpty } from './walk.ts'
import { asideOf } from './workspace.ts'
import type { World } from './world.ts'

/** Beside a workspace, with any end to its name. */
function straysOf(disk: Disk, workspace: string): readonly string[] {
  const begin = basename(asideOf(workspace, ''))
  const names = (listed(disk, dirname(workspace)) ?? []).filter((name) => name.startsWith(begin))
  return names
    .map((name) => join(dirname(workspace), name))
    .filter((path) => disk.look(path)?.kind === 'folder')
}

/** Those in which something is, so that a person should know. */
export function fullStraysOf(disk: Disk, workspace: string): readonly string[] {
  return straysOf(disk, workspace).filter((path) => listed(disk, path)?.length !== 0)
}

/** Milliseconds in which a run has either come to its end or made its claim. */
const moment = 60_000

/** Removes those in which there is nothing but the claim of a dead run of this user. */
export function clearStrays(world: World, workspace: string): void {
  for (const path of straysOf(world.disk, workspace)) {
    try {
      clearStray(world, path)
    } catch {
      // Somebody closed it: it stays, and is named.
    }
  }
}

function clearStray(world: World, path: string): void {
  const { disk, run } = world
  const found = disk.look(path)
  if (!found || !isOwn(found, run)) return
  const held = disk.hold(path)
  try {
    const names = disk.list(held.path)
    if (!isOver(world, held.path, names, found.changed)) return
    for (const name of names) disk.removeFile(join(held.path, name))
    removeEmpty(disk, path)
  } finally {
    held.release()
  }
}

/** Its run has died; of what says nothing about a run, the age decides. */
function isOver(
  { disk, run, now }: World,
  folder: string,
  names: readonly string[],
  changed: number,
): boolean {
  const old = now() - changed > moment
  if (names.length === 0) return old
  if (!names.every((name) => isClaim(name) || (isDraft(name) && old))) return false
  return generationsIn(names).every((generation) => {
    const holder = readHolder(disk, folder, generation, run)
    // A claim that was cut off while it was written cannot be read.
    return holder === undefined ? old : holder !== 'gone' && holder.standing === 'dead'
  })
}

function isOwn(found: Look, run: Run): boolean {
  return found.owner === (run.user ?? found.owner) && !isOthers(found, run)
}

/** `undefined` where this run may not look. */
function listed(disk: Disk, folder: string): readonly string[] | undefined {
  try {
    return disk.list(folder)
  } catch {
    return undefined
  }
}

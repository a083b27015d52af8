// Strays: folders of runs that were killed just when a workspace got its name, or lost it.
import { basename, dirname, join } from 'node:path'
import { isClaim, isDraft, readHolder, generationsIn } from './claims.ts'
import type { Run } from '../run-identity.ts'
import type { Disk, Look } from './disk.ts'
import { isOthers } from './exposure.ts'
import { asideOf } from './workspace.ts'
import { removeEmpty } from './walk.ts'
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
export function clearStrays({ disk, run, now }: World, workspace: string): void {
  for (const path of straysOf(disk, workspace)) {
    try {
      clearStray(path)
    } catch {
      // Somebody closed it: it is named.
    }
  }

  function clearStray(path: string): void {
    const found = disk.look(path)
    if (!found || !isOwn(found, run)) return
    const held = disk.hold(path)
    try {
      const names = listed(disk, held.path) ?? ['unknown']
      const old = now() - found.changed > moment
      const dead = generationsIn(names).every((generation) => {
        const holder = readHolder(disk, held.path, generation, run)
        // A claim that was cut off while it was written says nothing.
        return holder === undefined ? old : holder !== 'gone' && holder.standing === 'dead'
      })
      const over =
        names.length === 0
          ? old
          : dead && names.every((one) => isClaim(one) || (isDraft(one) && old))
      if (!over) return
      for (const name of names) disk.removeFile(join(held.path, name))
      removeEmpty(disk, path)
    } finally {
      held.release()
    }
  }
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

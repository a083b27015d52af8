// Enter: takes the workspace of a folder for this run, or says after a short wait who holds it.
import { dirname, join } from 'node:path'
import type { Holder } from './claims.ts'
import { claimOf, claimText, draftOf, generationsIn, readHolder } from './claims.ts'
import type { Disk } from './disk.ts'
import type { Undo } from './undo.ts'
import { makeParents, removeEmpty } from './walk.ts'
import type { Found, Workspace } from './workspace.ts'
import { asideOf, inspect } from './workspace.ts'
import type { World } from './world.ts'
import { uniqueTo } from './world.ts'

export type Hindrance =
  /** Another run holds the folder. */
  | { readonly kind: 'held'; readonly workspace: string; readonly holder: Holder }
  /** What has the name of the workspace is not ours. */
  | { readonly kind: 'in-the-way'; readonly workspace: string }

export interface Entered extends Workspace {
  readonly kind: 'entered'
}

/** Milliseconds; a render holds a folder for a fraction of it. */
const patience = 2_000

/** What is there when nobody works in it, or what hinders for longer than the wait. */
export async function settle(world: World, path: string): Promise<Found | Hindrance> {
  const { disk, run, wait, random } = world
  for (let waited = 0; ;) {
    const found = inspect(disk, path, run)
    const busy = found.kind === 'claimed' && found.holder.standing !== 'dead'
    if (!busy && found.kind !== 'empty') return found
    if (waited >= patience) {
      if (!busy) return { kind: 'in-the-way', workspace: path }
      return { kind: 'held', workspace: path, holder: found.holder }
    }
    const pause = 20 + Math.round(60 * random())
    await wait(pause)
    waited += pause
  }
}

/** Takes the workspace at `path`; `undo` takes back the folders that were made on the way to `out`. */
export async function enter(
  world: World,
  out: string,
  path: string,
  undo: Undo,
): Promise<Entered | Hindrance> {
  for (;;) {
    const found = await settle(world, path)
    if (found.kind === 'held' || found.kind === 'in-the-way') return found
    const earlier = found.kind === 'claimed' && found.own ? found.generations : []
    if (found.kind !== 'nothing' && earlier.length === 0) {
      return { kind: 'in-the-way', workspace: path }
    }
    const generation = (earlier.at(-1) ?? 0) + 1
    if (earlier.length === 0) makeParents(world.disk, out, undo)
    const take = earlier.length === 0 ? create : succeed
    if (take(world, path, generation)) {
      return { kind: 'entered', path, generation, generations: [...earlier, generation] }
    }
  }
}

type Take = (world: World, path: string, generation: number) => boolean

/** With the claim in it from the first moment on: it is made beside, and moved to its name. */
const create: Take = (world, path, generation) => {
  const { disk, run } = world
  const beside = asideOf(path, uniqueTo(world))
  const claim = join(beside, claimOf(generation))
  try {
    // Everybody may read who holds it, and nobody else may change it.
    disk.makeFolder(beside, 0o755)
    disk.write(claim, claimText(run.claim))
    // An empty folder of somebody would be replaced.
    if (disk.look(path) === undefined) disk.rename(beside, path)
  } catch (error) {
    discard(disk, claim, beside)
    // Another run was faster, or removed the folder around both when it gave up.
    if (disk.look(path) || !disk.look(dirname(path))) return false
    throw error
  }
  if (disk.look(beside) === undefined) return true
  discard(disk, claim, beside)
  return false
}

/** Only one run can give its claim the name of a generation. */
const succeed: Take = (world, path, generation) => {
  const { disk, run } = world
  const draft = join(path, draftOf(uniqueTo(world)))
  const claim = join(path, claimOf(generation))
  try {
    disk.write(draft, claimText(run.claim))
    disk.carry(draft, claim)
  } catch (error) {
    discard(disk, draft, path)
    // Another run was faster, or has come to its end meanwhile.
    if (disk.look(claim) || !disk.look(path)) return false
    throw error
  }
  disk.removeFile(draft)
  // Meanwhile the dead run may have been cleared away, and another may have begun at the first claim.
  const alone = generationsIn(disk.list(path)).every(
    (one) => one >= generation || isOver(readHolder(disk, path, one, run)),
  )
  if (!alone) discard(disk, claim, path)
  return alone
}

function isOver(holder: ReturnType<typeof readHolder>): boolean {
  return holder === 'gone' || holder?.standing === 'dead'
}

function discard(disk: Disk, file: string, folder: string): void {
  if (disk.look(file)) disk.removeFile(file)
  removeEmpty(disk, folder)
}

// Enter: takes the workspace of a folder for this run, or says after a short wait who holds it.
import { join } from 'node:path'
import type { Holder } from './claims.ts'
import { claimOf, claimText, draftOf, generationsIn, readHolder } from './claims.ts'
import type { Disk } from './disk.ts'
import { isGone } from './disk-error.ts'
import { isOthers } from './exposure.ts'
import type { Held } from './hold.ts'
import type { Undo } from './undo.ts'
import { Unsettled } from './unsettled.ts'
import { makeParents, removeEmpty } from './walk.ts'
import type { Found, Workspace } from './workspace.ts'
import {
  abandoned,
  asideOf,
  inspect,
  isBusy,
  isHeld,
  removeIfThere,
  stepBack,
  workspacesOf,
} from './workspace.ts'
import type { World } from './world.ts'
import { GivenUp, uniqueTo } from './world.ts'

export type Hindrance =
  /** Another run holds the folder. */
  | { readonly kind: 'held'; readonly workspace: string; readonly holder: Holder }
  /** What has the name of the workspace is not this user's; `holder` where a run of another one left it. */
  | { readonly kind: 'in-the-way'; readonly workspace: string; readonly holder?: Holder }

export interface Free {
  readonly kind: 'free'
  /** The workspace that this run would take, and the generations in it that were cut off. */
  readonly path: string
  readonly cutOff: readonly number[]
}

export interface Entered extends Workspace {
  readonly kind: 'entered'
  readonly release: () => void
}

/** Milliseconds; a render holds a folder for a fraction of it. */
const patience = 2_000

/** How long this run has waited for others: milliseconds. */
export interface Waited {
  time: number
}

/** Waits while somebody works in one of the two workspaces of a folder; changes nothing. */
export async function settle(world: World, out: string, waited: Waited): Promise<Free | Hindrance> {
  const { disk, run } = world
  for (;;) {
    const { own, other } = workspacesOf(disk, out)
    const found = inspect(disk, own, run)
    const rival = inspect(disk, other, run)
    if (!isHeld(rival) && !isBusy(found)) {
      // What was cut off in the other place is taken up there.
      const left = abandoned(rival)
      if (found.kind === 'nothing' && left.length > 0)
        return { kind: 'free', path: other, cutOff: left }
      const cutOff = abandoned(found)
      const free = found.kind === 'nothing' || cutOff.length > 0
      return free ? { kind: 'free', path: own, cutOff } : hindranceOf(own, found)
    }
    if (waited.time >= patience) {
      return isHeld(rival) ? hindranceOf(other, rival) : hindranceOf(own, found)
    }
    await pause(world, waited)
  }
}

function hindranceOf(workspace: string, found: Found): Hindrance {
  if (found.kind !== 'claimed') return { kind: 'in-the-way', workspace }
  const { holder } = found
  return { kind: holder.standing === 'dead' ? 'in-the-way' : 'held', workspace, holder }
}

async function pause({ wait, random, goOn }: World, waited: Waited): Promise<void> {
  const time = 20 + Math.round(60 * random())
  await wait(time)
  waited.time += time
  if (!(await goOn())) throw new GivenUp()
}

/** `undo` takes back the folders that were made on the way to `out`. */
export async function enter(
  world: World,
  out: string,
  waited: Waited,
  undo: Undo,
): Promise<Entered | Hindrance> {
  const { disk, run } = world
  for (let lost = 0; ; lost += 1) {
    const found = await settle(world, out, waited)
    if (found.kind !== 'free') return found
    const { path, cutOff } = found
    const generation = (cutOff.at(-1) ?? 0) + 1
    if (cutOff.length === 0) makeParents(disk, out, undo)
    const take = cutOff.length === 0 ? create : succeed
    const held = take(world, path, generation, lost < mostLost)
    if (held) {
      const { path: place, release } = held
      const workspace = { path, place, generation, generations: [...cutOff, generation] }
      const { own, other } = workspacesOf(disk, out)
      const rival = inspect(disk, path === own ? other : own, run)
      if (!isHeld(rival)) return { kind: 'entered', ...workspace, release }
      stepBack(disk, workspace, uniqueTo(world))
      release()
    }
    await pause(world, waited)
  }
}

/** As where the system makes no folders, and calls that ENOENT: /proc. */
const mostLost = 40

/** `again` where the place may be gone because of another run. */
type Take = (world: World, path: string, generation: number, again: boolean) => Held | undefined

/** With the claim in it from the first moment on: it is made beside, and moved to its name. */
const create: Take = (world, path, generation, again) => {
  const { disk, run } = world
  const beside = asideOf(path, uniqueTo(world))
  let held: Held | undefined
  try {
    // Everybody may read who holds it, and nobody else may change it.
    disk.makeFolder(beside, { mode: 0o755 })
    held = holdOwn(world, beside)
    disk.write(join(held.path, claimOf(generation)), claimText(run.claim), { mode: 0o644 })
    // An empty folder of somebody would be replaced.
    if (disk.look(path) === undefined) disk.rename(beside, path)
    // Without handles, the way to it has changed with its name.
    const way = held.path === beside ? holdOwn(world, path) : held
    if (disk.look(beside) === undefined) return way
    discard(disk, join(held.path, claimOf(generation)), beside)
    held.release()
    return undefined
  } catch (error) {
    if (held) discard(disk, join(held.path, claimOf(generation)), beside)
    else removeEmpty(disk, beside)
    held?.release()
    // Another run was faster, removed the folder around both when it gave up, or took this for a stray.
    if ((again && isGone(error)) || disk.look(path)) return undefined
    throw error
  }
}

/** Only one run can give its claim the name of a generation. */
const succeed: Take = (world, path, generation) => {
  const { disk, run } = world
  const held = holdOwn(world, path)
  const place = held.path
  const draft = join(place, draftOf(uniqueTo(world)))
  const claim = join(place, claimOf(generation))
  try {
    disk.write(draft, claimText(run.claim), { mode: 0o644 })
    disk.carry(draft, claim)
  } catch (error) {
    discard(disk, draft, path)
    // Another run was faster, or has come to its end meanwhile.
    const lost = isGone(error) || disk.look(claim) !== undefined
    held.release()
    if (lost) return undefined
    throw error
  }
  disk.removeFile(draft)
  // Meanwhile the dead run may have been cleared away, and another may have begun at the first claim.
  const alone = generationsIn(disk.list(place)).every(
    (one) => one >= generation || isOver(readHolder(disk, place, one, run)),
  )
  if (alone) return held
  discard(disk, claim, path)
  held.release()
  return undefined
}

/** Somebody may have put another folder in its place where others may write. */
function holdOwn({ disk, run }: World, folder: string): Held {
  const held = disk.hold(folder)
  const found = disk.look(`${held.path}/.`)
  if (found?.owner === (run.user ?? found?.owner) && found && !isOthers(found, run)) return held
  held.release()
  throw new Unsettled()
}

function isOver(holder: ReturnType<typeof readHolder>): boolean {
  return holder === 'gone' || holder?.standing === 'dead'
}

function discard(disk: Disk, file: string, folder: string): void {
  removeIfThere(disk, file)
  removeEmpty(disk, folder)
}

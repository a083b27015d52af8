// Bundle: writes the files of a bundle as a whole, or not at all.
import { checkBundlePaths } from '../model/bundle-path.ts'
import type { RenderedFile } from '../model/plan.ts'
import type { Now } from './bundle/disk-error.ts'
import { inDiskWords, isGone, sayNow } from './bundle/disk-error.ts'
import type { Disk } from './bundle/disk.ts'
import type { Entered, Hindrance, Waited } from './bundle/enter.ts'
import { enter, settle } from './bundle/enter.ts'
import { reachInto } from './bundle/reach.ts'
import { clearStrays } from './bundle/strays.ts'
import type { Planned, Refused, WriteRequest } from './bundle/survey.ts'
import { isWritten, survey } from './bundle/survey.ts'
import { pathOf } from './bundle/target.ts'
import { undoLog } from './bundle/undo.ts'
import { Unsettled } from './bundle/unsettled.ts'
import type { Workspace } from './bundle/workspace.ts'
import { asideOf, leave, parkedAt, stepBack, workspacesOf } from './bundle/workspace.ts'
import type { World } from './bundle/world.ts'
import { GivenUp, realWorld, uniqueTo } from './bundle/world.ts'
import { recover, write } from './bundle/write.ts'

export type BundlePlan = Refused | Hindrance | Planned

export type Written =
  | BundlePlan
  /** `now` says what is there when `goOn` ended the work. */
  | { readonly kind: 'given-up'; readonly now: string }
  /** Each time, somebody changed the folder before it was written. */
  | { readonly kind: 'unsettled' }

/** How often to look again when somebody else changes the folder meanwhile. */
const attempts = 5

/** Says what writing would do, and changes nothing. */
export async function planBundle(
  files: readonly RenderedFile[],
  request: WriteRequest,
  world: World = realWorld(),
  waited: Waited = { time: 0 },
): Promise<BundlePlan> {
  checkBundlePaths(files.map(({ path }) => path))
  const { disk } = world
  const out = pathOf(request)
  for (let attempt = 1; ; attempt += 1) {
    try {
      const found = await settle(world, out, waited)
      if (found.kind !== 'free') return found
      const plan = survey(disk, files, request, { path: found.path, abandoned: found.cutOff })
      const begun = found.cutOff.length === 0 && disk.look(found.path) !== undefined
      if (!begun || attempt === attempts) return plan
    } catch (error) {
      if (attempt === attempts || !isGone(error)) {
        throw inDiskWords(error, request.out, nowIn(disk, out)) ?? error
      }
    }
  }
}

/** Writes nothing where there are conflicts, or where everything is the same already. */
export async function writeBundle(
  files: readonly RenderedFile[],
  request: WriteRequest,
  world: World = realWorld(),
): Promise<Written> {
  const { disk } = world
  const out = pathOf(request)
  const waited = { time: 0 }
  for (let attempt = 1; ; attempt += 1) {
    const parents = undoLog()
    try {
      const plan = await planBundle(files, request, world, waited)
      if (plan.kind !== 'planned' || plan.conflicts.length > 0) return plan
      // What a run that was cut off has left is cleared away all the same.
      if (isWritten(plan) && !disk.look(workspacesOf(disk, out).own)) return plan
      const entered = await enter(world, out, waited, parents)
      if (entered.kind !== 'entered') return entered
      try {
        return await writeIn(entered, files, request, world)
      } finally {
        entered.release()
        if (disk.look(out)) parents.keep()
      }
    } catch (error) {
      if (error instanceof GivenUp) {
        return { kind: 'given-up', now: sayNow(request.out, nowIn(disk, out)) }
      }
      const unsettled = error instanceof Unsettled
      if (!unsettled) throw inDiskWords(error, request.out, nowIn(disk, out)) ?? error
      if (attempt === attempts) return { kind: 'unsettled' }
    } finally {
      parents.unwind()
    }
  }
}

async function writeIn(
  workspace: Entered,
  files: readonly RenderedFile[],
  request: WriteRequest,
  world: World,
): Promise<Written> {
  const { disk } = world
  const out = pathOf(request)
  const { path, place, generations } = workspace
  const unique = uniqueTo(world)
  const undo = undoLog()
  const reach = reachInto(disk, out)
  let plan: Planned | Refused
  try {
    recover(disk, out, workspace)
    clearStrays(world, path)
    plan = survey(disk, files, request, { path, place, abandoned: generations })
    if (plan.kind === 'planned' && plan.conflicts.length === 0 && !isWritten(plan))
      await write(world, { out, workspace, reach, undo }, files, plan)
  } catch (error) {
    const stuck = undo.unwind()
    if (stuck === undefined) {
      tidy(disk, workspace, unique)
      throw error
    }
    // What could not be taken back stays known to the next run.
    const parked = parkedAt(disk, out, place, generations) !== undefined
    throw inDiskWords(stuck, request.out, parked ? 'parked' : 'part') ?? error
  } finally {
    reach.release()
  }
  if (plan.kind === 'refused' || plan.conflicts.length > 0) {
    tidy(disk, workspace, unique)
    return plan
  }
  try {
    const left = leave(disk, workspace, unique) ? [] : [asideOf(path, unique)]
    return { ...plan, leftovers: [...plan.leftovers, ...left] }
  } catch (error) {
    throw inDiskWords(error, request.out, 'new') ?? error
  }
}

/** Ends without having changed anything; the first error is the one to tell. */
function tidy(disk: Disk, workspace: Workspace, unique: string): void {
  try {
    stepBack(disk, workspace, unique)
  } catch {
    // The next run clears it.
  }
}

function nowIn(disk: Disk, out: string): Now {
  try {
    return disk.look(out) ? 'old' : 'nothing'
  } catch {
    return 'nothing'
  }
}

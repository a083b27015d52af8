// Bundle: writes the files of a bundle as a whole, or not at all.
import type { RenderedFile } from '../model/plan.ts'
import { checkBundlePaths } from '../model/bundle-path.ts'
import type { Now } from './bundle/disk-error.ts'
import { inDiskWords, isGone, sayNow } from './bundle/disk-error.ts'
import type { Disk } from './bundle/disk.ts'
import type { Hindrance } from './bundle/enter.ts'
import { enter, settle } from './bundle/enter.ts'
import type { Planned, Refused, WriteRequest } from './bundle/survey.ts'
import { isWritten, survey } from './bundle/survey.ts'
import { pathOf } from './bundle/target.ts'
import { undoLog } from './bundle/undo.ts'
import { Unsettled } from './bundle/unsettled.ts'
import type { Workspace } from './bundle/workspace.ts'
import { abandoned, asideOf, leave, stepBack, workspaceOf } from './bundle/workspace.ts'
import type { World } from './bundle/world.ts'
import { realWorld, uniqueTo } from './bundle/world.ts'
import { GivenUp, recover, write } from './bundle/write.ts'

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
): Promise<BundlePlan> {
  checkBundlePaths(files.map(({ path }) => path))
  const { disk } = world
  for (let attempt = 1; ; attempt += 1) {
    try {
      const workspace = workspaceOf(disk, pathOf(request))
      const found = await settle(world, workspace)
      if (found.kind === 'held' || found.kind === 'in-the-way') return found
      const cutOff = abandoned(found)
      if (found.kind !== 'nothing' && cutOff.length === 0) return { kind: 'in-the-way', workspace }
      const plan = survey(disk, files, request, workspace, cutOff)
      const begun = found.kind === 'nothing' && disk.look(workspace) !== undefined
      if (!begun || attempt === attempts) return plan
    } catch (error) {
      if (attempt === attempts || !isGone(error)) {
        throw inDiskWords(error, request.out, nowIn(disk, pathOf(request))) ?? error
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
  for (let attempt = 1; ; attempt += 1) {
    const plan = await planBundle(files, request, world)
    const workspace = workspaceOf(disk, out)
    if (plan.kind !== 'planned' || plan.conflicts.length > 0) return plan
    // What a run that was cut off has left is cleared away all the same.
    if (isWritten(plan) && !disk.look(workspace)) return plan
    const parents = undoLog()
    try {
      const entered = await enter(world, out, workspace, parents)
      if (entered.kind !== 'entered') return entered
      const written = await writeIn(entered, files, request, world)
      if (disk.look(out)) parents.keep()
      return written
    } catch (error) {
      const unsettled = error instanceof Unsettled
      if (!unsettled) throw inDiskWords(error, request.out, nowIn(disk, out)) ?? error
      if (attempt === attempts) return { kind: 'unsettled' }
    } finally {
      parents.unwind()
    }
  }
}

async function writeIn(
  workspace: Workspace,
  files: readonly RenderedFile[],
  request: WriteRequest,
  world: World,
): Promise<Written> {
  const { disk } = world
  const out = pathOf(request)
  const { path, generations } = workspace
  const unique = uniqueTo(world)
  const undo = undoLog()
  let plan: Planned | Refused
  try {
    recover(disk, out, workspace)
    plan = survey(disk, files, request, path, generations)
    if (plan.kind === 'planned' && plan.conflicts.length === 0 && !isWritten(plan))
      await write(world, out, workspace, files, plan, undo)
  } catch (error) {
    // What could not be taken back stays known to the next run.
    if (undo.unwind() !== undefined) throw inDiskWords(error, request.out, 'part') ?? error
    tidy(disk, workspace, unique)
    if (!(error instanceof GivenUp)) throw error
    return { kind: 'given-up', now: sayNow(request.out, nowIn(disk, out)) }
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

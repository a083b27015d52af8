// Bundle: writes the files of a bundle as a whole, or not at all.
import type { RenderedFile } from '../model/plan.ts'
import { checkBundlePaths } from '../render/bundle-path.ts'
import type { FileChange } from './bundle/changes.ts'
import { planChanges } from './bundle/changes.ts'
import { withDiskWords } from './bundle/disk-error.ts'
import type { Disk } from './bundle/disk.ts'
import { realDisk } from './bundle/disk.ts'
import { stage } from './bundle/stage.ts'
import type { Repair } from './bundle/swap.ts'
import { repair, swap } from './bundle/swap.ts'
import type { Target } from './bundle/target.ts'
import { pathOf, refusalOf, tooFull } from './bundle/target.ts'
import { entriesOf, makeParents } from './bundle/walk.ts'

export type BundlePlan =
  /** `reason` goes behind the name of the folder. */
  | { readonly kind: 'refused'; readonly reason: string }
  | {
      readonly kind: 'planned'
      readonly changes: readonly FileChange[]
      /** Those that stand in the way of writing. */
      readonly conflicts: readonly FileChange[]
      readonly repair: Repair
    }

export interface WriteRequest extends Target {
  /** Overwrite what somebody edited. */
  readonly force?: boolean
}

/** Finishes or undoes what a crash left; then says what writing would do. */
export function planBundle(
  files: readonly RenderedFile[],
  request: WriteRequest,
  disk: Disk = realDisk,
): BundlePlan {
  checkBundlePaths(files.map(({ path }) => path))
  return withDiskWords(request.out, () => {
    const reason = refusalOf(request, disk)
    if (reason !== undefined) return { kind: 'refused', reason }
    const out = pathOf(request)
    const repaired = repair(disk, out)
    const entries = entriesOf(disk, out)
    if (!entries) return { kind: 'refused', reason: tooFull }
    const changes = planChanges(disk, out, files, entries)
    const inTheWay = new Set(request.force ? ['blocked'] : ['blocked', 'edited', 'foreign'])
    const conflicts = changes.filter(({ change }) => inTheWay.has(change))
    return { kind: 'planned', changes, conflicts, repair: repaired }
  })
}

/** Writes nothing where there are conflicts, or where everything is the same already. */
export function writeBundle(
  files: readonly RenderedFile[],
  request: WriteRequest,
  disk: Disk = realDisk,
): BundlePlan {
  const plan = planBundle(files, request, disk)
  if (plan.kind === 'planned' && plan.conflicts.length === 0) {
    withDiskWords(request.out, () => write(files, plan.changes, pathOf(request), disk))
  }
  return plan
}

function write(
  files: readonly RenderedFile[],
  changes: readonly FileChange[],
  out: string,
  disk: Disk,
): void {
  const asItWas = changes.every(({ change }) => change === 'same' || change === 'keep')
  if (asItWas) return
  makeParents(disk, out)
  try {
    stage(disk, out, files, changes)
    swap(disk, out)
  } catch (error) {
    tidy(disk, out)
    throw error
  }
}

/** The first error is the one to tell. */
function tidy(disk: Disk, out: string): void {
  try {
    repair(disk, out)
  } catch {
    // The next run repairs.
  }
}

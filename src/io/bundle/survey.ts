// Survey: what lies in the folder of a bundle, and what writing the bundle would do there.
import { basename, dirname, join } from 'node:path'
import type { RenderedFile } from '../../model/plan.ts'
import type { Changes, FileChange } from './changes.ts'
import { planChanges } from './changes.ts'
import { manifestOfContents } from './contents.ts'
import type { Disk } from './disk.ts'
import { joined, manifestFile, readManifest } from './manifest.ts'
import type { Target } from './target.ts'
import { pathOf, refusalOf, tooFull } from './target.ts'
import type { Entry } from './walk.ts'
import { entriesOf } from './walk.ts'
import { contentsIn, parkedAt } from './workspace.ts'

export interface WriteRequest extends Target {
  /** Overwrite what somebody edited. */
  readonly force?: boolean
}

export interface Refused {
  readonly kind: 'refused'
  /** Goes behind the name of the folder. */
  readonly reason: string
}

export interface Planned extends Changes {
  readonly kind: 'planned'
  /** Those that stand in the way of writing. */
  readonly conflicts: readonly FileChange[]
  /** Where the bundle lies that is there now. */
  readonly folder: string
  readonly entries: readonly Entry[]
  /** Folders beside it that nobody can tell whose they are, and that are left alone. */
  readonly leftovers: readonly string[]
}

/** Changes nothing. `abandoned` are the generations of the workspace that were cut off. */
export function survey(
  disk: Disk,
  files: readonly RenderedFile[],
  request: WriteRequest,
  workspace: string,
  abandoned: readonly number[],
): Planned | Refused {
  const reason = refusalOf(request, disk)
  if (reason !== undefined) return { kind: 'refused', reason }
  const out = pathOf(request)
  const folder = parkedAt(disk, out, workspace, abandoned) ?? out
  const entries = entriesOf(disk, folder, workspace)
  if (!entries) return { kind: 'refused', reason: tooFull }
  const node = entries.find(({ path, kind }) => path === manifestFile && kind === 'file')
  const own = node && readManifest(disk.read(join(folder, manifestFile)))
  const begun = contentsIn(disk, workspace, abandoned).map(manifestOfContents)
  const manifest = joined([...(own ? [own] : []), ...begun])
  const plan = planChanges(disk, folder, files, entries, manifest)
  const inTheWay = new Set(request.force ? ['blocked'] : ['blocked', 'edited', 'foreign'])
  const conflicts = plan.changes.filter(({ change }) => inTheWay.has(change))
  const leftovers = leftoversOf(disk, out)
  return { kind: 'planned', ...plan, conflicts, folder, entries, leftovers }
}

/** Nothing is left to do. */
export function isWritten({ changes }: Planned): boolean {
  return changes.every(({ change }) => change === 'same' || change === 'keep')
}

/** Folders that winnode 0.1.0 used: without a marker, so that nobody can tell whose they are. */
function leftoversOf(disk: Disk, out: string): readonly string[] {
  const name = basename(out)
  return ['new', 'old']
    .map((end) => join(dirname(out), `.${name}.${end}`))
    .filter((path) => disk.look(path)?.kind === 'folder')
}

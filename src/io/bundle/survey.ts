// Survey: what lies in the folder of a bundle, and what writing the bundle would do there.
import { basename, dirname, join } from 'node:path'
import type { RenderedFile } from '../../model/plan.ts'
import type { FileChange } from './changes.ts'
import { planChanges } from './changes.ts'
import { manifestOfContents } from './contents.ts'
import type { Disk } from './disk.ts'
import { readAtMost } from './held.ts'
import { joined, manifestFiles, readManifest } from './manifest.ts'
import { mountsBelow } from './mounts.ts'
import type { Target } from './target.ts'
import { pathOf, refusalOf, tooFull } from './target.ts'
import { spelledAs } from './spelling.ts'
import { fullStraysOf } from './strays.ts'
import { entriesOf } from './walk.ts'
import type { Standing } from './way.ts'
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

export interface Planned extends Standing {
  readonly kind: 'planned'
  /** Those that stand in the way of writing. */
  readonly conflicts: readonly FileChange[]
  /** Where the bundle lies that is there now. */
  readonly folder: string
  /** Folders beside it that may hold what somebody put there, and that are left alone. */
  readonly leftovers: readonly string[]
}

export interface Surroundings {
  /** Of the workspace. */
  readonly path: string
  readonly place?: string
  readonly abandoned: readonly number[]
}

/**
 * Changes nothing. `abandoned` are the generations of the workspace that were cut off; `place` leads to
 * it, where this run has taken it.
 */
export function survey(
  disk: Disk,
  files: readonly RenderedFile[],
  request: WriteRequest,
  { path: workspace, place = workspace, abandoned }: Surroundings,
): Planned | Refused {
  const reason = refusalOf(request, disk)
  if (reason !== undefined) return { kind: 'refused', reason }
  const out = pathOf(request)
  const folder = parkedAt(disk, out, place, abandoned) ?? out
  const listed = entriesOf(disk, folder, workspace)
  if (!listed) return { kind: 'refused', reason: tooFull }
  const wanted = [...manifestFiles, ...files.map(({ path }) => path)]
  const found = spelledAs(disk, folder, listed, wanted)
  const mounts = mountsBelow(disk, out)
  const lists = found.filter(({ path, kind }) => manifestFiles.includes(path) && kind === 'file')
  const own = lists.flatMap(({ path }) => {
    const content = readAtMost(disk, join(folder, path))
    return (content && readManifest(content, path)) ?? []
  })
  const begun = contentsIn(disk, place, abandoned).map(manifestOfContents)
  const manifest = joined([...own, ...begun])
  const entries = spelledAs(disk, folder, found, manifest.files.keys())
  const plan = planChanges(disk, folder, files, entries, manifest)
  const inTheWay = new Set(request.force ? ['blocked'] : ['blocked', 'edited', 'foreign'])
  const conflicts = plan.changes.filter(({ change }) => inTheWay.has(change))
  const apart = mounts.find((mount) => plan.changes.some((one) => isOn(one, mount)))
  if (apart !== undefined) return { kind: 'refused', reason: `holds a disk at ${apart}${mounted}` }
  const leftovers = leftoversOf(disk, out, workspace)
  return { kind: 'planned', ...plan, conflicts, folder, entries, leftovers, mounts }
}

const mounted = ', where files of the bundle are; unmount it, or name another folder'

/** Ours, at or below the place where a disk is mounted: it could not be moved there. */
function isOn({ path, change }: FileChange, mount: string): boolean {
  return change !== 'keep' && (path === mount || path.startsWith(`${mount}/`))
}

/** Nothing is left to do. */
export function isWritten({ changes }: Planned): boolean {
  return changes.every(({ change }) => change === 'same' || change === 'keep')
}

/** Folders that winnode 0.1.0 used: without a marker, so that nobody can tell whose they are. */
function leftoversOf(disk: Disk, out: string, workspace: string): readonly string[] {
  const old = ['new', 'old'].map((end) => join(dirname(out), `.${basename(out)}.${end}`))
  return [
    ...old.filter((path) => disk.look(path)?.kind === 'folder'),
    ...fullStraysOf(disk, workspace),
  ]
}

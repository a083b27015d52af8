// Changes: what writing a bundle would do to each file of the folder it goes to.
import { join } from 'node:path'
import { compareText } from '../../model/finding.ts'
import type { RenderedFile } from '../../model/plan.ts'
import { digestOf } from '../../render/digest.ts'
import type { Disk } from './disk.ts'
import { digestAt } from './held.ts'
import type { Manifest, Owner } from './manifest.ts'
import type { Entry } from './walk.ts'
import { foldersOf } from './walk.ts'

export type Change =
  | 'create'
  | 'same'
  | 'replace'
  /** Ours, and somebody changed it: overwritten only by force. */
  | 'edited'
  /** Somebody else's at a path that we need: overwritten only by force. */
  | 'foreign'
  /** A folder, a link or a device is in the way: never overwritten. */
  | 'blocked'
  /** Ours, as we wrote it, and no longer part of the bundle. */
  | 'remove'
  /** Not ours, or changed by somebody, and not in the way. */
  | 'keep'

export interface FileChange {
  readonly path: string
  readonly change: Change
}

const ownerChange: Readonly<Record<Owner, Change>> = {
  ours: 'replace',
  edited: 'edited',
  foreign: 'foreign',
}

export interface Changes {
  /** In the order of the paths; of folders, only the empty ones. */
  readonly changes: readonly FileChange[]
  /** Digests of what was read, by path: all files that are ours, or at a path that we need. */
  readonly held: ReadonlyMap<string, string>
}

/** `entries` are those of `folder`. */
export function planChanges(
  disk: Disk,
  folder: string,
  files: readonly RenderedFile[],
  entries: readonly Entry[],
  manifest: Manifest,
): Changes {
  const held = new Map<string, string>()
  const digest = ({ path }: Entry) => {
    const found = digestAt(disk, join(folder, path))
    held.set(path, found)
    return found
  }
  const here = new Map(entries.map((entry) => [entry.path, entry]))
  const wanted = new Set(files.map((file) => file.path))
  const full = new Set(entries.flatMap((entry) => foldersOf(entry.path)))
  const others = entries
    .filter(({ path }) => !wanted.has(path) && !full.has(path))
    .map((entry) => ({ ...entry, change: changeOfOther(entry, digest, manifest) }))
  const staying = others.filter(({ change }) => change === 'keep')
  const ours = files.map((file) => {
    const entry = full.has(file.path) ? undefined : here.get(file.path)
    const blocked = staying.some((other) => isInTheWay(other, file.path))
    const change = blocked ? 'blocked' : changeOfFile(file, entry, digest, manifest)
    return { path: file.path, change }
  })
  const changes = [...ours, ...others.map(({ path, change }) => ({ path, change }))]
  return { changes: changes.sort((a, b) => compareText(a.path, b.path)), held }
}

function changeOfFile(
  file: RenderedFile,
  entry: Entry | undefined,
  digest: (entry: Entry) => string,
  manifest: Manifest,
): Change {
  if (!entry) return 'create'
  if (entry.kind !== 'file') return 'blocked'
  const found = digest(entry)
  const isSame = found === digestOf(file.content)
  return isSame ? 'same' : ownerChange[manifest.ownerOf(file.path, found)]
}

function changeOfOther(entry: Entry, digest: (entry: Entry) => string, manifest: Manifest): Change {
  if (entry.kind !== 'file' || !manifest.files.has(entry.path)) return 'keep'
  return manifest.ownerOf(entry.path, digest(entry)) === 'ours' ? 'remove' : 'keep'
}

/** A file, or a link, where a folder has to be; anything where a file has to be. */
function isInTheWay({ path, kind }: Entry, wanted: string): boolean {
  return (kind !== 'folder' && wanted.startsWith(`${path}/`)) || path.startsWith(`${wanted}/`)
}

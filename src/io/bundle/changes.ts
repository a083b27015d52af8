// Changes: what writing a bundle would do to each file of the folder it goes to.
import { join } from 'node:path'
import { compareText } from '../../model/finding.ts'
import type { RenderedFile } from '../../model/plan.ts'
import type { Disk } from './disk.ts'
import type { Manifest, Owner } from './manifest.ts'
import { manifestFile, readManifest } from './manifest.ts'
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

/** `entries` are those of `out`. In the order of the paths; of folders, only the empty ones. */
export function planChanges(
  disk: Disk,
  out: string,
  files: readonly RenderedFile[],
  entries: readonly Entry[],
): readonly FileChange[] {
  const read = (path: string) => disk.read(join(out, path))
  const here = new Map(entries.map((entry) => [entry.path, entry]))
  const manifest =
    here.get(manifestFile)?.kind === 'file' ? readManifest(read(manifestFile)) : undefined
  const wanted = new Set(files.map((file) => file.path))
  const full = new Set(entries.flatMap((entry) => foldersOf(entry.path)))
  const others = entries
    .filter(({ path }) => !wanted.has(path) && !full.has(path))
    .map((entry) => ({ ...entry, change: changeOfOther(entry, read, manifest) }))
  const staying = others.filter(({ change }) => change === 'keep')
  const ours = files.map((file) => {
    const entry = full.has(file.path) ? undefined : here.get(file.path)
    const blocked = staying.some((other) => isInTheWay(other, file.path))
    const change = blocked ? 'blocked' : changeOfFile(file, entry, read, manifest)
    return { path: file.path, change }
  })
  return [...ours, ...others.map(({ path, change }) => ({ path, change }))].sort((a, b) =>
    compareText(a.path, b.path),
  )
}

function changeOfFile(
  { path, content }: RenderedFile,
  entry: Entry | undefined,
  read: (path: string) => Uint8Array,
  manifest: Manifest | undefined,
): Change {
  if (!entry) return 'create'
  if (entry.kind !== 'file') return 'blocked'
  const held = read(path)
  if (Buffer.compare(held, content) === 0) return 'same'
  return ownerChange[manifest?.ownerOf(path, held) ?? 'foreign']
}

function changeOfOther(
  { path, kind }: Entry,
  read: (path: string) => Uint8Array,
  manifest: Manifest | undefined,
): Change {
  if (kind !== 'file' || !manifest?.files.has(path)) return 'keep'
  return manifest.ownerOf(path, read(path)) === 'ours' ? 'remove' : 'keep'
}

/** A file, or a link, where a folder has to be; anything where a file has to be. */
function isInTheWay({ path, kind }: Entry, wanted: string): boolean {
  return (kind !== 'folder' && wanted.startsWith(`${path}/`)) || path.startsWith(`${wanted}/`)
}

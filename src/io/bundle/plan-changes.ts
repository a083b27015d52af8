// Reads the folder of a bundle, and plans the change of each file.
import { type Stats, readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { compareText } from '../../model/finding.ts'
import type { RenderedFile } from '../../model/plan.ts'
import { digestOf } from '../../render/digest.ts'
import { codeOf, lstat, readAtMost } from '../disk.ts'
import { joined, manifestFiles, manifestsIn } from '../bundle-manifest.ts'
import { isWithinFolder, realPath } from '../real-path.ts'
import { isStaged } from './staging.ts'

/** Node.js decodes bytes that are not UTF-8 to this character. */
const replacementCharacter = '\ufffd'

export type Change =
  | 'create'
  | 'same'
  | 'replace'
  /** Written by winnode, modified by hand since: overwritten only with --force. */
  | 'edited'
  /** Not written by winnode, at a path of the bundle: overwritten only with --force. */
  | 'foreign'
  /** The path is a folder, a link or a device: never overwritten. */
  | 'blocked'
  /** Unmodified since winnode wrote it, and no longer part of the bundle. */
  | 'remove'
  /** Not written by winnode, or modified by hand, at a path that the bundle does not use. */
  | 'keep'

export interface FileChange {
  readonly path: string
  readonly change: Change
}

export interface WriteRequest {
  /** As typed on the command line. */
  readonly out: string
  readonly cwd: string
  /** Overwrite `edited` and `foreign` files. */
  readonly force?: boolean
}

export interface Refused {
  readonly kind: 'refused'
  /** Predicate of a message whose subject is the folder. */
  readonly reason: string
}

export interface Planned {
  readonly kind: 'planned'
  /** Sorted by path; files and empty folders. */
  readonly changes: readonly FileChange[]
  /** Changes that prevent the write. */
  readonly conflicts: readonly FileChange[]
  /** Paths of leftovers from dead runs that contain files of others. */
  readonly leftovers: readonly string[]
  /** Content of the files that were read, by path; `undefined` for a file beyond the size limit. */
  readonly contentsRead: ReadonlyMap<string, Uint8Array | undefined>
  readonly top: Stats | undefined
  /** By path in the folder, with forward slashes; `undefined` for a name that is not UTF-8. */
  readonly entries: ReadonlyMap<string, Stats | undefined>
  /** Folders of files that winnode wrote. */
  readonly ownFolders: readonly string[]
}

/** Another program changed the folder after it was read. */
export class Changed extends Error {}

/** Most entries that are read: far above any bundle, far below a home folder given by mistake. */
const entryLimit = 10_000
const needsOwn = 'a bundle needs a separate folder'

export function pathOf({ out, cwd }: WriteRequest): string {
  return resolve(cwd, out)
}

interface Place {
  /** Contains the current bundle. */
  readonly folder: string
  /** Staging folders of dead runs, whose manifests also list files of the folder. */
  readonly begun: readonly string[]
  /** Name prefixes of locks and staging folders, which are not part of the bundle. */
  readonly except: readonly string[]
}

/** Read-only. */
export function planChanges(
  files: readonly RenderedFile[],
  request: WriteRequest,
  { folder, begun, except }: Place,
): Planned | Refused {
  const reason = refusalOf(request)
  if (reason !== undefined) return { kind: 'refused', reason }
  const top = lstat(folder)
  const entries = top ? entriesOf(folder) : new Map<string, Stats | undefined>()
  if (entries.size > entryLimit)
    return { kind: 'refused', reason: `holds more than ${entryLimit} files; ${needsOwn}` }
  for (const path of entries.keys())
    if (except.some((name) => path.startsWith(name))) entries.delete(path)
  const manifest = joined([folder, ...begun].flatMap(manifestsIn))
  const wanted = new Set(files.map(({ path }) => path))
  const another = [...entries.keys()].find(
    (path) =>
      manifestFiles.includes(basename(path)) &&
      path.includes('/') &&
      !isStaged(path) &&
      !wanted.has(path) &&
      !manifest.files.has(path) &&
      holdsBundle(join(folder, dirname(path))),
  )
  if (another !== undefined)
    return { kind: 'refused', reason: `holds another bundle, in ${dirname(another)}; ${needsOwn}` }
  const ownFolders = allFoldersOf([...manifest.files.keys()])
  const contentsRead = new Map<string, Uint8Array | undefined>()
  /** The digest is empty for a file beyond the size limit. */
  const read = (path: string) => {
    const content = readAtMost(join(folder, path))
    if (!isSame(lstat(join(folder, path)), entries.get(path))) throw new Changed()
    contentsRead.set(path, content)
    const digest = content ? digestOf(content) : ''
    return { digest, owner: manifest.ownerOf(path, content) }
  }
  /** Folders with content. An empty folder of winnode was emptied by a dead run, and does not count as an entry. */
  const full = new Set([...entries.keys()].flatMap(foldersOf))
  const isNoEntry = (path: string, stats: Stats | undefined) =>
    full.has(path) || (stats?.isDirectory() === true && ownFolders.includes(path))
  const others = [...entries]
    .filter(([path, stats]) => !wanted.has(path) && !isNoEntry(path, stats))
    .map(([path, stats]): FileChange => {
      const isListed = stats?.isFile() && manifest.files.has(path)
      return { path, change: isListed && read(path).owner === 'ours' ? 'remove' : 'keep' }
    })
  const staying = others.filter(({ change }) => change === 'keep').map(({ path }) => path)
  const changeOf = ({ path, content }: RenderedFile): Change => {
    const stats = entries.get(path)
    const isInTheWay = (other: string) =>
      other.startsWith(`${path}/`) ||
      (path.startsWith(`${other}/`) && !entries.get(other)?.isDirectory())
    if (staying.some(isInTheWay)) return 'blocked'
    if (entries.has(path) && !isNoEntry(path, stats)) {
      if (!stats?.isFile()) return 'blocked'
      const { digest, owner } = read(path)
      if (digest === digestOf(content)) return 'same'
      return owner === 'ours' ? 'replace' : owner
    }
    // On a case-insensitive disk, the name exists in another case.
    return !entries.has(path) && lstat(join(folder, path)) ? 'blocked' : 'create'
  }
  const changes = [...files.map((file) => ({ path: file.path, change: changeOf(file) })), ...others]
  changes.sort((a, b) => compareText(a.path, b.path))
  const inTheWay = new Set<Change>(request.force ? ['blocked'] : ['blocked', 'edited', 'foreign'])
  const conflicts = changes.filter(({ change }) => inTheWay.has(change))
  return {
    kind: 'planned',
    changes,
    conflicts,
    leftovers: [],
    contentsRead,
    top,
    entries,
    ownFolders,
  }
}

/** Whether the folder is up to date. */
export function isWritten({ changes }: Planned): boolean {
  return !changes.some(differs)
}

/** The write would change it. */
export function differs({ change }: FileChange): boolean {
  return change !== 'same' && change !== 'keep'
}

/** Lists folders before their contents, without following links. Stops beyond the limit. */
export function entriesOf(folder: string): Map<string, Stats | undefined> {
  const entries = new Map<string, Stats | undefined>()
  const walk = (below: string) => {
    for (const name of readdirSync(join(folder, below)).sort(compareText)) {
      const stats = lstat(join(folder, below, name))
      if (!stats && !name.includes(replacementCharacter)) throw new Changed()
      entries.set(below + name, stats)
      if (entries.size > entryLimit) return
      if (stats?.isDirectory()) walk(`${below}${name}/`)
    }
  }
  walk('')
  return entries
}

/** Whether both are the same unmodified file, by inode, size and time. */
export function isSame(now: Stats | undefined, before: Stats | undefined): boolean {
  const facts = (stats: Stats | undefined) => [stats?.dev, stats?.ino, stats?.size, stats?.mtimeMs]
  return facts(now).join() === facts(before).join()
}

/** The parent folders of a path: `a` and `a/b` of `a/b/c`. */
export function foldersOf(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** The distinct folders of all paths, parents first. */
export function allFoldersOf(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap(foldersOf))].sort(compareText)
}

/** Why nothing is written there, as the rest of a sentence that starts with the folder. */
function refusalOf(request: WriteRequest): string | undefined {
  const path = pathOf(request)
  const cwd = realPath(request.cwd) ?? request.cwd
  const found = lstat(path)
  if (dirname(path) === path) return 'is the root of a disk'
  if (isWithinFolder(cwd, realPath(path) ?? path))
    return `is the current folder, or holds it; ${needsOwn}`
  // Node decodes bytes that are not UTF-8 as U+FFFD, so the path would name another file.
  if (path.includes(replacementCharacter)) return 'has a name that is not UTF-8'
  if (found?.isSymbolicLink()) return 'is a link'
  if (found && !found.isDirectory()) return 'is not a folder'
  let above = dirname(path)
  while (!lstat(above) && dirname(above) !== above) above = dirname(above)
  const stats = lstat(above)
  if (!stats?.isDirectory() && !stats?.isSymbolicLink())
    return `cannot be made: ${above} is not a folder`
  for (let outer = realPath(above) ?? above; ; outer = dirname(outer)) {
    if (holdsBundle(outer)) return `is inside ${outer}, which holds a bundle; ${needsOwn}`
    if (dirname(outer) === outer) return undefined
  }
}

/** A manifest alone is a copy of one, and a file that this user cannot read is another user's. */
function holdsBundle(folder: string): boolean {
  const isBeside = (path: string) =>
    !manifestFiles.includes(path) && lstat(join(folder, path)) !== undefined
  try {
    return manifestsIn(folder).some(({ files }) => [...files.keys()].some(isBeside))
  } catch (error) {
    if (['EACCES', 'EPERM'].includes(codeOf(error) ?? '')) return false
    throw error
  }
}

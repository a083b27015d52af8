// Writes the planned changes to a folder that this run has locked.
import {
  closeSync,
  fsync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFile,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { RenderedFile } from '../../model/plan.ts'
import type { FolderState } from '../disk-error.ts'
import { ignoreErrors, codeOf, lstat, readAtMost } from '../disk.ts'
import { joined, manifestFiles, manifestsIn } from '../bundle-manifest.ts'
import { Stopped, isDeadRun } from './lock.ts'
import type { Planned } from './plan-changes.ts'
import { allFoldersOf, Changed, entriesOf, foldersOf, isSame } from './plan-changes.ts'

export interface Work {
  readonly out: string
  /** Path prefix of the lock and of staging folders. */
  readonly base: string
  readonly id: string
  readonly shouldContinue: () => Promise<boolean>
  /** Current state of the folder. */
  now: FolderState
}

/** Leftovers of a dead run beside the folder. */
interface Left {
  readonly path: string
  /** The run died between its two renames: the new bundle in staging is complete, and the folder is missing. */
  readonly isHalf: boolean
}

/**
 * Lists lock guards and staging folders of dead runs. A staging folder contains `new`, the new files not yet moved, and
 * `old`, the replaced bundle.
 */
export function leftBeside(out: string, base: string): readonly Left[] {
  const [folder, prefix] = [dirname(base), basename(base)]
  const names = lstat(folder) ? readdirSync(folder) : []
  // The name of a guard is the name of the lock, then the run id.
  const idIn = (name: string) =>
    /^(?:-|\.lock\.(?:[\w.-]+\.)?)([\w-]+)$/.exec(name.slice(prefix.length))?.[1] ?? ''
  return names
    .filter((name) => name.startsWith(prefix) && isDeadRun(idIn(name)))
    .map((name) => {
      const path = join(folder, name)
      const isHalf = !lstat(out) && lstat(join(path, 'old')) && lstat(join(path, 'new'))
      return { path, isHalf: Boolean(isHalf) }
    })
}

/** Deletes moved files only if winnode wrote them, or if they are the same in `out`. */
export function remove(staging: string, out: string): void {
  if (lstat(staging)?.isFile())
    ignoreErrors(() => {
      unlinkSync(staging)
    })
  ignoreErrors(() => {
    inside([staging], isClosed, () => {
      rmSync('new', { recursive: true, force: true })
      const manifest = joined(['old', out].flatMap(manifestsIn))
      const entries = lstat('old') ? entriesOf('old') : new Map<string, undefined>()
      // The manifest goes last: without it, later runs could not identify winnode's files.
      for (const path of manifestsLast([...entries.keys()].reverse()))
        ignoreErrors(() => {
          const at = join('old', path)
          const stats = entries.get(path)
          const content = stats?.isFile() ? readAtMost(at) : undefined
          if (stats?.isDirectory()) rmdirSync(at)
          else if (content && manifest.ownerOf(path, content) === 'ours') unlinkSync(at)
        })
      ignoreErrors(() => {
        rmdirSync('old')
      })
    })
    rmdirSync(staging)
  })
}

function manifestsLast(paths: readonly string[]): readonly string[] {
  const isLast = (path: string) => Number(manifestFiles.includes(path))
  return paths.toSorted((a, b) => isLast(a) - isLast(b))
}

/** Whether only this user has access. */
function isClosed({ uid, mode }: Stats): boolean {
  return process.geteuid === undefined || (uid === process.geteuid() && (mode & 0o077) === 0)
}

/**
 * Writes the new bundle into a staging folder, then swaps both folders if `out` contains only files of winnode, so that a
 * complete bundle exists at any time. Otherwise moves the files one by one.
 */
export async function write(
  work: Work,
  files: readonly RenderedFile[],
  plan: Planned,
): Promise<void> {
  const staging = `${work.base}-${work.id}`
  const { top, entries } = plan
  mkdirSync(staging, { mode: 0o700 })
  try {
    const open = inside([staging], isClosed, () => {
      for (const path of ['', ...allFoldersOf(files.map((file) => file.path))])
        mkdirSync(join('new', path), { mode: (path === '' ? top : entries.get(path))?.mode })
      return files.map(({ path, content }) => {
        return { file: openNew(join('new', path), entries.get(path)), content }
      })
    })
    await writeAll(open)
    if (!(await work.shouldContinue())) throw new Stopped()
    if (!isWhollyOurs(plan, work) || !swap(staging, work, plan)) moveIn(staging, work, files, plan)
  } finally {
    // After a partial move, the next run needs the staged manifest to identify winnode's files.
    if (work.now !== 'part') remove(staging, work.out)
  }
}

/** Whether the folder holds only files of winnode that belong to this user, on one disk. */
function isWhollyOurs({ changes, top, entries }: Planned, { out, base }: Work): boolean {
  const user = process.geteuid?.() ?? top?.uid
  return (
    dirname(base) === dirname(out) &&
    !changes.some(({ change }) => /^(?:keep|foreign|edited)$/.test(change)) &&
    [top, ...entries.values()].every((one) => one?.dev === top?.dev && (!top || one?.uid === user))
  )
}

/** False if the system cannot rename such a folder. */
function swap(staging: string, work: Work, { top, entries }: Planned): boolean {
  const out = join('..', basename(work.out))
  return inside([staging], isClosed, () => {
    if (top && !isMoved(out, 'old')) return false
    try {
      const found = top && lstat('old')?.isDirectory() ? [...entriesOf('old')] : []
      const isKnown = ([path, now]: (typeof found)[number]) => isSame(now, entries.get(path))
      if (found.length !== entries.size || !found.every(isKnown)) throw new Changed()
      renameSync('new', out)
    } catch (error) {
      if (top) renameSync('old', out)
      throw error
    }
    work.now = 'new'
    return true
  })
}

/** Renames; false for a mount point, an overlay, or a folder with an open file on Windows. */
function isMoved(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (/^(?:EACCES|EBUSY|EPERM|EXDEV)$/.test(codeOf(error) ?? '')) return false
    throw error
  }
}

/** Moves finished files one by one into a folder that also holds other files; the manifest last. */
function moveIn(
  staging: string,
  work: Work,
  files: readonly RenderedFile[],
  { changes, top, entries, ownFolders }: Planned,
): void {
  const kinds = new Map(changes.map(({ path, change }) => [path, change]))
  const changed = files.map(({ path }) => path).filter((path) => kinds.get(path) !== 'same')
  const put = manifestsLast(changed)
  const removed = changes.filter(({ change }) => change === 'remove').map(({ path }) => path)
  const folders = new Map([['', top && idOf(top)]])
  for (const [path, stats] of entries) if (stats?.isDirectory()) folders.set(path, idOf(stats))
  /** Calls `use` with the base name, in the parent folder; throws `Changed` if a folder is not the planned one. */
  const at = <T>(path: string, use: (name: string) => T) => {
    const steps = ['', ...foldersOf(path)]
    const names = steps.map((folder) => (folder === '' ? work.out : basename(folder)))
    const isPlanned = (stats: Stats, step: number) => idOf(stats) === folders.get(steps[step] ?? '')
    return inside(names, isPlanned, () => use(basename(path)))
  }
  /** Throws if the file was modified after planning, such as by an editor. */
  const check = (path: string, name: string) => {
    const before = entries.get(path)
    if (!isSame(lstat(name), before?.isFile() ? before : undefined)) throw new Changed()
  }
  const change = (path: string, act: (name: string) => void) => {
    at(path, (name) => {
      check(path, name)
      act(name)
      work.now = 'part'
    })
  }
  for (const path of put)
    // Files in a new folder have nothing to compare with.
    if (foldersOf(path).every((folder) => folders.has(folder)) && !entries.get(path)?.isDirectory())
      at(path, (name) => {
        check(path, name)
      })
  for (const path of removed) change(path, unlinkSync)
  for (const folder of [...ownFolders].reverse())
    ignoreErrors(() => {
      at(folder, rmdirSync)
      folders.delete(folder)
    })
  for (const path of put) {
    for (const folder of foldersOf(path).filter((one) => !folders.has(one)))
      at(folder, (name) => {
        mkdirSync(name)
        folders.set(folder, idOf(lstatSync(name)))
        work.now = 'part'
      })
    change(path, (name) => {
      renameSync(join(staging, 'new', path), name)
    })
  }
  work.now = 'new'
}

function idOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`
}

/**
 * Changes into each folder in turn, checks it, and calls `use` in the last one. A link that replaces a folder meanwhile
 * cannot redirect relative names. All other paths of the writer are absolute.
 */
function inside<T>(
  folders: readonly string[],
  fits: (stats: Stats, step: number) => boolean,
  use: () => T,
): T {
  const home = process.cwd()
  try {
    for (const [step, folder] of folders.entries()) {
      process.chdir(folder)
      if (!fits(statSync('.'), step)) throw new Changed()
    }
    return use()
  } finally {
    // Fails if this user may not enter the folder again.
    ignoreErrors(() => {
      process.chdir(home)
    })
  }
}

/** With the permissions of the file that it replaces. */
function openNew(name: string, before: Stats | undefined): number {
  return openSync(name, 'wx', before?.isFile() ? before.mode & 0o777 : 0o666)
}

/** Concurrently, as each waits for the disk: one by one they take as long as the rest of a render. */
async function writeAll(
  open: readonly { readonly file: number; readonly content: Uint8Array }[],
): Promise<void> {
  const ends = await Promise.allSettled(
    open.map(async ({ file, content }) => {
      await promisify(writeFile)(file, content)
      await promisify(fsync)(file)
    }),
  )
  for (const { file } of open) closeSync(file)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

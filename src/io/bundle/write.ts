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
import { digestOf } from '../../render/digest.ts'
import type { Now } from '../disk-error.ts'
import { attempt, codeOf, look, readAtMost } from '../disk.ts'
import { joined, manifestFiles, manifestsIn } from '../manifest.ts'
import { GivenUp, standingOf } from './lock.ts'
import type { Planned } from './survey.ts'
import { allFoldersOf, Changed, entriesOf, foldersOf, isSame } from './survey.ts'

export interface Work {
  readonly out: string
  /** Begins the names of the lock and of staging folders. */
  readonly base: string
  readonly id: string
  readonly goOn: () => Promise<boolean>
  /** The state of the folder if the work ends now. */
  now: Now
}

/** Leftovers of a dead run beside the folder. */
interface Left {
  readonly path: string
  /** It died between its two renames: the new bundle in it is whole, and takes the place of none. */
  readonly isHalf: boolean
}

/**
 * Guards of locks, and staging folders: `new` in them holds the files of a new bundle that are not in their place yet,
 * `old` the bundle that the new one replaces as a whole.
 */
export function leftBeside(out: string, base: string): readonly Left[] {
  const names = look(dirname(base)) ? readdirSync(dirname(base)) : []
  // A guard of a lock has the name of the lock before its id.
  const idOfName = (name: string) =>
    /^-([\w-]+)$|^\.lock\.(?:[\w.-]+\.)?([\w-]+)$/.exec(name.slice(basename(base).length))
  return names
    .filter((name) => {
      const found = name.startsWith(basename(base)) ? idOfName(name) : null
      return standingOf(found?.[1] ?? found?.[2] ?? '') === 'dead'
    })
    .map((name) => {
      const path = join(dirname(base), name)
      const isHalf = !look(out) && look(join(path, 'old')) && look(join(path, 'new'))
      return { path, isHalf: Boolean(isHalf) }
    })
}

/** Deletes moved files only if winnode wrote them, or if they are the same in `out`. */
export function remove(staging: string, out: string): void {
  if (look(staging)?.isFile())
    attempt(() => {
      unlinkSync(staging)
    })
  attempt(() => {
    inside([staging], isClosed, () => {
      rmSync('new', { recursive: true, force: true })
      const manifest = joined(['old', out].flatMap(manifestsIn))
      const entries = [...(look('old') ? entriesOf('old') : [])].reverse()
      // Without the manifest, later runs could not recognize winnode's files.
      for (const [path, stats] of manifestsLast(entries, ([name]) => name))
        attempt(() => {
          const at = join('old', path)
          const content = stats?.isFile() ? readAtMost(at) : undefined
          if (stats?.isDirectory()) rmdirSync(at)
          else if (content && manifest.ownerOf(path, digestOf(content)) === 'ours') unlinkSync(at)
        })
      attempt(() => {
        rmdirSync('old')
      })
    })
    rmdirSync(staging)
  })
}

function manifestsLast<T>(items: readonly T[], pathOf: (item: T) => string): readonly T[] {
  const isLast = (item: T) => Number(manifestFiles.includes(pathOf(item)))
  return [...items].sort((a, b) => isLast(a) - isLast(b))
}

/** No other user can change its content. */
function isClosed({ uid, mode }: Stats): boolean {
  return process.geteuid === undefined || (uid === process.geteuid() && (mode & 0o077) === 0)
}

/**
 * Completes the new bundle in a staging folder, and swaps it with a folder that is wholly winnode's: at each moment, one
 * of the two holds a whole bundle. Into a folder with other things in it, it moves file by file.
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
      return files.map(({ path }) => openNew(join('new', path), entries.get(path)))
    })
    await writeAll(open, files)
    if (!(await work.goOn())) throw new GivenUp()
    if (!isWhollyOurs(plan, work) || !swap(staging, work, plan)) moveIn(staging, work, files, plan)
  } finally {
    // If only a part is in place, its manifest lets the next run recognize winnode's files.
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
      const found = top && look('old')?.isDirectory() ? [...entriesOf('old')] : []
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

/** Not a mount, a layer over another folder, or one in which a program of Windows has a file open. */
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
  const put = manifestsLast(changed, (path) => path)
  const removed = changes.filter(({ change }) => change === 'remove').map(({ path }) => path)
  const folders = new Map([['', top && idOf(top)]])
  for (const [path, stats] of entries) if (stats?.isDirectory()) folders.set(path, idOf(stats))
  /** Calls `use` with the last part of the path, in the folder that the plan has seen. */
  const at = <T>(path: string, use: (name: string) => T) => {
    const way = ['', ...foldersOf(path)]
    const names = way.map((folder) => (folder === '' ? work.out : basename(folder)))
    const isPlanned = (stats: Stats, step: number) => idOf(stats) === folders.get(way[step] ?? '')
    return inside(names, isPlanned, () => use(basename(path)))
  }
  /** An editor may have saved the file meanwhile. */
  const check = (path: string, name: string) => {
    const before = entries.get(path)
    if (!isSame(look(name), before?.isFile() ? before : undefined)) throw new Changed()
  }
  const change = (path: string, act: (name: string) => void) => {
    at(path, (name) => {
      check(path, name)
      act(name)
      work.now = 'part'
    })
  }
  for (const path of put)
    // A new folder has nothing to compare yet.
    if (foldersOf(path).every((folder) => folders.has(folder)) && !entries.get(path)?.isDirectory())
      at(path, (name) => {
        check(path, name)
      })
  for (const path of removed) change(path, unlinkSync)
  for (const folder of [...ownFolders].reverse())
    attempt(() => {
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
 * Calls `use` in the last of the folders, each of which is in the one before: relative names cannot be led
 * elsewhere by a link that takes the place of a folder meanwhile. All other paths of the writer are absolute.
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
    // Fails where this user may be, but may not come again.
    attempt(() => {
      process.chdir(home)
    })
  }
}

/** With the permissions of the file that it replaces. */
function openNew(name: string, before: Stats | undefined): number {
  return openSync(name, 'wx', before?.isFile() ? before.mode & 0o777 : 0o666)
}

/** Concurrently, as each waits for the disk: one by one they take as long as the rest of a render. */
async function writeAll(open: readonly number[], files: readonly RenderedFile[]): Promise<void> {
  const ends = await Promise.allSettled(
    files.map(async ({ content }, at) => {
      await promisify(writeFile)(open[at] ?? -1, content)
      await promisify(fsync)(open[at] ?? -1)
    }),
  )
  for (const file of open) closeSync(file)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

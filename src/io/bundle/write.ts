// Write: carries out what was planned for a folder that this run has locked.
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
import { allFoldersOf, Changed, entriesOf, foldersOf, isSame, stagedName } from './survey.ts'

export interface Work {
  readonly out: string
  /** Begins the names of the lock and of staging folders. */
  readonly base: string
  readonly id: string
  readonly goOn: () => Promise<boolean>
  /** What is there if the work ends now. */
  now: Now
}

/**
 * What dead runs left: guards of locks, and staging folders: `new` in them is a new bundle, `old` what it takes the place of. A run that died
 * between its two renames left `isHalf`.
 */
export function stagingBeside(out: string, base: string) {
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

/** Completes the swap of a dead run, and clears away what dead runs left beside the folder. */
export function recover(out: string, base: string): void {
  for (const { path, isHalf } of stagingBeside(out, base)) {
    if (isHalf) renameSync(join(path, 'new'), out)
    remove(path, out)
  }
}

/** Of what was moved away, only files as winnode wrote them, or as they are in `out`. */
function remove(staging: string, out: string): void {
  if (look(staging)?.isFile())
    attempt(() => {
      unlinkSync(staging)
    })
  attempt(() => {
    inside([staging], isClosed, () => {
      rmSync('new', { recursive: true, force: true })
      const manifest = joined(['old', out].flatMap(manifestsIn))
      const entries = [...(look('old') ? entriesOf('old') : [])].reverse()
      // Without its manifest, nobody could tell later what is winnode's.
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

/** Nobody else can change what is in it. */
function isClosed({ uid, mode }: Stats): boolean {
  return process.geteuid === undefined || (uid === process.geteuid() && (mode & 0o077) === 0)
}

/** All that is in the folder is winnode's and this user's, and on one disk. */
export function isWhollyOurs(plan: Planned, { out, base }: Work): boolean {
  const { changes, top, entries, stale } = plan
  const user = process.geteuid?.() ?? top?.uid
  return (
    dirname(base) === dirname(out) &&
    stale.length === 0 &&
    !changes.some(({ change }) => /^(?:keep|foreign|edited)$/.test(change)) &&
    [top, ...entries.values()].every((one) => one?.dev === top?.dev && (!top || one?.uid === user))
  )
}

/**
 * Completes the new bundle in a staging folder and puts it in its place: at each moment, `out` or the staging
 * folder holds a whole bundle. False where the system does not move such folders.
 */
export async function swap(
  work: Work,
  files: readonly RenderedFile[],
  { top, entries }: Planned,
): Promise<boolean> {
  const staging = `${work.base}-${work.id}`
  const out = join('..', basename(work.out))
  mkdirSync(staging, { mode: 0o700 })
  try {
    const open = inside([staging], isClosed, () => {
      for (const path of ['', ...allFoldersOf(files.map((file) => file.path))])
        mkdirSync(join('new', path), { mode: (path === '' ? top : entries.get(path))?.mode })
      return files.map(({ path }) => openNew(join('new', path), entries.get(path)))
    })
    await writeAll(open, files)
    if (!(await work.goOn())) throw new GivenUp()
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
  } finally {
    remove(staging, work.out)
  }
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

/** Puts finished files one by one into a folder that holds other things too, the manifest last. */
export async function replace(
  work: Work,
  files: readonly RenderedFile[],
  { changes, top, entries, stale, ownFolders }: Planned,
): Promise<void> {
  const { out, id } = work
  const kinds = new Map(changes.map(({ path, change }) => [path, change]))
  const changed = files.filter(({ path }) => kinds.get(path) !== 'same')
  const put = manifestsLast(changed, ({ path }) => path)
  const removed = changes.filter(({ change }) => change === 'remove').map(({ path }) => path)
  const becomesFolder = (path: string) => put.some((file) => file.path.startsWith(`${path}/`))
  if (!top) mkdirSync(out)
  const folders = new Map([['', idOf(top ?? lstatSync(out))]])
  for (const [path, stats] of entries) if (stats?.isDirectory()) folders.set(path, idOf(stats))
  /** Calls `use` with the last part of the path, in the folder that the plan has seen. */
  const at = <T>(path: string, use: (name: string) => T) => {
    const way = ['', ...foldersOf(path)]
    const names = way.map((folder) => (folder === '' ? out : basename(folder)))
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
  const drop = (path: string, act: (name: string) => void) => {
    attempt(() => {
      at(path, act)
    })
  }
  const isList = (path: string) =>
    manifestFiles.some((name) => path.startsWith(stagedName(name, '')))
  const made: string[] = []
  try {
    for (const path of removed.filter(becomesFolder)) change(path, unlinkSync)
    const open = put.map(({ path }) => {
      for (const folder of foldersOf(path).filter((one) => !folders.has(one))) {
        at(folder, (name) => {
          mkdirSync(name)
          folders.set(folder, idOf(lstatSync(name)))
        })
        made.push(folder)
      }
      return at(path, (name) => openNew(stagedName(name, id), entries.get(path)))
    })
    await writeAll(open, put)
    if (!(await work.goOn())) throw new GivenUp()
    for (const { path } of put)
      if (!entries.get(path)?.isDirectory())
        at(path, (name) => {
          check(path, name)
        })
    for (const path of removed) if (!becomesFolder(path)) change(path, unlinkSync)
    for (const path of stale) if (!isList(path)) drop(path, unlinkSync)
    for (const folder of [...ownFolders].reverse()) drop(folder, rmdirSync)
    for (const { path } of put)
      change(path, (name) => {
        renameSync(stagedName(name, id), name)
      })
    work.now = 'new'
    for (const path of stale) drop(path, unlinkSync)
  } finally {
    // Of a part, the staged manifest tells the next run which files are winnode's.
    if (work.now !== 'part' && work.now !== 'new') {
      for (const { path } of put) drop(stagedName(path, id), unlinkSync)
      for (const folder of made.reverse()) drop(folder, rmdirSync)
      if (!top)
        attempt(() => {
          rmdirSync(out)
        })
    }
  }
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

/** With the rights of the file that it takes the place of. */
function openNew(name: string, before: Stats | undefined): number {
  return openSync(name, 'wx', before?.isFile() ? before.mode & 0o777 : 0o666)
}

/** All at once, as each waits for the disk: one after the other they take as long as the rest of a render. */
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

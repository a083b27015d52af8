// Disk: the few things that writing does to a disk, behind one seam.
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import type { Held } from './hold.ts'
import { hold } from './hold.ts'
import { mounts } from './mounts.ts'

export type Kind = 'file' | 'folder' | 'link' | 'other'

export interface Look {
  readonly kind: Kind
  /** Differs from that of the folder around it where a disk is mounted. */
  readonly device: number
  /** Bytes. */
  readonly size: number
  /** When its content changed last, in milliseconds since 1970. */
  readonly changed: number
  /** Numbers of the user and of the group, and the bits of their rights; without meaning on Windows. */
  readonly owner: number
  readonly group: number
  readonly mode: number
}

export interface Disk {
  /** Follows no link; `undefined` where nothing is. */
  readonly look: (path: string) => Look | undefined
  /** A name that is not UTF-8 comes with stand-ins, so that nothing is found under it. */
  readonly list: (folder: string) => readonly string[]
  readonly read: (file: string) => Uint8Array
  /** Whether this run may make and remove entries of the folder. */
  readonly mayChange: (folder: string) => boolean
  /** A new one; `mode` are the bits of its rights, where they are not the usual ones. */
  readonly makeFolder: (path: string, mode?: number) => void
  /** A new file, which survives a loss of power; `mode` as for folders. */
  readonly write: (file: string, content: Uint8Array, mode?: number) => void
  /** The same file at a second path, where nothing may be. */
  readonly carry: (from: string, to: string) => void
  /** A file takes the place of a file. */
  readonly rename: (from: string, to: string) => void
  readonly removeFile: (path: string) => void
  /** An empty one. */
  readonly removeFolder: (path: string) => void
  /** Lets the entries of a folder survive a loss of power. */
  readonly sync: (folder: string) => void
  /**
   * Another path to a folder, which leads to this one whatever somebody puts in its place. Throws for a
   * link. On systems that have no such thing the path itself.
   */
  readonly hold: (folder: string) => Held
  /** Where something is mounted, without links; a folder on its own disk shows only its `device`. */
  readonly mounts: () => readonly string[]
}

export const realDisk: Disk = {
  look,
  list: (folder) => readdirSync(folder),
  read: (file) => readFileSync(file),
  mayChange,
  makeFolder: (path, mode) => {
    // Nobody else comes in before the rights are set.
    mkdirSync(path, { mode: mode === undefined ? 0o777 : 0o700 })
    if (mode !== undefined) chmodSync(path, (mode & 0o7777) | 0o700)
  },
  write: (file, content, mode) =>
    withFile(file, 'wx', (open) => {
      if (mode !== undefined) fchmodSync(open, mode & 0o777)
      writeFileSync(open, content)
    }),
  carry,
  rename: renameSync,
  removeFile: unlinkSync,
  removeFolder: (path) => rmdirSync(path),
  sync: (folder) => {
    // Windows has no such thing for folders, and what may not be read cannot be asked for it.
    if (process.platform !== 'win32' && mayRead(folder)) withFile(folder, 'r', () => undefined)
  },
  hold,
  mounts,
}

function look(path: string): Look | undefined {
  const stats = statsOf(path)
  if (!stats) return undefined
  const kinds = [
    { kind: 'file', is: stats.isFile() },
    { kind: 'folder', is: stats.isDirectory() },
    { kind: 'link', is: stats.isSymbolicLink() },
  ] as const
  const kind = kinds.find(({ is }) => is)?.kind ?? 'other'
  const { dev: device, size, mtimeMs: changed, uid: owner, gid: group, mode } = stats
  return { kind, device, size, changed, owner, group, mode }
}

/** Below a file there is nothing, as where nothing is. */
function statsOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined
    throw error
  }
}

function mayChange(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

function mayRead(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** Windows has no such flag. */
const unfollowed = constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NOFOLLOW)

function carry(from: string, to: string): void {
  if (look(from)?.kind === 'link') {
    symlinkSync(readlinkSync(from), to)
    return
  }
  try {
    linkSync(from, to)
  } catch {
    // Another disk, or one without hard links.
    withFile(from, unfollowed, (open) => {
      const content = readFileSync(open)
      withFile(to, 'wx', (copy) => {
        fchmodSync(copy, fstatSync(open).mode & 0o777)
        writeFileSync(copy, content)
      })
    })
  }
}

function withFile(path: string, flags: number | 'r' | 'wx', use: (file: number) => void): void {
  const file = openSync(path, flags)
  try {
    use(file)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

// Disk: the few things that writing does to a disk, behind one seam.
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  statfsSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import type { Held } from './hold.ts'
import { hold } from './hold.ts'
import type { Mounted } from './mounts.ts'
import { mounts } from './mounts.ts'
import type { Rights } from './rights.ts'
import { give, makeFolder } from './rights.ts'

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
  /** Of two that stand at one path one after the other, each has another. */
  readonly id: number
}

export interface Disk extends Mounted {
  /** Follows no link; `undefined` where nothing is. */
  readonly look: (path: string) => Look | undefined
  /** A name that is not UTF-8 comes with stand-ins, so that nothing is found under it. */
  readonly list: (folder: string) => readonly string[]
  readonly read: (file: string) => Uint8Array
  /** Whether this run may make and remove entries of the folder. */
  readonly mayChange: (folder: string) => boolean
  /** A new one, and nobody else's. */
  readonly makeFolder: (path: string, rights?: Rights) => void
  /** A new file, which survives a loss of power. */
  readonly write: (file: string, content: Uint8Array, rights?: Rights) => void
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
  /** Whether it lies on a disk that is put over another, on which folders cannot be renamed. */
  readonly isLayered: (folder: string) => boolean
}

export const realDisk: Disk = {
  look,
  list: (folder) => readdirSync(folder),
  read: (file) => readFileSync(file),
  mayChange,
  makeFolder,
  write: (file, content, rights) =>
    withFile(file, 'wx', (open) => {
      if (rights) give(open, rights)
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
  isLayered: (folder) => process.platform === 'linux' && statfsSync(folder).type === overlay,
}

/** OVERLAYFS_SUPER_MAGIC: https://man7.org/linux/man-pages/man2/statfs.2.html */
const overlay = 0x794c7630

function look(path: string): Look | undefined {
  const stats = statsOf(path)
  if (!stats) return undefined
  const kinds = [
    { kind: 'file', is: stats.isFile() },
    { kind: 'folder', is: stats.isDirectory() },
    { kind: 'link', is: stats.isSymbolicLink() },
  ] as const
  const kind = kinds.find(({ is }) => is)?.kind ?? 'other'
  const { dev: device, size, mtimeMs: changed, uid: owner, gid: group, mode, ino: id } = stats
  return { kind, device, size, changed, owner, group, mode, id }
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
        give(copy, { mode: fstatSync(open).mode })
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

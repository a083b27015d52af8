// Disk: the few things that writing does to a disk, behind one seam.
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
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
  /** A new file, which survives a loss of power. */
  readonly write: (file: string, content: Uint8Array) => void
  /** The same file at a second path, where nothing may be. */
  readonly carry: (from: string, to: string) => void
  /** A file takes the place of a file. */
  readonly rename: (from: string, to: string) => void
  readonly removeFile: (path: string) => void
  /** An empty one. */
  readonly removeFolder: (path: string) => void
  /** Lets the entries of a folder survive a loss of power. */
  readonly sync: (folder: string) => void
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
  write: (file, content) => withFile(file, 'wx', (open) => writeFileSync(open, content)),
  carry,
  rename: renameSync,
  removeFile: unlinkSync,
  removeFolder: (path) => rmdirSync(path),
  sync: (folder) => {
    // Windows has no such thing for folders.
    if (process.platform !== 'win32') withFile(folder, 'r', () => undefined)
  },
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

function carry(from: string, to: string): void {
  if (look(from)?.kind === 'link') {
    symlinkSync(readlinkSync(from), to)
    return
  }
  try {
    linkSync(from, to)
  } catch {
    // Another disk, or one without hard links.
    copyFileSync(from, to, constants.COPYFILE_EXCL)
    withFile(to, 'r+', () => undefined)
  }
}

function withFile(path: string, flags: 'r' | 'r+' | 'wx', use: (file: number) => void): void {
  const file = openSync(path, flags)
  try {
    use(file)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

// Disk: the few things that writing does to a disk, behind one seam.
import {
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
}

export interface Disk {
  /** Follows no link; `undefined` where nothing is. */
  readonly look: (path: string) => Look | undefined
  readonly list: (folder: string) => readonly string[]
  readonly read: (file: string) => Uint8Array
  /** With the rights of the folder `like`, where there is one. */
  readonly makeFolder: (path: string, like: string) => void
  /** A new file, which survives a loss of power. */
  readonly write: (file: string, content: Uint8Array) => void
  /** The same file at a second path. */
  readonly carry: (from: string, to: string) => void
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
  makeFolder: (path, like) => {
    mkdirSync(path)
    const model = lstatSync(like, { throwIfNoEntry: false })
    if (model?.isDirectory()) chmodSync(path, (model.mode & 0o7777) | 0o700)
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
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats) return undefined
  const kinds = [
    { kind: 'file', is: stats.isFile() },
    { kind: 'folder', is: stats.isDirectory() },
    { kind: 'link', is: stats.isSymbolicLink() },
  ] as const
  const kind = kinds.find(({ is }) => is)?.kind ?? 'other'
  return { kind, device: stats.dev }
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

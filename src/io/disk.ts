// Inspects paths, opens files without blocking on a FIFO, a socket or a device, and sets permissions.
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
} from 'node:fs'

/** Bytes. Above any file of a bundle: winnode did not write a larger file, so it is not read. */
const readLimit = 16 * 1024 * 1024

const isWindows = process.platform === 'win32'
/** Without it, open(2) of a FIFO waits until another process writes to it. Windows lacks both flags. */
const nonBlocking = isWindows ? 0 : constants.O_NONBLOCK
const notFollowing = isWindows ? 0 : constants.O_NOFOLLOW

export const notRegular = 'it is not a regular file'

/** `undefined` if the path does not exist, also if a parent is a file. */
export function lstat(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return undefined
    throw error
  }
}

/** Whether this user can create and remove files in the folder. */
export function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The content of a file, but not of a link; `undefined` if it is not a regular file, or larger than the limit. */
export function readAtMost(file: string): Uint8Array | undefined {
  const open = openSync(file, constants.O_RDONLY | nonBlocking | notFollowing)
  try {
    const stats = fstatSync(open)
    return stats.isFile() && stats.size <= readLimit ? readFileSync(open) : undefined
  } finally {
    closeSync(open)
  }
}

/** The descriptor of a regular file or a folder; `undefined` for anything else. */
export function openRegular(path: string): number | undefined {
  const file = opened(path)
  if (file === undefined) return undefined
  const found = fstatSync(file)
  if (found.isFile() || found.isDirectory()) return file
  closeSync(file)
  return undefined
}

function opened(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | nonBlocking)
  } catch (error) {
    // A socket, or a device without a driver: https://man7.org/linux/man-pages/man2/open.2.html
    if (codeOf(error) === 'ENXIO') return undefined
    throw error
  }
}

/** The path of `<(command)` in a shell, and of standard input. */
export function isDescriptor(path: string): boolean {
  return /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/(?:self|\d+)\/fd\/\d+)$/.test(path)
}

/** Only root can change the owner, and only members can set a group: for other users both stay their own. */
export function setOwnerAndMode(open: number, { uid, gid, mode }: Partial<Stats>): void {
  const now = fstatSync(open)
  const [user, group] = [uid ?? now.uid, gid ?? now.gid]
  ignoreErrors(() => {
    if (user !== now.uid || group !== now.gid) fchownSync(open, user, group)
  })
  // Last, because chown clears the set-user-ID and set-group-ID bits.
  if (mode !== undefined) fchmodSync(open, mode & 0o7777)
}

/** The code of a system error, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/** For cleanup. Ignores errors: a later run retries, or the output lists the leftovers. */
export function ignoreErrors(work: () => void): void {
  try {
    work()
  } catch {
    // As above.
  }
}

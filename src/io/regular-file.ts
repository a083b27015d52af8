// Opens regular files without blocking on a FIFO, a socket or a device.
import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { codeOf } from './disk.ts'

export const notRegular = 'it is not a regular file'

/** Without O_NONBLOCK, which Windows lacks, open(2) of a FIFO waits until another process writes to it. */
const flags = constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NONBLOCK)

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
    return openSync(path, flags)
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

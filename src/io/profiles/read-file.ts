// Reads a file of the command line, or returns why it cannot be read.
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { codeOf, isDescriptor, notRegular, openRegular } from '../disk.ts'
import { causeOf } from '../disk-error.ts'
import { sizeLimit } from '../source/decode.ts'

export type FileRead = { readonly kind: 'read'; readonly bytes: Uint8Array } | Unread

export interface Unread {
  readonly kind: 'missing' | 'folder' | 'unreadable'
  readonly reason: string
  /** Replaces the remedy of the finding. */
  readonly remedy?: string | undefined
}

const missing: Unread = { kind: 'missing', reason: 'no such file' }
const folder: Unread = { kind: 'folder', reason: 'it is a folder' }

const kinds: Readonly<Record<string, Unread>> = {
  ENOENT: missing,
  ENOTDIR: missing,
  EISDIR: folder,
}

const rights = 'Give yourself the right to read it.'
const shorterPath = 'Give it a shorter path.'
const remedies: Readonly<Record<string, string>> = {
  EACCES: rights,
  EPERM: rights,
  ENAMETOOLONG: shorterPath,
}

/** Takes an absolute path, also the pipe of `<(command)`. Reads at most `limit` + 1 bytes. */
export function readFile(path: string, limit = sizeLimit): FileRead {
  return isDescriptor(path)
    ? withReason(() => readOpen(openSync(path, 'r'), limit))
    : readRegularFile(path, limit)
}

/** For a file that is read again later, which a pipe cannot be. */
export function readRegularFile(path: string, limit = sizeLimit): FileRead {
  return withReason(() => {
    const file = openRegular(path)
    return file === undefined ? { kind: 'unreadable', reason: notRegular } : readOpen(file, limit)
  })
}

/** A file of the program: in an executable it has a path, but open(2) fails. */
export function readShipped(path: string): FileRead {
  const found = withReason(() => ({ kind: 'read', bytes: readFileSync(path) }))
  const isTooLong = found.kind === 'unreadable' && found.remedy === shorterPath
  return isTooLong ? missing : found
}

function withReason(read: () => FileRead): FileRead {
  try {
    return read()
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined) throw error
    return kinds[code] ?? { kind: 'unreadable', reason: causeOf(error), remedy: remedies[code] }
  }
}

/** Reads at most `limit` + 1 bytes of standard input. */
export function readInput(limit = sizeLimit): FileRead {
  return withReason(() => readAll(standardInput, limit))
}

const standardInput = 0

function readOpen(file: number, limit: number): FileRead {
  try {
    if (fstatSync(file).isDirectory()) return folder
    return readAll(file, limit)
  } finally {
    closeSync(file)
  }
}

const chunkSize = 65_536

/** In chunks: memory for the limit would take longer than a small file. */
function readAll(file: number, limit: number): FileRead {
  const chunks: Uint8Array[] = []
  let left = limit + 1
  for (let read = -1; read !== 0 && left > 0; left -= read) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkSize, left))
    read = readSome(file, chunk)
    chunks.push(chunk.subarray(0, read))
  }
  return { kind: 'read', bytes: Buffer.concat(chunks) }
}

/** Like `readSync`, but also waits for a non-blocking pipe. */
export function readSome(file: number, buffer: Uint8Array): number {
  for (;;) {
    try {
      return readSync(file, buffer, 0, buffer.length, null)
    } catch (error) {
      const code = codeOf(error)
      // The end of a pipe on Windows: https://github.com/nodejs/node/issues/35997
      if (code === 'EOF') return 0
      if (code !== 'EAGAIN') throw error
      // EAGAIN: Node made the pipe non-blocking, and no data has arrived yet.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

// Writes a file atomically, with the owner and the permissions of the file that it replaces.
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { digestOf } from '../../render/digest.ts'
import { codeOf, give } from '../disk.ts'
import { causeOf } from '../disk-error.ts'

export type Saved =
  | { readonly kind: 'saved' }
  /** The file is not what the caller read: another program created, changed or removed it. */
  | { readonly kind: 'changed' }
  /** Another run writes the file, or was killed while it did: its lock file exists. */
  | { readonly kind: 'held'; readonly lock: string }
  /** The reason of a system error. */
  | { readonly kind: 'unsaved'; readonly cause: string }

/** `before` is the result of `digestAt` when the file was read: `undefined` without a file. */
export function save(file: string, text: string, before: string | undefined): Saved {
  try {
    return before === undefined ? make(file, text) : replace(file, text, before)
  } catch (thrown) {
    if (!(thrown instanceof Error) || !('syscall' in thrown)) throw thrown
    return { kind: 'unsaved', cause: causeOf(thrown) }
  }
}

function make(file: string, text: string): Saved {
  const open = opened(file, 0o666)
  if (open === undefined) return { kind: 'changed' }
  return completed(file, () => {
    write(open, text)
    return { kind: 'saved' }
  })
}

/**
 * Writes to a lock file and renames it, as git does with its index: of two runs that read the same text, the later one
 * finds the lock or another digest, so no change is lost.
 */
function replace(file: string, text: string, before: string): Saved {
  const lock = join(dirname(file), `.${basename(file)}.winnode`)
  const open = opened(lock, 0o600)
  if (open === undefined) return { kind: 'held', lock }
  return completed(lock, () => {
    write(open, text, statSync(file, { throwIfNoEntry: false }))
    if (digestAt(file) !== before) return { kind: 'changed' }
    renameSync(lock, file)
    return { kind: 'saved' }
  })
}

/** `undefined` if the path exists. */
function opened(path: string, mode: number): number | undefined {
  try {
    return openSync(path, 'wx', mode)
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') return undefined
    throw thrown
  }
}

/** Removes the file that this run created at `path` unless `work` saves it. */
function completed(path: string, work: () => Saved): Saved {
  let saved: Saved | undefined
  try {
    saved = work()
    return saved
  } finally {
    if (saved?.kind !== 'saved') rmSync(path, { force: true })
  }
}

function write(open: number, text: string, before?: Stats): void {
  try {
    writeFileSync(open, text)
    if (process.platform !== 'win32') give(open, before ?? {})
    fsyncSync(open)
  } finally {
    closeSync(open)
  }
}

/** `undefined` without a file; the error code if it cannot be read. */
export function digestAt(file: string): string | undefined {
  try {
    return digestOf(readFileSync(file))
  } catch (thrown) {
    const code = codeOf(thrown)
    if (code === undefined) throw thrown
    return code === 'ENOENT' ? undefined : code
  }
}

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
import { codeOf, setOwnerAndMode } from '../disk.ts'
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
  return attempt(() =>
    before === undefined ? make(file, text) : replaceAll([{ file, text, before }]),
  )
}

interface Replacement {
  readonly file: string
  readonly text: string
  /** The result of `digestAt` when the file was read. */
  readonly before: string
}

/** Replaces all of the files, or none. */
export function saveAll(replacements: readonly Replacement[]): Saved {
  return attempt(() => replaceAll(replacements))
}

function attempt(work: () => Saved): Saved {
  try {
    return work()
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
 * Writes to lock files and renames them, as git does with its index: of two runs that read the same text, the later one
 * finds a lock or another digest, so no change is lost.
 */
function replaceAll(
  [first, ...others]: readonly Replacement[],
  locked: readonly Replacement[] = [],
): Saved {
  if (!first) return renameAll(locked)
  const lock = lockOf(first)
  const open = opened(lock, 0o600)
  if (open === undefined) return { kind: 'held', lock }
  return completed(lock, () => {
    write(open, first.text, statSync(first.file, { throwIfNoEntry: false }))
    if (digestAt(first.file) !== first.before) return { kind: 'changed' }
    // To rename over a file needs no right to write to it.
    closeSync(openSync(first.file, 'r+'))
    return replaceAll(others, [...locked, first])
  })
}

function lockOf({ file }: Pick<Replacement, 'file'>): string {
  return join(dirname(file), `.${basename(file)}.winnode`)
}

/** Restores the files that it has replaced where a later one cannot be. */
function renameAll([first, ...others]: readonly Replacement[]): Saved {
  if (!first) return { kind: 'saved' }
  const { file } = first
  const old = readFileSync(file)
  renameSync(lockOf(first), file)
  try {
    return renameAll(others)
  } catch (thrown) {
    write(openSync(lockOf(first), 'wx', 0o600), old, statSync(file))
    renameSync(lockOf(first), file)
    throw thrown
  }
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

function write(open: number, text: string | Uint8Array, before?: Stats): void {
  try {
    writeFileSync(open, text)
    if (process.platform !== 'win32') setOwnerAndMode(open, before ?? {})
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

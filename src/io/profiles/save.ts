// Save: writes a profile's file, whole or not at all, with the owner and the rights of the one before.
import {
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { causeOf } from '../bundle/disk-error.ts'
import { give, type Rights } from '../bundle/rights.ts'

/** `taken` where a file came meanwhile that was not to be replaced. */
export type Saved = { readonly kind: 'saved' | 'taken' } | Unsaved

interface Unsaved {
  readonly kind: 'unsaved'
  /** What the disk says, in words. */
  readonly cause: string
}

export function save(file: string, text: string, replaces: boolean): Saved {
  return replaces ? replace(file, text) : make(file, text)
}

function make(file: string, text: string): Saved {
  try {
    write(file, text, {})
    return { kind: 'saved' }
  } catch (thrown) {
    return isTaken(thrown) ? { kind: 'taken' } : unsaved(thrown)
  }
}

function replace(file: string, text: string): Saved {
  const beside = `${file}.${process.pid}.new`
  try {
    write(beside, text, rightsOf(file))
    renameSync(beside, file)
    return { kind: 'saved' }
  } catch (thrown) {
    rmSync(beside, { force: true })
    return unsaved(thrown)
  }
}

function rightsOf(file: string): Rights {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats ? { owner: stats.uid, group: stats.gid, mode: stats.mode } : {}
}

/** What this call began and could not complete is gone. */
function write(file: string, text: string, rights: Rights): void {
  const open = openSync(file, 'wx', rights.mode === undefined ? 0o666 : 0o600)
  try {
    writeFileSync(open, text)
    if (process.platform !== 'win32') give(open, rights)
    fsyncSync(open)
  } catch (thrown) {
    rmSync(file, { force: true })
    throw thrown
  } finally {
    closeSync(open)
  }
}

function unsaved(thrown: unknown): Unsaved {
  if (!(thrown instanceof Error) || !('syscall' in thrown)) throw thrown
  return { kind: 'unsaved', cause: causeOf(thrown) }
}

function isTaken(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST'
}

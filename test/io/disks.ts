// Disks for tests: one that is fast, one that dies at a given moment, one that fills up.
import { writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Disk } from '../../src/io/bundle/disk.ts'
import { realDisk } from '../../src/io/bundle/disk.ts'

/** Does all but wait for the hardware. */
export const fastDisk: Disk = {
  ...realDisk,
  write: (file, content, rights) =>
    writeFileSync(file, content, { flag: 'wx', mode: rights?.mode ?? 0o666 }),
  sync: () => undefined,
}

export class Killed extends Error {}

/** `torn`: half of a write reaches the disk. */
export type Death = 'before' | 'torn' | 'after'

export interface MortalDisk extends Disk {
  /** How many operations that change something were begun. */
  readonly count: () => number
}

/** Dies at the `at`-th operation that changes something; nothing works after that. */
export function mortalDisk(disk: Disk, at = Infinity, death: Death = 'before'): MortalDisk {
  let count = 0
  const alive = () => {
    if (count >= at) throw new Killed()
  }
  const asking =
    <A extends unknown[], R>(operate: (...args: A) => R) =>
    (...args: A): R => {
      alive()
      return operate(...args)
    }
  const changing =
    <A extends unknown[]>(operate: (...args: A) => void, torn = (..._: A): void => undefined) =>
    (...args: A): void => {
      alive()
      count += 1
      if (count < at || death === 'after') operate(...args)
      if (count < at) return
      if (death === 'torn') torn(...args)
      throw new Killed()
    }
  return {
    look: asking(disk.look),
    list: asking(disk.list),
    read: asking(disk.read),
    mayChange: asking(disk.mayChange),
    makeFolder: changing(disk.makeFolder),
    write: changing(disk.write, (file, content) =>
      disk.write(file, content.slice(0, content.length / 2)),
    ),
    carry: changing(disk.carry),
    rename: changing(disk.rename),
    removeFile: changing(disk.removeFile),
    removeFolder: changing(disk.removeFolder),
    sync: changing(disk.sync),
    hold: asking(disk.hold),
    mounts: disk.mounts,
    isLayered: disk.isLayered,
    count: () => count,
  }
}

/** What the system throws. */
export function systemError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: ${syscall}`), { code, syscall })
}

/** Has no room from the `at`-th file on. */
export function fullDisk(at: number): Disk {
  let files = 0
  return {
    ...fastDisk,
    write: (file, content) => {
      files += 1
      fastDisk.write(file, files < at ? content : content.slice(0, 1))
      if (files >= at) throw systemError('ENOSPC', 'write')
    },
  }
}

/** Finds a file by its name in any case, and lists it as it was made: NTFS, APFS. */
export function foldingDisk(disk: Disk): Disk {
  const real = (path: string): string => {
    const parent = dirname(path)
    if (parent === path || disk.look(path)) return path
    const above = real(parent)
    // A folder that is held is reached by a link.
    const names = disk.look(`${above}/.`) ? disk.list(above) : []
    const isMeant = (name: string) => name.toLowerCase() === basename(path).toLowerCase()
    return join(above, names.find(isMeant) ?? basename(path))
  }
  const one =
    <R, A extends unknown[]>(operate: (path: string, ...more: A) => R) =>
    (path: string, ...more: A): R =>
      operate(real(path), ...more)
  const two = (operate: (from: string, to: string) => void) => (from: string, to: string) => {
    operate(real(from), real(to))
  }
  return {
    ...disk,
    look: one(disk.look),
    list: one(disk.list),
    read: one(disk.read),
    mayChange: one(disk.mayChange),
    makeFolder: one(disk.makeFolder),
    write: one(disk.write),
    carry: two(disk.carry),
    rename: two(disk.rename),
    removeFile: one(disk.removeFile),
    removeFolder: one(disk.removeFolder),
    sync: one(disk.sync),
    hold: one(disk.hold),
  }
}

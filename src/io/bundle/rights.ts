// Rights: to whom new files and folders belong, and who may do what with them.
import { closeSync, fchmodSync, fchownSync, fstatSync, mkdirSync } from 'node:fs'
import { openFolder } from './hold.ts'
import { Unsettled } from './unsettled.ts'

/** Numbers of a user and of a group, and the bits of their rights; where one is left out, the usual. */
export interface Rights {
  readonly owner?: number
  readonly group?: number
  readonly mode?: number
}

const setGroup = 0o2000

/** What is made in a folder: its owner, so that root takes nothing from a user; its group where it says so. */
export function inheritedFrom({ owner, group, mode }: Required<Rights>): Rights {
  return (mode & setGroup) !== 0 ? { owner, group } : { owner }
}

export function makeFolder(path: string, rights?: Rights): void {
  // Nobody else comes in before the rights are set.
  mkdirSync(path, { mode: rights?.mode === undefined ? 0o777 : 0o700 })
  if (!rights || process.platform === 'win32') return
  // By a handle: somebody may put a link in its place.
  const folder = openFolder(path)
  try {
    if (fstatSync(folder).uid !== process.geteuid?.()) throw new Unsettled()
    const { mode } = rights
    give(folder, mode === undefined ? rights : { ...rights, mode: (mode | 0o700) & 0o7777 })
  } finally {
    closeSync(folder)
  }
}

/** An owner can be given by root alone, a group by its members too: to others it stays their own. */
export function give(open: number, { owner, group, mode }: Rights): void {
  const now = fstatSync(open)
  const [user, crowd] = [owner ?? now.uid, group ?? now.gid]
  try {
    if (user !== now.uid || crowd !== now.gid) fchownSync(open, user, crowd)
  } catch {
    // As on disks that have no owners.
  }
  // After it: a change of the owner takes some bits away.
  if (mode !== undefined) fchmodSync(open, mode & 0o7777)
}

// Exposure: whether somebody else could exchange what lies in a folder while this run works in it.
import { dirname } from 'node:path'
import { realPath } from '../real-path.ts'
import type { Run } from '../run-identity.ts'
import type { Disk, Look } from './disk.ts'

/** A group may have members; access lists show in its bits. */
const othersWrite = 0o022
const sticky = 0o1000

/** Others than this run's user and root may make, rename and remove entries of the folder. */
export function isOthers({ owner, mode }: Look, run: Run): boolean {
  // Windows has access lists in place of these bits, and what a user makes there is the user's.
  if (run.user === undefined) return false
  return (owner !== run.user && owner !== 0) || (mode & othersWrite) !== 0
}

/** The folder, or one above it: of a sticky one, entries belong to those who made them. */
export function isExposed(disk: Disk, folder: string, run: Run): boolean {
  const path = realPath(folder) ?? folder
  const found = disk.look(path)
  if (found && isOthers(found, run) && !isKept(found, run)) return true
  const parent = dirname(path)
  return parent !== path && isExposed(disk, parent, run)
}

function isKept({ owner, mode }: Look, run: Run): boolean {
  return (mode & sticky) !== 0 && (owner === run.user || owner === 0)
}

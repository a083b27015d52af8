// Exposure: whether somebody else could exchange what lies in a folder while this run works in it.
import { dirname } from 'node:path'
import { realPath } from '../real-path.ts'
import type { Run } from '../run-identity.ts'
import type { Disk, Look } from './disk.ts'

const groupWrites = 0o020
const othersWrite = 0o002
const sticky = 0o1000

/** Others than this run's user and root may make, rename and remove entries of the folder. */
export function isOthers({ owner, group, mode }: Look, run: Run): boolean {
  // Windows has access lists in place of these bits, and what a user makes there is the user's.
  if (run.user === undefined) return false
  if (owner !== run.user && owner !== 0) return true
  // Many systems give each user a group of the same number, in which nobody else is.
  const own = group === run.group && run.group === run.user
  return (mode & othersWrite) !== 0 || ((mode & groupWrites) !== 0 && !own)
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

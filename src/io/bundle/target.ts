// Target: which folders a bundle may go to.
import { dirname, resolve } from 'node:path'
import { isWithinFolder, realPath } from '../real-path.ts'
import type { Disk } from './disk.ts'
import { entryLimit } from './walk.ts'

export interface Target {
  /** As a person typed it. */
  readonly out: string
  readonly cwd: string
}

export function pathOf({ out, cwd }: Target): string {
  return resolve(cwd, out)
}

interface Refusal {
  readonly fits: (path: string, cwd: string, disk: Disk) => boolean
  /** Goes behind the name of the folder. */
  readonly reason: (path: string, disk: Disk) => string
}

const refusals: readonly Refusal[] = [
  { fits: (path) => dirname(path) === path, reason: () => 'is the root of a disk' },
  {
    fits: (path, cwd) => isWithinFolder(realPath(cwd) ?? cwd, realPath(path) ?? path),
    reason: () => 'is the current folder, or holds it; a bundle needs a folder of its own',
  },
  {
    // What Node has put in the place of bytes that are no UTF-8 would be written instead of them.
    fits: (path) => path.includes('\ufffd'),
    reason: () => 'has a name that is not UTF-8',
  },
  { fits: (path, _, disk) => disk.look(path)?.kind === 'link', reason: () => 'is a link' },
  {
    fits: (path, _, disk) => (disk.look(path)?.kind ?? 'folder') !== 'folder',
    reason: () => 'is not a folder',
  },
  {
    fits: (path, _, disk) => fileAbove(path, disk) !== undefined,
    reason: (path, disk) => `cannot be made: ${fileAbove(path, disk)} is not a folder`,
  },
]

/** Why nothing is written there, to be said after the name of the folder. */
export function refusalOf(target: Target, disk: Disk): string | undefined {
  const path = pathOf(target)
  return refusals.find(({ fits }) => fits(path, target.cwd, disk))?.reason(path, disk)
}

function fileAbove(path: string, disk: Disk): string | undefined {
  const parent = dirname(path)
  if (parent === path) return undefined
  const kind = disk.look(parent)?.kind
  if (kind === undefined) return fileAbove(parent, disk)
  return kind === 'file' || kind === 'other' ? parent : undefined
}

export const tooFull = `holds more than ${entryLimit} files; a bundle needs a folder of its own`

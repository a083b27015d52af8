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
  readonly reason: string
}

const refusals: readonly Refusal[] = [
  { fits: (path) => dirname(path) === path, reason: 'is the root of a disk' },
  {
    fits: (path, cwd) => isWithinFolder(realPath(cwd) ?? cwd, realPath(path) ?? path),
    reason: 'is the current folder, or holds it; a bundle needs a folder of its own',
  },
  { fits: (path, _, disk) => disk.look(path)?.kind === 'link', reason: 'is a link' },
  {
    fits: (path, _, disk) => (disk.look(path)?.kind ?? 'folder') !== 'folder',
    reason: 'is not a folder',
  },
  {
    fits: (path, _, disk) => {
      const parent = dirname(path)
      const devices = [path, realPath(parent) ?? parent].map((one) => disk.look(one)?.device)
      return devices[0] !== undefined && devices[0] !== devices[1]
    },
    reason: 'is where a disk is mounted, which cannot be swapped; name a folder below it',
  },
]

/** Why nothing is written there, to be said after the name of the folder. */
export function refusalOf(target: Target, disk: Disk): string | undefined {
  const path = pathOf(target)
  return refusals.find(({ fits }) => fits(path, target.cwd, disk))?.reason
}

export const tooFull = `holds more than ${entryLimit} files; a bundle needs a folder of its own`

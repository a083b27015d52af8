// Hold: a path to a folder that leads to this one, whatever somebody puts in its place.
import { closeSync, constants, fstatSync, lstatSync, openSync, statSync } from 'node:fs'
import { Unsettled } from './unsettled.ts'

export interface Held {
  readonly path: string
  readonly release: () => void
}

/** Linux reaches a folder that is open through the process; elsewhere the path itself is looked at. */
export function hold(folder: string): Held {
  if (process.platform === 'linux') {
    const open = openFolder(folder)
    const path = `/proc/self/fd/${open}`
    if (leadsTo(open, path))
      return {
        path,
        release: () => {
          closeSync(open)
        },
      }
    closeSync(open)
  }
  if (!lstatSync(folder).isDirectory()) throw new Unsettled()
  return { path: folder, release: () => undefined }
}

/** Not where /proc is missing, as in some sandboxes. */
function leadsTo(open: number, path: string): boolean {
  const { dev, ino } = fstatSync(open)
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.dev === dev && found.ino === ino
}

export function openFolder(folder: string): number {
  try {
    return openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ELOOP' || code === 'ENOTDIR') throw new Unsettled()
    throw error
  }
}

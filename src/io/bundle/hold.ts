// Hold: a path to a folder that leads to this one, whatever somebody puts in its place.
import { closeSync, constants, lstatSync, openSync } from 'node:fs'

export interface Held {
  readonly path: string
  readonly release: () => void
}

/** In the place of a folder there is something else. */
export class NotAFolder extends Error {}

/** Linux reaches a folder that is open through the process; elsewhere the path itself is looked at. */
export function hold(folder: string): Held {
  if (process.platform !== 'linux') {
    if (!lstatSync(folder).isDirectory()) throw new NotAFolder()
    return { path: folder, release: () => undefined }
  }
  const open = openFolder(folder)
  return {
    path: `/proc/self/fd/${open}`,
    release: () => {
      closeSync(open)
    },
  }
}

function openFolder(folder: string): number {
  try {
    return openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ELOOP' || code === 'ENOTDIR') throw new NotAFolder()
    throw error
  }
}

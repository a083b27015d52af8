// Resolves a file that a profile names; it must be inside the root folder.
import { dirname, resolve } from 'node:path'
import { isWithinFolder, realPath } from '../real-path.ts'

interface Namer {
  readonly path: string
  readonly folder: string
}

export type WithinRoot =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'leaves-folder' }

/** `reference` is relative to the file that names it. */
export function withinRoot(reference: string, namer: Namer): WithinRoot {
  const folder = realPath(namer.folder) ?? namer.folder
  const path = resolve(realPath(dirname(namer.path)) ?? dirname(namer.path), reference)
  // Before asking the disk, so that the answer reveals nothing about files outside.
  if (!isWithinFolder(path, folder)) return { kind: 'leaves-folder' }
  const real = realPath(path)
  if (real === undefined) return { kind: 'missing' }
  return isWithinFolder(real, folder) ? { kind: 'found', path } : { kind: 'leaves-folder' }
}

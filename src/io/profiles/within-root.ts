// Resolves a file that a profile names; it must be inside the root folder.
import { dirname, isAbsolute, resolve } from 'node:path'
import { isWithinFolder, realPath } from '../real-path.ts'

interface Referrer {
  readonly path: string
  readonly folder: string
}

type WithinRoot =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'leaves-folder' }

/** Portable paths only: with forward slashes. */
export function isRelative(reference: string): boolean {
  return !(isAbsolute(reference) || reference.includes('\\') || /^[A-Za-z]:/.test(reference))
}

/** `reference` is relative to the folder of the profile that contains it. */
export function withinRoot(reference: string, referrer: Referrer): WithinRoot {
  const folder = realPath(referrer.folder) ?? referrer.folder
  const path = resolve(realPath(dirname(referrer.path)) ?? dirname(referrer.path), reference)
  // Before any disk access, so that the result reveals nothing about files outside.
  if (!isWithinFolder(path, folder)) return { kind: 'leaves-folder' }
  const real = realPath(path)
  if (real === undefined) return { kind: 'missing' }
  return isWithinFolder(real, folder) ? { kind: 'found', path } : { kind: 'leaves-folder' }
}

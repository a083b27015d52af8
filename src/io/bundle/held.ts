// Held: the digest of what a file on the disk holds.
import type { Disk } from './disk.ts'
import { digestOf } from './manifest.ts'

/** Bytes. No file of a bundle is near it: a larger one is not as we wrote it, and is not read. */
export const readLimit = 16 * 1024 * 1024

/** No digest is like it, so that a file of that size is always somebody's work. */
const tooLarge = 'too large'

export function digestAt(disk: Disk, file: string): string {
  const size = disk.look(file)?.size ?? 0
  return size > readLimit ? tooLarge : digestOf(disk.read(file))
}

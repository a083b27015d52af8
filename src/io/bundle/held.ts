// Held: the digest of what a file on the disk holds.
import type { Disk } from './disk.ts'
import { digestOf } from '../../render/digest.ts'

/** Bytes. No file of a bundle is near it: a larger one is not as we wrote it, and is not read. */
const readLimit = 16 * 1024 * 1024

/** `undefined` where it is larger than anything of ours. */
export function readAtMost(disk: Disk, file: string): Uint8Array | undefined {
  return (disk.look(file)?.size ?? 0) > readLimit ? undefined : disk.read(file)
}

/** Of what is larger than anything of ours no real one, which changes with every change of the file. */
export function digestAt(disk: Disk, file: string): string {
  const content = readAtMost(disk, file)
  if (content) return digestOf(content)
  const found = disk.look(file)
  return `${found?.size} bytes of ${found?.changed}`
}

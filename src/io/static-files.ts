// Static-files: files of the program that go into a bundle as they are.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Reads each by its name in `dist`. One after the other: to load `node:fs/promises` takes longer than they do. */
export function staticFiles(root: string): (source: string) => Uint8Array {
  return (source) => readFileSync(join(root, 'dist', source))
}

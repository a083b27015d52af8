// Static files of the program that a bundle contains unchanged.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Reads each by its name in `dist`, synchronously: loading `node:fs/promises` takes longer. */
export function staticFiles(root: string): (source: string) => Uint8Array {
  return (source) => readFileSync(join(root, 'dist', source))
}

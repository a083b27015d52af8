// SHA-256 of the files of a bundle.
import { createHash } from 'node:crypto'
import type { RenderedFile } from '../model/plan.ts'

/** Lower-case hexadecimal digests by path in the bundle. */
export type Digests = ReadonlyMap<string, string>

export function digestFiles(files: readonly RenderedFile[]): Digests {
  return new Map(files.map(({ path, content }) => [path, digestOf(content)]))
}

export function digestOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

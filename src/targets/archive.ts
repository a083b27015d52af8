// Archives with the same bytes everywhere: of each version of Node.js, in each time zone.
import { gzipSync, zipSync } from 'fflate'
import type { RenderedFile } from '../model/plan.ts'

/**
 * Written in JavaScript: the zlib of Node.js differs between its versions, and so do its bytes.
 * A memory that the size of the file chose would be a logarithm, which each machine may round.
 */
const deflate = { level: 6, mem: 12 } as const

/** Read as local time, and written as local time: every zone has the same bytes. */
const someDay = '1980-01-01T12:00:00'

/** The paths of `files` are those in the archive. */
export function zipOf(files: readonly RenderedFile[]): Uint8Array {
  const entries = files.map(({ path, content }) => [path, content] as const)
  return zipSync(Object.fromEntries(entries), { ...deflate, mtime: someDay })
}

/** Without a name and a time. */
export function gzipOf(content: Uint8Array): Uint8Array {
  return gzipSync(content, { ...deflate, mtime: 0 })
}

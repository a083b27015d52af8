// Archives with the same bytes on every system, Node.js version and time zone.
import { gzipSync, zipSync } from 'fflate'
import type { RenderedFile } from '../model/plan.ts'

/**
 * fflate in place of node:zlib, whose output differs between versions. `mem` is fixed: fflate would derive it from the
 * size with Math.log, whose rounding differs between machines.
 */
const deflate = { level: 6, mem: 12 } as const

/** fflate reads and writes local time, so the bytes do not depend on the time zone. */
const someDay = '1980-01-01T12:00:00'

/** The paths of `files` are those in the archive. */
export function zipOf(files: readonly RenderedFile[]): Uint8Array {
  const entries = files.map(({ path, content }) => [path, content] as const)
  return zipSync(Object.fromEntries(entries), { ...deflate, mtime: someDay })
}

/** Without file name and time. */
export function gzipOf(content: Uint8Array): Uint8Array {
  return gzipSync(content, { ...deflate, mtime: 0 })
}

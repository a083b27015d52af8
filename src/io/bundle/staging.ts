// Names of the lock and the staging folders of a bundle.
import { basename, dirname, join } from 'node:path'
import { lstat, mayWrite } from '../disk.ts'

const mark = '.winnode'

/**
 * Their path prefix: beside the folder, or inside it if the folder is a mount point or its parent is not writable.
 */
export function baseOf(out: string): string {
  const parent = dirname(out)
  const found = lstat(out)
  const isInside = found?.isDirectory() && (found.dev !== lstat(parent)?.dev || !mayWrite(parent))
  return isInside ? join(out, mark) : join(parent, `.${basename(out)}${mark}`)
}

/** Whether the path is in a staging folder, also of a run on another host. */
export function isStaged(path: string): boolean {
  return path.split('/').some((name) => name.startsWith('.') && name.includes(`${mark}-`))
}

// Inspects the destination file of --out before the work begins.
import { statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { codeOf, lstat, mayWrite } from '../disk.ts'
import { realPath } from '../real-path.ts'

/** The absolute real path: a link is kept, and its target is replaced. */
interface OutFile {
  readonly file: string
  readonly taken: boolean
}

/** `message` follows the name of the file. */
interface NoOutFile {
  readonly message: string
  readonly hint: string
}

/** The kind of file, for hints. */
export interface Wanted {
  /** Default name of the file. */
  readonly name: string
  /** Alternative to writing the file. */
  readonly instead: string
}

/** `out` is the path as the user typed it. */
export function outFileOf(out: string, cwd: string, wanted: Wanted): OutFile | NoOutFile {
  const path = resolve(cwd, out)
  if (isTooLong(path))
    return { message: 'has a name that is too long', hint: 'name a shorter path' }
  const target = realPath(path)
  const found = target === undefined ? undefined : statSync(target)
  if (found?.isDirectory())
    return { message: 'is a folder', hint: `name a file in it: ${join(out, wanted.name)}` }
  if (found && !found.isFile()) return { message: 'is not a file', hint: wanted.instead }
  const folder = realPath(dirname(target ?? path))
  if (folder === undefined)
    return { message: 'is in a folder that does not exist', hint: `make ${dirname(out)} first` }
  if (!statSync(folder).isDirectory())
    return { message: 'is not in a folder', hint: `${dirname(out)} is a file` }
  // The file is written beside its target and renamed, so the folder must be writable.
  if (!mayWrite(folder))
    return { message: 'is in a folder that you may not write to', hint: wanted.instead }
  if (!target && lstat(path))
    return { message: 'is a link that leads nowhere', hint: 'remove it, or name another file' }
  return { file: target ?? join(folder, basename(path)), taken: target !== undefined }
}

/** The problem of the file, or of one of its parent folders. */
function isTooLong(path: string): boolean {
  try {
    lstat(path)
    return false
  } catch (error) {
    return codeOf(error) === 'ENAMETOOLONG'
  }
}

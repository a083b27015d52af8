// Inspects the destination file of --out before the work begins.
import { statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { codeOf, look, mayWrite } from '../disk.ts'
import { realPath } from '../real-path.ts'

/** The absolute real path: a link is kept, and its target is replaced. */
export interface OutFile {
  readonly file: string
  readonly taken: boolean
}

/** `message` follows the name of the file. */
export interface NoOutFile {
  readonly message: string
  readonly hint: string
}

/** The kind of file, for hints. */
export interface Wanted {
  /** Its usual name. */
  readonly name: string
  /** What else can be done with the text. */
  readonly instead: string
}

/** `out` is the path as the user typed it. */
export function outFileOf(out: string, cwd: string, wanted: Wanted): OutFile | NoOutFile {
  const path = resolve(cwd, out)
  if (isTooLong(path))
    return { message: 'has a name that is too long', hint: 'name a shorter path' }
  const there = realPath(path)
  const found = there === undefined ? undefined : statSync(there)
  if (found?.isDirectory())
    return { message: 'is a folder', hint: `name a file in it: ${join(out, wanted.name)}` }
  if (found && !found.isFile()) return { message: 'is not a file', hint: wanted.instead }
  const folder = realPath(dirname(there ?? path))
  if (folder === undefined)
    return { message: 'is in a folder that does not exist', hint: `make ${dirname(out)} first` }
  if (!statSync(folder).isDirectory())
    return { message: 'is not in a folder', hint: `${dirname(out)} is a file` }
  // The new file is put in the place of the old one.
  if (!mayWrite(folder))
    return { message: 'is in a folder that you may not write to', hint: wanted.instead }
  if (!there && look(path))
    return { message: 'is a link that leads nowhere', hint: 'remove it, or name another file' }
  return { file: there ?? join(folder, basename(path)), taken: there !== undefined }
}

/** The problem of the file, or of one of its parent folders. */
function isTooLong(path: string): boolean {
  try {
    look(path)
    return false
  } catch (error) {
    return codeOf(error) === 'ENAMETOOLONG'
  }
}

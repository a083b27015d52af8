// OutFile: a file to be written, looked at before the work for it begins.
import { accessSync, constants, lstatSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { codeOf } from '../disk.ts'
import { realPath } from '../real-path.ts'

/** Absolute, and behind all links: the file is replaced, and not the link to it. */
export interface OutFile {
  readonly file: string
  readonly taken: boolean
}

/** `message` goes behind the name of the file. */
export interface NoOutFile {
  readonly message: string
  readonly hint: string
}

/** What hints say of the file that goes there. */
export interface Wanted {
  /** Its usual name. */
  readonly name: string
  /** What else can be done with the text. */
  readonly instead: string
}

interface Looked {
  readonly path: string
  readonly file: string | undefined
  readonly folder: string | undefined
}

interface Refusal extends Omit<NoOutFile, 'hint'> {
  readonly fits: (looked: Looked) => boolean
  readonly hint: (out: string, wanted: Wanted) => string
}

const refusals: readonly Refusal[] = [
  {
    fits: ({ path }) => isTooLong(path),
    message: 'has a name that is too long',
    hint: () => 'name a shorter path',
  },
  {
    fits: ({ file }) => file !== undefined && statSync(file).isDirectory(),
    message: 'is a folder',
    hint: (out, { name }) => `name a file in it: ${join(out, name)}`,
  },
  {
    fits: ({ file }) => file !== undefined && !statSync(file).isFile(),
    message: 'is not a file',
    hint: (_out, { instead }) => instead,
  },
  {
    fits: ({ folder }) => folder === undefined,
    message: 'is in a folder that does not exist',
    hint: (out) => `make ${dirname(out)} first`,
  },
  {
    fits: ({ folder }) => folder !== undefined && !statSync(folder).isDirectory(),
    message: 'is not in a folder',
    hint: (out) => `${dirname(out)} is a file`,
  },
  {
    // A file is put in the place of the old one: that asks the folder.
    fits: ({ folder }) => folder !== undefined && !isWritable(folder),
    message: 'is in a folder that you may not write to',
    hint: (_out, { instead }) => instead,
  },
  {
    fits: ({ path, file }) =>
      file === undefined && lstatSync(path, { throwIfNoEntry: false }) !== undefined,
    message: 'is a link that leads nowhere',
    hint: () => 'remove it, or name another file',
  },
]

/** `out` as a person typed it. */
export function outFileOf(out: string, cwd: string, wanted: Wanted): OutFile | NoOutFile {
  const path = resolve(cwd, out)
  const there = realPath(path)
  const folder = there === undefined ? realPath(dirname(path)) : dirname(there)
  const refusal = refusals.find(({ fits }) => fits({ path, file: there, folder }))
  if (refusal) return { message: refusal.message, hint: refusal.hint(out, wanted) }
  const file = there ?? join(folder ?? dirname(path), basename(path))
  return { file, taken: there !== undefined }
}

/** Of the file, or of a folder on the way. */
function isTooLong(path: string): boolean {
  try {
    lstatSync(path, { throwIfNoEntry: false })
    return false
  } catch (error) {
    return codeOf(error) === 'ENAMETOOLONG'
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

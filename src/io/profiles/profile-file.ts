// Profile-file: a file that holds a profile, and how a person refers to it.
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { realPath } from '../real-path.ts'
import { builtinFolder, builtinPath } from './builtins.ts'
import { type FileRead, readFile, readInput, readRegularFile, readShipped } from './read-file.ts'

export interface ProfileFile {
  /** What a person calls it: the path as typed, or `built-in base`. */
  readonly label: string
  readonly path: string
  /** The root folder, which the files that it extends must not leave. */
  readonly folder: string
  /** Built in: it cannot be modified. */
  readonly fixed?: true
  /** It comes by standard input. */
  readonly input?: true
}

/** What a person types for the text that comes by standard input. */
const standardInput = '-'

export const yamlFile = /\.ya?ml$/i

/** A bare word is a built-in profile; everything that looks like a path is one. */
export function isPath(reference: string): boolean {
  return reference === standardInput || /[/\\]/.test(reference) || yamlFile.test(reference)
}

export function builtinFile(root: string, name: string): ProfileFile {
  return {
    label: `built-in ${name}`,
    path: builtinPath(root, name),
    folder: builtinFolder(root),
    fixed: true,
  }
}

/** `within` is the root folder, where the command line names one. */
export function ownFile(cwd: string, typed: string, within?: string): ProfileFile {
  const path = resolve(cwd, typed)
  const folder = within === undefined ? rootFolder(dirname(path)) : resolve(cwd, within)
  // What standard input extends is in the current folder.
  if (typed === standardInput) return { label: 'standard input', path, folder, input: true }
  return { label: typed, path, folder }
}

const rootMarks = ['.winnode-root', '.git']

/** The nearest folder with a mark, by real path; else the folder itself. */
function rootFolder(start: string): string {
  const real = realPath(start) ?? start
  let folder = real
  while (!rootMarks.some((mark) => existsSync(join(folder, mark)))) {
    if (dirname(folder) === folder) return real
    folder = dirname(folder)
  }
  return folder
}

export function readProfileFile({ path, fixed, input }: ProfileFile): FileRead {
  if (input) return readInput()
  return fixed ? readShipped(path) : readFile(path)
}

/** A profile that another one extends. */
export function readParentFile({ path, fixed }: ProfileFile): FileRead {
  return fixed ? readShipped(path) : readRegularFile(path)
}

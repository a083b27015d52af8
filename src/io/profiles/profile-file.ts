// Profile-file: a file that holds a profile, and how a person refers to it.
import { dirname, resolve } from 'node:path'
import { builtinFolder, builtinPath } from './builtins.ts'
import { type FileRead, readFile, readInput, readRegularFile, readShipped } from './read-file.ts'

export interface ProfileFile {
  /** What a person calls it: the path as typed, or `built-in base`. */
  readonly label: string
  readonly path: string
  /** The folder that the files it extends must not leave. */
  readonly folder: string
  /** It comes with winnode: nobody can edit it. */
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

export function ownFile(cwd: string, typed: string): ProfileFile {
  // What it extends lies beside it: in the current folder.
  if (typed === standardInput)
    return { label: 'standard input', path: resolve(cwd, typed), folder: cwd, input: true }
  const path = resolve(cwd, typed)
  return { label: typed, path, folder: dirname(path) }
}

export function readProfileFile({ path, fixed, input }: ProfileFile): FileRead {
  if (input) return readInput()
  return fixed ? readShipped(path) : readFile(path)
}

/** A profile that another one extends. */
export function readParentFile({ path, fixed }: ProfileFile): FileRead {
  return fixed ? readShipped(path) : readRegularFile(path)
}

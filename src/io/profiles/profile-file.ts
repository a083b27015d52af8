// A profile file, and how the command line names it.
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { realPath } from '../real-path.ts'
import { builtinFolder, builtinPath } from './builtins.ts'
import { type FileRead, readFile, readInput, readRegularFile, readShipped } from './read-file.ts'

export interface ProfileFile {
  /** Name in messages: the path as typed, or `built-in base`. */
  readonly label: string
  readonly path: string
  /** The root folder; extended profiles must be inside it. */
  readonly folder: string
  /** A built-in profile, which cannot be modified. */
  readonly builtIn?: true
  /** Standard input. */
  readonly input?: true
}

/** The name of standard input on the command line. */
const standardInput = '-'

export const yamlFile = /\.ya?ml$/i

/** A layer, which is used with `--layer` only. */
export const layerFile = /\.layer\.ya?ml$/i

/** A bare word names a built-in profile; anything that looks like a path, such as `..`, names a file. */
export function isPath(reference: string): boolean {
  return reference === standardInput || /[/\\]|^\.\.?$|\.(ya?ml|json)$/i.test(reference)
}

export function builtinFile(root: string, name: string): ProfileFile {
  return {
    label: `built-in ${name}`,
    path: builtinPath(root, name),
    folder: builtinFolder(root),
    builtIn: true,
  }
}

/** `within` is the root folder of `--root`. */
export function ownFile(cwd: string, typed: string, within?: string): ProfileFile {
  const path = resolve(cwd, typed)
  const folder = resolve(cwd, rootOf(dirname(path), within))
  // Paths in standard input are relative to the current folder.
  if (typed === standardInput) return { label: 'standard input', path, folder, input: true }
  return { label: typed, path, folder }
}

const rootMarks = ['.winnode-root', '.git']

/** The nearest folder with a marker, upwards, by real path; otherwise the folder itself. `within` is the folder of `--root`. */
export function rootOf(start: string, within?: string): string {
  return within ?? markedFolder(start) ?? realPath(start) ?? start
}

function markedFolder(start: string): string | undefined {
  for (let folder = realPath(start) ?? start; ; folder = dirname(folder)) {
    if (rootMarks.some((mark) => existsSync(join(folder, mark)))) return folder
    if (dirname(folder) === folder) return undefined
  }
}

/** Whether profiles in subfolders can extend profiles of the folder. `within` is the root folder of `--root`. */
export function isExtendedBelow(folder: string, within?: string): boolean {
  return within !== undefined || markedFolder(folder) !== undefined
}

export function readProfileFile({ path, builtIn, input }: ProfileFile): FileRead {
  if (input) return readInput()
  return builtIn ? readShipped(path) : readFile(path)
}

/** The parent profile. */
export function readParentFile({ path, builtIn }: ProfileFile): FileRead {
  return builtIn ? readShipped(path) : readRegularFile(path)
}

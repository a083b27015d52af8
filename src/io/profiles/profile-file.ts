// Profile-file: a file that holds a profile, and how a person refers to it.
import { readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { nearest } from '../../model/nearest.ts'
import { builtinFolder, builtinNames, builtinPath } from './builtins.ts'

export interface ProfileFile {
  /** What a person calls it: the path as typed, or `built-in base`. */
  readonly label: string
  readonly path: string
  /** The folder that the files it extends must not leave. */
  readonly folder: string
  /** It comes with winnode: nobody can edit it. */
  readonly fixed?: true
}

const yamlFile = /\.ya?ml$/i

/** A bare word is a built-in profile; everything that looks like a path is one. */
export function isPath(reference: string): boolean {
  return /[/\\]/.test(reference) || yamlFile.test(reference)
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
  const path = resolve(cwd, typed)
  return { label: typed, path, folder: dirname(path) }
}

/** What was meant by a reference that leads nowhere; `path` is where it was looked for. */
export function suggest(reference: string, path: string, root: string): string | undefined {
  const files = siblings(path)
  if (isPath(reference)) {
    const meant = nearest(stemOf(basename(path)), files.map(stemOf))
    const file = files.find((one) => stemOf(one) === meant)
    return file === undefined ? undefined : join(dirname(reference), file)
  }
  const own = files.find((file) => stemOf(file) === reference)
  if (own !== undefined) return `./${own}`
  const names = builtinNames(root)
  const begun = names.filter((name) => name.startsWith(reference))
  return nearest(reference, names) ?? (begun.length > 0 ? begun.join(' or ') : undefined)
}

function stemOf(file: string): string {
  return file.replace(yamlFile, '')
}

function siblings(path: string): readonly string[] {
  try {
    return readdirSync(dirname(path)).filter((file) => yamlFile.test(file))
  } catch {
    return []
  }
}

// Suggests a file or a built-in profile for a name that was not found.
import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { nearest } from '../../text/nearest.ts'
import { below, beside, type System } from '../shown-path.ts'
import { builtinNames } from './builtins.ts'
import { isPath, yamlFile } from './profile-file.ts'

/** Where the name was looked up. */
interface Search {
  readonly path: string
  /** Where built-in profiles are, if one may be meant. */
  readonly root: string | undefined
  /** How paths are written; `extends` has slashes on every system. */
  readonly system?: System
}

export function suggest(reference: string, search: Search): string | undefined {
  return isPath(reference) ? likeFile(reference, search) : likeName(reference, search)
}

/** The files of a folder that was named in place of a file, as the user would type them: `a.yaml or b.yaml`. */
export function profilesIn(reference: string, path: string): string | undefined {
  const files = filesIn(path).map((file) => below(reference, file))
  return files.length > 0 && files.length <= few ? files.join(' or ') : undefined
}

const few = 3

function likeFile(reference: string, { path, root, system }: Search): string | undefined {
  const stem = stemOf(basename(path))
  const near = (folder: string) => {
    // A link that leads nowhere is in its folder, too.
    const files = filesIn(folder).filter((file) => join(folder, file) !== path)
    const meant = nearest(stem, files.map(stemOf))
    return files.find((file) => stemOf(file) === meant)
  }
  const file = near(dirname(path))
  if (file !== undefined) return beside(reference, file, system)
  // The folder may be mistyped, rather than the file.
  const above = dirname(dirname(path))
  const folder = nearest(basename(dirname(path)), foldersIn(above))
  const inside = folder === undefined ? undefined : near(join(above, folder))
  if (folder !== undefined && inside !== undefined)
    return below(beside(dirname(reference), folder, system), inside, system)
  return nearest(stem, namesIn(root))
}

function likeName(reference: string, { path, root, system }: Search): string | undefined {
  const files = filesIn(dirname(path))
  const own = files.find((file) => stemOf(file) === reference)
  if (own !== undefined) return below('.', own, system)
  const names = namesIn(root)
  const meant = nearest(reference, names)
  if (meant !== undefined) return meant
  const begun = names.filter((name) => name.startsWith(reference))
  if (begun.length > 0) return begun.join(' or ')
  const stem = nearest(reference, files.map(stemOf))
  const file = files.find((one) => stemOf(one) === stem)
  return file === undefined ? undefined : below('.', file, system)
}

function namesIn(root: string | undefined): readonly string[] {
  return root === undefined ? [] : builtinNames(root)
}

function stemOf(file: string): string {
  return file.replace(yamlFile, '')
}

function filesIn(folder: string): readonly string[] {
  return entriesOf(folder).flatMap((entry) =>
    !entry.isDirectory() && yamlFile.test(entry.name) ? [entry.name] : [],
  )
}

function foldersIn(folder: string): readonly string[] {
  return entriesOf(folder).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

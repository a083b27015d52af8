// Suggests a file or a built-in profile for a name that was not found.
import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { nearest } from '../../text/nearest.ts'
import { below, beside, type System } from '../native-path.ts'
import { builtinNames } from './builtins.ts'
import { isPath, layerFile, yamlFile } from './profile-file.ts'

/** Where the name was looked up. */
interface Search {
  readonly path: string
  /** Folder of the package, if a profile is looked up; a layer can be any file. */
  readonly root: string | undefined
  /** Path separator of the suggestion; `extends` has slashes on every system. */
  readonly system?: System
}

/** A path or a built-in name; `undefined` if nothing is similar. */
export function suggest(reference: string, search: Search): string | undefined {
  return isPath(reference) ? similarFile(reference, search) : similarName(reference, search)
}

/** The files of a folder that was named in place of a file, as the user would type them: `a.yaml or b.yaml`. */
export function profilesIn(reference: string, { path, root }: Search): string | undefined {
  const files = filesIn(path, root).map((file) => below(reference, file))
  return files.length > 0 && files.length <= maxSuggested ? files.join(' or ') : undefined
}

const maxSuggested = 3

function similarFile(reference: string, { path, root, system }: Search): string | undefined {
  const stem = stemOf(basename(path))
  const near = (folder: string) => {
    // A broken link is listed in its folder, too.
    const files = filesIn(folder, root).filter((file) => join(folder, file) !== path)
    const match = nearest(stem, files.map(stemOf))
    return files.find((file) => stemOf(file) === match)
  }
  const file = near(dirname(path))
  if (file !== undefined) return beside(reference, file, system)
  // Or the name of the folder has the typo.
  const above = dirname(dirname(path))
  const folder = nearest(basename(dirname(path)), foldersIn(above))
  const inside = folder === undefined ? undefined : near(join(above, folder))
  if (folder !== undefined && inside !== undefined)
    return below(beside(dirname(reference), folder, system), inside, system)
  return nearest(stem, namesIn(root))
}

function similarName(reference: string, { path, root, system }: Search): string | undefined {
  const files = filesIn(dirname(path), root)
  const own = files.find((file) => stemOf(file) === reference)
  if (own !== undefined) return below('.', own, system)
  const names = namesIn(root)
  const stem = nearest(reference, files.map(stemOf))
  const file = files.find((one) => stemOf(one) === stem)
  const suggested = file === undefined ? undefined : below('.', file, system)
  // ws2022-calico-overlay means ws2022-calico, although ws2022-flannel-overlay takes fewer edits.
  const shorter = names.findLast((name) => reference.startsWith(`${name}-`))
  if (shorter !== undefined)
    return suggested ?? names.filter((name) => name.startsWith(shorter)).join(' or ')
  const match = nearest(reference, names)
  if (match !== undefined) return match
  const completions = names.filter((name) => name.startsWith(reference))
  return completions.length > 0 ? completions.join(' or ') : suggested
}

function namesIn(root: string | undefined): readonly string[] {
  return root === undefined ? [] : builtinNames(root)
}

function stemOf(file: string): string {
  return file.replace(yamlFile, '')
}

function filesIn(folder: string, root: string | undefined): readonly string[] {
  return entriesOf(folder)
    .filter((entry) => !entry.isDirectory() && yamlFile.test(entry.name))
    .map(({ name }) => name)
    .filter((name) => root === undefined || !layerFile.test(name))
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

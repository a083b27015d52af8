// Resolves names, folders and globs of a command line to profiles.
import { dirname, resolve } from 'node:path'
import { compareText } from '../../model/finding.ts'
import { filesNamed, type Unnamed } from '../named-files.ts'
import { realPath } from '../real-path.ts'
import { hasHeader, readSource } from '../source.ts'
import { builtinNames } from './builtins.ts'
import { isExtendedBelow, isPath, layerFile, rootOf, yamlFile } from './profile-file.ts'
import { readRegularFile } from './read-file.ts'

export interface Selection {
  /** Built-in names and paths, without duplicates. */
  readonly profiles: readonly string[]
  /** Whether the command line can select several profiles: also true for a folder with one profile. */
  readonly several: boolean
  /** Files that are omitted because a selected profile extends them. */
  readonly extended: readonly string[]
  /** YAML files that are not profiles, such as manifests. */
  readonly others: readonly string[]
  /** Folders and globs without a profile. */
  readonly empty: readonly string[]
}

interface Folders {
  /** The folder of the package. */
  readonly root: string
  readonly cwd: string
  readonly unnamed?: Unnamed
}

/**
 * The profiles that can extend profiles of a folder: all below its root folder; without a marked one, in the folder and in
 * each folder above it. The user did not name them.
 */
export async function profilesAround(
  folder: string,
  { root, within }: { readonly root: string; readonly within: string | undefined },
): Promise<Selection> {
  const top = resolve(rootOf(folder, within))
  return isExtendedBelow(folder, within)
    ? selectProfiles([top], { root, cwd: top, unnamed: 'below' })
    : selectProfiles(foldersUpFrom(top), { root, cwd: top, unnamed: 'files' })
}

function foldersUpFrom(folder: string): readonly string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...foldersUpFrom(above)]
}

export async function selectProfiles(
  names: readonly string[],
  { root, cwd, unnamed }: Folders,
): Promise<Selection> {
  const builtins = builtinNames(root)
  const found = await Promise.all(
    names.map(async (name) => ({
      name,
      files: builtins.includes(name) ? undefined : await expand(name, cwd, unnamed),
    })),
  )
  const several = names.length > 1 || found.some(({ files }) => files)
  if (!several) return { profiles: names, several, extended: [], others: [], empty: [] }
  const all = new Map(
    found
      .flatMap(({ name, files }) => files?.profiles ?? [name])
      .toReversed()
      .map((name) => [realPath(resolve(cwd, name)) ?? name, name]),
  )
  const parents = new Set([...all.keys()].flatMap((file) => parentOf(file) ?? []))
  const targets = [...all].toReversed().filter(([file]) => !parents.has(file))
  const extended = [...all].filter(([file]) => parents.has(file)).map(([, name]) => name)
  const others = found.flatMap(({ files }) => files?.others ?? [])
  const empty = found.filter(({ files }) => files?.profiles.length === 0).map(({ name }) => name)
  return { profiles: targets.map(([, name]) => name), several, extended, others, empty }
}

type Matches = Pick<Selection, 'profiles' | 'others'>

/** The files of a folder or a glob; `undefined` for any other name. */
async function expand(
  name: string,
  cwd: string,
  unnamed: Unnamed | undefined,
): Promise<Matches | undefined> {
  const matches = await filesNamed(name, cwd, 'yaml,yml', unnamed)
  if (!matches) return undefined
  const files = matches.filter((file) => yamlFile.test(file) && !layerFile.test(file))
  const profiles = files.filter((file) => isProfile(resolve(cwd, file))).sort(compareText)
  return { profiles, others: files.filter((file) => !profiles.includes(file)).sort(compareText) }
}

function isProfile(path: string): boolean {
  const read = readRegularFile(path)
  // Reading it as a profile says why; a name that is not UTF-8 is that of no file.
  if (read.kind !== 'read') return true
  const [first, second] = read.bytes
  // PowerShell 5.1 redirects to such a file; that it is not UTF-8 is an error of the profile.
  const isUtf16 = first === 0xff && second === 0xfe
  return hasHeader(new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(read.bytes))
}

function parentOf(file: string): string | undefined {
  const read = readRegularFile(file)
  if (read.kind !== 'read') return undefined
  const parent = readSource(read.bytes, file).layer?.patch['extends']
  if (typeof parent !== 'string' || !isPath(parent)) return undefined
  return realPath(resolve(dirname(file), parent))
}

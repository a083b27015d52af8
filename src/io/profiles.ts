// Loads a profile, `--layer` files and `--set` values as layers.
import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { Finding } from '../model/finding.ts'
import { isObject, type JsonObject } from '../model/json.ts'
import type { Layer } from '../model/layer.ts'
import type { AddedFacts } from '../model/tables.ts'
import { formatPath, isWithin, type Path } from '../model/path.ts'
import { problem } from './problems.ts'
import type { Chain } from './profiles/chain.ts'
import { readChain, readProfile } from './profiles/chain.ts'
import { namedFacts } from './profiles/facts.ts'
import { withoutHeader, withoutOwnKeys } from './profiles/header.ts'
import type { ProfileFile } from './profiles/profile-file.ts'
import { builtinFile, isPath, ownFile, readProfileFile } from './profiles/profile-file.ts'
import { readSet } from './profiles/set.ts'
import { profilesIn, suggest } from './profiles/suggest.ts'
import { beside } from './native-path.ts'
import { locator, start } from './span.ts'

export const lockFile = 'winnode.lock'
const lockPath = ['artifacts', 'lock']

/** What the command line names, and the folders in which it is looked up. */
export interface ProfileRequest {
  /** A built-in name, or a path. */
  readonly profile: string
  readonly layers?: readonly string[]
  readonly sets?: readonly string[]
  /** The folder of the package, which holds `profiles/`. */
  readonly root: string
  readonly cwd: string
  /** The folder that extended files must not leave; else `.winnode-root` or `.git` marks it. */
  readonly within?: string | undefined
}

/** The command line names no profile file. */
export interface MissingFile {
  readonly name: string
  readonly why: 'no such file' | 'no such built-in profile' | 'a folder'
  readonly suggestion: string | undefined
}

export interface LoadedProfile {
  readonly name: string
  /** From weak to strong, without the keys of the header. */
  readonly layers: readonly Layer[]
  /** That of the file that the command line names; absent for a built-in profile. */
  readonly own: Layer | undefined
  readonly findings: readonly Finding[]
  /** Files that the command line names and the disk does not have. */
  readonly missing: readonly MissingFile[]
  /** The rows that the profile names a file of. */
  readonly facts: AddedFacts | undefined
  /** False where a part could not be read: what its fields say is unknown then. */
  readonly complete: boolean
}

interface Part extends Chain {
  readonly missing: readonly MissingFile[]
}

export function loadProfile(request: ProfileRequest): LoadedProfile {
  const { profile, cwd } = request
  const first = readFirst(request)
  const parts = [
    first,
    readLock(profile, cwd),
    ...(request.layers ?? []).map((typed) => readOverlay(typed, cwd)),
    ...(request.sets ?? []).map(setPart),
  ]
  const whole = parts.flatMap((part) => part.layers)
  const named = namedFacts(whole, cwd)
  const layers = whole.map(withoutHeader)
  const own = first.layers.length > 0 ? layers[first.layers.length - 1] : undefined
  return {
    name: nameOf(profile, layers),
    layers,
    own: own?.builtIn ? undefined : own,
    facts: named.facts,
    findings: [...parts.flatMap((part) => part.findings), ...named.findings],
    missing: parts.flatMap((part) => part.missing),
    // Other rows may be what makes a version fit.
    complete: parts.every((part) => part.complete) && named.findings.length === 0,
  }
}

function readFirst({ profile, root, cwd, within }: ProfileRequest): Part {
  const file = isPath(profile) ? ownFile(cwd, profile, within) : builtinFile(root, profile)
  const part = readPart(profile, file, { path: resolve(cwd, profile), root }, (bytes) =>
    readChain(file, bytes, root),
  )
  const parents = part.layers.slice(0, -1).map(withoutOwnKeys)
  return { ...part, layers: [...parents, ...part.layers.slice(-1)] }
}

/** The checksums beside a profile, if there are any: a layer that sets `artifacts.lock`, and nothing else. */
function readLock(profile: string, cwd: string): Part {
  const file = beside(profile, lockFile)
  if (!isPath(profile) || profile === '-' || !existsSync(resolve(cwd, file)))
    return { layers: [], findings: [], missing: [], complete: true }
  const part = readOverlay(file, cwd)
  const layers = part.layers.map((layer) => ({
    ...layer,
    // A missing field is not to be added there.
    place: (path: Path, at?: 'key' | 'value') =>
      isWithin(path, lockPath) ? layer.place(path, at) : undefined,
  }))
  const others = part.layers.flatMap((layer) =>
    othersIn(layer.patch).map((path) =>
      problem('not-for-lock', { path, place: layer.place(path) }, formatPath(path)),
    ),
  )
  return { ...part, layers, findings: [...part.findings, ...others] }
}

/** `extends` has another finding. */
const lockHeader: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'extends'])

function othersIn(patch: JsonObject): readonly Path[] {
  const { artifacts } = patch
  return [
    ...Object.keys(patch)
      .filter((key) => !lockHeader.has(key))
      .map((key) => [key]),
    ...Object.keys(isObject(artifacts) ? artifacts : {}).map((key) => ['artifacts', key]),
  ].filter((path) => !['artifacts', formatPath(lockPath)].includes(formatPath(path)))
}

function readOverlay(typed: string, cwd: string): Part {
  const file = ownFile(cwd, typed)
  return readPart(typed, file, { path: file.path, root: undefined }, (bytes) => {
    const { layer: read, findings } = readProfile(bytes, file.label)
    if (!read) return { layers: [], findings, complete: false }
    const layer = { ...read, file }
    const spot = { path: ['extends'], place: layer.place(['extends'], 'key') }
    const extending =
      layer.patch['extends'] === undefined ? [] : [problem('extends-in-layer', spot)]
    return { layers: [layer], findings: [...findings, ...extending], complete: true }
  })
}

function readPart(
  name: string,
  file: ProfileFile,
  search: { readonly path: string; readonly root: string | undefined },
  readBytes: (bytes: Uint8Array) => Chain,
): Part {
  const read = readProfileFile(file)
  if (read.kind === 'read') return { ...readBytes(read.bytes), missing: [] }
  const nothing = { layers: [], findings: [], missing: [], complete: false }
  if (read.kind === 'unreadable') {
    const spot = { place: locator(file.label, '')(start) }
    return { ...nothing, findings: [problem('unreadable', spot, read.reason, read.remedy)] }
  }
  const missing: MissingFile =
    // A bare name is looked up among the built-in profiles, but it can be that of a folder.
    read.kind === 'folder' || readProfileFile(ownFile('', search.path)).kind === 'folder'
      ? {
          name: file.input ? file.label : name,
          why: 'a folder',
          suggestion: profilesIn(name, search),
        }
      : {
          name,
          why: file.builtIn ? 'no such built-in profile' : 'no such file',
          suggestion: suggest(name, search),
        }
  return { ...nothing, missing: [missing] }
}

function setPart(text: string): Part {
  const { layer, findings } = readSet(text)
  return { layers: layer ? [layer] : [], findings, missing: [], complete: layer !== undefined }
}

/** The name of the bundle: the `name` that the profile or a stronger layer sets, or the name of its file. */
function nameOf(reference: string, layers: readonly Layer[]): string {
  const set = layers
    .map((layer) => layer.patch['name'])
    .findLast((name) => typeof name === 'string')
  return typeof set === 'string' ? set : fileName(reference)
}

/** Lower-case words joined by dashes, as the field requires. */
function fileName(reference: string): string {
  const file = isPath(reference) ? basename(reference).replace(/\.ya?ml$/i, '') : reference
  const words = file.toLowerCase().match(/[a-z0-9]+/g) ?? ['profile']
  return words.join('-').slice(0, 63).replace(/-$/, '')
}

// Reads a profile and all profiles that it extends, the weakest first.
import { dirname, join, posix, resolve } from 'node:path'
import type { Finding } from '../../model/finding.ts'
import type { Json } from '../../model/json.ts'
import type { Layer } from '../../model/layer.ts'
import { below } from '../native-path.ts'
import { problem, type ProblemId } from '../problems.ts'
import { realPath } from '../real-path.ts'
import { readSource } from '../source.ts'
import { builtinNames } from './builtins.ts'
import { checkHeader, kindOf } from './header.ts'
import { builtinFile, isPath, type ProfileFile, readParentFile } from './profile-file.ts'
import { suggest } from './suggest.ts'
import { isRelative, withinRoot } from './within-root.ts'

/** Longest chain. */
const longest = 16

export interface Chain {
  readonly layers: readonly Layer[]
  readonly findings: readonly Finding[]
  /** Whether every file of the chain could be read. */
  readonly complete: boolean
}

/** Why a parent cannot be read. */
interface Refusal {
  readonly id: ProblemId
  readonly about: string
  readonly remedy?: string
}

/** `children` are the profiles that lead to this one, starting with the one that the user named. */
export function readChain(
  file: ProfileFile,
  bytes: Uint8Array,
  root: string,
  children: readonly ProfileFile[] = [],
): Chain {
  const { layer: read, findings } = readProfile(bytes, file.label)
  const layer = read && { ...read, ...(file.builtIn ? { builtIn: file.builtIn } : { file }) }
  if (!layer) return { layers: [], findings, complete: false }
  const reference = layer.patch['extends']
  if (reference === undefined) return { layers: [layer], findings, complete: true }
  const family = [...children, file]
  const parent = findParent(reference, file, root)
  const next = 'id' in parent ? parent : readParent(parent, family)
  if ('id' in next) {
    const spot = { path: ['extends'], place: layer.place(['extends']) }
    const finding = problem(next.id, spot, next.about, next.remedy)
    return { layers: [layer], findings: [...findings, finding], complete: false }
  }
  const above = readChain(next.file, next.bytes, root, family)
  return {
    layers: [...above.layers, layer],
    findings: [...findings, ...above.findings],
    complete: above.complete,
  }
}

/** Checks the header, and keeps it. */
export function readProfile(
  bytes: Uint8Array,
  label: string,
): { readonly layer: Layer | undefined; readonly findings: readonly Finding[] } {
  const { layer, findings } = readSource(bytes, label)
  return { layer, findings: [...findings, ...(layer ? checkHeader(layer) : [])] }
}

/** The file that `extends` names: a built-in profile, or a file inside the root folder. */
function findParent(reference: Json, child: ProfileFile, root: string): ProfileFile | Refusal {
  if (typeof reference !== 'string') return { id: 'extends-not-text', about: kindOf(reference) }
  if (!isPath(reference))
    return builtinNames(root).includes(reference)
      ? builtinFile(root, reference)
      : unknown(reference, child, root)
  if (!isRelative(reference)) return { id: 'extends-not-relative', about: reference }
  const found = withinRoot(reference, child)
  if (found.kind === 'missing') return unknown(reference, child, root)
  if (found.kind === 'leaves-folder') return { id: 'extends-leaves-folder', about: reference }
  return { label: labelBeside(child, reference), path: found.path, folder: child.folder }
}

/** Begins with ./ if the user typed the child so: one file has one name in a run. */
function labelBeside({ label }: ProfileFile, reference: string): string {
  const joined = join(dirname(label), reference)
  return /^\.[/\\]/.test(label) && !joined.startsWith('..') ? below('.', joined) : joined
}

function unknown(reference: string, child: ProfileFile, root: string): Refusal {
  const path = resolve(dirname(child.path), reference)
  const guess = suggest(reference, { path, root, system: posix })
  return {
    id: 'extends-unknown',
    about: reference,
    ...(guess !== undefined && { remedy: `Did you mean ${guess}?` }),
  }
}

function readParent(
  file: ProfileFile,
  family: readonly ProfileFile[],
): { readonly file: ProfileFile; readonly bytes: Uint8Array } | Refusal {
  const real = placeOf(file)
  if (family.some((one) => placeOf(one) === real)) {
    const names = [...family, file].map(({ label }) => label)
    return { id: 'extends-circle', about: names.join(' > ') }
  }
  if (family.length === longest) return { id: 'extends-too-long', about: String(longest) }
  const read = readParentFile(file)
  if (read.kind === 'read') return { file, bytes: read.bytes }
  return { id: 'extends-unreadable', about: `${file.label}: ${read.reason}` }
}

/** The real path, or the path itself for files embedded in an executable, which have none. */
function placeOf({ path }: ProfileFile): string {
  return realPath(path) ?? path
}

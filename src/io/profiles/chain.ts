// Reads a profile and all profiles that it extends, the weakest first.
import type { Finding } from '../../model/finding.ts'
import type { Layer } from '../../model/layer.ts'
import { problem } from '../problems.ts'
import { realPath } from '../real-path.ts'
import { readSource } from '../source.ts'
import { checkHeader } from './header.ts'
import type { Refusal } from './parent.ts'
import { findParent } from './parent.ts'
import { type ProfileFile, readParentFile } from './profile-file.ts'

/** Longest chain. */
const longest = 16

export interface Chain {
  readonly layers: readonly Layer[]
  readonly findings: readonly Finding[]
  /** Whether every file of the chain could be read. */
  readonly complete: boolean
}

interface Content {
  readonly kind: 'content'
  readonly file: ProfileFile
  readonly bytes: Uint8Array
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
  if (layer.patch['extends'] === undefined) return { layers: [layer], findings, complete: true }
  const family = [...children, file]
  const next = readParent(layer, family, root)
  if (next.kind === 'refused') {
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

function readParent(layer: Layer, family: readonly ProfileFile[], root: string): Content | Refusal {
  const child = family.at(-1)
  if (!child) throw new Error('a family has at least one file')
  const parent = findParent(layer.patch['extends'] ?? null, child, root)
  if (parent.kind === 'refused') return parent
  const { file } = parent
  const real = placeOf(file)
  if (family.some((one) => placeOf(one) === real)) {
    const names = [...family, file].map(({ label }) => label)
    return { kind: 'refused', id: 'extends-circle', about: names.join(' > ') }
  }
  if (family.length === longest) {
    return { kind: 'refused', id: 'extends-too-long', about: String(longest) }
  }
  const read = readParentFile(file)
  if (read.kind === 'read') return { kind: 'content', file, bytes: read.bytes }
  const about = `${file.label}: ${read.reason}`
  return { kind: 'refused', id: 'extends-unreadable', about }
}

/** The real path, or the path itself for files embedded in an executable, which have none. */
function placeOf({ path }: ProfileFile): string {
  return realPath(path) ?? path
}

// Resolves `extends` of a profile to a file.
import { dirname, isAbsolute, join, posix, resolve } from 'node:path'
import type { Json } from '../../model/json.ts'
import type { ProblemId } from '../problems.ts'
import { builtinNames } from './builtins.ts'
import type { ProfileFile } from './profile-file.ts'
import { builtinFile, isPath } from './profile-file.ts'
import { suggest } from './suggest.ts'
import { withinRoot } from './within-root.ts'

export interface Refusal {
  readonly kind: 'refused'
  readonly id: ProblemId
  readonly about: string
  readonly remedy?: string
}

type Parent = { readonly kind: 'found'; readonly file: ProfileFile } | Refusal

export function findParent(reference: Json, child: ProfileFile, root: string): Parent {
  if (typeof reference !== 'string') {
    return { kind: 'refused', id: 'extends-not-text', about: nameOf(reference) }
  }
  return isPath(reference) ? findFile(reference, child, root) : findBuiltin(reference, child, root)
}

function findBuiltin(name: string, child: ProfileFile, root: string): Parent {
  if (builtinNames(root).includes(name)) return { kind: 'found', file: builtinFile(root, name) }
  return unknown(name, child, root)
}

/** Inside the root folder only. */
function findFile(reference: string, child: ProfileFile, root: string): Parent {
  if (!isRelative(reference)) {
    return { kind: 'refused', id: 'extends-not-relative', about: reference }
  }
  const found = withinRoot(reference, child)
  if (found.kind === 'missing') return unknown(reference, child, root)
  if (found.kind === 'leaves-folder')
    return { kind: 'refused', id: 'extends-leaves-folder', about: reference }
  const label = join(dirname(child.label), reference)
  return { kind: 'found', file: { label, path: found.path, folder: child.folder } }
}

/** Portable paths only: with forward slashes. */
export function isRelative(reference: string): boolean {
  return !(isAbsolute(reference) || reference.includes('\\') || /^[A-Za-z]:/.test(reference))
}

function unknown(reference: string, child: ProfileFile, root: string): Refusal {
  const guess = suggest(reference, {
    path: resolve(dirname(child.path), reference),
    root,
    system: posix,
  })
  return {
    kind: 'refused',
    id: 'extends-unknown',
    about: reference,
    ...(guess !== undefined && { remedy: `Did you mean ${guess}?` }),
  }
}

function nameOf(value: Json): string {
  if (value === null) return 'nothing'
  if (typeof value !== 'object') return `the ${typeof value} ${String(value)}`
  return Array.isArray(value) ? 'a list' : 'a map'
}

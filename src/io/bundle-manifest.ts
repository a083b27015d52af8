// The files that winnode wrote to a folder, with their digests.
import { join } from 'node:path'
import { manifestNames, pathProblem } from '../model/bundle-path.ts'
import { isObject, parseObject } from '../model/json.ts'
import { digestOf } from '../render/digest.ts'
import { selfDigestOf } from '../render/self-digest.ts'
import { lstat, readAtMost } from './disk.ts'
import { withoutSignature } from './signature.ts'

export const manifestFile = manifestNames.bundle

/** A folder can be a bundle first, and the output of targets later. */
export const manifestFiles: readonly string[] = Object.values(manifestNames)

/** A file as winnode wrote it, one modified by hand, or one that winnode did not write. */
type Owner = 'ours' | 'edited' | 'foreign'

export interface Manifest {
  /** Digest by path; `undefined` if it is unknown. */
  readonly files: ReadonlyMap<string, string | undefined>
  /** The content is `undefined` for a file beyond the size limit. A signed script counts as winnode wrote it. */
  readonly ownerOf: (path: string, content: Uint8Array | undefined) => Owner
}

/** The files that a manifest lists, with the manifest itself; `undefined` if winnode did not write it. */
export function readManifest(
  content: Uint8Array,
  name: string = manifestFile,
): Manifest | undefined {
  const text = new TextDecoder().decode(content)
  const document = parseObject(text)
  if (document?.['apiVersion'] !== 'winnode/v1') return undefined
  const { files: list, sha256: own } = document
  if (!Array.isArray(list)) return undefined
  const intact = typeof own === 'string' && own === selfDigestOf(text, own)
  const self = intact ? digestOf(content) : undefined
  return manifestOf([...list.flatMap(pairOf), [name, self] as const])
}

/** The manifests in the folder. */
export function manifestsIn(folder: string): readonly Manifest[] {
  return manifestFiles.flatMap((name) => {
    const content = lstat(join(folder, name))?.isFile() ? readAtMost(join(folder, name)) : undefined
    return (content && readManifest(content, name)) ?? []
  })
}

function manifestOf(pairs: Iterable<readonly [string, string | undefined]>): Manifest {
  const files = new Map(pairs)
  return {
    files,
    ownerOf: (path, content) => {
      if (!files.has(path)) return 'foreign'
      const digest = content && digestOf(withoutSignature(path, content))
      return digest !== undefined && files.get(path) === digest ? 'ours' : 'edited'
    },
  }
}

/** The union of all: an interrupted run leaves files of two bundles. */
export function joined(manifests: readonly Manifest[]): Manifest {
  const files = new Map(manifests.flatMap((one) => [...one.files]))
  return {
    files,
    ownerOf: (path, content) => {
      const owners = manifests.map((one) => one.ownerOf(path, content))
      return owners.find((owner) => owner === 'ours') ?? (files.has(path) ? 'edited' : 'foreign')
    },
  }
}

function pairOf(item: unknown): readonly (readonly [string, string])[] {
  if (!isObject(item)) return []
  const { path, sha256 } = item
  if (typeof path !== 'string' || typeof sha256 !== 'string') return []
  // A manifest is untrusted input: its paths must stay inside the folder.
  return pathProblem(path) === undefined ? [[path, sha256]] : []
}

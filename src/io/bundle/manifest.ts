// Manifest: which files of a bundle are ours, and what they held when we wrote them.
import { createHash } from 'node:crypto'
import { isObject } from '../../model/json.ts'

export const manifestFile = 'node.json'

/** Whether a file is as we wrote it, ours but changed by somebody, or not ours. */
export type Owner = 'ours' | 'edited' | 'foreign'

export interface Manifest {
  /** Digests by path. */
  readonly files: ReadonlyMap<string, string>
  readonly ownerOf: (path: string, content: Uint8Array) => Owner
}

/** The list that a node.json keeps; `undefined` where it is not one of ours. */
export function readManifest(content: Uint8Array): Manifest | undefined {
  const text = new TextDecoder().decode(content)
  const document = parseJson(text)
  if (!isObject(document) || document['apiVersion'] !== 'winnode/v1') return undefined
  const { files: list, sha256: own } = document
  if (!Array.isArray(list)) return undefined
  const files = new Map(list.flatMap(pairOf))
  const self = typeof own === 'string' && own === digestWithout(text, own) ? 'ours' : 'edited'
  return {
    files,
    ownerOf: (path, held) => {
      if (path === manifestFile) return self
      const digest = files.get(path)
      if (digest === undefined) return 'foreign'
      return digest === digestOf(held) ? 'ours' : 'edited'
    },
  }
}

export function digestOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex')
}

/** A file cannot hold its own digest: it holds that of itself with zeros in its place. */
function digestWithout(text: string, digest: string): string {
  return digestOf(text.replace(digest, '0'.repeat(digest.length)))
}

function pairOf(item: unknown): readonly (readonly [string, string])[] {
  if (!isObject(item)) return []
  const { path, sha256 } = item
  return typeof path === 'string' && typeof sha256 === 'string' ? [[path, sha256]] : []
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

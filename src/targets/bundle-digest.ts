// The digest of a bundle: the one in node.json, which covers all files.
import { manifestNames } from '../model/bundle-path.ts'
import { isObject } from '../model/json.ts'
import type { RenderedFile } from '../model/plan.ts'

export function bundleDigest(bundle: readonly RenderedFile[]): string {
  const file = bundle.find(({ path }) => path === manifestNames.bundle)
  const document: unknown = JSON.parse(new TextDecoder().decode(file?.content))
  const digest = isObject(document) ? document['sha256'] : undefined
  if (typeof digest !== 'string') throw new Error('node.json says no digest of itself')
  return digest
}

// The digest of what counts on a node: an image with the same one need not be built again, nor a machine replaced.
import { manifestNames } from '../model/bundle-path.ts'
import { isObject } from '../model/json.ts'
import type { RenderedFile } from '../model/plan.ts'

/** The digest of what counts on a node; `undefined` where winnode installs nothing on it. */
export function installedDigest(files: readonly RenderedFile[]): string | undefined {
  const isInstalled = files.some(({ path }) => path === manifestNames.bundle)
  return isInstalled ? bundleDigest(files) : undefined
}

export function bundleDigest(bundle: readonly RenderedFile[]): string {
  const file = bundle.find(({ path }) => path === manifestNames.bundle)
  const document: unknown = JSON.parse(new TextDecoder().decode(file?.content))
  const digest = isObject(document) ? document['nodeDigest'] : undefined
  if (typeof digest !== 'string') throw new Error('node.json has no nodeDigest')
  return digest
}

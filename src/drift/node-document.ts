// Differences of node.json that are already covered by another difference.
import { manifestNames } from '../model/bundle-path.ts'
import { valueAt } from '../model/json.ts'
import type { BundleEvidence, BundleFile, Found } from './evidence.ts'

/** A digest follows its file: as rendered by winnode, or as the file is now. */
export function isCovered(
  leaf: Found,
  file: BundleFile,
  { files, sealed }: BundleEvidence,
  all: readonly Found[],
): boolean {
  if (file.path !== manifestNames.bundle) return false
  if (leaf.key === 'sha256') return all.some(({ key }) => key !== 'sha256')
  if (sealed && followsUrl(leaf, all)) return true
  if (sealed) return /^files\[\]|^steps\[\]\.sha256$/.test(leaf.key)
  if (!leaf.key.endsWith('[].sha256')) return false
  const { found } = files.find(({ path }) => path === fileOf(leaf)) ?? {}
  return found !== undefined && leaf.was === found
}

/** A step's checksum and mirror URL follow its download URL. */
function followsUrl({ path, key }: Found, all: readonly Found[]): boolean {
  const [, step] = path
  const follows = /^steps\[\]\.(?:checksum\.\w+|copy)$/.test(key)
  return follows && all.some((one) => one.key === 'steps[].url' && one.path[1] === step)
}

/** The file with this digest: by path in the list of files, by the source of its step. */
function fileOf({ path, at, doc }: Found): string | undefined {
  const [list, name] = path
  const found = list === 'files' ? name : doc && valueAt(doc.value, [...at.slice(0, 2), 'source'])
  return typeof found === 'string' ? found : undefined
}

// The files of a download mirror: what nodes download, by its path in the mirror.
import { compareText } from '../model/finding.ts'
import type { Facts } from '../model/facts.ts'
import type { Checksum } from '../model/fetched.ts'
import { billOf } from './bill.ts'
import { downloadOf } from './download.ts'
import { programsOf } from './programs.ts'

export interface MirrorFile {
  /** The URL without its scheme: `dl.k8s.io/release/v1.37.2/bin/windows/amd64/kubelet.exe`. */
  readonly path: string
  /** The publisher's, whatever mirrors the profile has. */
  readonly url: string
  /** Absent for a checksum file. */
  readonly program?: { readonly id: string; readonly checksum: Checksum | undefined }
}

/** By path, each once. */
export function downloadsOf(profiles: readonly Facts[]): readonly MirrorFile[] {
  const files = profiles.flatMap((facts) =>
    programsOf(facts).flatMap(({ source, version }): readonly MirrorFile[] => {
      const { artifacts } = facts.spec
      const { url, checksum } = downloadOf(source, version, { ...artifacts, baseURLs: {} })
      const file = { path: mirrorPath(url), url, program: { id: source, checksum } }
      if (checksum?.kind !== 'published') return [file]
      return [file, { path: mirrorPath(checksum.url), url: checksum.url }]
    }),
  )
  const unique = new Map(files.map((file) => [JSON.stringify(file), file]))
  return [...unique.values()].toSorted((a, b) => compareText(a.path, b.path))
}

/** Images that a node needs before its first pod, each once. */
export function imagesOf(profiles: readonly Facts[]): readonly string[] {
  const bills = profiles.flatMap(billOf)
  return [...new Set(bills.filter(({ kind }) => kind === 'image').map(({ url }) => url))].sort()
}

/** Where a mirror has the file of a URL. */
export function mirrorPath(url: string): string {
  return url.replace(/^https:\/\//, '')
}

/**
 * The SHA-256 in a publisher's checksum file: the whole file in the shape `bare`, the line with the file's name in the
 * shape `named`. `undefined` if there is none, or if two lines differ. The node reads such files in the same way.
 */
export function publishedDigest(
  text: string,
  { shape, name }: Extract<Checksum, { readonly kind: 'published' }>,
): string | undefined {
  if (shape === 'bare') return /^\s*([0-9a-f]{64})\s*$/i.exec(text)?.[1]?.toLowerCase()
  const lines = text.split(/\r?\n/).flatMap((line) => {
    const [, digest = '', file = ''] = /^([0-9a-f]{64})[ \t]+\*?(\S.*?)\s*$/i.exec(line) ?? []
    return file.slice(file.lastIndexOf('/') + 1) === name ? [digest.toLowerCase()] : []
  })
  const distinct = new Set(lines)
  return distinct.size === 1 ? lines[0] : undefined
}

// An artefact and a version to an address, and how the node checks what comes from it.
import { artifactBases, artifactSource } from '../matrix/artifact-sources.ts'
import type { NodeSpec } from '../model/spec.ts'
import type { Checksum } from '../model/fetched.ts'

export interface Download {
  readonly url: string
  /** Asked where the first address fails. */
  readonly copy?: string
  /** Absent where neither the profile nor the publisher gives a digest. */
  readonly checksum: Checksum | undefined
  readonly licence: string
}

/** The profile's digest wins, then one known for exactly this version, then the publisher's file. */
export function downloadOf(
  id: string,
  version: string,
  artifacts: NodeSpec['artifacts'],
): Download {
  const { base, path, copy, checksum, licence } = artifactSource(id)
  const root = artifacts.baseURLs[base] ?? artifactBases[base]
  const at = (pattern: string) => `${root}/${pattern.replaceAll('{version}', version)}`
  const url = at(path)
  // Whoever names a mirror of his own wants to be asked alone.
  const again =
    copy === undefined || artifacts.baseURLs[base] !== undefined
      ? {}
      : { copy: copy.replaceAll('{version}', version) }
  const pinned = artifacts.sha256[id]
  if (pinned !== undefined)
    return { url, ...again, licence, checksum: { kind: 'pinned', sha256: pinned } }
  switch (checksum.kind) {
    case 'none':
      return { url, licence, checksum: undefined }
    case 'known':
      if (checksum.version !== version) return { url, licence, checksum: undefined }
      return { url, ...again, licence, checksum: { kind: 'pinned', sha256: checksum.sha256 } }
    case 'suffix':
    case 'release': {
      const sums = checksum.kind === 'suffix' ? `${url}${checksum.suffix}` : at(checksum.path)
      const name = url.slice(url.lastIndexOf('/') + 1)
      return {
        url,
        licence,
        checksum: { kind: 'published', url: sums, shape: checksum.shape, name },
      }
    }
  }
}

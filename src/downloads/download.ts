// The download URL of an artifact and version, and the checksum that the node verifies.
import {
  artifactBases,
  artifactSource,
  knownDigest,
  publisherURL,
} from '../matrix/artifact-sources.ts'
import type { NodeSpec } from '../model/spec.ts'
import type { Checksum } from '../model/fetched.ts'

interface Download {
  readonly url: string
  /** A second URL, tried if the first one fails. */
  readonly copy?: string
  /** Undefined if neither the profile nor the publisher gives a checksum. */
  readonly checksum: Checksum | undefined
  readonly licence: string
}

/** The checksum comes from the profile, else from winnode.lock, else from the table for exactly this version, else from the publisher's file. */
export function downloadOf(
  id: string,
  version: string,
  artifacts: NodeSpec['artifacts'],
): Download {
  const { base, path, copy, checksum, licence } = artifactSource(id)
  const root = artifacts.baseURLs[base] ?? artifactBases[base]
  const url = `${root}/${path.replaceAll('{version}', version)}`
  const sha256 =
    artifacts.sha256[id] ?? artifacts.lock[publisherURL(id, version)] ?? knownDigest(id, version)
  if (sha256 !== undefined) {
    // With a mirror in `artifacts.baseURLs`, nothing is downloaded from elsewhere.
    const fallback =
      copy === undefined || artifacts.baseURLs[base] !== undefined
        ? {}
        : { copy: copy.replaceAll('{version}', version) }
    return { url, ...fallback, licence, checksum: { kind: 'pinned', sha256 } }
  }
  if (!checksum) return { url, licence, checksum: undefined }
  const { suffix, shape } = checksum
  const name = url.slice(url.lastIndexOf('/') + 1)
  return { url, licence, checksum: { kind: 'published', url: `${url}${suffix}`, shape, name } }
}

// The download URL of each file of a node, and its publisher's checksum.
import tables from '#tables'
import type { ArtifactSource } from '../model/tables.ts'

export const { bases: artifactBases, sources: artifactSources } = tables['artifact-sources']

/** Only ids in the table are used; another one is a bug in winnode. */
export function artifactSource(id: string): ArtifactSource {
  const source = artifactSources.find((row) => row.id === id)
  if (!source) throw new Error(`src/matrix/tables/artifact-sources.json has no ${id}`)
  return source
}

/** The publisher's, whatever mirrors the profile has. */
export function publisherURL(id: string, version: string): string {
  const { base, path } = artifactSource(id)
  return `${artifactBases[base]}/${path.replaceAll('{version}', version)}`
}

/** Of the table, for exactly this version. */
export function knownDigest(id: string, version: string): string | undefined {
  return artifactSource(id).digests?.find((digest) => digest.version === version)?.sha256
}

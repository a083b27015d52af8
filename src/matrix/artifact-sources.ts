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

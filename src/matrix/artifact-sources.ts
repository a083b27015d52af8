// Where each file that a node fetches is published, and what its publisher says of its bytes.
import tables from '#tables'
import type { ArtifactSource } from '../model/tables.ts'

export const { bases: artifactBases, sources: artifactSources } = tables['artifact-sources']

/** Only ids of the table are asked for; another one is a mistake in winnode. */
export function artifactSource(id: string): ArtifactSource {
  const source = artifactSources.find((row) => row.id === id)
  if (!source) throw new Error(`src/matrix/tables/artifact-sources.json has no ${id}`)
  return source
}

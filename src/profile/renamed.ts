// Renamed fields, for the remedy in an old profile.
import { ownOf } from '../model/json.ts'
import { everyCni } from '../cni/index.ts'
import { formatPath, type Path } from '../model/path.ts'

export const moved: Readonly<Record<string, Path>> = Object.fromEntries(
  everyCni.flatMap(({ id, moved: fields = {} }) =>
    Object.entries(fields).map(([before, field]) => [before, ['network', id, field]] as const),
  ),
)

/** The present path of a field that was at `path`. */
export function presentFieldOf(path: Path): Path | undefined {
  const name = formatPath(path)
  return ownOf(moved, name)
}

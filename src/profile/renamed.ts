// Fields that have moved, so that an old profile is told where.
import { everyCni } from '../cni/index.ts'
import { formatPath, type Path } from '../model/path.ts'

export const moved: Readonly<Record<string, Path>> = Object.fromEntries(
  everyCni.flatMap(({ id, moved: fields }) =>
    Object.entries(fields).map(([before, field]) => [before, ['network', id, field]] as const),
  ),
)

/** Where a field stands now that stood at `path`. */
export function presentFieldOf(path: Path): Path | undefined {
  const name = formatPath(path)
  return Object.hasOwn(moved, name) ? moved[name] : undefined
}

// Fields that have moved, so that an old profile is told where.
import { formatPath, type Path } from '../model/path.ts'

export const moved: Readonly<Record<string, Path>> = {
  'network.vni': ['network', 'flannel', 'vni'],
  'network.port': ['network', 'flannel', 'port'],
  'network.macPrefix': ['network', 'flannel', 'macPrefix'],
  'network.credentials': ['network', 'flannel', 'credentials'],
  'network.ovsDriver': ['network', 'antrea', 'ovsDriver'],
}

/** Where a field stands now that stood at `path`. */
export function presentFieldOf(path: Path): Path | undefined {
  const name = formatPath(path)
  return Object.hasOwn(moved, name) ? moved[name] : undefined
}

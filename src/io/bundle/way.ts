// Way: whether a bundle is swapped in as a whole, or written file by file.
import { dirname } from 'node:path'
import type { Run } from '../run-identity.ts'
import type { Changes } from './changes.ts'
import type { Look } from './disk.ts'
import { isExposed, isOthers } from './exposure.ts'
import type { Entry } from './walk.ts'
import type { World } from './world.ts'

/**
 * `swap`: completed beside, and put in the place of a folder in which all is ours. `replace`: file by
 * file, where something else lies in it, or where others could exchange what is moved or removed.
 */
export type Way = 'swap' | 'replace'

/** What lies in the folder of a bundle, and what writing the bundle would do there. */
export interface Standing extends Changes {
  readonly entries: readonly Entry[]
  /** Paths in the folder at which a disk is mounted. */
  readonly mounts: readonly string[]
}

export function wayTo(
  { disk, run }: World,
  out: string,
  workspace: string,
  { changes, entries, mounts }: Standing,
): Way {
  const beside = dirname(workspace) === dirname(out)
  const foreign = changes.some(({ change }) => change === 'keep' || change === 'foreign')
  if (!beside || foreign || mounts.length > 0) return 'replace'
  const parent = disk.look(dirname(out))
  const top = disk.look(out)
  if (!top) return isExposed(disk, dirname(out), run) ? 'replace' : 'swap'
  if (disk.isLayered(out)) return 'replace'
  const all = [top, ...entries]
  const plain = all.every(
    (one) => isOwn(one, run) && one.device === top.device && !isOthers(one, run),
  )
  // What is made anew would get another group.
  const inherits = [top, parent].some((one) => ((one?.mode ?? 0) & setGroup) !== 0)
  return plain && !inherits && !isExposed(disk, dirname(out), run) ? 'swap' : 'replace'
}

const setGroup = 0o2000

function isOwn({ owner, group }: Look, { user, group: ownGroup }: Run): boolean {
  return user === undefined || (owner === user && group === ownGroup)
}

// Way: whether a bundle is swapped in as a whole, or written file by file.
import { dirname } from 'node:path'
import { isExposed, isOthers } from './exposure.ts'
import type { Planned } from './survey.ts'
import type { World } from './world.ts'

/**
 * `swap`: completed beside, and put in the place of a folder in which all is ours. `replace`: file by
 * file, where something else lies in it, or where others could exchange what is moved or removed.
 */
export type Way = 'swap' | 'replace'

export function wayTo(
  { disk, run }: World,
  out: string,
  workspace: string,
  { changes, entries }: Planned,
): Way {
  const beside = dirname(workspace) === dirname(out)
  const foreign = changes.some(({ change }) => change === 'keep' || change === 'foreign')
  if (!beside || foreign || isExposed(disk, dirname(out), run)) return 'replace'
  const top = disk.look(out)
  const folders = entries.filter(({ kind }) => kind === 'folder')
  const shared = [...(top ? [top] : []), ...folders].some(
    (one) =>
      isOthers(one, run) || one.owner !== (run.user ?? one.owner) || one.device !== top?.device,
  )
  return shared ? 'replace' : 'swap'
}

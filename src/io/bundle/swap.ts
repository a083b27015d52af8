// Swap: puts a finished bundle in the place of a folder that is wholly ours.
import { dirname } from 'node:path'
import type { Disk } from './disk.ts'
import { Unsettled } from './unsettled.ts'
import type { Undo } from './undo.ts'
import type { Entry } from './walk.ts'
import { entriesOf } from './walk.ts'

/** At each moment, `out` or `old` holds a whole bundle. `entries` are those that `out` had. */
export function swap(
  disk: Disk,
  out: string,
  { fresh, old }: { readonly fresh: string; readonly old: string },
  entries: readonly Entry[],
  undo: Undo,
): void {
  if (disk.look(out)) {
    move(disk, out, old, undo)
    if (!isSame(entriesOf(disk, old), entries)) throw new Unsettled()
  }
  move(disk, fresh, out, undo)
}

function move(disk: Disk, from: string, to: string, undo: Undo): void {
  disk.rename(from, to)
  undo.add(() => {
    disk.rename(to, from)
  })
  for (const folder of new Set([dirname(from), dirname(to)])) disk.sync(folder)
}

/** `wanted` has our spelling of what the disk may list in another. */
function isSame(found: readonly Entry[] | undefined, wanted: readonly Entry[]): boolean {
  const text = (entries: readonly Entry[]) =>
    entries.map(({ path, kind, size, changed }) => [
      ...[path.toLowerCase(), kind],
      ...[kind === 'file' && size, changed],
    ])
  return found !== undefined && JSON.stringify(text(found)) === JSON.stringify(text(wanted))
}

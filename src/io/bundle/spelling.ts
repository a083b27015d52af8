// Spelling: entries of a folder by our names for them, on a disk that does not tell apart upper and lower case.
import { join } from 'node:path'
import type { Disk } from './disk.ts'
import type { Entry } from './walk.ts'
import { foldersOf } from './walk.ts'

/** `Node.json` is node.json where the disk finds it by that name, as NTFS does, and lists no other. */
export function spelledAs(
  disk: Disk,
  folder: string,
  entries: readonly Entry[],
  ours: Iterable<string>,
): readonly Entry[] {
  const names = [...ours].flatMap((path) => [...foldersOf(path), path])
  const byFolded = new Map(names.map((name) => [name.toLowerCase(), name]))
  const listed = new Set(entries.map(({ path }) => path))
  return entries.map((entry) => {
    const path = respelled(entry.path, byFolded)
    const isAnother = listed.has(path) || !disk.look(join(folder, path))
    return isAnother ? entry : { ...entry, path }
  })
}

/** What is not ours lies below a folder that may be. */
function respelled(path: string, byFolded: ReadonlyMap<string, string>): string {
  const known = [path, ...foldersOf(path).toReversed()].find((one) =>
    byFolded.has(one.toLowerCase()),
  )
  if (known === undefined) return path
  return `${byFolded.get(known.toLowerCase())}${path.slice(known.length)}`
}

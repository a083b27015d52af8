// Single-file: writes one file as a whole, or not at all.
import { basename, dirname, join, resolve } from 'node:path'
import { withDiskWords } from './bundle/disk-error.ts'
import type { Disk } from './bundle/disk.ts'
import { realDisk } from './bundle/disk.ts'
import { makeParents } from './bundle/walk.ts'

export interface FileRequest {
  /** As a person typed it. */
  readonly file: string
  readonly cwd: string
  /** Overwrite a file that holds something else. */
  readonly force?: boolean
}

/** `conflict`: it holds something else. `blocked`: it is a folder, a link or a device. */
export type FileOutcome = 'created' | 'replaced' | 'same' | 'conflict' | 'blocked'

export function writeSingleFile(
  content: Uint8Array,
  { file, cwd, force = false }: FileRequest,
  disk: Disk = realDisk,
): FileOutcome {
  const path = resolve(cwd, file)
  return withDiskWords(file, () => {
    const outcome = outcomeOf(content, path, disk)
    if (outcome === 'created' || (outcome === 'conflict' && force)) {
      makeParents(disk, path)
      write(content, path, disk)
      return outcome === 'created' ? outcome : 'replaced'
    }
    return outcome
  })
}

function outcomeOf(content: Uint8Array, path: string, disk: Disk): FileOutcome {
  const here = disk.look(path)
  if (!here) return 'created'
  if (here.kind !== 'file') return 'blocked'
  return Buffer.compare(disk.read(path), content) === 0 ? 'same' : 'conflict'
}

function write(content: Uint8Array, path: string, disk: Disk): void {
  const fresh = join(dirname(path), `.${basename(path)}.new`)
  if (disk.look(fresh)) disk.removeFile(fresh)
  try {
    disk.write(fresh, content)
    disk.rename(fresh, path)
    disk.sync(dirname(path))
  } catch (error) {
    if (disk.look(fresh)) disk.removeFile(fresh)
    throw error
  }
}

// Mounts: where something is mounted, also a folder of the same disk.
import { readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { realPath } from '../real-path.ts'

export interface Mounted {
  /** Where something is mounted, without links; a folder on its own disk shows only its `device`. */
  readonly mounts: () => readonly string[]
}

/** https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html: the fifth field, with escapes in octal. */
export function mounts(): readonly string[] {
  if (process.platform !== 'linux') return []
  return linesOf('/proc/self/mountinfo').map((line) =>
    (line.split(' ')[4] ?? '').replace(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    ),
  )
}

/** None where /proc is missing, as in some sandboxes. */
function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').trim().split('\n')
  } catch {
    return []
  }
}

export function isMount(disk: Mounted, folder: string): boolean {
  const real = realPath(folder) ?? folder
  return disk.mounts().includes(real)
}

/** Paths below the folder, with forward slashes, at which something is mounted. */
export function mountsBelow(disk: Mounted, folder: string): readonly string[] {
  const top = `${realPath(folder) ?? folder}${sep}`
  const below = disk.mounts().filter((mount) => mount.startsWith(top))
  return below.map((mount) => mount.slice(top.length).replaceAll(sep, '/'))
}

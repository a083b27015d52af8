// Workspace: the one folder in which a run prepares a bundle; who holds it holds the bundle's folder.
import { basename, dirname, join } from 'node:path'
import type { Run } from '../run-identity.ts'
import type { Holder } from './claims.ts'
import { claimOf, generationsIn, isClaim, isDraft, readHolder } from './claims.ts'
import type { Contents } from './contents.ts'
import { readContents, removePieces } from './contents.ts'
import type { Disk } from './disk.ts'
import { removeEmpty } from './walk.ts'

export interface Workspace {
  readonly path: string
  /** Those of runs that were cut off, and then this run's own. */
  readonly generations: readonly number[]
  readonly generation: number
}

export type Found =
  | { readonly kind: 'nothing' }
  /** One is being made or removed; or it is somebody's own folder, which has the name. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'foreign' }
  | {
      readonly kind: 'claimed'
      readonly generations: readonly number[]
      readonly holder: Holder
      /** This user made it: nobody else can have put anything there. */
      readonly own: boolean
    }

/** Beside the folder; within it where the place beside it is on another disk, or closed to this run. */
export function workspaceOf(disk: Disk, out: string): string {
  const parent = dirname(out)
  const found = disk.look(out)
  const within = found && (found.device !== disk.look(parent)?.device || !disk.mayChange(parent))
  return within ? join(out, '.winnode') : join(parent, `.${basename(out)}.winnode`)
}

/** Closed to everybody else, so that nobody exchanges what is in it. */
export function workOf(path: string, generation: number) {
  const folder = join(path, `work.${generation}`)
  return {
    folder,
    contents: join(folder, 'contents.json'),
    /** Where the new bundle is completed. */
    fresh: join(folder, 'new'),
    /** Where what it replaces waits for its end. */
    old: join(folder, 'old'),
  }
}

export function inspect(disk: Disk, path: string, run: Run): Found {
  const folder = disk.look(path)
  if (!folder) return { kind: 'nothing' }
  const names = folder.kind === 'folder' ? namesIn(disk, path) : undefined
  if (!names) return { kind: 'foreign' }
  const generations = generationsIn(names)
  const last = generations.at(-1)
  if (last === undefined) return { kind: names.every(isDraft) ? 'empty' : 'foreign' }
  const holder = readHolder(disk, path, last, run)
  if (!holder) return { kind: 'foreign' }
  if (holder === 'gone') return { kind: 'empty' }
  return { kind: 'claimed', generations, holder, own: folder.owner === (run.user ?? folder.owner) }
}

/** The generations of a workspace of this user's that nobody works in any more. */
export function abandoned(found: Found): readonly number[] {
  const dead = found.kind === 'claimed' && found.own && found.holder.standing === 'dead'
  return dead ? found.generations : []
}

/** What they were about to do, oldest first. */
export function contentsIn(
  disk: Disk,
  path: string,
  generations: readonly number[],
): readonly Contents[] {
  return generations.flatMap((one) => readContents(disk, workOf(path, one).contents) ?? [])
}

/**
 * Where the old bundle is, if a run was cut off after it had moved it away and before the new one was
 * in its place.
 */
export function parkedAt(
  disk: Disk,
  out: string,
  path: string,
  generations: readonly number[],
): string | undefined {
  if (disk.look(out)) return undefined
  const places = generations.map((one) => workOf(path, one).old)
  return places.findLast((place) => disk.look(place)?.kind === 'folder')
}

/**
 * Removes what is listed and as it was put there; then the workspace loses its name together with its
 * claims, and is free for others. `unique` is what no other run uses. Says whether nothing is left.
 */
export function leave(disk: Disk, { path, generations }: Workspace, unique: string): boolean {
  for (const one of generations) clearWork(disk, path, one)
  const aside = asideOf(path, unique)
  disk.rename(path, aside)
  for (const name of disk.list(aside).filter((one) => isDraft(one) || isClaim(one))) {
    disk.removeFile(join(aside, name))
  }
  return removeEmpty(disk, aside)
}

/** Leaves the workspace as this run found it. */
export function stepBack(disk: Disk, workspace: Workspace, unique: string): void {
  const { path, generation, generations } = workspace
  if (generations.length === 1) {
    leave(disk, workspace, unique)
    return
  }
  clearWork(disk, path, generation)
  disk.removeFile(join(path, claimOf(generation)))
}

/** A folder beside a workspace that is about to get its name, or has lost it: in nobody's way. */
export function asideOf(path: string, unique: string): string {
  return join(dirname(path), `${basename(path)}-${unique}`)
}

function clearWork(disk: Disk, path: string, generation: number): void {
  const { folder, contents, fresh, old } = workOf(path, generation)
  if (!disk.look(folder)) return
  const listed = readContents(disk, contents)
  const freshGone = removePieces(disk, fresh, listed?.fresh ?? [], 'may be torn')
  const oldGone = removePieces(disk, old, listed?.old ?? [], 'whole')
  if (!freshGone || !oldGone) return
  // Where it could not be read, the run was cut off while it wrote it.
  if (disk.look(contents)?.kind === 'file') disk.removeFile(contents)
  removeEmpty(disk, folder)
}

/** `undefined` where this run may not look. */
function namesIn(disk: Disk, folder: string): readonly string[] | undefined {
  try {
    return disk.list(folder)
  } catch {
    return disk.look(folder) ? undefined : []
  }
}

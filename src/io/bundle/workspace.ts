// Workspace: the one folder in which a run prepares a bundle; who holds it holds the bundle's folder.
import { basename, dirname, join } from 'node:path'
import type { Run } from '../run-identity.ts'
import type { Holder } from './claims.ts'
import { claimOf, generationsIn, isClaim, isDraft, readHolder } from './claims.ts'
import type { Contents } from './contents.ts'
import { readContents, removePieces } from './contents.ts'
import type { Disk } from './disk.ts'
import { isOthers } from './exposure.ts'
import { isMount } from './mounts.ts'
import { removeEmpty } from './walk.ts'

export interface Workspace {
  /** Its name. */
  readonly path: string
  /** Leads to it even where somebody gives its name to something else. */
  readonly place: string
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
      /** Of a run that may live, if there is one. */
      readonly holder: Holder
      /** Nobody but this user can have put anything there. */
      readonly own: boolean
    }

/**
 * Beside the folder; within it where the place beside it is on another disk, or closed to this run. Another
 * user, or another container, may come to the other place: who takes one looks at both.
 */
export function workspacesOf(
  disk: Disk,
  out: string,
): { readonly own: string; readonly other: string } {
  const parent = dirname(out)
  const found = disk.look(out)
  const beside = join(parent, `.${basename(out)}.winnode`)
  const within = join(out, '.winnode')
  const apart = found?.device !== disk.look(parent)?.device || isMount(disk, out)
  return found && (apart || !disk.mayChange(parent))
    ? { own: within, other: beside }
    : { own: beside, other: within }
}

/** Closed to everybody else, so that nobody exchanges what is in it. `place` is that of the workspace. */
export function workOf(place: string, generation: number) {
  const folder = join(place, `work.${generation}`)
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
  if (generations.length === 0) return { kind: names.every(isDraft) ? 'empty' : 'foreign' }
  const holders = generations.map((one) => readHolder(disk, path, one, run))
  const known = holders.filter((one) => typeof one === 'object')
  if (known.length < holders.length) return { kind: holders.includes('gone') ? 'empty' : 'foreign' }
  const holder = known.findLast(({ standing }) => standing !== 'dead') ?? known.at(-1)
  if (!holder) return { kind: 'empty' }
  const own = folder.owner === (run.user ?? folder.owner) && !isOthers(folder, run)
  return { kind: 'claimed', generations, holder, own }
}

/** Somebody works there. */
export function isHeld(found: Found): boolean {
  return found.kind === 'claimed' && found.holder.standing !== 'dead'
}

/** Somebody works there, or will be there or gone in a moment. */
export function isBusy(found: Found): boolean {
  return found.kind === 'empty' || isHeld(found)
}

/** The generations of a workspace of this user's that nobody works in any more. */
export function abandoned(found: Found): readonly number[] {
  const dead = found.kind === 'claimed' && found.own && found.holder.standing === 'dead'
  return dead ? found.generations : []
}

/** What they were about to do, oldest first. */
export function contentsIn(
  disk: Disk,
  place: string,
  generations: readonly number[],
): readonly Contents[] {
  return generations.flatMap((one) => readContents(disk, workOf(place, one).contents) ?? [])
}

/**
 * Where the old bundle is, if a run was cut off after it had moved it away and before the new one was
 * in its place.
 */
export function parkedAt(
  disk: Disk,
  out: string,
  place: string,
  generations: readonly number[],
): string | undefined {
  if (disk.look(out)) return undefined
  const works = generations.map((one) => workOf(place, one))
  // Of files that are replaced one by one only some wait there.
  const moved = works.filter(({ contents }) => readContents(disk, contents)?.way === 'swap')
  return moved.map(({ old }) => old).findLast((old) => disk.look(old)?.kind === 'folder')
}

/**
 * Removes what is listed and as it was put there; then the workspace loses its name together with its
 * claims, and is free for others. `unique` is what no other run uses. Says whether nothing is left.
 */
export function leave(disk: Disk, workspace: Workspace, unique: string): boolean {
  const { path, place, generations } = workspace
  for (const one of generations) clearWork(disk, place, one)
  const aside = asideOf(path, unique)
  disk.rename(path, aside)
  // Without handles, the way to it has changed with its name.
  const now = place === path ? aside : place
  for (const name of disk.list(now).filter((one) => isDraft(one) || isClaim(one))) {
    removeIfThere(disk, join(now, name))
  }
  return removeEmpty(disk, aside)
}

/** Another run may take back its own at the same time. */
export function removeIfThere(disk: Disk, file: string): void {
  try {
    disk.removeFile(file)
  } catch (error) {
    if (disk.look(file)) throw error
  }
}

/** Leaves the workspace as this run found it. */
export function stepBack(disk: Disk, workspace: Workspace, unique: string): void {
  const { place, generation, generations } = workspace
  if (generations.length === 1) {
    leave(disk, workspace, unique)
    return
  }
  clearWork(disk, place, generation)
  disk.removeFile(join(place, claimOf(generation)))
}

/** A folder beside a workspace that is about to get its name, or has lost it: in nobody's way. */
export function asideOf(path: string, unique: string): string {
  return join(dirname(path), `${basename(path)}-${unique}`)
}

function clearWork(disk: Disk, place: string, generation: number): void {
  const { folder, contents, fresh, old } = workOf(place, generation)
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

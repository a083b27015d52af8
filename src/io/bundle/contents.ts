// Contents: the list in a workspace, which names with digests all that this run puts into it.
import { join } from 'node:path'
import { isObject } from '../../model/json.ts'
import type { Disk } from './disk.ts'
import { digestAt, readAtMost } from './held.ts'
import type { Manifest } from './manifest.ts'
import { digestOf } from '../../render/digest.ts'
import { manifestOf, parseObject } from './manifest.ts'
import { allFoldersOf, removeEmpty } from './walk.ts'
import type { Way } from './way.ts'

export interface Piece {
  /** Below the folder of the bundle, with forward slashes. */
  readonly path: string
  readonly sha256: string
  /** Bytes. */
  readonly size: number
}

export interface Contents {
  readonly way: Way
  /** The bundle that is being written. */
  readonly fresh: readonly Piece[]
  /** What it takes the place of. */
  readonly old: readonly Piece[]
}

const header = { apiVersion: 'winnode/v1', kind: 'BundleInProgress' }

export function pieceOf(path: string, content: Uint8Array): Piece {
  return { path, sha256: digestOf(content), size: content.length }
}

export function writeContents(disk: Disk, file: string, contents: Contents): void {
  const text = JSON.stringify({ ...header, ...contents }, null, 2)
  disk.write(file, new TextEncoder().encode(`${text}\n`))
}

/** `undefined` where a run was cut off before it had written them, and so before anything else. */
export function readContents(disk: Disk, file: string): Contents | undefined {
  if (disk.look(file)?.kind !== 'file') return undefined
  const content = readAtMost(disk, file)
  const document = content && parseObject(new TextDecoder().decode(content))
  if (document?.['kind'] !== header.kind) return undefined
  const way = document['way'] === 'swap' ? 'swap' : 'replace'
  return { way, fresh: piecesOf(document['fresh']), old: piecesOf(document['old']) }
}

/** Files of the folder of a bundle that a run wrote and no node.json tells of yet. */
export function manifestOfContents({ fresh }: Contents): Manifest {
  return manifestOf(fresh.map(({ path, sha256 }) => [path, sha256]))
}

/**
 * Removes the pieces that are as they were put there, then the folders that are empty. Nothing is
 * looked for: what is not listed stays, and no link is followed. Says whether all of it is gone.
 */
export function removePieces(
  disk: Disk,
  folder: string,
  pieces: readonly Piece[],
  torn: 'may be torn' | 'whole',
): boolean {
  if (disk.look(folder) === undefined) return true
  if (disk.look(folder)?.kind !== 'folder') return false
  const folders = allFoldersOf(pieces.map(({ path }) => path))
  const real = new Set(folders.filter((path) => disk.look(join(folder, path))?.kind === 'folder'))
  for (const piece of pieces) {
    const way = allFoldersOf([piece.path])
    const file = join(folder, piece.path)
    if (way.every((path) => real.has(path)) && holds(disk, file, piece, torn)) {
      removeIfPossible(disk, file)
    }
  }
  for (const path of [...real].reverse()) removeEmpty(disk, join(folder, path))
  return removeEmpty(disk, folder)
}

/** What the system keeps, such as a file that is marked as immutable, is told of as left. */
function removeIfPossible(disk: Disk, file: string): void {
  try {
    disk.removeFile(file)
  } catch {
    // The folder around it stays, too.
  }
}

/** A write that was cut off leaves less than there should be. */
function holds(disk: Disk, file: string, piece: Piece, torn: 'may be torn' | 'whole'): boolean {
  const found = disk.look(file)
  if (found?.kind !== 'file' || found.size > piece.size) return false
  if (found.size < piece.size) return torn === 'may be torn'
  return digestAt(disk, file) === piece.sha256
}

function piecesOf(value: unknown): readonly Piece[] {
  return Array.isArray(value) ? value.filter(isPiece) : []
}

function isPiece(value: unknown): value is Piece {
  if (!isObject(value)) return false
  const { path, sha256, size } = value
  if (typeof path !== 'string' || typeof sha256 !== 'string') return false
  // A list that somebody else made must not lead out of the workspace.
  return typeof size === 'number' && !path.split('/').some((part) => /^\.{0,2}$/.test(part))
}

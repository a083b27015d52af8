// Verifies the programs in a download mirror, which is a folder or a URL, by checksum.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type MirrorFile, mirrorPath } from '../downloads/mirror.ts'
import type { Checksum } from '../model/fetched.ts'
import { codeOf, lstat } from './disk.ts'
import { causeOf } from './disk-error.ts'
import { checksumText, digestIn, reasonOf, UnpublishedError } from './published.ts'

export interface MirrorResult {
  readonly file: MirrorFile
  readonly verdict: 'same' | 'differs' | 'missing' | 'unchecked'
  /** Why, if it is not the same. */
  readonly why?: string
  /** Lower-case hexadecimal. */
  readonly sha256?: string
}

interface Mirror {
  /** `undefined` if there is no such file. */
  readonly open: (path: string) => Promise<Readable | undefined>
  /** The reason of a failed read; `undefined` for an error that is a bug. */
  readonly reasonOf: (thrown: unknown) => string | undefined
}

/** Checks programs only: with a wrong checksum file, its program differs too. `place` is a folder, or an http or https URL. */
export async function verifyMirror(
  place: string,
  files: readonly MirrorFile[],
): Promise<readonly MirrorResult[]> {
  const mirror = isAddress(place) ? atAddress(place.replace(/\/+$/, '')) : inFolder(place)
  const results: MirrorResult[] = []
  for (const file of files) {
    if (file.program) results.push({ file, ...(await verdictOf(mirror, file, file.program)) })
  }
  return results
}

export function isAddress(place: string): boolean {
  return /^https?:\/\//.test(place)
}

function inFolder(folder: string): Mirror {
  return {
    open: (path) => {
      const file = join(folder, path)
      return Promise.resolve(lstat(file) ? createReadStream(file) : undefined)
    },
    reasonOf: (thrown) =>
      codeOf(thrown) !== undefined && thrown instanceof Error ? causeOf(thrown) : undefined,
  }
}

function atAddress(address: string): Mirror {
  return {
    open: async (path) => {
      const { status, body } = await fetch(`${address}/${path}`)
      if (status === 200 && body) return Readable.fromWeb(body)
      await body?.cancel()
      if (status === 404) return undefined
      throw new Error(`HTTP status ${status}`)
    },
    reasonOf,
  }
}

async function verdictOf(
  mirror: Mirror,
  { path }: MirrorFile,
  { checksum }: NonNullable<MirrorFile['program']>,
): Promise<Omit<MirrorResult, 'file'>> {
  try {
    const content = await mirror.open(path)
    if (!content) return { verdict: 'missing' }
    const hash = createHash('sha256')
    await pipeline(content, hash)
    const sha256 = hash.digest('hex')
    const expected = await expectedDigest(mirror, checksum)
    if (expected === undefined)
      return { verdict: 'unchecked', why: 'no checksum in the mirror', sha256 }
    if (expected === sha256) return { verdict: 'same', sha256 }
    return { verdict: 'differs', why: `SHA-256 is ${sha256}, expected ${expected}`, sha256 }
  } catch (thrown) {
    const why = thrown instanceof UnpublishedError ? thrown.message : mirror.reasonOf(thrown)
    if (why === undefined) throw thrown
    return { verdict: 'unchecked', why }
  }
}

async function expectedDigest(
  mirror: Mirror,
  checksum: Checksum | undefined,
): Promise<string | undefined> {
  if (!checksum) return undefined
  if (checksum.kind === 'pinned') return checksum.sha256
  const content = await mirror.open(mirrorPath(checksum.url))
  return content && digestIn(await checksumText(content), checksum)
}

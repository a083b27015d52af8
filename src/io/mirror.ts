// Compares a folder with the files of a download mirror.
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type MirrorFile, mirrorPath, publishedDigest } from '../downloads/mirror.ts'
import type { Checksum } from '../model/fetched.ts'
import { codeOf, look } from './disk.ts'
import { causeOf } from './disk-error.ts'

export interface MirrorResult {
  readonly file: MirrorFile
  readonly verdict: 'same' | 'differs' | 'missing' | 'unchecked'
  /** Why, if it is not the same. */
  readonly why?: string
  /** Lower-case hexadecimal. */
  readonly sha256?: string
}

/** Of programs only: a wrong checksum file makes its program differ. */
export async function verifyMirror(
  folder: string,
  files: readonly MirrorFile[],
): Promise<readonly MirrorResult[]> {
  const results: MirrorResult[] = []
  for (const file of files) {
    if (file.program) results.push({ file, ...(await verdictOf(folder, file, file.program)) })
  }
  return results
}

async function verdictOf(
  folder: string,
  { path }: MirrorFile,
  { checksum }: NonNullable<MirrorFile['program']>,
): Promise<Omit<MirrorResult, 'file'>> {
  if (!look(join(folder, path))) return { verdict: 'missing' }
  try {
    const sha256 = await digestOfFile(join(folder, path))
    const expected = expectedDigest(folder, checksum)
    if (expected === undefined)
      return { verdict: 'unchecked', why: 'no checksum in the folder', sha256 }
    if (expected === sha256) return { verdict: 'same', sha256 }
    return { verdict: 'differs', why: `SHA-256 is ${sha256}, expected ${expected}`, sha256 }
  } catch (thrown) {
    if (codeOf(thrown) === undefined || !(thrown instanceof Error)) throw thrown
    return { verdict: 'unchecked', why: causeOf(thrown) }
  }
}

async function digestOfFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

function expectedDigest(folder: string, checksum: Checksum | undefined): string | undefined {
  if (!checksum) return undefined
  if (checksum.kind === 'pinned') return checksum.sha256
  const file = join(folder, mirrorPath(checksum.url))
  return look(file) ? publishedDigest(readFileSync(file, 'utf8'), checksum) : undefined
}

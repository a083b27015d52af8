// Claims: the files by which a run says that a workspace is its own.
import { join } from 'node:path'
import type { Claim, Run, Standing } from '../run-identity.ts'
import type { Disk } from './disk.ts'
import { readAtMost } from './held.ts'
import { parseObject } from './manifest.ts'

export interface Holder {
  readonly claim: Claim
  /** Milliseconds since 1970. */
  readonly since: number
  readonly standing: Standing
}

const header = { apiVersion: 'winnode/v1', kind: 'BundleClaim' }

/** Each run that finds the claim of a dead one adds its own; the last one counts. */
export function claimOf(generation: number): string {
  return `claim.${generation}.json`
}

/** Where a claim is written before it gets its name: no two runs share it. */
export function draftOf(unique: string): string {
  return `claim-${unique}`
}

export function isDraft(name: string): boolean {
  return name.startsWith(draftOf(''))
}

export function isClaim(name: string): boolean {
  return generationsIn([name]).length > 0
}

/** In their order. */
export function generationsIn(names: readonly string[]): readonly number[] {
  const numbers = names.flatMap((name) => /^claim\.([1-9]\d{0,8})\.json$/.exec(name)?.[1] ?? [])
  return numbers.map(Number).sort((a, b) => a - b)
}

export function claimText(claim: Claim): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ ...header, ...claim }, null, 2)}\n`)
}

/** `gone` where the run came to its end meanwhile; `undefined` where the file is no claim. */
export function readHolder(
  disk: Disk,
  folder: string,
  generation: number,
  run: Run,
): Holder | 'gone' | undefined {
  const file = join(folder, claimOf(generation))
  const found = disk.look(file)
  if (!found) return 'gone'
  if (found.kind !== 'file') return undefined
  const content = readOrGone(disk, file)
  if (content === 'gone') return 'gone'
  const claim = content && readClaim(new TextDecoder().decode(content))
  return claim && { claim, since: found.changed, standing: run.standingOf(claim) }
}

function readOrGone(disk: Disk, file: string): Uint8Array | 'gone' | undefined {
  try {
    return readAtMost(disk, file)
  } catch (error) {
    if (disk.look(file)) throw error
    return 'gone'
  }
}

function readClaim(text: string): Claim | undefined {
  const document = parseObject(text)
  if (document?.['kind'] !== header.kind) return undefined
  const { process, host, machine, boot, space, start } = document
  if (typeof process !== 'number') return undefined
  if (typeof host !== 'string' || typeof machine !== 'string') return undefined
  if (typeof boot !== 'string' || typeof space !== 'string') return undefined
  return typeof start === 'string' ? { process, host, machine, boot, space, start } : undefined
}

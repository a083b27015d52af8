// Arrival: what a script needs to know to bring the bundle to a machine, and to check it there.
import type { RenderedFile, View } from '../model/plan.ts'
import { digestOf } from '../render/digest.ts'
import { zipOf } from './archive.ts'

export interface Arrival {
  readonly archive: Uint8Array
  readonly view: {
    /** Of the archive. */
    readonly sha256: string
    /** On the node; another bundle has another one. */
    readonly folder: string
  }
}

export function arrivalOf(bundle: readonly RenderedFile[]): Arrival {
  const archive = zipOf(bundle)
  const sha256 = digestOf(archive)
  const folder = `C:\\ProgramData\\winnode-bundle-${sha256.slice(0, 12)}`
  return { archive, view: { sha256, folder } }
}

/** In base64, in lines as short as those of a script. */
export function linesOf(archive: Uint8Array): View[string] & readonly unknown[] {
  const lines = base64Of(archive).match(/.{1,96}/g) ?? []
  return lines.map((text) => ({ text }))
}

export function base64Of(content: Uint8Array): string {
  return Buffer.from(content).toString('base64')
}

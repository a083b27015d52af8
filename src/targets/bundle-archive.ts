// The bundle as an archive, with what a script needs to unpack and verify it on a machine.
import type { RenderedFile, View } from '../model/plan.ts'
import { digestOf } from '../render/digest.ts'
import { zipOf } from './archive.ts'

export interface BundleArchive {
  readonly archive: Uint8Array
  readonly view: {
    /** Checksum of the archive. */
    readonly sha256: string
    /** The folder on the node, different for each bundle. */
    readonly folder: string
  }
}

export function bundleArchive(bundle: readonly RenderedFile[]): BundleArchive {
  const archive = zipOf(bundle)
  const sha256 = digestOf(archive)
  const folder = `C:\\ProgramData\\winnode-bundle-${sha256.slice(0, 12)}`
  return { archive, view: { sha256, folder } }
}

/** The archive in base64, in lines of 104 characters: with indentation, the most that fit in 115 columns. */
export function base64Lines(archive: Uint8Array): View[string] & readonly unknown[] {
  const lines = base64(archive).match(/.{1,104}/g) ?? []
  return lines.map((text) => ({ text }))
}

export function base64(content: Uint8Array): string {
  return Buffer.from(content).toString('base64')
}

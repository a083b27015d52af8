// ArtifactSource: where a program comes from, and how its publisher proves it.
import type { Sourced } from './rows.ts'

/** A file that the node fetches, and the checksum that its publisher gives. */
export interface ArtifactSource extends Sourced {
  readonly id: string
  readonly summary: string
  /** The field of a profile with its version; absent where winnode fixes that. */
  readonly field?: string
  /** Which base address it hangs below, replaceable in a profile. */
  readonly base: string
  /** Below the base; `{version}` is the version without a leading v. */
  readonly path: string
  /** A copy with the same bytes that somebody else keeps, whole; only of what has a known digest. */
  readonly copy?: string
  readonly checksum:
    | { readonly kind: 'none' }
    /** Beside the file: the path with this suffix. */
    | { readonly kind: 'suffix'; readonly suffix: string; readonly shape: ChecksumShape }
    /** One file for the whole release. */
    | { readonly kind: 'release'; readonly path: string; readonly shape: ChecksumShape }
    /** No publisher's checksum; a digest of this version only, known from `see`. */
    | { readonly kind: 'known'; readonly version: string; readonly sha256: string }
  readonly licence: string
}

/** `bare`: one digest and nothing else; `named`: lines of digest and file name. */
export type ChecksumShape = 'bare' | 'named'

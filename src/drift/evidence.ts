// Evidence: the files of a bundle as they are, beside what the profile writes today.
import type { Finding, Place } from '../model/finding.ts'
import type { Json } from '../model/json.ts'
import type { Path } from '../model/path.ts'
import type { Leaf } from './compare.ts'

/** One document of a file; its name tells it from the others. */
export interface Doc {
  readonly name: string
  readonly value: Json
  /** Where a path is written. */
  readonly place: (path: Path) => Place | undefined
}

export type Content =
  | {
      readonly kind: 'documents'
      readonly docs: readonly Doc[]
      readonly faults: readonly Finding[]
    }
  /** Prose and programs: without the mark of byte order, and with line feeds. */
  | { readonly kind: 'text'; readonly text: string }

/** A leaf of one document; its path begins with the name of the document, where it has one. */
export interface Found extends Leaf {
  readonly doc: Doc | undefined
}

export interface BundleFile {
  readonly path: string
  /** What a person calls it. */
  readonly shown: string
  /** Digest of what lies there; absent where nothing does. */
  readonly found: string | undefined
  /** Digest of what the bundle itself says that was written. */
  readonly recorded: string | undefined
  /** Digest of what the profile writes today; absent where it writes no such file. */
  readonly rendered: string | undefined
  /** Both read only where the digests differ. */
  readonly was?: Content | undefined
  readonly should?: Content | undefined
  /** What winnode wrote, where both sides changed it since and its digest tells. */
  readonly wrote?: Content | undefined
  /** Why it could not be read. */
  readonly unread?: string | undefined
}

export interface BundleEvidence {
  /** As a person typed it. */
  readonly folder: string
  readonly files: readonly BundleFile[]
  /** Whether node.json is as winnode wrote it. */
  readonly sealed: boolean
}

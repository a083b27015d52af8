// The files of a bundle on disk, with those that the profile renders now.
import type { Finding, Place } from '../model/finding.ts'
import type { Json } from '../model/json.ts'
import type { Path } from '../model/path.ts'
import type { Leaf } from './compare.ts'

/** One document of a file, identified by its name. */
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
  /** Prose and programs: without a byte order mark, and with LF line ends. */
  | { readonly kind: 'text'; readonly text: string }

/** A leaf of one document; its path starts with the name of the document, if it has one. */
export interface Found extends Leaf {
  readonly doc: Doc | undefined
}

export interface BundleFile {
  readonly path: string
  /** Name in messages. */
  readonly shown: string
  /** Digest of the file on disk; absent if it does not exist. */
  readonly found: string | undefined
  /** Digest in node.json, as originally rendered. */
  readonly recorded: string | undefined
  /** Digest of the file that the profile renders now; absent if it renders none. */
  readonly rendered: string | undefined
  /** Both are read only if the digests differ. */
  readonly was?: Content | undefined
  readonly should?: Content | undefined
  /** The text as originally rendered, if both sides changed since and a render with its digest can be made. */
  readonly wrote?: Content | undefined
  /** Why it could not be read. */
  readonly unread?: string | undefined
}

export interface BundleEvidence {
  /** As typed on the command line. */
  readonly folder: string
  readonly files: readonly BundleFile[]
  /** Whether node.json is unmodified. */
  readonly sealed: boolean
}

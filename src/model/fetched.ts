// Fetched: a file of a publisher, and how the node checks that it is the right one.

/** How the node checks a download; `pinned` is silent, `published` a warning, nothing an error. */
export type Checksum =
  | { readonly kind: 'pinned'; readonly sha256: string }
  | {
      readonly kind: 'published'
      readonly url: string
      readonly shape: 'bare' | 'named'
      /** The base name to look for in a file of the shape `named`. */
      readonly name: string
    }

export interface Fetched {
  readonly url: string
  /** Asked where the first address fails. */
  readonly copy?: string
  readonly checksum: Checksum
}

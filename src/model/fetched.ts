// A published file, and how the node verifies its download.

/** How the node verifies a download: `pinned` reports nothing, `published` a warning, no digest an error. */
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
  /** Fallback URL, used if the first one fails. */
  readonly copy?: string
  readonly checksum: Checksum
}

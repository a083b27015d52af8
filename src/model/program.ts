// A program that the node downloads, and where it installs it.

interface ProgramBase {
  /** Id of its row in the table of artifact sources. */
  readonly source: string
  readonly version: string
  readonly neededBy: string
}

export type Program = ProgramBase &
  (
    | { readonly kind: 'file'; readonly path: string }
    | {
        readonly kind: 'archive'
        readonly format: 'tar.gz' | 'zip'
        readonly members: readonly { readonly member: string; readonly path: string }[]
      }
  )

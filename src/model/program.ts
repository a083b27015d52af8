// Program: a download of the node, and its destination.

interface ProgramBase {
  /** Id of its row in the table of artefacts. */
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

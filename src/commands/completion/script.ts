// The type of a shell's completion script.

export interface Script {
  readonly text: string
  /** How to install it, as one sentence. */
  readonly install: string
}

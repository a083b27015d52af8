// Script: what a shell reads so that it asks the program what can come next.

export interface Script {
  readonly text: string
  /** Where it goes, as a sentence. */
  readonly install: string
}

// Problem: why a cluster cannot be asked, in words without a secret.

/** What a person has to look at. */
export type Concerns = 'kubeconfig' | 'credentials' | 'connection'

export class ClusterProblem extends Error {
  readonly concerns: Concerns
  /** What helps, each in one line. */
  readonly hints: readonly string[]

  constructor(concerns: Concerns, message: string, hints: readonly string[] = []) {
    super(message)
    this.name = 'ClusterProblem'
    this.concerns = concerns
    this.hints = hints
  }
}

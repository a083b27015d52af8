// The error for a cluster that cannot be read; its message holds no secret.

/** What the error is about. */
export type Subject = 'kubeconfig' | 'credentials' | 'connection'

export class ClusterError extends Error {
  readonly subject: Subject
  /** Remedies of one line each. */
  readonly hints: readonly string[]

  constructor(subject: Subject, message: string, hints: readonly string[] = []) {
    super(message)
    this.name = 'ClusterError'
    this.subject = subject
    this.hints = hints
  }
}

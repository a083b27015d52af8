// A declaration that plans files of a bundle.
import type { Facts } from './facts.ts'
import type { PlannedFile } from './plan.ts'

export interface Artifact {
  readonly id: string
  /** The files of this artifact for these facts; empty if it does not apply. */
  readonly plan: (facts: Facts) => readonly PlannedFile[]
}

/** Type-checks a declaration in place. */
export function defineArtifact(artifact: Artifact): Artifact {
  return artifact
}

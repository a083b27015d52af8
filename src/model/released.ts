// Released: a program whose version a profile can set, and the list of its releases.
import type { Path } from './path.ts'
import type { NodeSpec } from './spec.ts'

/** A program with a version field in the profile. */
export interface Versioned {
  /** As findings call it. */
  readonly title: string
  readonly path: Path
  readonly version: (spec: NodeSpec) => string
}

/** The newest known patch of each line, oldest first. */
export type Patches = readonly [string, ...string[]]

export interface Released extends Versioned {
  /** As the tables of advisories call it. */
  readonly id: string
  readonly newest: Patches
  /** Where its releases are listed. */
  readonly see: string
}

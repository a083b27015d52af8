// A program whose version a profile can set, and its known releases.
import type { Path } from './path.ts'
import type { NodeSpec } from './spec.ts'

/** A program with a version field in the profile. */
export interface VersionField {
  /** Its name in findings. */
  readonly title: string
  readonly path: Path
  readonly version: (spec: NodeSpec) => string
}

/** The newest known patch of each line, oldest first. */
export type Patches = readonly [string, ...string[]]

export interface ProgramReleases extends VersionField {
  /** Its id in the advisory tables. */
  readonly id: string
  readonly newest: Patches
  /** URL of its release list. */
  readonly see: string
}

// The result of a run: the common input of all formats for other programs.
import type { Place, Severity } from '../../model/finding.ts'

/** One finding or difference, with the reason if the profile ignores it. */
export interface Entry {
  readonly id: string
  readonly severity: Severity
  readonly message: string
  readonly remedy?: string | undefined
  readonly see?: string | undefined
  /** Absent if no line of a file causes it. */
  readonly place?: Place | undefined
  /** A field, a file of a bundle, a step; the same in every run. */
  readonly about: string
  /** The nodes that have it: `3 of 50 nodes (win-1, win-2, win-3)`. */
  readonly on?: string | undefined
  /** The test cases it belongs to, each with its message. */
  readonly cases: readonly Case[]
  /** Whether it makes the run fail. */
  readonly fails: boolean
  readonly accepted?: string | undefined
}

export interface Case {
  /** Rules, files or nodes. */
  readonly names: readonly string[]
  readonly message: string
}

/** The description of an id. */
export interface Description {
  readonly id: string
  readonly summary: string
  readonly remedy?: string | undefined
  readonly see?: string | undefined
  readonly severity?: Severity | undefined
}

export interface RunReport {
  /** Such as `validate`. */
  readonly command: string
  /** Version of winnode. */
  readonly version: string
  /** As the user typed it. */
  readonly profile: string
  /** Whether the profile is a file: a finding without a line is then attached to that file. */
  readonly isFile: boolean
  readonly entries: readonly Entry[]
  /** Names of all test cases, including those without a finding. */
  readonly checked: readonly string[]
  readonly descriptions: readonly Description[]
}

/** `step power-plan on 3 of 50 nodes (win-1, win-2, win-3)`. */
export function subjectOf({ about, on }: Entry): string {
  return on === undefined ? about : `${about} on ${on}`
}

/** The place in a file on disk; `undefined` for a flag. */
export function placeInFile({ place }: Entry, { profile, isFile }: RunReport): Place | undefined {
  if (place && !place.file.startsWith('--')) return place
  return isFile ? { file: profile, line: 1, column: 1 } : undefined
}

/** With forward slashes, and without `./`: GitHub, SARIF viewers and CI servers compare it with paths of the repository. */
export function repositoryPath(file: string): string {
  return file.replaceAll('\\', '/').replace(/^(\.\/)+/, '')
}

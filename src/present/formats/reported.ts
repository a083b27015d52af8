// The result of a run: the common input of all formats for other programs.
import type { Place, Severity } from '../../model/finding.ts'

/** One finding or difference, with the reason if the profile ignores it. */
export interface Entry {
  readonly id: string
  readonly severity: Severity
  readonly message: string
  readonly remedy?: string | undefined
  readonly see?: string | undefined
  /** Absent where no line of a file says it. */
  readonly place?: Place | undefined
  /** A field, a file of a bundle, a step; the same in every run. */
  readonly about: string
  /** The nodes that have it: `3 of 50 nodes (win-1, win-2, win-3)`. */
  readonly on?: string | undefined
  /** How it looks in the things that were looked at and have it; many of them may look alike. */
  readonly cases: readonly Case[]
  /** The run does not end well because of it. */
  readonly fails: boolean
  readonly accepted?: string | undefined
}

export interface Case {
  /** Rules, files or nodes. */
  readonly names: readonly string[]
  readonly message: string
}

/** The description of an id. */
export interface Kind {
  readonly id: string
  readonly summary: string
  readonly remedy?: string | undefined
  readonly see?: string | undefined
  readonly severity?: Severity | undefined
}

export interface Reported {
  /** Such as `validate`. */
  readonly command: string
  /** Of winnode. */
  readonly version: string
  /** As a person named it. */
  readonly profile: string
  /** Whether the profile is a file, where a program may show what has no line. */
  readonly isFile: boolean
  readonly entries: readonly Entry[]
  /** Names of all cases that were looked at, whether something was found or not. */
  readonly looked: readonly string[]
  readonly kinds: readonly Kind[]
}

/** `step power-plan on 3 of 50 nodes (win-1, win-2, win-3)`. */
export function subjectOf({ about, on }: Entry): string {
  return on === undefined ? about : `${about} on ${on}`
}

/** The place in a file on disk; `undefined` for a flag. */
export function filePlace({ place }: Entry, { profile, isFile }: Reported): Place | undefined {
  if (place && !place.file.startsWith('--')) return place
  return isFile ? { file: profile, line: 1, column: 1 } : undefined
}

/** With forward slashes, as these programs do not expect a backslash in a file name. */
export function slashed(file: string): string {
  return file.replaceAll('\\', '/')
}

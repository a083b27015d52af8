// Finding: one thing that is wrong with, or worth knowing about, a profile.
import type { Path } from './path.ts'

export const severities = ['error', 'warning', 'info'] as const
export type Severity = (typeof severities)[number]

/** A place in a file; line and column count from 1. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
  /** How many characters the caret underlines; 1 where unknown. */
  readonly length?: number
  /** The text of that line, for the excerpt. */
  readonly excerpt?: string
}

export interface Finding {
  /** Kebab-case and stable; the wording of the message may change. */
  readonly id: string
  readonly severity: Severity
  readonly path: Path
  /** Subject, verdict, what would be right; lower case, no full stop. */
  readonly message: string
  /** A sentence that says what to do. */
  readonly remedy?: string
  /** Where the fact is written down. */
  readonly see?: string
  /** Ids of the research rules that this implements, qualified by their file. */
  readonly refs?: readonly string[]
  /** Fields that whoever takes the profile must still give. */
  readonly asks?: readonly string[]
  /** The finding is about the key at `path`, not about its value. */
  readonly at?: 'key' | 'value'
  /** Added at the border, from the layer that last set the path. */
  readonly place?: Place
}

const rank: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 }

/** Errors first; within a severity, in the order of the file, then by id. */
export function compareFindings(a: Finding, b: Finding): number {
  return (
    rank[a.severity] - rank[b.severity] ||
    compareText(a.place?.file ?? '', b.place?.file ?? '') ||
    (a.place?.line ?? 0) - (b.place?.line ?? 0) ||
    (a.place?.column ?? 0) - (b.place?.column ?? 0) ||
    compareText(a.id, b.id)
  )
}

/** By code unit: the same order in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.severity === 'error')
}

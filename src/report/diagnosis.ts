// Diagnosis: one cause of trouble, with what shows it and what mends it.
import type { Severity } from '../model/finding.ts'
import type { Part, Report } from './report.ts'

/** Sure: a check said it, or a program before it ended. Likely: its words have this cause nearly always. Possible: look there first. */
export type Confidence = 'sure' | 'likely' | 'possible'

export interface Sign {
  /** Parts of a report of which each says it alone, or which say it together. */
  readonly needs: readonly Part[]
  readonly together?: true
  /** The lines that show it; none where it is not so. */
  readonly look: (report: Report) => readonly string[]
}

export interface Diagnosis {
  readonly id: string
  /** One sentence. */
  readonly cause: string
  readonly sign: Sign
  /** What a person does. */
  readonly fix: string
  /** At most; words of a log say less where the node works. */
  readonly confidence: Confidence
  /** It keeps pods from working, and the node works all the same. */
  readonly pods?: true
  /** An error where it keeps a node or its pods from working; else a warning. */
  readonly severity: Exclude<Severity, 'info'>
  readonly see: string
  /** Diagnoses that bring this about: where one of them is found, this one is not told besides. */
  readonly follows?: readonly string[]
  /** Diagnoses of other rooms that follow from this one. */
  readonly explains?: readonly string[]
}

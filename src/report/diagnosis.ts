// Diagnosis: a problem of a node, with the evidence that shows it and its fix.
import type { Severity } from '../model/finding.ts'
import type { Part, Report } from './report.ts'

/**
 * sure: a check of the node reports it, or a program logged it as the reason of its exit. likely: the evidence nearly
 * always has this cause. possible: the first thing to check.
 */
export type Confidence = 'sure' | 'likely' | 'possible'

/** Searches a report for evidence. */
export interface Sign {
  /** The parts of a report to search: any of them can hold the evidence, with `needsAll` only all together. */
  readonly needs: readonly Part[]
  readonly needsAll?: true
  /** The lines that are evidence; none if there is no such problem. */
  readonly evidenceIn: (report: Report) => readonly string[]
}

export interface Diagnosis {
  readonly id: string
  /** One sentence. */
  readonly cause: string
  readonly sign: Sign
  /** One sentence: what to do. */
  readonly fix: string
  /** Upper bound; evidence from logs and events is less certain if the node is healthy. */
  readonly confidence: Confidence
  /** It affects single pods, so a node with this problem can be healthy. */
  readonly pods?: true
  /** An error if it keeps the node or its pods from working. */
  readonly severity: Exclude<Severity, 'info'>
  readonly see: string
  /** Diagnoses that cause this problem; if one of them is found, this one is not reported. */
  readonly causedBy?: readonly string[]
  /** The reverse of `causedBy`, with which a network plugin adds itself to the causes of general diagnoses. */
  readonly explains?: readonly string[]
}

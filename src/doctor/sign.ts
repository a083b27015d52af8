// A sign: where a report has the evidence of a diagnosis.
import type { Part, Report } from '../report/report.ts'

export interface Sign {
  /** The parts of a report to search: any of them can hold the evidence, with `needsAll` only all together. */
  readonly needs: readonly Part[]
  readonly needsAll?: true
  /** The lines that are evidence; none if there is no such problem. */
  readonly evidenceIn: (report: Report) => readonly string[]
}

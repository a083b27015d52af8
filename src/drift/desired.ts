// Desired: what a profile wants of a node, ready to be looked up for each of many.
import type { PlannedFile } from '../model/plan.ts'
import type { Step } from '../model/step.ts'
import type { Content } from './evidence.ts'

export interface DesiredFile {
  readonly plan: PlannedFile
  readonly step: Step
  readonly content: Content
  /** The same as it is written. */
  readonly text: string
}

export interface Desired {
  /** Of the bundle. */
  readonly name: string
  readonly steps: ReadonlyMap<string, Step>
  /** By path on the node, in lower case. */
  readonly files: ReadonlyMap<string, DesiredFile>
}

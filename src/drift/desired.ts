// The desired state of nodes, indexed for comparison with many nodes.
import type { PlannedFile } from '../model/plan.ts'
import type { Step } from '../model/step.ts'
import type { Content } from './evidence.ts'

export interface DesiredFile {
  readonly plan: PlannedFile
  readonly step: Step
  readonly content: Content
  /** The same as rendered text. */
  readonly text: string
}

export interface Desired {
  /** The name of the bundle. */
  readonly name: string
  /** nodeDigest of the bundle. */
  readonly digest: string | undefined
  readonly steps: ReadonlyMap<string, Step>
  /** By path on the node, in lower case. */
  readonly files: ReadonlyMap<string, DesiredFile>
}

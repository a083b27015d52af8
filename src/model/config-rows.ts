// The shapes of the rows about a component's configuration: fields, feature gates.

export type FieldType =
  | 'boolean'
  | 'duration'
  | 'duration or nanoseconds'
  | 'integer'
  | 'list of integers'
  | 'list of objects'
  | 'list of strings'
  | 'map to booleans'
  | 'map to lists'
  | 'map to quantities'
  | 'map to strings'
  | 'number'
  | 'object'
  | 'quantity'
  | 'string'
  | 'time'

/** One field of a component's configuration file, at a dotted path; `[]` is a list item. */
export interface ConfigField {
  readonly type: FieldType
  /** First minor that has it; absent where it is older than the tables. */
  readonly added?: string
  /** First minor without it; absent where the newest still has it. */
  readonly removed?: string
  /** Of no effect on Windows, and so is everything below it. */
  readonly linuxOnly?: true
  /** What it, or each of its items, can be. */
  readonly values?: readonly string[]
}

export interface GateStage {
  /** First and last minor of the stage. */
  readonly from: string
  readonly to: string
  readonly stage: 'Alpha' | 'Beta' | 'GA' | 'Deprecated'
  readonly default: boolean
  /** Only the default is accepted. */
  readonly locked: boolean
}

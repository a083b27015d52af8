// The shapes of the rows about a component's configuration: fields, feature gates.

import type { Json } from './json.ts'

/** In the words of what was asked of the programs. */
export type FieldType =
  | 'bool'
  | 'duration'
  | 'duration or nanoseconds'
  | 'float32'
  | 'float64'
  | 'int32'
  | 'int64'
  | 'integer, nanoseconds'
  | 'list of int32'
  | 'list of objects'
  | 'list of string'
  | 'map of resource name to quantity'
  | 'map of string to []string'
  | 'map of string to bool'
  | 'map of string to string'
  | 'object'
  | 'quantity'
  | 'string'
  | 'time'
  | 'uint32'

/** One field of a component's configuration file, at a dotted path; `[]` is a list item. */
export interface ConfigField {
  readonly type: FieldType
  /** Its type in minors before `until`. */
  readonly was?: { readonly until: string; readonly type: FieldType }
  /** Null and absent take the default, and a zero stays; elsewhere a zero takes the default, too. */
  readonly nullable?: true
  /** First minor that it came with; absent where it is older than the tables. */
  readonly added?: string
  /** First minor without it; absent where the newest still has it. */
  readonly removed?: string
  /** Of no effect on Windows, and so is everything below it. */
  readonly linuxOnly?: true
  /** What it becomes where nothing is given. */
  readonly default?: Json
  /** The same, by the first minor of each. */
  readonly defaults?: Readonly<Record<string, Json>>
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

// The shapes of the rows about a component's configuration: fields, feature gates.
import type { Json } from './json.ts'

/** The names of the types, as the importer writes them. */
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
  /** Null and absent take the default, and a zero stays; elsewhere a zero takes the default, too. */
  readonly nullable?: true
  /** What it becomes where nothing is given. */
  readonly default?: Json
}

export interface Gate {
  readonly stage: 'Alpha' | 'Beta' | 'GA' | 'Deprecated'
  readonly default: boolean
  /** Only the default is accepted. */
  readonly locked: boolean
  /** Gates that must be on where this one is. */
  readonly needs?: readonly string[]
  /** kube-proxy does not register it. */
  readonly only?: 'kubelet'
}

export interface Flag {
  /** As the program's flag set names it. */
  readonly type: string
  readonly default?: string
  /** The program's own words, or `config-file`: set it in the configuration file instead. */
  readonly deprecated?: string
  readonly hidden?: true
}

/** The part of the file of a minor that winnode uses. */
export interface MinorTables {
  readonly gates: Readonly<Record<string, Gate>>
  readonly kubelet: Readonly<Record<string, ConfigField>>
  readonly 'kube-proxy': Readonly<Record<string, ConfigField>>
  /** Absent where no build of the minor was asked. */
  readonly flags: Readonly<
    Partial<Record<'kubelet' | 'kube-proxy', Readonly<Record<string, Flag>>>>
  >
}

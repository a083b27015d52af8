// Types of the rows about a component's configuration: fields, feature gates and flags.
import type { Json } from './json.ts'

/** Type names as the importer writes them. */
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
  /** Only null or absent means the default; in other fields, zero means the default too. */
  readonly nullable?: true
  /** The default value. */
  readonly default?: Json
}

export interface Gate {
  readonly stage: 'Alpha' | 'Beta' | 'GA' | 'Deprecated'
  readonly default: boolean
  /** Only the default is accepted. */
  readonly locked: boolean
  /** Gates that must be on if this gate is on. */
  readonly needs?: readonly string[]
  /** Set if kube-proxy does not register the gate. */
  readonly only?: 'kubelet'
}

export interface Flag {
  /** Type name in the program's flag set. */
  readonly type: string
  readonly default?: string
  /** The program's deprecation text, or `config-file`: use the configuration file instead. */
  readonly deprecated?: string
  readonly hidden?: true
}

/** The part of a minor's file that winnode uses. */
export interface MinorTables {
  readonly gates: Readonly<Record<string, Gate>>
  readonly kubelet: Readonly<Record<string, ConfigField>>
  readonly 'kube-proxy': Readonly<Record<string, ConfigField>>
  /** Absent if no binary of the minor was queried. */
  readonly flags: Readonly<
    Partial<Record<'kubelet' | 'kube-proxy', Readonly<Record<string, Flag>>>>
  >
}

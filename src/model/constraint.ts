// Constraint: what a program asks of one setting before it starts, as a row.
import type { Json } from './json.ts'

/** A number, or a duration such as 3s. */
export type Bound = number | string

/** How a text must be built; the functions that know stand in `rules/settings/forms.ts`. */
export type FormName =
  | 'address and port'
  | 'CIDR'
  | 'CIDR or keyword'
  | 'CIDR or primary'
  | 'container log size'
  | 'CPU set'
  | 'endpoint of traces'
  | 'eviction threshold'
  | 'grace period'
  | 'IP address'
  | 'image pattern'
  | 'kind of memory'
  | 'memory reserved once'
  | 'minimum reclaim'
  | 'module of logs'
  | 'number'
  | 'pod log folder'
  | 'port range'
  | 'positive quantity'
  | 'previous minor'
  | 'reserved quantity'
  | 'share of memory'

/** Each of its members must hold. */
export interface Condition {
  readonly gate?: string
  /** The profile names a drop-in folder. */
  readonly dropIns?: true
  /** Whether the gate is on. */
  readonly on?: boolean
  readonly path?: string
  readonly is?: Json
  /** The setting is written, and not only its default. */
  readonly written?: true
  readonly below?: number
  /** The list at `path` has one of these. */
  readonly has?: readonly string[]
  /** The list at `path` has something else than this. */
  readonly hasOther?: string
}

export type Demand =
  | { readonly least?: Bound; readonly most?: Bound; readonly above?: Bound; readonly or?: Bound }
  | { readonly oneOf: readonly Json[] }
  | { readonly form: FormName }
  /** The gate is on, unless the setting says no more than this, or nothing. */
  | { readonly gate: string; readonly unless?: Json }
  | { readonly below: string }
  | { readonly upTo: string }
  | { readonly beyond: string }
  | { readonly excludes: readonly string[] }
  /** Another setting is given too; with `as` it has this value. */
  | { readonly needs: string; readonly as?: Json }
  /** Each key of the map is in that other map too, unless its value turns it off. */
  | { readonly keysIn: string }
  /** No item stands twice; of a list of words, none of these. */
  | { readonly unique: true | readonly string[] }
  | { readonly alone: string }
  | { readonly apart: readonly [string, string] }
  /** Must not be empty. */
  | { readonly filled: string }
  /** Must not be there. */
  | { readonly never: string }
  /** Is taken, and has no effect; with `form`, where the value has another form. */
  | { readonly ignored: string; readonly form?: FormName }

export type Constraint = Demand & {
  /**
   * Dotted, as in the tables of fields; `[]` stands for each item of a list, `{}` for each value of a map
   * and `{key}` for each of its keys.
   */
  readonly path: string
  /** Versions of the program in which it holds; absent for all of them. */
  readonly range?: string
  readonly when?: Condition
  /** The program takes it, and ends later: why. */
  readonly late?: string
  /** Where upstream asks for it. */
  readonly see: string
}

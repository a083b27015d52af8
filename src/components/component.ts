// Component: the configuration of a program as a table, from which its file, its rules and its documentation follow.
import type { FieldTable } from '../matrix/config-fields.ts'
import type { Facts } from '../model/facts.ts'
import { mergeJson, type Json, type JsonObject } from '../model/json.ts'
import type { NodeFact } from '../model/node-fact.ts'
import type { Settings } from '../model/setting.ts'
import type { NodeSpec } from '../model/spec.ts'
import type { Derivation } from '../model/step.ts'

/** One key of the file. `kubelet.config` and `kubeProxy.config` may replace it unless it has `field`, `fact` or `fixed`. */
export interface ConfigRow {
  /** Not written where it is undefined; absent in a row about a part of another row's value. */
  readonly value?: Json | ((facts: Facts) => Json | undefined)
  /** The field of a profile that decides the value. */
  readonly field?: string
  /** What the node puts in the place of an empty text. */
  readonly fact?: NodeFact
  /** Why no profile may set it. */
  readonly fixed?: string
  readonly why: string
  /** Absent where it is the source of the whole table. */
  readonly see?: string
}

/** By dotted key in the order of the file; `[]` stands for each item of a list, `*` for any key of a map. */
export type ConfigRows = Readonly<Record<string, ConfigRow>>

/** A program whose file takes further settings from a profile, as they are. */
export interface Component {
  readonly name: 'kubelet' | 'kube-proxy'
  /** Group of the profile that has `config` and `featureGates`. */
  readonly home: 'kubelet' | 'kubeProxy'
  readonly version: (spec: NodeSpec) => string
  /** Every field that the program has, with its type and default. */
  readonly fields: FieldTable
  readonly see: string
  readonly rows: ConfigRows
}

/** Where the value of a row stands in the file: `clusterDNS` of `clusterDNS[]`. */
function pathOf(key: string): readonly string[] {
  return key.replace(/(?:\[\]|\.\*).*$/, '').split('.')
}

/** The document that the rows alone make. */
export function documentOf(rows: ConfigRows, facts: Facts): JsonObject {
  return Object.entries(rows).reduce<JsonObject>((document, [key, row]) => {
    const value = valueOf(row, facts)
    return value === undefined ? document : mergeJson(document, nested(pathOf(key), value))
  }, {})
}

function valueOf({ value }: ConfigRow, facts: Facts): Json | undefined {
  return typeof value === 'function' ? value(facts) : value
}

function nested([first = '', ...rest]: readonly string[], value: Json): JsonObject {
  return { [first]: rest.length === 0 ? value : nested(rest, value) }
}

/** The whole file as the program reads it, which the rules judge. */
export function fileOf({ rows, home }: Component, facts: Facts): JsonObject {
  return mergeJson(documentOf(rows, facts), facts.spec[home].config)
}

/** What the node fills in. */
export function derivationsOf(rows: ConfigRows, facts: Facts): readonly Derivation[] {
  return Object.entries(rows).flatMap(([key, row]) =>
    row.fact !== undefined && valueOf(row, facts) === ''
      ? [{ pointer: `/${pathOf(key).join('/')}`, value: [{ text: '', fact: row.fact }] }]
      : [],
  )
}

/** The reasons of the rows, each with the field of a profile that changes the value; below `config` where none is named. */
export function settingsOf(rows: ConfigRows, see: string, config?: string): Settings {
  return Object.fromEntries(
    Object.entries(rows).map(([key, row]) => {
      const free = row.value !== undefined && row.fact === undefined && row.fixed === undefined
      const field = row.field ?? (free ? config && `${config}.${pathOf(key).join('.')}` : undefined)
      return [key, { why: row.why, see: row.see ?? see, ...(field !== undefined && { field }) }]
    }),
  )
}

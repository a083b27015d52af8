// The configuration of a program as a table, from which its file, its rules and its documentation follow.
import type { KubeProgram } from '../matrix/flags.ts'
import type { Facts } from '../model/facts.ts'
import { isObject, mergeJson, nestAt, valueAt, type Json, type JsonObject } from '../model/json.ts'
import type { NodeFact } from '../model/node-fact.ts'
import { memo } from '../model/memo.ts'
import { isWithin, parsePath, type Path } from '../model/path.ts'
import type { Settings } from '../model/setting.ts'
import type { NodeSpec } from '../model/spec.ts'
import type { Derivation } from '../model/step.ts'

/** One key of the file. `kubelet.config` and `kubeProxy.config` may replace it unless it has `field`, `fact` or `fixed`. */
interface Declared {
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

export interface ConfigRow extends Declared {
  readonly key: string
  /** The path of the value in the file: `clusterDNS` for the key `clusterDNS[]`. */
  readonly at: readonly string[]
}

/** By dotted key in the order of the file; `[]` stands for each item of a list, `*` for any key of a map. */
export function rowsOf(declared: Readonly<Record<string, Declared>>): readonly ConfigRow[] {
  return Object.entries(declared).map(([key, row]) => ({
    ...row,
    key,
    at: stepsOf(key.replace(/(?:\[\]|\.\*).*$/, '')),
  }))
}

/** The names in a dotted key, in double quotes if the name has a dot; `[]` and `*` are steps too. */
export function stepsOf(key: string): readonly string[] {
  const steps = key.matchAll(/"([^"]*)"|\[\]|[^."[\]]+/g)
  return Array.from(steps, ([whole, quoted]) => quoted ?? whole)
}

/** A program whose file takes further settings from a profile, as they are. */
export interface ConfigTable {
  readonly name: KubeProgram
  /** Group of the profile that has `config` and `featureGates`. */
  readonly home: 'kubelet' | 'kubeProxy'
  readonly version: (spec: NodeSpec) => string
  readonly see: string
  readonly rows: readonly ConfigRow[]
}

/** The document that the rows alone make. */
export function documentOf(rows: readonly ConfigRow[], facts: Facts): JsonObject {
  const document = new Map<string, Json>()
  for (const row of rows) {
    const [first = '', ...rest] = row.at
    const value = valueOf(row, facts)
    if (value === undefined) continue
    const [before, now] = [document.get(first), nestAt(rest, value)]
    document.set(first, isObject(before) && isObject(now) ? mergeJson(before, now) : now)
  }
  return Object.fromEntries(document)
}

/** What a row writes; undefined where it writes nothing. */
export function valueOf({ value }: Declared, facts: Facts): Json | undefined {
  return typeof value === 'function' ? value(facts) : value
}

/** A document with the key of a row and no value. */
export function keyOnly({ at: [first = '', ...rest] }: ConfigRow): JsonObject {
  return { [first]: nestAt(rest, null) }
}

/** The whole file as the program reads it, for the rules: dozens of them ask for it. */
export function fileOf(component: ConfigTable, facts: Facts): JsonObject {
  return filesOf(facts)(component)
}

const filesOf = memo((facts: Facts) =>
  memo(({ rows, home }: ConfigTable) =>
    mergeJson(documentOf(rows, facts), facts.spec[home].config),
  ),
)

/** What the node fills in. */
export function derivationsOf(rows: readonly ConfigRow[], facts: Facts): readonly Derivation[] {
  return rows.flatMap((row) =>
    row.fact !== undefined && valueOf(row, facts) === ''
      ? [{ pointer: `/${row.at.join('/')}`, value: [{ text: '', fact: row.fact }] }]
      : [],
  )
}

/** The profile field that sets a path of the file; undefined where winnode alone decides it. */
export function placeOf({ rows, home }: ConfigTable, spec: NodeSpec, path: Path): Path | undefined {
  if (valueAt(spec[home].config, path) !== undefined) return [home, 'config', ...path]
  const around = rows.filter(({ at, field }) => field !== undefined && isWithin(path, at))
  const [nearest] = around.toSorted((a, b) => b.at.length - a.at.length)
  return nearest && [...(parsePath(nearest.field ?? '') ?? []), ...path.slice(nearest.at.length)]
}

/** The profile field that sets a path of the file, or could set it: where a finding about it points. */
export function pathOf(component: ConfigTable, spec: NodeSpec, path: Path): Path {
  return placeOf(component, spec, path) ?? [component.home, 'config', ...path]
}

/** One setting of the file: its value, and where a finding about it points. */
export function settingOf(
  component: ConfigTable,
  facts: Facts,
  key: string,
): { readonly value: Json | undefined; readonly path: Path } {
  const path = key.split('.')
  return {
    value: valueAt(fileOf(component, facts), path),
    path: pathOf(component, facts.spec, path),
  }
}

/** Where `config` of a profile replaces the value at a path: there, or at a map around it. */
export function replacedAt(config: JsonObject, path: readonly string[]): Path | undefined {
  const lengths = path.map((_, index) => index + 1)
  const end = lengths.find((length) => !isObject(valueAt(config, path.slice(0, length))))
  const at = path.slice(0, end)
  return valueAt(config, at) === undefined ? undefined : at
}

/** The reasons of the rows, each with the field of a profile that changes the value; below `config` where none is named. */
export function settingsOf(rows: readonly ConfigRow[], see: string, config?: string): Settings {
  return Object.fromEntries(
    rows.map((row) => {
      const free = row.value !== undefined && row.fact === undefined && row.fixed === undefined
      const field = row.field ?? (free ? config && `${config}.${row.at.join('.')}` : undefined)
      return [row.key, { why: row.why, see: row.see ?? see, ...(field !== undefined && { field }) }]
    }),
  )
}

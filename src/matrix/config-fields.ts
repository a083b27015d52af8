// The keys of a configuration document with their fields, and the versions that have a field.
import { isList, isObject, type Json, type JsonObject } from '../model/json.ts'
import type { ConfigField } from '../model/config-rows.ts'
import type { Path } from '../model/path.ts'
import { compareVersions, minorOf } from './version.ts'

export type FieldTable = Readonly<Record<string, ConfigField>>

export interface WrittenField {
  /** As the tables name it: `registerWithTaints[].key`. */
  readonly key: string
  readonly path: Path
  /** Absent where no version has it. */
  readonly row: ConfigField | undefined
}

/** Every key of a document; what is below a key without a row is nobody's. */
export function writtenFields(
  document: JsonObject,
  table: FieldTable,
  path: Path = [],
  prefix = '',
): readonly WrittenField[] {
  return Object.entries(document).flatMap(([name, value]) => {
    const key = `${prefix}${name}`
    const row = Object.hasOwn(table, key) ? table[key] : undefined
    const here = { key, path: [...path, name], row }
    if (row?.type === 'object' && isObject(value))
      return [here, ...writtenFields(value, table, here.path, `${key}.`)]
    if (row?.type !== 'list of objects' || !isList(value)) return [here]
    const items = value.flatMap((item, at) =>
      isObject(item) ? writtenFields(item, table, [...here.path, at], `${key}[].`) : [],
    )
    return [here, ...items]
  })
}

/** Whether a version of the component has the field. */
export function hasField({ added, removed }: ConfigField, version: string): boolean {
  const minor = minorOf(version) ?? ''
  const came = added === undefined || compareVersions(minor, added) >= 0
  return came && (removed === undefined || compareVersions(minor, removed) < 0)
}

const known = new WeakMap<ConfigField, Map<string, ConfigField | undefined>>()

/** A field as a version has it: the type and the default of that minor; `undefined` where it lacks the field. */
export function fieldIn(table: FieldTable, key: string, version: string): ConfigField | undefined {
  const row = Object.hasOwn(table, key) ? table[key] : undefined
  if (!row) return undefined
  const fields = known.get(row) ?? new Map<string, ConfigField | undefined>()
  known.set(row, fields)
  if (!fields.has(version)) fields.set(version, asOf(row, version))
  return fields.get(version)
}

function asOf(row: ConfigField, version: string): ConfigField | undefined {
  if (!hasField(row, version)) return undefined
  const { was, defaults, ...now } = row
  const isOlder = was !== undefined && compareVersions(minorOf(version) ?? '', was.until) < 0
  const fallback = defaults && defaultIn(defaults, version)
  return {
    ...now,
    ...(isOlder && { type: was.type }),
    ...(fallback !== undefined && fallback !== null && { default: fallback }),
  }
}

function defaultIn(defaults: Readonly<Record<string, Json>>, version: string): Json | undefined {
  const minor = minorOf(version) ?? ''
  const from = Object.keys(defaults).filter((first) => compareVersions(minor, first) >= 0)
  return defaults[from.toSorted(compareVersions).at(-1) ?? '']
}

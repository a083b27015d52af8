// The keys of a configuration document with their fields, and the versions that have a field.
import { isList, isObject, type JsonObject } from '../model/json.ts'
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

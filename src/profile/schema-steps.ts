// The table of fields as a schema, and its walk to the value at a path.
import type { FieldTexts } from '../model/field.ts'
import { isList, isObject, type Json } from '../model/json.ts'
import type { Path } from '../model/path.ts'
import { profileSchema } from './fields/index.ts'

/** The properties of a valibot schema that are used here. */
export interface Schema {
  readonly kind?: string
  readonly type: string
  readonly wrapped?: Schema
  readonly default?: Json
  readonly pipe?: readonly (Schema & Action)[]
  readonly entries?: Readonly<Record<string, Schema>>
  readonly rest?: Schema
  readonly item?: Schema
  readonly key?: Schema
  readonly value?: Schema
  readonly options?: readonly (string | number | Schema)[]
  readonly literal?: string
  readonly message?: unknown
}

export interface Action {
  readonly metadata?: FieldTexts<Json>
  readonly requirement?: unknown
}

// eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- valibot types each schema by its values; only properties common to all are used here
export const root = profileSchema as unknown as Schema

/** The schema without its optional wrapper and its further checks. */
export function inside(schema: Schema): Schema {
  if (schema.wrapped) return inside(schema.wrapped)
  const [first] = schema.pipe ?? []
  return first && first !== schema ? inside(first) : schema
}

/** Lists where the table expects a map; the parser would read each as a map with the keys 0, 1 and 2. */
export function listsForMaps(document: Json): readonly Path[] {
  return listsBelow(root, document, [])
}

function listsBelow(
  schema: Schema | undefined,
  value: Json | undefined,
  path: Path,
): readonly Path[] {
  const isMap = schema !== undefined && mapTypes.has(inside(schema).type)
  if (isList(value)) {
    if (isMap) return [path]
    return value.flatMap((item, index) => listsBelow(child(schema, index), item, [...path, index]))
  }
  if (!isObject(value) || !isMap) return []
  return Object.entries(value).flatMap(([key, each]) =>
    listsBelow(child(schema, key), each, [...path, key]),
  )
}

const mapTypes: ReadonlySet<string> = new Set(['strict_object', 'object_with_rest', 'record'])

/** The keys in the table of fields below a path. */
export function knownKeys(path: Path): readonly string[] {
  let schema: Schema | undefined = root
  for (const step of path) schema = child(schema, step)
  return Object.keys((schema && inside(schema).entries) ?? {})
}

function child(schema: Schema | undefined, step: string | number): Schema | undefined {
  if (schema === undefined) return undefined
  const { entries, rest, item, value } = inside(schema)
  return entries ? (entries[step] ?? rest) : (item ?? value)
}

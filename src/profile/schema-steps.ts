// Walks the table of fields to the schema of the value at a path.
import { isList, isObject, type Json } from '../model/json.ts'
import type { Path } from '../model/path.ts'
import { profileSchema } from './fields/index.ts'

/** Lists where the table expects a map; the parser would read each as a map with the keys 0, 1 and 2. */
export function listsForMaps(document: Json): readonly Path[] {
  return listsBelow(profileSchema, document, [])
}

function listsBelow(schema: unknown, value: Json | undefined, path: Path): readonly Path[] {
  const at = unwrap(schema)
  if (isList(value)) {
    if (isMap(at)) return [path]
    return value.flatMap((item, index) => listsBelow(child(at, index), item, [...path, index]))
  }
  if (!isObject(value) || !isMap(at)) return []
  return Object.entries(value).flatMap(([key, each]) =>
    listsBelow(child(at, key), each, [...path, key]),
  )
}

function isMap(schema: unknown): boolean {
  return isRecord(schema) && mapTypes.has(schema['type'])
}

const mapTypes: ReadonlySet<unknown> = new Set(['strict_object', 'object_with_rest', 'record'])

/** The keys in the table of fields below a path. */
export function knownKeys(path: Path): readonly string[] {
  let schema: unknown = unwrap(profileSchema)
  for (const step of path) schema = unwrap(child(schema, step))
  return hasEntries(schema) ? Object.keys(schema.entries) : []
}

function child(schema: unknown, step: string | number): unknown {
  if (hasEntries(schema)) return schema.entries[step] ?? schema.rest
  return isRecord(schema) ? (schema['item'] ?? schema['value']) : undefined
}

function unwrap(schema: unknown): unknown {
  let at = schema
  while (isRecord(at) && 'wrapped' in at) at = at['wrapped']
  return at
}

function hasEntries(
  schema: unknown,
): schema is { entries: Record<string, unknown>; rest?: unknown } {
  return isRecord(schema) && 'entries' in schema
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

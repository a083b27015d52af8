// JSON values, of which profiles, views and rendered documents consist.

export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json | undefined }

/** True for a map: an object that is neither null nor a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `undefined` for text that is not JSON, or not a JSON object. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The value at a path as Go's JSON decoder finds it: without regard to case, and the last of several. No value for null. */
export function valueAtGoKey(
  document: Json | undefined,
  path: readonly (string | number)[],
): Json | undefined {
  const value = path.reduce<Json | undefined>(
    (at, step) =>
      isObject(at)
        ? Object.entries(at).findLast(
            ([name]) => name.toLowerCase() === String(step).toLowerCase(),
          )?.[1]
        : undefined,
    document,
  )
  return value ?? undefined
}

/** The value at a path, or `undefined`. */
export function valueAt(
  document: Json | undefined,
  path: readonly (string | number)[],
): Json | undefined {
  let at = document
  for (const step of path) {
    if (isList(at)) at = at[Number(step)]
    else if (isObject(at) && Object.hasOwn(at, step)) at = at[step]
    else return undefined
  }
  return at
}

export interface Leaf {
  readonly path: readonly string[]
  readonly value: Json
}

/** Each value that is no map, or an empty one. */
export function leavesIn(document: JsonObject, at: readonly string[] = []): readonly Leaf[] {
  return Object.entries(document).flatMap(([key, value]) => {
    const path = [...at, key]
    if (isObject(value) && Object.keys(value).length > 0) return leavesIn(value, path)
    return value === undefined ? [] : [{ path, value }]
  })
}

/** A text as it is, any other value as JSON. */
export function toText(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Empty if the value is not a text. */
export function textAt(document: Json | undefined, path: readonly (string | number)[]): string {
  const found = valueAt(document, path)
  return typeof found === 'string' ? found : ''
}

/** `metadata.name` of an API object; empty if it is missing. */
export function nameOf(object: JsonObject): string {
  return textAt(object, ['metadata', 'name'])
}

/** `namespace/name` of an API object, or the name alone. */
export function qualifiedName(object: Json): string {
  const [namespace, name] = ['namespace', 'name'].map((key) => textAt(object, ['metadata', key]))
  return [namespace, name].filter(Boolean).join('/')
}

/** The texts of a map, such as labels, without numbers and booleans, which the API server rejects. */
export function textsAt(
  document: Json | undefined,
  path: readonly (string | number)[],
): Readonly<Record<string, string>> {
  const found = valueAt(document, path)
  if (!isObject(found)) return {}
  return Object.fromEntries(
    Object.entries(found).flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, value]] : [],
    ),
  )
}

/** The entry of a map for a word from outside: `constructor` and the like are no entries. */
export function ownOf<T>(map: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined
}

/** Whether both are written as the same JSON; the order of keys counts. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Nests the value in maps: `{ a: { b: value } }` for the path `['a', 'b']`. */
export function nestAt(path: readonly (string | number)[], value: Json): Json {
  return path.reduceRight<Json>((inner, step) => ({ [step]: inner }), value)
}

/** Merges maps key by key; other values of `patch` replace (RFC 7396 without deletions). */
export function mergeJson(base: JsonObject, patch: JsonObject): JsonObject {
  const merged = new Map(Object.entries(base))
  for (const [key, value] of Object.entries(patch)) {
    const before = merged.get(key)
    merged.set(key, isObject(before) && isObject(value) ? mergeJson(before, value) : value)
  }
  return Object.fromEntries(merged)
}

export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value)
}

/** The objects in a list; empty if the value is no list. */
export function itemsOf(value: Json | undefined): readonly JsonObject[] {
  return isList(value) ? value.filter(isObject) : []
}

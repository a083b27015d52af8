// Small documents, put together.
import { isObject, type Json, type JsonObject } from '../../src/model/json.ts'

export function put(path: readonly string[], value: Json | undefined): JsonObject {
  const whole = path.reduceRight<Json | undefined>((inner, step) => ({ [step]: inner }), value)
  return isObject(whole) ? whole : {}
}

export function entriesOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    inner === undefined ? [] : [[key, inner] as const],
  )
}

/** Maps merge key by key, anything else of the later one counts. */
export function joined(parts: readonly JsonObject[]): JsonObject {
  return parts.reduce<JsonObject>((whole, part) => join(whole, part), {})
}

function join(a: JsonObject, b: JsonObject): JsonObject {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  return Object.fromEntries(
    [...keys].map((key) => {
      const [left, right] = [a[key], b[key]]
      return [key, isObject(left) && isObject(right) ? join(left, right) : (right ?? left)]
    }),
  )
}

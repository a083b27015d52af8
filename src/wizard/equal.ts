// Deep equality of JSON values.
import { isObject } from '../model/json.ts'

/** The order of keys does not count, and `undefined` equals a missing key. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (isObject(a) && isObject(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)])
    return [...keys].every((key) => isEqual(a[key], b[key]))
  }
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, at) => isEqual(item, b[at]))
  return a === b
}

// Whether two values say the same.
import { isObject } from '../model/json.ts'

/** Of maps too: the order of keys says nothing. */
export function isSame(a: unknown, b: unknown): boolean {
  if (isObject(a) && isObject(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)])
    return [...keys].every((key) => isSame(a[key], b[key]))
  }
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, at) => isSame(item, b[at]))
  return a === b
}

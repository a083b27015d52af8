// A document as JSON text: two spaces, keys as they come, nothing dropped or changed on the way.
import { asciiJson } from './quote/json.ts'
import { checkText } from './quote/scalar.ts'

export function jsonText(value: unknown): string {
  return asciiJson(JSON.stringify(value, checkPart, 2))
}

/** JSON would write NaN and infinities as null. */
function checkPart(key: string, part: unknown): unknown {
  checkText(key)
  if (typeof part === 'string') return checkText(part)
  if (typeof part !== 'number' || Number.isFinite(part)) return part
  throw new TypeError(`${part} is no JSON number`)
}

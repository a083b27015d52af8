// Writes a document as JSON, indented by two spaces; refuses values that JSON would drop or change.
import { asciiJson } from './quote/json.ts'
import { checkText } from './quote/scalar.ts'

export function jsonText(value: unknown): string {
  return asciiJson(JSON.stringify(value, checkPart, 2))
}

/** JSON.stringify would write NaN and infinities as null. */
function checkPart(key: string, part: unknown): unknown {
  checkText(key)
  if (typeof part === 'string') return checkText(part)
  if (typeof part !== 'number' || Number.isFinite(part)) return part
  throw new TypeError(`${part} is no JSON number`)
}

// Encodes text as UTF-8 with a line feed at the end.
import { checkText } from './quote/scalar.ts'

/** Ends with exactly one line feed. */
export function encodeText(text: string): Uint8Array {
  return encode(`${text.replace(/\n+$/, '')}\n`)
}

/** Adds a line feed only where the text does not end with one. */
export function encodeVerbatim(text: string): Uint8Array {
  return encode(text.endsWith('\n') ? text : `${text}\n`)
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(checkText(text))
}

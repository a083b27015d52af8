// Text to bytes, in UTF-8 and with a line feed at the end.
import { checkText } from './quote/scalar.ts'

/** Exactly one line feed at the end. */
export function encodeText(text: string): Uint8Array {
  return encode(`${text.replace(/\n+$/, '')}\n`)
}

/** As it is, but for a line feed at the end where it lacks one. */
export function encodeVerbatim(text: string): Uint8Array {
  return encode(text.endsWith('\n') ? text : `${text}\n`)
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(checkText(text))
}

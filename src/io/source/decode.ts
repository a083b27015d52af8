// Decodes the bytes of a profile, or returns why they are not UTF-8.
import type { Span } from '../span.ts'
import { start } from '../span.ts'

/** Most bytes: far above any profile. */
export const sizeLimit = 1024 * 1024

interface Decoded {
  readonly text: string
  readonly fault?: {
    readonly id: 'too-large' | 'not-utf8'
    readonly about: string
    readonly span: Span
  }
}

/** Byte order marks of other encodings; the longer first, since it starts with the shorter. */
const byteOrderMarks = [
  { bytes: [0xff, 0xfe, 0x00, 0x00], encoding: 'UTF-32' },
  { bytes: [0x00, 0x00, 0xfe, 0xff], encoding: 'UTF-32' },
  { bytes: [0xff, 0xfe], encoding: 'UTF-16' },
  { bytes: [0xfe, 0xff], encoding: 'UTF-16' },
] as const

export function decode(bytes: Uint8Array, limit = sizeLimit): Decoded {
  if (bytes.length > limit) {
    const about = `${limit / 1024 / 1024} MiB`
    return { text: '', fault: { id: 'too-large', about, span: start } }
  }
  const wide = wideEncoding(bytes)
  if (wide) return { text: '', fault: { id: 'not-utf8', about: wide, span: start } }
  // Skips a byte order mark.
  const text = new TextDecoder().decode(bytes)
  const span = firstInvalid(bytes)
  return span ? { text, fault: { id: 'not-utf8', about: 'in another encoding', span } } : { text }
}

function wideEncoding(bytes: Uint8Array): string | undefined {
  const mark = byteOrderMarks.find((one) => one.bytes.every((byte, index) => bytes[index] === byte))
  if (mark) return mark.encoding
  // Without a mark: Latin letters in UTF-16 are every other byte NUL.
  const head = bytes.subarray(0, 64)
  const nulls = head.filter((byte) => byte === 0).length
  return nulls > 0 && nulls * 3 >= head.length ? 'UTF-16' : undefined
}

/** If the text does not encode back to the same bytes, they were not UTF-8. */
function firstInvalid(bytes: Uint8Array): Span | undefined {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const again = new TextEncoder().encode(decoder.decode(bytes))
  const at = bytes.findIndex((byte, index) => byte !== again[index])
  if (at === -1) return undefined
  const offset = new TextDecoder().decode(bytes.subarray(0, at)).length
  return { start: offset, end: offset + 1 }
}

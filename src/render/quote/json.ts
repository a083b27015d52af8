// JSON in ASCII: the same value under every code page that a reader may assume.
import { quoteWith } from './scalar.ts'

/** Escapes what is not ASCII in text that is JSON already. */
export function asciiJson(json: string): string {
  return json.replace(
    /[\x7f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  )
}

export const json = quoteWith({ text: (text) => asciiJson(JSON.stringify(text)) })

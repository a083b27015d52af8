// JSON in ASCII, which reads the same in every code page.
import { quoteWith } from './scalar.ts'

/** Escapes the characters of a JSON text that are not ASCII. */
export function asciiJson(json: string): string {
  return json.replace(
    /[\x7f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  )
}

export const json = quoteWith({ text: (text) => asciiJson(JSON.stringify(text)) })

// One-line: text from outside as a single harmless line.
import { printable } from '../model/printable.ts'

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t' }

/** What would move the cursor, or do worse, becomes a visible escape. */
export function oneLine(text: string): string {
  return printable(text).replace(/[\n\t]/g, (character) => escapes[character] ?? '')
}

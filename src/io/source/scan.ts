// Scan: the words and signs of a text, counted before a parser that recurses sees them.
import { CST, Lexer } from 'yaml'
import type { Report } from '../report.ts'

/** Far above any profile, and still read in a second. */
const wordLimit = 100_000

export const depthLimit = 64

const opens: ReadonlySet<string | null> = new Set(['flow-map-start', 'flow-seq-start'])
const closes: ReadonlySet<string | null> = new Set(['flow-map-end', 'flow-seq-end'])

/** Marks of the lexer itself, which stand for no text: start of document, of flow, of a scalar. */
const marks: ReadonlySet<string | null> = new Set(['doc-mode', 'flow-error-end', 'scalar'])

/** Whether a parser can safely read the text; if not, the report says why. */
export function scan(text: string, report: Report): boolean {
  let offset = 0
  let words = 0
  let depth = 0
  for (const word of new Lexer().lex(text)) {
    const type = CST.tokenType(word)
    const span = { start: offset, end: offset + word.length }
    words += 1
    if (opens.has(type)) depth += 1
    if (closes.has(type)) depth -= 1
    if (depth > depthLimit) {
      report.add('too-deep', span, String(depthLimit))
      return false
    }
    if (words > wordLimit) {
      report.add('too-large', span, `${wordLimit} words and signs`)
      return false
    }
    if (type === 'directive-line') report.add('unsupported-directive', span, word)
    if (!marks.has(type)) offset += word.length
  }
  return true
}

// Scan: looks at the words of a text, one by one, before a parser that recurses sees them.
import { CST, Lexer } from 'yaml'
import type { Report } from '../report.ts'
import { openNesting } from './nesting.ts'

/** Far above any profile, and still read in a second. */
const wordLimit = 100_000

export const depthLimit = 64

/** Marks of the lexer itself, which stand for no text: start of document, of flow, of a scalar. */
const marks: ReadonlySet<string | null> = new Set(['doc-mode', 'flow-error-end', 'scalar'])

/** Whether a parser can safely read the text; if not, the report says why. */
export function scan(text: string, report: Report): boolean {
  const nest = openNesting()
  let offset = 0
  let words = 0
  for (const word of new Lexer().lex(text)) {
    const type = CST.tokenType(word)
    const span = { start: offset, end: offset + word.length }
    words += 1
    if (nest(type, word.length) > depthLimit) {
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

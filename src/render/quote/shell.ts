// A POSIX shell: one word, that no character of it can end.
import { hidden } from './hidden.ts'
import { quoteWith } from './scalar.ts'

/** In single quotes nothing is special but the quote itself. */
function quoteText(text: string): string {
  // A line break could end the block of a page in which the command stands.
  if (hidden.test(text)) throw new TypeError('has a character that no command line shows')
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

export const shell = quoteWith({ text: quoteText, truth: String })

// POSIX shell: one word, quoted where needed.
import { invisible } from './invisible.ts'
import { quoteWith } from './scalar.ts'

function quoteText(text: string): string {
  // A line break could end the code block of a page that holds the command.
  if (invisible.test(text)) throw new TypeError('has a character that no command line shows')
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

export const shell = quoteWith({ text: quoteText, truth: String })

// Markdown: a sentence as running text, in which no character is markup.
import { hidden } from './hidden.ts'
import { quoteWith } from './scalar.ts'

const allHidden = new RegExp(hidden, 'gu')

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

export const prose = quoteWith({
  text: (text) =>
    text
      .trim()
      .replace(/\s+/g, ' ')
      .replace(allHidden, codePoint)
      .replace(/[\\`*_[\]<>|&~$#]/g, '\\$&')
      // Only at the start of a line do these make a list or a rule.
      .replace(/^(\d*)([+\-=.)])/, '$1\\$2'),
})

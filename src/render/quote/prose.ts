// Markdown: a sentence as plain text, with markup escaped.
import { invisible } from './invisible.ts'
import { quoteWith } from './scalar.ts'

const allHidden = new RegExp(invisible, 'gu')

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
      // At the start of a line these would begin a list or a rule.
      .replace(/^(\d*)([+\-=.)])/, '$1\\$2'),
})

// Markdown: a value as an inline code span, safe in paragraphs and table cells.
import { invisible } from './invisible.ts'
import { json } from './json.ts'
import { quoteWith } from './scalar.ts'

/** A backtick would end the span, a bar the table cell; a span loses edge spaces and cannot be empty. */
const needsMarkup = /[`|]|^ | $|^$/

function entity(character: string): string {
  return `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`
}

export const codeSpan = quoteWith({
  text: (text) => {
    const shown = invisible.test(text) ? json(text) : text
    if (!needsMarkup.test(shown)) return `\`${shown}\``
    return `<code>${shown.replace(/[!-/:-@[-`{-~]|^ | $/g, entity)}</code>`
  },
  truth: (value) => `\`${value}\``,
})

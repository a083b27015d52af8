// Markdown: a value as an inline code span that neither a table nor a paragraph can be left from.
import { hidden } from './hidden.ts'
import { json } from './json.ts'
import { quoteWith } from './scalar.ts'

/** Backticks would close the span, a bar the cell; edge spaces and emptiness are lost in a span. */
const needsMarkup = /[`|]|^ | $|^$/

function entity(character: string): string {
  return `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`
}

export const codeSpan = quoteWith({
  text: (text) => {
    const shown = hidden.test(text) ? json(text) : text
    if (!needsMarkup.test(shown)) return `\`${shown}\``
    return `<code>${shown.replace(/[!-/:-@[-`{-~]|^ | $/g, entity)}</code>`
  },
  truth: (value) => `\`${value}\``,
})

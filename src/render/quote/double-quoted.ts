// TOML and YAML: text in double quotes, in ASCII, with the escapes that both share.
import { escaped } from './escape.ts'
import { quoteWith } from './scalar.ts'

export const doubleQuoted = quoteWith({
  text: (text) => `"${text.replace(/["\\]|[^\x20-\x7e]/gu, escaped)}"`,
})

// Text in double quotes, in ASCII, with the escapes that TOML and YAML share.
import { quoteWith } from './scalar.ts'

const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** Neither language reads a pair of surrogate escapes, so code points above U+FFFF take eight digits. */
function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const [mark, width] = code > 0xffff ? ['U', 8] : ['u', 4]
  return short[character] ?? `\\${mark}${code.toString(16).toUpperCase().padStart(width, '0')}`
}

export const doubleQuoted = quoteWith({
  text: (text) => `"${text.replace(/["\\]|[^\x20-\x7e]/gu, escape)}"`,
})

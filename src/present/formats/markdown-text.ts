// Escapes foreign text for a Markdown page.
import { oneLine } from '../one-line.ts'

/** Literal text: no markup, no mentions, no references. */
export function prose(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_{}[\]<>|~$&]/g, (sign) => (sign === '&' ? '&amp;' : `\\${sign}`))
    .replace(/([@#])(?=[\w])/g, '$1<!-- -->')
}

/** In a table, a bar ends the cell even inside a code span. */
export function code(text: string): string {
  const line = oneLine(text).replaceAll('|', '\\|')
  const ticks = '`'.repeat(Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length)) + 1)
  const pad = /^`|`$/.test(line) ? ' ' : ''
  return ticks + pad + line + pad + ticks
}

export function linked(name: string, address: string | undefined): string {
  if (address === undefined) return code(name)
  return `[${code(name)}](${address.replaceAll(/[()\s]/g, encodeURIComponent)})`
}

// PowerShell in ASCII: Windows PowerShell 5.1 reads a script without a BOM in the ANSI code page.
import { quoteWith } from './scalar.ts'

/** PowerShell's other single quotes are not ASCII, so only U+0027 is doubled. */
function quotePart(part: string): string {
  if (/^[\x20-\x7e]/.test(part)) return `'${part.replaceAll("'", "''")}'`
  return `[char]0x${part.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** -join of a list, as a chain of + would nest the syntax tree too deeply for long texts. */
function quoteText(text: string): string {
  const parts = (text.match(/[\x20-\x7e]+|[^\x20-\x7e]/g) ?? []).map(quotePart)
  if (parts.length > 1 || parts[0]?.startsWith('[')) return `(-join(${parts.join(',')}))`
  return parts[0] ?? "''"
}

export const powershell = quoteWith({
  text: quoteText,
  truth: (value) => (value ? '$true' : '$false'),
})

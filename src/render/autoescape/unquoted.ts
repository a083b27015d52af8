// Rejects quotes around an expression, which is written with its own quotes.
import type { Language } from '../languages.ts'
import { fail } from './fail.ts'

/** Fails where a quote is open on the line before the expression. */
export function checkUnquoted(node: hbs.AST.Statement, source: string, { quotes }: Language): void {
  const { line, column } = node.loc.start
  const text = (source.split('\n')[line - 1] ?? '').slice(0, column).replace(/\{\{.*?\}\}/g, '')
  const open = quotes.find((quote) => text.split(quote).length % 2 === 0)
  if (open) fail(node, `is inside ${open}; an expression is written with its own quotes`)
}

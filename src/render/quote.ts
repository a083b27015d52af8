// The notations of values: each turns a scalar into one complete literal.
import { codeSpan } from './quote/code-span.ts'
import { doubleQuoted } from './quote/double-quoted.ts'
import { json } from './quote/json.ts'
import { powershell } from './quote/powershell.ts'
import { prose } from './quote/prose.ts'
import type { Quote } from './quote/scalar.ts'
import { shell } from './quote/shell.ts'

export const quotes = {
  toml: doubleQuoted,
  yaml: doubleQuoted,
  json,
  powershell,
  codeSpan,
  prose,
  shell,
} as const satisfies Readonly<Record<string, Quote>>

export type Notation = keyof typeof quotes

export function isNotation(name: string): name is Notation {
  return Object.hasOwn(quotes, name)
}

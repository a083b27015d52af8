// Sets or removes a key in the text of a profile, and keeps all other text.
import {
  type Alias,
  Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  Scalar,
  type ToStringOptions,
} from 'yaml'
import { type Json, nestAt } from '../../model/json.ts'
import type { Path } from '../../model/path.ts'
import type { Span } from '../span.ts'

/** `undefined` where the text has no place for it; the caller parses the result, because an anchor can be on the way. */
export function withLines(
  text: string,
  document: Document,
  { path, value }: { readonly path: Path; readonly value: Json },
  layout: ToStringOptions,
): string | undefined {
  const before = document.getIn(path, true)
  return before === undefined
    ? withKey(text, document, { path, value }, layout)
    : isScalar(before) || isAlias(before)
      ? withScalar(text, before, value, layout)
      : undefined
}

/** With the quotes of the old value. */
function withScalar(
  text: string,
  before: Scalar | Alias,
  value: Json,
  layout: ToStringOptions,
): string | undefined {
  const { range } = before
  const type = isScalar(before) ? before.type : undefined
  const isBlock = type === Scalar.BLOCK_FOLDED || type === Scalar.BLOCK_LITERAL
  if (!range || isBlock || (typeof value === 'object' && value !== null)) return undefined
  const after = new Scalar(value)
  if (type && typeof value === 'string') after.type = type
  const printed = new Document(after).toString(layout).trimEnd()
  return text.slice(0, range[0]) + printed + text.slice(range[1])
}

/** Below the last key of the map around it. */
function withKey(
  text: string,
  document: Document,
  { path, value }: { readonly path: Path; readonly value: Json },
  layout: ToStringOptions,
): string | undefined {
  const depth = path.findLastIndex((_, at) => at === 0 || document.hasIn(path.slice(0, at)))
  const around = depth > 0 ? document.getIn(path.slice(0, depth), true) : document.contents
  if (!isMap(around) || around.flow) return undefined
  const [first] = around.items
  const start = isScalar(first?.key) ? first.key.range?.[0] : undefined
  const end = lastOffset(around)
  if (start === undefined || end === undefined) return undefined
  const indent = indentOf(text, start)
  if (indent === undefined) return undefined
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const printed = new Document(nestAt(path.slice(depth), value)).toString(layout)
  const lines = printed.trimEnd().split('\n')
  const added = lines.map((line) => `${indent}${line}${lineEnd}`).join('')
  // A text of several lines ends after its last line.
  const isAtStart = text[end - 1] === '\n'
  const next = isAtStart ? end : text.indexOf('\n', end) + 1
  if (next === 0) return `${text}${lineEnd}${added}`
  // Comments that are indented further are about what is within.
  const within = new RegExp(`^(?:(?:[ \\t]*\\r?\\n)*${indent}[ \\t]+#[^\\n]*(?:\\n|$))*`)
  const [kept = ''] = within.exec(text.slice(next)) ?? []
  const place = next + kept.length
  const isOpen = kept !== '' && !kept.endsWith('\n')
  return text.slice(0, place) + (isOpen ? lineEnd : '') + added + text.slice(place)
}

/** The end of the last value within a collection, without comments and blank lines below it. */
function lastOffset(node: unknown): number | undefined {
  if (isCollection(node) && !node.flow) {
    const last = node.items.at(-1)
    if (!isPair(last)) return lastOffset(last)
    return lastOffset(last.value) ?? lastOffset(last.key)
  }
  return isNode(node) ? node.range?.[1] : undefined
}

/** Removes the comments directly above and beside it too; `undefined` if its first line also has other text. */
export function withoutLines(text: string, document: Document, path: Path): string | undefined {
  const span = spanOf(document, path)
  const indent = span && indentOf(text, span.start)
  if (!span || indent === undefined) return undefined
  const lines = text.split('\n')
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length - 1
  const isBlank = (line: number) => (lines[line] ?? '').trim() === ''
  let first = lineOf(span.start)
  while (lines[first - 1]?.startsWith(`${indent}#`)) first -= 1
  const next = lineOf(span.end - 1) + 1
  // Avoids two consecutive blank lines.
  const after = isBlank(first - 1) && isBlank(next) ? next + 1 : next
  // A file without a last line end: the line above ends the file now.
  return [...lines.slice(0, first), ...lines.slice(after)].join('\n').replace(/\r$/, '')
}

/** From the key to the end of its value; `undefined` for a flow map. */
function spanOf(document: Document, path: Path): Span | undefined {
  const map = document.getIn(path.slice(0, -1), true)
  if (!isMap(map) || map.flow === true) return undefined
  const pair = map.items.find(({ key }) => isScalar(key) && key.value === path.at(-1))
  if (!pair || !isNode(pair.key) || !pair.key.range) return undefined
  const [start, end] = pair.key.range
  return { start, end: isNode(pair.value) && pair.value.range ? pair.value.range[1] : end }
}

/** `undefined` if the line begins with other text. */
function indentOf(text: string, start: number): string | undefined {
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  return before.trim() === '' ? before : undefined
}

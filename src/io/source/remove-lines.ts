// Removes the lines of a key from the text of a profile, and keeps all others.
import { isMap, isNode, isScalar, type Document } from 'yaml'
import type { Path } from '../../model/path.ts'
import type { Span } from '../span.ts'

/** Removes the comments directly above and beside it too; `undefined` if its first line also has other text. */
export function withoutLines(text: string, document: Document, path: Path): string | undefined {
  const span = spanOf(document, path)
  const indent = span && text.slice(text.lastIndexOf('\n', span.start - 1) + 1, span.start)
  if (!span || indent?.trim() !== '') return undefined
  const lines = text.split('\n')
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length - 1
  const isBlank = (line: number) => (lines[line] ?? '').trim() === ''
  let first = lineOf(span.start)
  while (lines[first - 1]?.startsWith(`${indent}#`)) first -= 1
  const next = lineOf(span.end - 1) + 1
  // Avoids two consecutive blank lines.
  const after = isBlank(first - 1) && isBlank(next) ? next + 1 : next
  return [...lines.slice(0, first), ...lines.slice(after)].join('\n')
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

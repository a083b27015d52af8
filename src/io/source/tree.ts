// Converts YAML nodes to JSON values, with the location of each.
import type { Alias, Node, Scalar } from 'yaml'
import { isAlias, isMap, isNode, isScalar, isSeq } from 'yaml'
import { isObject, type Json } from '../../model/json.ts'
import { formatPath, type Path } from '../../model/path.ts'
import { forbiddenKeys } from '../../model/unsafe.ts'
import type { Entry, Located } from '../located.ts'
import type { ProblemId } from '../problems.ts'
import type { TextProblems } from '../text-problems.ts'
import { type Span, start } from '../span.ts'
import { unsafeIn, withoutUnsafe } from './characters.ts'
import type { Dialect } from './dialect.ts'

interface Reading {
  readonly problems: TextProblems
  readonly dialect: Dialect
  readonly anchors: Map<string, { readonly value: Json; readonly size: number }>
  /** Values read so far; an alias counts as all values that it repeats. */
  size: number
  /** Values repeated by aliases so far. */
  repeated: number
}

export function readTree(root: Node, problems: TextProblems, dialect: Dialect): Located {
  const reading = { problems, dialect, anchors: new Map(), size: 0, repeated: 0 }
  return readNode(root, [], undefined, reading)
}

function readNode(node: unknown, path: Path, key: Span | undefined, reading: Reading): Located {
  const span = spanOf(node, key)
  const before = reading.size
  const { values: valueLimit } = reading.dialect
  reading.size += 1
  if (reading.size === valueLimit + 1)
    reading.problems.add('too-large', span, `${valueLimit} values`, path)
  if (reading.size > valueLimit) return { value: null, span }
  const located = { span, ...readKind(node, span, path, reading) }
  if (isNode(node) && !isAlias(node) && node.anchor !== undefined)
    reading.anchors.set(node.anchor, { value: located.value, size: reading.size - before })
  return located
}

function readKind(
  node: unknown,
  span: Span,
  path: Path,
  reading: Reading,
): Pick<Located, 'value' | 'entries'> {
  if (isAlias(node)) return { value: readAlias(node, span, path, reading) }
  if (isScalar(node)) return { value: readScalar(node, span, path, reading) }
  const entries = new Map<string | number, Entry>()
  if (!isMap(node) && !isSeq(node)) return { value: null }
  const { entries: entryLimit } = reading.dialect
  if (node.items.length > entryLimit)
    reading.problems.add('too-many-entries', span, String(entryLimit), path)
  if (isSeq(node)) {
    for (const [index, item] of node.items.slice(0, entryLimit).entries()) {
      const read = readNode(item, [...path, index], undefined, reading)
      entries.set(index, { key: read.span, node: read })
    }
    return { value: Array.from(entries.values(), (entry) => entry.node.value), entries }
  }
  const value: Record<string, Json> = {}
  const merged: Entry[] = []
  for (const pair of node.items.slice(0, entryLimit)) {
    const key = rangeOf(pair.key)
    if (reading.dialect.kubectl && isMergeKey(pair.key)) {
      merged.push({ key, node: readNode(pair.value, [...path, '<<'], key, reading) })
      continue
    }
    const text = readKey(pair.key, entries, reading)
    if (text === undefined) continue
    if (typeof text !== 'string') {
      reading.problems.add(text[0], key, text[1], path)
      continue
    }
    const read = readNode(pair.value, [...path, text], key, reading)
    value[text] = read.value
    entries.set(text, { key, node: read })
  }
  for (const entry of merged) addMerged(entry, value, entries)
  return { value, entries }
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN'
}

/** Keys of the map itself take precedence; of several merged maps, the first does. */
function addMerged(
  { key, node }: Entry,
  value: Record<string, Json>,
  entries: Map<string | number, Entry>,
): void {
  const maps = Array.isArray(node.value) ? node.value : [node.value]
  for (const map of maps) {
    if (!isObject(map)) continue
    for (const [name, inner] of Object.entries(map)) {
      if (entries.has(name) || inner === undefined) continue
      value[name] = inner
      entries.set(name, { key, node: { value: inner, span: key } })
    }
  }
}

/** The text of the key, or why the entry is skipped. */
function readKey(
  key: unknown,
  entries: ReadonlyMap<string | number, Entry>,
  { problems, dialect }: Reading,
): string | readonly [id: ProblemId, about: string] | undefined {
  const text = isScalar(key) ? key.value : undefined
  if (dialect.kubectl && isScalar(key) && (typeof text === 'number' || typeof text === 'boolean'))
    return uniqueKey(key.source ?? String(text), entries, problems)
  if (typeof text !== 'string') return ['key-not-text', nameOf(key)]
  const unsafe = unsafeIn(text)
  if (unsafe) return [unsafe, '']
  const name = formatPath([text])
  // Kubernetes has no field with such a name.
  if (forbiddenKeys.has(text)) return dialect.kubectl ? undefined : ['forbidden-key', name]
  if (isMergeKey(key)) return ['merge-key', '']
  return uniqueKey(text, entries, problems)
}

function uniqueKey(
  text: string,
  entries: ReadonlyMap<string | number, Entry>,
  problems: TextProblems,
): string | readonly [id: ProblemId, about: string] {
  const before = entries.get(text)
  if (!before) return text
  const { line } = problems.locate(before.key)
  return ['duplicate-key', `${formatPath([text])}, first on line ${line}`]
}

function nameOf(key: unknown): string {
  if (isMap(key)) return 'a map'
  if (isSeq(key)) return 'a list'
  if (isAlias(key)) return 'an alias'
  return isScalar(key) && key.source ? key.source : 'nothing'
}

function readAlias({ source }: Alias, span: Span, path: Path, reading: Reading): Json {
  const { values: valueLimit } = reading.dialect
  const anchor = reading.anchors.get(source)
  if (!anchor) {
    reading.problems.add('unknown-anchor', span, `*${source}`, path)
    return null
  }
  if (reading.repeated > valueLimit) return null
  reading.size += anchor.size
  reading.repeated += anchor.size
  if (reading.repeated <= valueLimit) return anchor.value
  reading.problems.add('alias-limit', span, String(valueLimit), path)
  return null
}

function readScalar(scalar: Scalar, span: Span, path: Path, { problems, dialect }: Reading): Json {
  const { value } = scalar
  if (typeof value === 'string') {
    const unsafe = unsafeIn(value)
    if (unsafe) problems.add(unsafe, span, '', path)
    return unsafe ? withoutUnsafe(value) : value
  }
  if (typeof value === 'number') {
    if (Math.abs(value) <= Number.MAX_SAFE_INTEGER || dialect.kubectl)
      return value === 0 ? 0 : value
    problems.add('number-out-of-range', span, scalar.source, path)
    return 0
  }
  return typeof value === 'boolean' ? value : null
}

/** The position for messages: a block map or list, or an empty value, has the position of its key. */
function spanOf(node: unknown, key: Span | undefined): Span {
  const inBlock = (isMap(node) || isSeq(node)) && node.flow !== true
  const range = rangeOf(node)
  if (key && (inBlock || range.start === range.end)) return key
  return inBlock ? { start: range.start, end: range.start + 1 } : range
}

/** Without trailing blanks and comments. */
function rangeOf(node: unknown): Span {
  return isNode(node) && node.range ? { start: node.range[0], end: node.range[1] } : start
}

// Tree: YAML's nodes to JSON values which know where they were written.
import type { Alias, Node, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { isAlias, isMap, isScalar, isSeq } from 'yaml'
import type { Json } from '../../model/json.ts'
import type { Path } from '../../model/path.ts'
import type { Entry, Located } from '../located.ts'
import type { Report } from '../report.ts'
import type { Span } from '../span.ts'
import { unsafeIn, withoutUnsafe } from './characters.ts'
import { readKey } from './key.ts'
import { rangeOf } from './range.ts'
import { depthLimit } from './scan.ts'

const aliasLimit = 10_000

/** A map or a list of a profile is read by people, and each rule looks at all of it. */
const entryLimit = 1000

/** Of one file, far above any profile. */
const valueLimit = 10_000

/** What reading one text remembers. */
interface Reading {
  readonly report: Report
  readonly anchors: Map<string, { readonly value: Json; readonly size: number }>
  /** Values read so far; an alias counts for all that it repeats. */
  size: number
  /** Of them, by aliases. */
  repeated: number
}

export function readTree(root: Node, report: Report): Located {
  return readNode(root, [], undefined, { report, anchors: new Map(), size: 0, repeated: 0 })
}

function readNode(node: unknown, path: Path, key: Span | undefined, reading: Reading): Located {
  const span = spanOf(node, key)
  if (path.length > depthLimit) {
    reading.report.add('too-deep', span, String(depthLimit), path)
    return { value: null, span }
  }
  const before = reading.size
  reading.size += 1
  if (isFull(span, path, reading)) return { value: null, span }
  const located = readKind(node, span, path, reading)
  if ((isMap(node) || isSeq(node) || isScalar(node)) && node.anchor !== undefined) {
    reading.anchors.set(node.anchor, { value: located.value, size: reading.size - before })
  }
  return located
}

function readKind(node: unknown, span: Span, path: Path, reading: Reading): Located {
  if (isMap(node)) return readMap(node, span, path, reading)
  if (isSeq(node)) return readList(node, span, path, reading)
  if (isAlias(node)) return { value: readAlias(node, span, path, reading), span }
  return { value: isScalar(node) ? readScalar(node, span, path, reading) : null, span }
}

function readMap(map: YAMLMap, span: Span, path: Path, reading: Reading): Located {
  const value: Record<string, Json> = {}
  const entries = new Map<string | number, Entry>()
  for (const pair of firstOf(map.items, span, path, reading)) {
    const key = readKey(pair, path, entries, reading.report)
    if (!key) continue
    const node = readNode(pair.value, [...path, key.text], key.span, reading)
    value[key.text] = node.value
    entries.set(key.text, { key: key.span, node })
  }
  return { value, span, entries }
}

function readList(list: YAMLSeq, span: Span, path: Path, reading: Reading): Located {
  const entries = new Map<string | number, Entry>()
  for (const [index, item] of firstOf(list.items, span, path, reading).entries()) {
    const node = readNode(item, [...path, index], undefined, reading)
    entries.set(index, { key: node.span, node })
  }
  return { value: Array.from(entries.values(), (entry) => entry.node.value), span, entries }
}

function firstOf<T>(
  items: readonly T[],
  span: Span,
  path: Path,
  { report }: Reading,
): readonly T[] {
  if (items.length <= entryLimit) return items
  report.add('too-many-entries', span, String(entryLimit), path)
  return items.slice(0, entryLimit)
}

function isFull(span: Span, path: Path, reading: Reading): boolean {
  if (reading.size === valueLimit + 1)
    reading.report.add('too-large', span, `${valueLimit} values`, path)
  return reading.size > valueLimit
}

function readAlias(alias: Alias, span: Span, path: Path, reading: Reading): Json {
  const anchor = reading.anchors.get(alias.source)
  if (!anchor) {
    reading.report.add('unknown-anchor', span, `*${alias.source}`, path)
    return null
  }
  if (reading.repeated > aliasLimit) return null
  reading.size += anchor.size
  reading.repeated += anchor.size
  if (reading.repeated <= aliasLimit) return anchor.value
  reading.report.add('alias-limit', span, String(aliasLimit), path)
  return null
}

function readScalar(scalar: Scalar, span: Span, path: Path, reading: Reading): Json {
  const { value } = scalar
  if (typeof value === 'string') {
    const unsafe = unsafeIn(value)
    if (unsafe) reading.report.add(unsafe, span, '', path)
    return unsafe ? withoutUnsafe(value) : value
  }
  if (typeof value === 'number') {
    if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value === 0 ? 0 : value
    reading.report.add('number-out-of-range', span, scalar.source, path)
    return 0
  }
  return typeof value === 'boolean' ? value : null
}

/** A map or list that begins below its key is best shown at the key. */
function spanOf(node: unknown, key: Span | undefined): Span {
  const inBlock = (isMap(node) || isSeq(node)) && node.flow !== true
  const range = rangeOf(node)
  if (key && (inBlock || range.start === range.end)) return key
  return inBlock ? { start: range.start, end: range.start + 1 } : range
}

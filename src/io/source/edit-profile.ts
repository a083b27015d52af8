// Edits values in the text of a profile, and keeps its comments, order and anchors.
import { isDeepStrictEqual } from 'node:util'
import {
  isAlias,
  isCollection,
  isNode,
  isScalar,
  isSeq,
  parse,
  parseDocument,
  visit,
  type Document,
  type Node,
  type ToStringOptions,
  type YAMLSeq,
} from 'yaml'
import { groupBy } from '../../model/group-by.ts'
import { isObject, isSameJson, type Json, type JsonObject } from '../../model/json.ts'
import { isWithin, type Path } from '../../model/path.ts'
import { commentOn, style, type Comment } from './compose.ts'
import { withLines, withoutLines } from './edit-lines.ts'

interface Edit {
  readonly path: Path
  /** Absent to remove the key. */
  readonly value: Json | undefined
}

const byteOrderMark = '\ufeff'

const parsing = { version: '1.2', schema: 'core' } as const

/** `text` is valid and parses to `before`; the result parses to `after`. */
export function editProfile(
  text: string,
  { before, after }: { readonly before: JsonObject; readonly after: JsonObject },
  comments: readonly Comment[],
): string {
  // Windows editors add a byte order mark, and detect UTF-8 by it.
  if (text.startsWith(byteOrderMark))
    return byteOrderMark + editProfile(text.slice(1), { before, after }, comments)
  const document = parseDocument(text, parsing)
  const edits = editsOf(before, after, [])
  const isNew = edits.filter(({ path }) => !document.hasIn(path)).map(({ path }) => path)
  const json = isJson(text)
  const added = json
    ? []
    : comments.filter((comment) => isNew.some((path) => isWithin(comment.path, path)))
  const inPlace = added.length > 0 || json ? undefined : editLines(text, edits)
  if (inPlace !== undefined && holds(inPlace, { ...headerOf(document, before), ...after }))
    return inPlace
  for (const { path, value } of edits) if (value !== undefined) set(document, path, value)
  for (const comment of added) commentOn(document, comment)
  const isSet = edits.some(({ value }) => value !== undefined)
  const removals = edits.filter(({ value }) => value === undefined)
  return removals.reduce(
    (left, { path }) => without(left, path),
    isSet ? print(document, text) : text,
  )
}

/** Changes the lines of these keys alone; `undefined` where a line also has other text. */
function editLines(text: string, edits: readonly Edit[]): string | undefined {
  return edits.reduce<string | undefined>((left, { path, value }) => {
    if (left === undefined) return undefined
    const document = parseDocument(left, parsing)
    if (value === undefined) return withoutLines(left, document, path)
    return withLines(left, document, { path, value }, { ...style, ...layoutOf(text) })
  }, text)
}

/** Keys that are no part of the patch, such as `extends`. */
function headerOf(document: Document, patch: JsonObject): JsonObject {
  const all: unknown = document.toJS()
  if (!isObject(all)) return {}
  return Object.fromEntries(Object.entries(all).filter(([key]) => !Object.hasOwn(patch, key)))
}

/** False where an alias has lost its anchor. */
function holds(text: string, patch: JsonObject): boolean {
  try {
    return isDeepStrictEqual(parse(text, parsing), patch)
  } catch {
    return false
  }
}

/** In the layout of the original text. */
function print(document: Document, text: string): string {
  const printed = document.toString({ ...style, ...layoutOf(text) })
  return text.includes('\r\n') ? printed.replace(/\r?\n/g, '\r\n') : printed
}

function editsOf(before: JsonObject, after: JsonObject, at: Path): readonly Edit[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return keys.flatMap((key): readonly Edit[] => {
    const [old, value] = [before[key], after[key]]
    const path = [...at, key]
    if (isObject(old) && isObject(value) && Object.keys(value).length > 0)
      return editsOf(old, value, path)
    return isSameJson(old, value) ? [] : [{ path, value }]
  })
}

function set(document: Document, path: Path, value: Json): void {
  detach(document, path)
  document.setIn(path, replacement(ownNode(document, path), value, document))
}

function without(text: string, path: Path): string {
  const document = parseDocument(text, parsing)
  const printed = document.toString()
  detach(document, path)
  const left = document.toString() === printed ? withoutLines(text, document, path) : undefined
  if (left !== undefined) return left
  document.deleteIn(path)
  return print(document, text)
}

/** Expands aliases and anchors on the path, so the edit changes this value only. */
function detach(document: Document, path: Path): void {
  for (let depth = 1; depth < path.length; depth += 1) {
    const around = ownNode(document, path.slice(0, depth))
    expandAliases(document, isCollection(around) ? [around.anchor] : [])
  }
  expandAliases(document, anchorsIn(ownNode(document, path)))
}

/** Keeps the comments, the anchor and the style of the value that it replaces, and the items of a list that stay. */
function replacement(before: unknown, value: Json, document: Document): Json | Node {
  const after = document.createNode(value)
  if (!isNode(before) || isAlias(before) || isScalar(after)) return value
  if (isSeq(before) && isSeq(after)) keepItems(before, after, document)
  const { comment, commentBefore, spaceBefore, anchor } = before
  Object.assign(after, { comment, commentBefore, spaceBefore, anchor })
  if (isCollection(before) && isCollection(after) && before.flow) after.flow = true
  return after
}

/** Items with the same value are the old ones, with their comments and style. */
function keepItems(before: YAMLSeq, after: YAMLSeq, document: Document): void {
  // The wizard may write the keys of an item in another order.
  const sorted = (_: string, value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort()) : value
  const keyOf = (item: unknown) => JSON.stringify(valueOf(item, document), sorted)
  const left = new Map([...groupBy(before.items, keyOf)].map(([key, same]) => [key, [...same]]))
  after.items = after.items.map((item) => left.get(keyOf(item))?.shift() ?? item)
}

const valueOf = (node: unknown, document: Document): unknown =>
  isNode(node) ? node.toJS(document) : node

/** The node at the path; an alias is replaced with a copy of its value. */
function ownNode(document: Document, path: Path): unknown {
  const node = document.getIn(path, true)
  if (!isAlias(node)) return node
  document.setIn(path, copyOf(document, node))
  return document.getIn(path, true)
}

function anchorsIn(node: unknown): readonly (string | undefined)[] {
  const anchors: (string | undefined)[] = []
  if (isNode(node)) visit(node, { Value: (_, value) => void anchors.push(value.anchor) })
  return anchors
}

/** Aliases of these anchors become copies, so their values can change independently. */
function expandAliases(document: Document, anchors: readonly (string | undefined)[]): void {
  if (anchors.some((anchor) => anchor !== undefined))
    visit(document, {
      Alias: (_, alias) => (anchors.includes(alias.source) ? copyOf(document, alias) : undefined),
    })
}

function copyOf(document: Document, alias: Node): Node {
  const { comment, commentBefore, spaceBefore } = alias
  const copy = document.createNode(alias.toJS(document))
  Object.assign(copy, { comment, commentBefore, spaceBefore })
  return copy
}

/** A JSON file stays JSON: other programs that read it may not parse YAML. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The layout of the file: its indent, and whether it is JSON. */
function layoutOf(text: string): ToStringOptions {
  const [, indent = '  '] = /^( +)[^\s#-]/m.exec(text) ?? []
  return {
    ...(isJson(text) && {
      defaultKeyType: 'QUOTE_DOUBLE',
      defaultStringType: 'QUOTE_DOUBLE',
      singleQuote: false,
    }),
    indent: indent.length,
    indentSeq: !/^( *)[^\s#-][^\n]*:[ \t]*\r?\n\1- /m.test(text),
    flowCollectionPadding: !/[{[][^\s\]}]/.test(text),
  }
}

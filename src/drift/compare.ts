// Compares two documents value by value, by meaning.
import { isList, isObject, type Json, type JsonObject, ownOf } from '../model/json.ts'
import type { Path } from '../model/path.ts'
import { sameValue } from './equality.ts'
import type { ListShape, Shape } from './shape.ts'

export interface Leaf {
  /** The path for messages: list items by name, if they have one. */
  readonly path: Path
  /** The path in the actual document, for its line number. */
  readonly at: Path
  /** The path in the tables of settings: `[]` for any list item. */
  readonly steps: readonly string[]
  /** The same as text: `registerWithTaints[].key`. */
  readonly key: string
  readonly was?: Json | undefined
  readonly should?: Json | undefined
}

type Position = Pick<Leaf, 'path' | 'at' | 'steps' | 'key'>

const root: Position = { path: [], at: [], steps: [], key: '' }

/** `name` is for messages, `index` is the position in the actual document, if it has one. */
function into(place: Position, name: string | number, index: Path, step: string): Position {
  const { path, at, steps, key } = place
  const joint = key === '' || step === '[]' ? '' : '.'
  return {
    path: [...path, name],
    at: [...at, ...index],
    steps: [...steps, step],
    key: `${key}${joint}${step}`,
  }
}

export function compareTrees(
  should: Json | undefined,
  was: Json | undefined,
  shape: Shape,
  place: Position = root,
): readonly Leaf[] {
  if (should === undefined && was === undefined) return []
  if (isObject(should) && isObject(was)) return compareMaps(should, was, shape, place)
  if (isList(should) && isList(was)) return compareLists(should, was, shape, place)
  const same =
    should !== undefined && was !== undefined && sameValue(should, was, shape.meaning(place.key))
  return same ? [] : [{ ...place, was, should }]
}

function compareMaps(
  should: JsonObject,
  was: JsonObject,
  shape: Shape,
  place: Position,
): readonly Leaf[] {
  const keys = [...new Set([...Object.keys(should), ...Object.keys(was)])]
  return keys.flatMap((name) => {
    const [one, other] = [ownOf(should, name), ownOf(was, name)]
    // Most values of most nodes: neither their place nor what they mean is needed.
    if (one === other) return []
    return compareTrees(one, other, shape, into(place, name, [name], name))
  })
}

function compareLists(
  should: readonly Json[],
  was: readonly Json[],
  shape: Shape,
  place: Position,
): readonly Leaf[] {
  const list = shape.list(place.key, should)
  if (list.kind === 'ordered') return compareInOrder(should, was, shape, place)
  const [wanted, found] = [entriesOf(should, list), entriesOf(was, list)]
  const names = [...new Set([...wanted.keys(), ...found.keys()])]
  const leaves = names.flatMap((name) => {
    const [one, other] = [wanted.get(name), found.get(name)]
    const index = other ? [other.index] : []
    return compareTrees(one?.item, other?.item, shape, into(place, name, index, '[]'))
  })
  if (list.kind === 'set' || !list.order || leaves.some(({ path }) => isItem(path, place)))
    return leaves
  const [order, now] = [[...wanted.keys()], [...found.keys()]]
  return order.join('\n') === now.join('\n')
    ? leaves
    : [...leaves, { ...place, was: now, should: order }]
}

/** An added or removed item also changes the order, but is already reported. */
function isItem(path: Path, place: Position): boolean {
  return path.length === place.path.length + 1
}

/** A duplicate gets a distinct name. */
function entriesOf(
  items: readonly Json[],
  list: Exclude<ListShape, { kind: 'ordered' }>,
): ReadonlyMap<string, { readonly item: Json; readonly index: number }> {
  const entries = new Map<string, { readonly item: Json; readonly index: number }>()
  for (const [index, item] of items.entries()) {
    const name = list.kind === 'named' ? list.name(item) : nameOf(item)
    entries.set(unusedName(name, entries), { item, index })
  }
  return entries
}

export function unusedName(name: string, used: ReadonlyMap<string, unknown>): string {
  let unused = name
  for (let again = 2; used.has(unused); again += 1) unused = `${name} (${again})`
  return unused
}

function nameOf(item: Json): string {
  return typeof item === 'string' ? item : JSON.stringify(inOrder(item))
}

/** The order of map keys does not count. */
function inOrder(item: Json): Json {
  if (isList(item)) return item.map(inOrder)
  if (!isObject(item)) return item
  const keys = Object.keys(item).sort()
  return Object.fromEntries(keys.map((key) => [key, inOrder(item[key] ?? null)]))
}

/** Lists of different length are one difference, because it is unknown which item was added or removed. */
function compareInOrder(
  should: readonly Json[],
  was: readonly Json[],
  shape: Shape,
  place: Position,
): readonly Leaf[] {
  if (should.length !== was.length) return [{ ...place, was, should }]
  return should.flatMap((item, index) =>
    compareTrees(item, was[index], shape, into(place, index, [index], '[]')),
  )
}

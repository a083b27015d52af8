// A parsed value with the location of each of its parts in the text.
import type { Json } from '../model/json.ts'
import type { Layer } from '../model/layer.ts'
import type { Path } from '../model/path.ts'
import { isObject } from '../model/json.ts'
import type { Locate, Span } from './span.ts'

export interface Located {
  readonly value: Json
  /** The text of the value; the text of its key for a block map, a block list or an empty value. */
  readonly span: Span
  readonly entries?: ReadonlyMap<string | number, Entry>
}

export interface Entry {
  /** The text of the key; for a list item, the text of the item. */
  readonly key: Span
  readonly node: Located
}

/** The location of `path`, or of its nearest ancestor that is written. */
export function spanOf(root: Located, path: Path, at: 'key' | 'value' = 'value'): Span {
  let node = root
  let key = root.span
  for (const step of path) {
    const entry = node.entries?.get(step)
    if (!entry) return key
    node = entry.node
    key = entry.key
  }
  return at === 'key' ? key : node.span
}

export function layerOf(name: string, root: Located, locate: Locate): Layer {
  return {
    name,
    patch: isObject(root.value) ? root.value : {},
    place: (path, at) => {
      const { excerpt, ...place } = locate(spanOf(root, path, at))
      const [first] = path
      // No excerpt for a field that the file does not set: the place is the first line of the file.
      const isMissing = first !== undefined && !root.entries?.has(first)
      return isMissing || excerpt === undefined ? place : { ...place, excerpt }
    },
  }
}

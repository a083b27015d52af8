// A parsed value with the location of each of its parts in the text.
import type { Json } from '../model/json.ts'
import type { Layer } from '../model/layer.ts'
import type { Path } from '../model/path.ts'
import { isObject } from '../model/json.ts'
import type { Locate, Span } from './span.ts'

export interface Located {
  readonly value: Json
  /** The value's own text; the text of its key if the value has none on that line. */
  readonly span: Span
  readonly entries?: ReadonlyMap<string | number, Entry>
}

export interface Entry {
  /** The key's text; for an item of a list, the item's. */
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
      // The first line of a file shows nothing of a setting that the file does not have.
      const elsewhere = first !== undefined && !root.entries?.has(first)
      return elsewhere || excerpt === undefined ? place : { ...place, excerpt }
    },
  }
}

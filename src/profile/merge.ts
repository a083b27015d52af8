// Layers to one document by RFC 7396, with the layer that set each value.
import { isObject, type Json, type JsonObject } from '../model/json.ts'
import type { Layer } from '../model/layer.ts'
import type { Path } from '../model/path.ts'

export interface Merged {
  readonly document: JsonObject
  /** The layer that last set or deleted a path, or a value that it leads into; none where nobody did. */
  readonly origin: (path: Path) => Layer | undefined
}

/** Maps merge, everything else replaces, `null` deletes. The later layer wins. */
export function mergeLayers(layers: readonly Layer[]): Merged {
  const origins: Origin = { layer: undefined, map: true, children: new Map() }
  let document: JsonObject = {}
  for (const layer of layers) document = mergeMap(document, layer.patch, layer, origins)
  return { document, origin: (path) => find(origins, path) }
}

interface Origin {
  layer: Layer | undefined
  /** What it lacks, nobody wrote. */
  map: boolean
  readonly children: Map<string, Origin>
}

function mergeMap(base: JsonObject, patch: JsonObject, layer: Layer, origin: Origin): JsonObject {
  const result = new Map<string, Json | undefined>(Object.entries(base))
  origin.layer = layer
  origin.map = true
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || value === undefined) {
      result.delete(key)
      origin.children.set(key, { layer, map: false, children: new Map() })
      continue
    }
    const before = result.get(key)
    const child = origin.children.get(key) ?? { layer, map: false, children: new Map() }
    origin.children.set(key, child)
    if (isObject(value)) {
      result.set(key, mergeMap(isObject(before) ? before : {}, value, layer, child))
      continue
    }
    child.layer = layer
    child.map = false
    child.children.clear()
    result.set(key, value)
  }
  return Object.fromEntries(result)
}

function find(origin: Origin, path: Path): Layer | undefined {
  let at = origin
  for (const step of path) {
    const next = at.children.get(String(step))
    if (!next) return at.map ? undefined : at.layer
    at = next
  }
  return at.layer
}

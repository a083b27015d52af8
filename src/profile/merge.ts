// Merges layers into one document (RFC 7396), and records the layer that set each value.
import { isObject, type Json, type JsonObject } from '../model/json.ts'
import type { Layer } from '../model/layer.ts'
import type { Path } from '../model/path.ts'

interface Merged {
  readonly document: JsonObject
  /** The layer that last set or deleted a path or a value around it; none if no layer did. */
  readonly origin: (path: Path) => Layer | undefined
}

/** Maps merge, everything else replaces, `null` deletes. The later layer wins. */
export function mergeLayers(layers: readonly Layer[]): Merged {
  const origins: Origin = { layer: undefined, map: true, children: new Map() }
  const document: Growing = new Map()
  for (const layer of layers) mergeMap(document, layer.patch, layer, origins)
  return { document: finished(document), origin: (path) => find(origins, path) }
}

/** A map under construction, changed in place: a copy for each of thousands of flags would be slow. */
type Growing = Map<string, Json | Growing | undefined>

interface Origin {
  layer: Layer | undefined
  /** Missing paths were set by no layer. */
  map: boolean
  readonly children: Map<string, Origin>
}

function mergeMap(result: Growing, patch: JsonObject, layer: Layer, origin: Origin): void {
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
      const map = isGrowing(before) ? before : new Map<string, Json | Growing | undefined>()
      result.set(key, map)
      mergeMap(map, value, layer, child)
      continue
    }
    child.layer = layer
    child.map = false
    child.children.clear()
    result.set(key, value)
  }
}

function isGrowing(value: Json | Growing | undefined): value is Growing {
  return value instanceof Map
}

function finished(map: Growing): JsonObject {
  return Object.fromEntries(
    Array.from(map, ([key, value]): [string, Json | undefined] => [
      key,
      isGrowing(value) ? finished(value) : value,
    ]),
  )
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

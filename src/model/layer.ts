// One source of a profile's values; it knows where in its text each value is written.
import type { Place } from './finding.ts'
import { valueAt, type JsonObject } from './json.ts'
import type { Path } from './path.ts'

export interface Layer {
  /** Display name: a file name, `built-in base`, `--set kubelet.maxPods`. */
  readonly name: string
  /** Merged over the layers before it by RFC 7396. */
  readonly patch: JsonObject
  /** A built-in layer, which the user cannot edit. */
  readonly builtIn?: true
  /** The file, and the root folder that contains every file it refers to; absent if the layer is not a file. */
  readonly file?: { readonly path: string; readonly folder: string }
  /** Where the layer sets the path; `undefined` if it does not. */
  readonly place: (path: Path, at?: 'key' | 'value') => Place | undefined
}

/** A layer of values that no file contains. */
export function computedLayer(name: string, patch: JsonObject): Layer {
  return { name, patch, place: () => undefined }
}

/** Whether the path is a key with nothing after it, which YAML reads as null: its value is at the place of the key. */
export function isEmptyKey(layer: Layer, path: Path): boolean {
  if (valueAt(layer.patch, path) !== null) return false
  const [key, value] = [layer.place(path, 'key'), layer.place(path)]
  return value !== undefined && value.line === key?.line && value.column === key.column
}

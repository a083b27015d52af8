// One source of a profile's values; it knows where in its text each value is written.
import type { Place } from './finding.ts'
import type { JsonObject } from './json.ts'
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

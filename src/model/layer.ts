// Layer: one source of a profile's values, which maps a path to its location in the text.
import type { Place } from './finding.ts'
import type { JsonObject } from './json.ts'
import type { Path } from './path.ts'

export interface Layer {
  /** What a person calls it: a file name, `built-in base`, `--set kubelet.maxPods`. */
  readonly name: string
  /** Merged over the layers before it by RFC 7396. */
  readonly patch: JsonObject
  /** Built in: it cannot be modified. */
  readonly fixed?: true
  /** Its file, and the root folder that no file it names may leave; absent where it is of no file. */
  readonly file?: { readonly path: string; readonly folder: string }
  /** Where the layer writes that path, or `undefined` where it does not. */
  readonly place: (path: Path, at?: 'key' | 'value') => Place | undefined
}

// The value of a profile field that was read from a cluster, and its source.
import type { Json } from './json.ts'
import type { Path } from './path.ts'

/** A value, and the object it was read from. */
export interface DetectedValue {
  readonly value: Json
  readonly where: string
}

export interface Detected extends DetectedValue {
  readonly path: Path
  /** Other values found; the most reliable source is above. */
  readonly others: readonly DetectedValue[]
}

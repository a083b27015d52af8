// The YAML dialect of a text: strict for a profile, like kubectl for a manifest.

export interface Dialect {
  /** Words and signs of one text. */
  readonly words: number
  /** Values of one text, and values that its aliases repeat. */
  readonly values: number
  /** Entries of a map or a list. Rules look at each of them. */
  readonly entries: number
  /**
   * As kubectl reads YAML (sigs.k8s.io/yaml): merge keys; numbers as keys; yes, no, on and off as booleans; 0644 in octal; tags and
   * directives ignored; numbers of any size.
   */
  readonly kubectl: boolean
}

/** Far above any profile, and still parsed in a second. */
export const profileDialect: Dialect = {
  words: 100_000,
  values: 10_000,
  entries: 1000,
  kubectl: false,
}

/** Enough for `kubectl get --output yaml` in a large cluster. */
export const manifestDialect: Dialect = {
  words: 10_000_000,
  values: 1_000_000,
  entries: 100_000,
  kubectl: true,
}

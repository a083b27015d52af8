// Dialect: how a text is read: as a profile, which a person writes, or as a manifest, which kubectl takes.

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

/** Far above any profile, and still read in a second. */
export const profileDialect: Dialect = {
  words: 100_000,
  values: 10_000,
  entries: 1000,
  kubectl: false,
}

/** Room for what `kubectl get --output yaml` prints of a large cluster. */
export const manifestDialect: Dialect = {
  words: 10_000_000,
  values: 1_000_000,
  entries: 100_000,
  kubectl: true,
}

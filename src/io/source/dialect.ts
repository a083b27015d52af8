// The YAML dialect of a text: strict for a profile, like kubectl for a manifest.

export interface Dialect {
  /** Maximum tokens of one text. */
  readonly tokens: number
  /** Maximum values of one text, and maximum values repeated by its aliases. */
  readonly values: number
  /** Maximum entries of a map or list, because rules iterate over them. */
  readonly entries: number
  /**
   * As kubectl reads YAML (sigs.k8s.io/yaml): merge keys; numbers as keys; yes, no, on and off as booleans; 0644 in octal; tags and
   * directives ignored; numbers of any size.
   */
  readonly kubectl: boolean
}

/** Far above any profile, and still parsed in a second. */
export const profileDialect: Dialect = {
  tokens: 100_000,
  values: 10_000,
  entries: 1000,
  kubectl: false,
}

/** Enough for `kubectl get --output yaml` in a large cluster. */
export const manifestDialect: Dialect = {
  tokens: 10_000_000,
  values: 1_000_000,
  entries: 100_000,
  kubectl: true,
}

// Computes a value on first use, and once.
export function lazy<T>(compute: () => T): () => T {
  let value: { readonly is: T } | undefined
  return () => (value ??= { is: compute() }).is
}

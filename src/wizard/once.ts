// Finds out what takes long when somebody looks, and once.
export function once<T>(compute: () => T): () => T {
  let value: { readonly is: T } | undefined
  return () => (value ??= { is: compute() }).is
}

// Compares lists of numbers by their first difference.

/** A comparator for `sort`: positive if the first number that differs is greater in `a`. */
export function compareRanks(a: readonly number[], b: readonly number[]): number {
  return a.map((one, at) => one - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0
}

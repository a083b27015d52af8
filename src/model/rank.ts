// Compares lists of numbers: the first that differs decides.

/** A comparator for `sort`: positive if the first number that differs is greater in `a`. */
export function compareRanks(a: readonly number[], b: readonly number[]): number {
  return a.map((one, at) => one - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0
}

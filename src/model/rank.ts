// Ranks: several numbers that decide one after the other.

/** By the first number that differs; positive where `a` has the greater one. */
export function compareRanks(a: readonly number[], b: readonly number[]): number {
  return a.map((one, at) => one - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0
}

// Nearest: the candidate that a mistyped word most likely means.

/** At most a third of the word may differ; case does not count, a swap of neighbours counts once. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let limit = Math.floor(word.length / 3) + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= limit) continue
    const distance = differences(word.toLowerCase(), candidate.toLowerCase())
    if (distance >= limit) continue
    best = candidate
    limit = distance
  }
  return best
}

/** Damerau-Levenshtein, in its variant without edits inside a swap; three rows of the matrix. */
function differences(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1]
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current[column] = Math.min(
        at(above, column) + 1,
        at(current, column - 1) + 1,
        at(above, column - 1) + (same ? 0 : 1),
        swapped ? at(before, column - 2) + 1 : Infinity,
      )
    }
    before = above
    above = current
  }
  return at(above, b.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity
}

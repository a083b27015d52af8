// Finds the closest match for a mistyped word.

/** Ignores case; at most a third of the word may differ; swapped neighbours count as one edit. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let limit = Math.floor(word.length / 3) + 1
  for (const candidate of candidates) {
    // Each letter more or less is a difference.
    if (Math.abs(candidate.length - word.length) >= limit) continue
    const distance = differences(word.toLowerCase(), candidate.toLowerCase(), limit)
    if (distance >= limit) continue
    best = candidate
    limit = distance
  }
  return best
}

/** Damerau-Levenshtein distance, in its variant without edits inside a swap; returns `limit` for any greater distance. */
function differences(a: string, b: string, limit: number): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    rows.push(current)
    for (let column = 1; column <= b.length; column += 1) {
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + Number(a[row - 1] !== b[column - 1]),
        swapped ? at(row - 2, column - 2) + 1 : Infinity,
      )
    }
    // No later row holds less than the least of this one.
    if (Math.min(...current) >= limit) return limit
  }
  return at(a.length, b.length)
}

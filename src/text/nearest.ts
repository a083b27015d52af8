// Finds the closest match for a mistyped word.

/** Ignores case; at most a third of the word may differ; swapped neighbours count as one edit. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let limit = Math.floor(word.length / 3) + 1
  for (const candidate of candidates) {
    // The distance is at least the difference in length.
    if (Math.abs(candidate.length - word.length) >= limit) continue
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), limit)
    if (distance >= limit) continue
    best = candidate
    limit = distance
  }
  return best
}

/** Damerau-Levenshtein distance, in its variant without edits inside a swap; returns `limit` for any greater distance. */
function editDistance(a: string, b: string, limit: number): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  const cell = (row: number, column: number) => rows[row]?.[column] ?? Infinity
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    rows.push(current)
    for (let column = 1; column <= b.length; column += 1) {
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current[column] = Math.min(
        cell(row - 1, column) + 1,
        cell(row, column - 1) + 1,
        cell(row - 1, column - 1) + Number(a[row - 1] !== b[column - 1]),
        swapped ? cell(row - 2, column - 2) + 1 : Infinity,
      )
    }
    // Later rows never fall below the minimum of this row.
    if (Math.min(...current) >= limit) return limit
  }
  return cell(a.length, b.length)
}

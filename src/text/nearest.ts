// Nearest: the candidate that a mistyped word most likely means.

/** At most a third of the word may differ; case does not count, a swap of neighbours counts once. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let limit = Math.floor(word.length / 3) + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= limit) continue
    const [mine, theirs] = [word.toLowerCase(), candidate.toLowerCase()]
    if (foreignLetters(mine, theirs) >= limit) continue
    const distance = differences(mine, theirs, limit)
    if (distance >= limit) continue
    best = candidate
    limit = distance
  }
  return best
}

/** How many letters of the first word the second lacks: each takes one difference at least, and is soon counted. */
function foreignLetters(a: string, b: string): number {
  let rest = b
  let foreign = 0
  for (const letter of a) {
    const place = rest.indexOf(letter)
    if (place < 0) foreign += 1
    else rest = rest.slice(0, place) + rest.slice(place + 1)
  }
  return foreign
}

/**
 * Damerau-Levenshtein, in its variant without edits inside a swap; three rows of the matrix, of each as much as
 * can stay below the limit. From there on it does not matter how many more there are.
 */
function differences(a: string, b: string, limit: number): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const current: number[] = []
    if (row < limit) current[0] = row
    let least = current[0] ?? Infinity
    const last = Math.min(b.length, row + limit)
    for (let column = Math.max(1, row - limit); column <= last; column += 1) {
      const same = a[row - 1] === b[column - 1]
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const here = Math.min(
        at(above, column) + 1,
        at(current, column - 1) + 1,
        at(above, column - 1) + (same ? 0 : 1),
        swapped ? at(before, column - 2) + 1 : Infinity,
      )
      current[column] = here
      least = Math.min(least, here)
    }
    if (least >= limit) return limit
    before = above
    above = current
  }
  return at(above, b.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity
}

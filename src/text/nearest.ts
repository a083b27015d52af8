// Finds the closest match for a mistyped word.

/**
 * Ignores case; at most a third of the word may differ; swapped neighbours count as one edit. Without one near enough,
 * the only one that contains the word: `2022` is `ws2022`.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const names = [...candidates]
  return fewestEdits(word, names) ?? onlyOneWith(word, names)
}

function fewestEdits(word: string, candidates: readonly string[]): string | undefined {
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

function onlyOneWith(word: string, candidates: readonly string[]): string | undefined {
  if (word.length < shortestWord) return undefined
  // A key of a profile may be as long as the profile.
  const longer = candidates.filter(({ length }) => length >= word.length)
  const typed = word.toLowerCase()
  const [one, another] = longer.filter((name) => name.toLowerCase().includes(typed))
  return another === undefined ? one : undefined
}

/** A hint for a typo; none without a guess. */
export function didYouMean(guess: string | undefined): readonly string[] {
  return guess === undefined ? [] : [`did you mean ${guess}?`]
}

/**
 * The closest name; without one near enough, the name that shares the most words: `DisableHNSNetwrok` is `hns-network`.
 * More than half of its letters must be in shared words.
 */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  const whole = nearest(typed, names)
  if (whole !== undefined) return whole
  const words = wordsOf(typed).filter((word) => word.length >= shortestWord)
  const lettersOf = (some: readonly string[]) => some.join('').length
  const [best] = names
    .map((name) => {
      const own = wordsOf(name)
      const shared = lettersOf(words.filter((word) => isAmong(word, own)))
      return { name, shared, own: lettersOf(own) }
    })
    .filter(({ shared }) => shared > lettersOf(wordsOf(typed)) / 2)
    .toSorted((a, b) => b.shared - a.shared || a.own - b.own)
  return best?.name
}

/** Of three letters each must be the same: one other letter makes cni and csi of cri. */
function isAmong(word: string, words: readonly string[]): boolean {
  return word.length > shortestWord ? fewestEdits(word, words) !== undefined : words.includes(word)
}

/** A shorter one is in too many names. */
const shortestWord = 3

/** `HNSNetwork` and `hns-network` have the words hns and network. */
export function wordsOf(name: string): readonly string[] {
  return (
    name
      .replace(/([a-z\d])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2 ')
      .toLowerCase()
      .match(/[a-z\d]+/g) ?? []
  )
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

// Span: a stretch of a text, and the place that a person finds it at.
import type { Place } from '../model/finding.ts'

/** Offsets in code units; `end` is the first one after it. */
export interface Span {
  readonly start: number
  readonly end: number
}

export const start: Span = { start: 0, end: 0 }

export type Locate = (span: Span) => Place

/**
 * Finds the line of an offset by halving; the lines are counted when the first is asked for. All places of a
 * line share its text, however long it is.
 */
export function locator(file: string, text: string): Locate {
  let starts: readonly number[] | undefined
  const lines = new Map<number, string>()
  return (span) => {
    starts ??= [0, ...Array.from(text.matchAll(/\n/g), (match) => match.index + 1)]
    const line = lastAtMost(starts, span.start)
    const from = starts[line] ?? 0
    const end = (starts[line + 1] ?? text.length + 1) - 1
    const excerpt = lines.get(line) ?? text.slice(from, text[end - 1] === '\r' ? end - 1 : end)
    lines.set(line, excerpt)
    return {
      file,
      line: line + 1,
      column: span.start - from + 1,
      length: Math.max(1, Math.min(span.end, from + excerpt.length) - span.start),
      excerpt,
    }
  }
}

function lastAtMost(sorted: readonly number[], wanted: number): number {
  let low = 0
  let high = sorted.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? Infinity) <= wanted) low = middle
    else high = middle
  }
  return low
}

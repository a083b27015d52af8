// A range of a text, and its line and column.
import { LineCounter } from 'yaml'
import type { Place } from '../model/finding.ts'

/** Offsets in UTF-16 code units; `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

export const start: Span = { start: 0, end: 0 }

export type Locate = (span: Span) => Place

/** Indexes the lines at the first call. Locations have an excerpt unless `shows` is false. */
export function locator(file: string, text: string, shows = true): Locate {
  let lines: LineCounter | undefined
  let excerpts: readonly string[] = []
  return (span) => {
    if (!lines) {
      lines = new LineCounter()
      lines.lineStarts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)]
      excerpts = text.split(/\r?\n/)
    }
    const { line, col: column } = lines.linePos(span.start)
    const excerpt = excerpts[line - 1] ?? ''
    const left = excerpt.length - column + 1
    const length = Math.max(1, Math.min(span.end - span.start, left))
    return { file, line, column, length, ...(shows && { excerpt }) }
  }
}

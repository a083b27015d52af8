// Width: how many columns of a terminal a text takes, and the part of it that fits.
import measure from 'fast-string-truncated-width'

export function widthOf(text: string): number {
  return measure(text).width
}

/** The beginning of a line, with `…` where something is missing. */
export function cut(line: string, columns: number): string {
  return widthOf(line) <= columns ? line : `${beginning(line, columns - 1)}…`
}

/** As many characters of the beginning as fit. */
export function beginning(text: string, columns: number): string {
  return text.slice(0, measure(text, { limit: columns }).index)
}

/** As many characters of the end as fit. */
export function ending(text: string, columns: number): string {
  const reversed = (characters: string) => Array.from(characters).toReversed().join('')
  return reversed(beginning(reversed(text), columns))
}

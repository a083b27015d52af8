// The width of text in terminal columns, and truncation to a width.
import measure from 'fast-string-truncated-width'

export function widthOf(text: string): number {
  return measure(text).width
}

/** The start of a line, with `…` if it is truncated. */
export function cut(line: string, columns: number): string {
  return widthOf(line) <= columns ? line : `${beginning(line, columns - 1)}…`
}

/** Characters with their combining marks. */
const characters = /.\p{Mark}*/gsu

/**
 * As many characters from the start as fit. The index from `measure` cannot be used to slice: it does not count
 * the text before a run of wide characters, nor the second half of a surrogate pair.
 * https://github.com/fabiospampinato/fast-string-truncated-width/blob/main/src/index.ts
 */
export function beginning(text: string, columns: number): string {
  let width = 0
  for (const { 0: character, index } of text.matchAll(characters)) {
    width += widthOf(character)
    if (width > columns) return text.slice(0, index)
  }
  return text
}

/** As many characters from the end as fit. */
export function ending(text: string, columns: number): string {
  let width = widthOf(text)
  for (const { 0: character, index } of text.matchAll(characters)) {
    if (width <= columns) return text.slice(index)
    width -= widthOf(character)
  }
  return ''
}

// Wrap: a text over lines of so many columns, the lines below the first one indented.
import { printable } from '../model/printable.ts'
import type { Screen } from './screen.ts'
import { widthOf } from './width.ts'

/** `label` stands before the first line, and its width in blanks before the others. */
export function wrap(label: string, text: string, columns: number): string {
  const indent = widthOf(label)
  const lines = fold(text, indent, columns).map((line, index) =>
    index === 0 ? label + line : ' '.repeat(indent) + line,
  )
  return lines.map((line) => `${line}\n`).join('')
}

/** One line of prose: a terminal breaks it between words, a file keeps it whole. */
export function prose(text: string, { columns = Infinity }: Screen): string {
  return fold(printable(text), 0, columns).join('\n')
}

/** The lines of a text that stands so many columns from the left; no word is broken. */
export function fold(text: string, indent: number, columns: number): readonly string[] {
  const lines: string[] = []
  let line: string | undefined
  let width = indent
  for (const word of text.split(' ')) {
    const more = widthOf(word) + 1
    if (line !== undefined && width + more > columns) {
      lines.push(line)
      line = word
      width = indent + more - 1
    } else {
      width += line === undefined ? more - 1 : more
      line = line === undefined ? word : `${line} ${word}`
    }
  }
  return line === undefined ? lines : [...lines, line]
}

/** The beginning of a line, with a sign where something is missing. */
export function cut(line: string, columns: number): string {
  return widthOf(line) <= columns ? line : `${beginning(line, columns - 1)}…`
}

/** As many characters of the beginning as so many columns take. */
export function beginning(text: string, columns: number): string {
  return fitting(text, columns).join('')
}

/** The same of the end. */
export function ending(text: string, columns: number): string {
  return fitting(Array.from(text).toReversed(), columns).toReversed().join('')
}

function fitting(characters: Iterable<string>, columns: number): readonly string[] {
  let width = 0
  const kept: string[] = []
  for (const character of characters) {
    width += widthOf(character)
    if (width > columns) break
    kept.push(character)
  }
  return kept
}

/** The lines of a text in which words that are too long are broken too. */
export function breakUp(text: string, columns: number): readonly string[] {
  return fold(text, 0, columns).flatMap((line) => {
    const lines: string[] = []
    let part = ''
    let width = 0
    for (const character of line) {
      const more = widthOf(character)
      if (part !== '' && width + more > columns) {
        lines.push(part)
        part = ''
        width = 0
      }
      part += character
      width += more
    }
    return [...lines, part]
  })
}

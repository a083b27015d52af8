// Wrap: a text over lines that fit a terminal, the lines below the first one indented.
import { widthOf } from './width.ts'

const columns = 80

/** `label` stands before the first line, and its width in blanks before the others. */
export function wrap(label: string, text: string): string {
  const indent = widthOf(label)
  const lines = fold(text, indent).map((line, index) =>
    index === 0 ? label + line : ' '.repeat(indent) + line,
  )
  return lines.map((line) => `${line}\n`).join('')
}

/** The lines of a text that stands so many columns from the left; no word is broken. */
export function fold(text: string, indent: number): readonly string[] {
  const lines: string[] = []
  let line: string | undefined
  for (const word of text.split(' ')) {
    const longer: string = line === undefined ? word : `${line} ${word}`
    if (line !== undefined && indent + widthOf(longer) > columns) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return line === undefined ? lines : [...lines, line]
}

// Wrap: a text over lines that fit a terminal, the lines below the first one indented.
import { widthOf } from './width.ts'

const columns = 80

/** `label` stands before the first line, and its width in blanks before the others. */
export function wrap(label: string, text: string): string {
  const indent = ' '.repeat(widthOf(label))
  const lines: string[] = []
  let line = label
  for (const word of text.split(' ')) {
    const blank = line === label || line === indent ? '' : ' '
    if (blank !== '' && widthOf(line + blank + word) > columns) {
      lines.push(line)
      line = indent + word
    } else line += blank + word
  }
  return [...lines, line].map((each) => `${each}\n`).join('')
}

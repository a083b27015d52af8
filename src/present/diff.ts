// Colours a unified diff almost as git does.
import type { Paint, Style } from './paint.ts'

const styles: readonly (readonly [start: string, style: Style])[] = [
  ['+', 'green'],
  ['-', 'red'],
  ['@@ ', 'magenta'],
]

/** `text` is the diff of one file. */
export function paintDiff(text: string, paint: Paint): string {
  const lines = text.split('\n')
  // The file header above the first hunk has lines that also start with - and +.
  const firstHunk = lines.findIndex((line) => line.startsWith('@@ '))
  return lines
    .map((line, index) => {
      if (line === '') return line
      if (firstHunk === -1 || index < firstHunk) return paint('bold', line)
      const style = styles.find(([start]) => line.startsWith(start))?.[1]
      return style === undefined ? line : paint(style, line)
    })
    .join('\n')
}

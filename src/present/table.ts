// Table: rows of text in columns.
import { oneLine } from './one-line.ts'
import type { Paint } from './paint.ts'
import { plain } from './paint.ts'
import { widthOf } from './width.ts'

/** A column of numbers stands to the right. */
export type Column = string | { readonly numbers: string }

/** Two spaces between columns, nothing at the end of a line; ends in a newline. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  paint: Paint = plain,
): string {
  const header = columns.map((column) => (typeof column === 'string' ? column : column.numbers))
  const cells = [header, ...rows].map((row) => row.map(oneLine))
  const widths = header.map((_, column) =>
    Math.max(...cells.map((row) => widthOf(row[column] ?? ''))),
  )
  const lines = cells.map((row) =>
    row
      .map((cell, column) => {
        const blank = ' '.repeat((widths[column] ?? 0) - widthOf(cell))
        return typeof columns[column] === 'string' ? cell + blank : blank + cell
      })
      .join('  ')
      .trimEnd(),
  )
  return lines.map((line, index) => `${index === 0 ? paint('bold', line) : line}\n`).join('')
}

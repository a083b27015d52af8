// Table: rows of text in columns.
import { oneLine } from './one-line.ts'
import type { Paint } from './paint.ts'
import { plain } from './paint.ts'
import { widthOf } from './width.ts'
import { wrap } from './wrap.ts'

/** A column of numbers stands to the right; one of prose is the last, and goes on below itself. */
export type Column = string | { readonly numbers: string } | { readonly prose: string }

/** Two spaces between columns, nothing at the end of a line; ends in a newline. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  paint: Paint = plain,
): string {
  const header = columns.map(nameOf)
  const cells = [header, ...rows].map((row) => row.map(oneLine))
  const widths = header.map((_, column) =>
    Math.max(...cells.map((row) => widthOf(row[column] ?? ''))),
  )
  const lines = cells.flatMap((row) => {
    const padded = row.map((cell, column) => pad(cell, widths[column] ?? 0, columns[column]))
    if (!columns.some(isProse)) return [padded.join('  ').trimEnd()]
    const label = [...padded.slice(0, -1), ''].join('  ')
    return wrap(label, row.at(-1) ?? '')
      .trimEnd()
      .split('\n')
  })
  return lines.map((line, index) => `${index === 0 ? paint('bold', line) : line}\n`).join('')
}

function nameOf(column: Column): string {
  if (typeof column === 'string') return column
  return 'numbers' in column ? column.numbers : column.prose
}

function isProse(column: Column): boolean {
  return typeof column === 'object' && 'prose' in column
}

function pad(cell: string, width: number, column: Column | undefined): string {
  const blank = ' '.repeat(width - widthOf(cell))
  return typeof column === 'object' && 'numbers' in column ? blank + cell : cell + blank
}

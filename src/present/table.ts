// Formats rows of text as a table that fits the width of the screen.
import { oneLine } from './one-line.ts'
import { plainScreen, type Screen } from './screen.ts'
import { widthOf } from './width.ts'
import { foldAndBreak } from './wrap.ts'

/** Numbers are aligned to the right. */
type Column = string | { readonly numbers: string }

const gap = 2

/** Widest column without a terminal: one long cell must not widen every row. */
const maxWidth = 60

/** Narrowest column, if the screen has room for all columns. */
const minWidth = 8

/** Two spaces between columns, no trailing spaces; ends in a newline. Without a terminal, each row is one line. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  screen: Screen = plainScreen,
): string {
  const cells = [columns.map(nameOf), ...rows].map((row) => row.map(oneLine))
  const widths = widthsOf(columns, cells, screen)
  return cells
    .map((row, index) => {
      const text = linesOf(row, columns, widths, screen)
      return index === 0 ? text.map((line) => screen.paint('bold', line)) : text
    })
    .flatMap((lines) => lines.map((line) => `${line}\n`))
    .join('')
}

/** The width of each column's content; if the table is too wide, the widest columns shrink first. */
function widthsOf(
  columns: readonly Column[],
  cells: readonly (readonly string[])[],
  screen: Screen,
): readonly number[] {
  const widths = columns.map((_, column) =>
    cells.reduce((width, row) => Math.max(width, widthOf(row[column] ?? '')), 0),
  )
  if (screen.columns === Infinity) return widths.map((width) => Math.min(maxWidth, width))
  const gaps = gap * (columns.length - 1)
  const minimum = Math.min(minWidth, Math.floor((screen.columns - gaps) / columns.length))
  let excess = widths.reduce((sum, width) => sum + width, gaps) - screen.columns
  while (excess > 0) {
    const most = Math.max(...widths)
    if (most <= minimum) break
    const next = Math.max(minimum, ...widths.filter((width) => width < most))
    const widestCount = widths.filter((width) => width === most).length
    const each = Math.min(most - next, Math.ceil(excess / widestCount))
    for (const [index, width] of widths.entries()) {
      if (width === most) widths[index] = most - each
    }
    excess -= each * widestCount
  }
  return widths
}

/** A row has as many lines as its tallest cell. */
function linesOf(
  row: readonly string[],
  columns: readonly Column[],
  widths: readonly number[],
  screen: Screen,
): readonly string[] {
  const cells = row.map((cell, index) => {
    return screen.columns === Infinity ? [cell] : foldAndBreak(cell, widths[index] ?? 0)
  })
  const height = Math.max(1, ...cells.map((lines) => lines.length))
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((lines, index) => pad(lines[line] ?? '', widths[index] ?? 0, columns[index]))
      .join(' '.repeat(gap))
      .trimEnd(),
  )
}

function nameOf(column: Column): string {
  return typeof column === 'string' ? column : column.numbers
}

function pad(cell: string, width: number, column: Column | undefined): string {
  const blank = ' '.repeat(Math.max(0, width - widthOf(cell)))
  return typeof column === 'object' ? blank + cell : cell + blank
}

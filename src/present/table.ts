// Formats rows of text as a table that fits the width of the screen.
import { oneLine } from './one-line.ts'
import { plainScreen, columnsOf, type Screen } from './screen.ts'
import { widthOf } from './width.ts'
import { foldAndBreak, fold } from './wrap.ts'

/** Numbers are aligned to the right; prose wraps over several lines. */
type Column = string | { readonly numbers: string } | { readonly prose: string }

const gap = 2

/** Widest column without a terminal: one long cell must not widen every row. */
const maxWidth = 60

/** Narrowest column, if the screen has room for all columns. */
const minWidth = 8

/** Two spaces between columns, no trailing spaces; ends in a newline. */
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
  const gaps = gap * (columns.length - 1)
  if (screen.columns === undefined) {
    const fixed = columns.map((column, index) =>
      isProse(column) ? 0 : Math.min(maxWidth, widths[index] ?? 0),
    )
    const left = columnsOf(screen) - gaps - fixed.reduce((sum, width) => sum + width, 0)
    return fixed.map((width, index) => (isProse(columns[index]) ? Math.max(minWidth, left) : width))
  }
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
    const width = widths[index] ?? 0
    if (screen.columns !== undefined) return foldAndBreak(cell, width)
    return isProse(columns[index]) ? fold(cell, 0, width) : [cell]
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
  if (typeof column === 'string') return column
  return 'numbers' in column ? column.numbers : column.prose
}

function isProse(column: Column | undefined): boolean {
  return typeof column === 'object' && 'prose' in column
}

function pad(cell: string, width: number, column: Column | undefined): string {
  const blank = ' '.repeat(Math.max(0, width - widthOf(cell)))
  return typeof column === 'object' && 'numbers' in column ? blank + cell : cell + blank
}

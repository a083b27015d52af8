// The source line of a finding with a caret below, cut to the width of the screen; in a pipe, only if it is very long.
import type { Place } from '../model/finding.ts'
import { maxLength } from '../text/shortened.ts'
import { oneLine } from './one-line.ts'
import type { Style } from './paint.ts'
import type { Screen } from './screen.ts'
import { beginning, ending, widthOf } from './width.ts'

const ellipsis = '…'

/** Columns taken by the indent of a finding, the bar after the line number, and an ellipsis at both ends. */
const reservedColumns = 2 + ' | '.length + 2
const minColumns = 8

/** No lines if the location has no text. */
export function excerpt(place: Place, screen: Screen, style: Style): readonly string[] {
  const { line, column, length = 1, excerpt: text = '' } = place
  if (text.trim() === '') return []
  const { paint } = screen
  const number = String(line)
  const room = Math.min(
    maxLength,
    Math.max(minColumns, screen.columns - reservedColumns - number.length),
  )
  const at = column - 1
  // The line can be very long, so measure only the part that could fit.
  const start = Math.max(0, at - room)
  const end = at + Math.min(length, room)
  const before = oneLine(text.slice(start, at))
  const within = oneLine(text.slice(at, end))
  const after = oneLine(text.slice(at, end + room))
  const fits = start === 0 && widthOf(before + within) <= room
  // The text before the caret gets at most a third of the columns.
  const shownBefore = fits ? before : ending(before, Math.floor(room / 3))
  const shown = beginning(after, room - widthOf(shownBefore))
  const head = (start > 0 || shownBefore !== before ? ellipsis : '') + shownBefore
  const marked = shown.slice(0, within.length)
  const tail =
    shown.slice(within.length) + (end + room < text.length || shown !== after ? ellipsis : '')
  const blank = ' '.repeat(number.length)
  const caret = '^'.repeat(Math.max(1, widthOf(marked)))
  return [
    `${paint('dim', `${number} |`)} ${head}${marked}${tail}`,
    `${paint('dim', `${blank} |`)} ${' '.repeat(widthOf(head))}${paint(style, caret)}`,
  ]
}

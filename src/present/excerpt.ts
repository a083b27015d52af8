// Excerpt: the line of a place with a caret below, cut to what fits around it.
import type { Place } from '../model/finding.ts'
import { oneLine } from './one-line.ts'
import type { Style } from './paint.ts'
import { columnsOf, type Screen } from './screen.ts'
import { widthOf } from './width.ts'

const more = '…'

/** The indent of a finding, the bar after the number, and a sign at both ends where the line goes on. */
const around = 2 + ' | '.length + 2
const least = 20

/** No lines where the place has no text. */
export function excerpt(place: Place, screen: Screen, style: Style): readonly string[] {
  const { line, column, length = 1, excerpt: text = '' } = place
  if (text.trim() === '') return []
  const { paint } = screen
  const number = String(line)
  const shown = Math.max(least, columnsOf(screen) - around - number.length)
  const at = column - 1
  // What comes before the caret gets a third.
  const from = at + length <= shown ? 0 : Math.max(0, at - Math.floor(shown / 3))
  const to = from + shown
  const head = (from > 0 ? more : '') + oneLine(text.slice(from, at))
  const marked = oneLine(text.slice(at, Math.min(at + length, to)))
  const tail = oneLine(text.slice(at + length, to)) + (to < text.length ? more : '')
  const blank = ' '.repeat(number.length)
  const caret = '^'.repeat(Math.max(1, widthOf(marked)))
  return [
    `${paint('dim', `${number} |`)} ${head}${marked}${tail}`,
    `${paint('dim', `${blank} |`)} ${' '.repeat(widthOf(head))}${paint(style, caret)}`,
  ]
}

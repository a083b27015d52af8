// Excerpt: the line of a place with a caret below, cut to what fits around it.
import type { Place } from '../model/finding.ts'
import { oneLine } from './one-line.ts'
import type { Paint } from './paint.ts'
import { widthOf } from './width.ts'

/** Columns of text to show; what comes before the caret gets a third of them. */
const shown = 90
const before = 30
const more = '…'

/** No lines where the place has no text. */
export function excerpt(place: Place, paint: Paint): readonly string[] {
  const { line, column, length = 1, excerpt: text = '' } = place
  if (text.trim() === '') return []
  const at = column - 1
  const from = at + length <= shown ? 0 : Math.max(0, at - before)
  const to = from + shown
  const head = (from > 0 ? more : '') + oneLine(text.slice(from, at))
  const marked = oneLine(text.slice(at, Math.min(at + length, to)))
  const tail = oneLine(text.slice(at + length, to)) + (to < text.length ? more : '')
  const number = String(line)
  const blank = ' '.repeat(number.length)
  const caret = '^'.repeat(Math.max(1, widthOf(marked)))
  return [
    `${paint('dim', `${number} |`)} ${head}${marked}${tail}`,
    `${paint('dim', `${blank} |`)} ${' '.repeat(widthOf(head))}${paint('red', caret)}`,
  ]
}

// Wraps text between words to a number of columns.
import { wrapAnsi } from 'fast-wrap-ansi'
import { oneLine } from './one-line.ts'
import type { Screen } from './screen.ts'
import { widthOf } from './width.ts'

/** `label` starts the first line; the other lines are indented by its width. */
export function wrap(label: string, text: string, columns: number): string {
  const indent = widthOf(label)
  const lines = fold(text, indent, columns).map((line, index) =>
    index === 0 ? label + line : ' '.repeat(indent) + line,
  )
  return lines.map((line) => `${line}\n`).join('')
}

/** One line of prose: wrapped on a terminal, whole in a file or a pipe. */
export function prose(text: string, { columns }: Screen): string {
  return fold(oneLine(text), 0, columns).join('\n')
}

/** Lines to print after an indent, which they do not contain; a word that is too long stays whole. */
export function fold(text: string, indent: number, columns: number): readonly string[] {
  return wrapAnsi(text, columns - indent).split('\n')
}

/** The same, but a word that is too long is broken. */
export function foldAndBreak(text: string, columns: number): readonly string[] {
  return wrapAnsi(text, columns, { hard: true }).split('\n')
}

// Rows: the choices of a question as lines of a list, and what is said of the one under the cursor.
import { words } from '../present/signs.ts'
import { widthOf } from '../present/width.ts'
import { cut } from '../present/wrap.ts'
import type { Choice, Question } from '../wizard/question.ts'
import { paragraph, show, type Stage } from './stage.ts'

const gap = 2

/** What is narrower says nothing. */
const leastName = 8
const leastTail = 12

/** A head where the choices have cells, and a line for each choice, not wider than the terminal. */
export interface Rows {
  readonly head: readonly string[]
  readonly lines: readonly string[]
}

export function rowsOf(
  stage: Stage,
  question: Question,
  choices: readonly Choice[],
  active: number,
): Rows {
  const { paint, script } = stage
  const columns = question.columns ?? []
  const layout = layoutOf(stage, question, choices)
  const inside = (text: string) => shortened(stage, text, layout.columns)
  return {
    head: columns.length > 0 ? [`  ${paint('bold', inside(lineOf(layout, '', columns, '')))}`] : [],
    lines: choices.map((choice, index) => {
      const text = inside(rowOf(stage, layout, question, choice))
      if (index === active) return paint('bold', `${script.signs.pointer} ${text}`)
      return `  ${choice.cannot === undefined ? text : paint('dim', text)}`
    }),
  }
}

/** How wide the parts of all rows are. */
interface Layout {
  readonly columns: number
  readonly names: number
  /** No name is wider. */
  readonly most: number
  readonly cells: readonly number[]
}

function layoutOf(stage: Stage, question: Question, choices: readonly Choice[]): Layout {
  const columns = stage.size().columns - 3
  const cells = cellWidths(question)
  const numbers = cells.reduce((sum, width) => sum + gap + width, 0)
  const { more } = stage.script.signs
  // Beside names that are long, numbers would be out of sight.
  const most = Math.max(leastName, columns - numbers - gap - more.length)
  const names = choices.map(({ name }) => Math.min(most, widthOf(show(stage, name))))
  return { columns, names: Math.max(0, ...names), most, cells }
}

function cellWidths({ columns = [], choices = [] }: Question): readonly number[] {
  return columns.map((column, at) =>
    Math.max(widthOf(column), ...choices.map(({ cells = [] }) => widthOf(cells[at] ?? ''))),
  )
}

function lineOf(
  { names, cells }: Layout,
  name: string,
  own: readonly string[],
  tail: string,
): string {
  const numbers = own.map((cell, at) => ' '.repeat(gap) + cell.padStart(cells[at] ?? 0)).join('')
  const blank = ' '.repeat(Math.max(0, names - widthOf(name)))
  return `${name}${blank}${numbers}${' '.repeat(gap)}${tail}`.trimEnd()
}

/** As long as it would like to be; without its end where that has hardly any room. */
function rowOf(stage: Stage, layout: Layout, question: Question, choice: Choice): string {
  const { columns = [] } = question
  const name = shortened(stage, show(stage, choice.name), layout.most)
  const cells = columns.map((_, at) => show(stage, choice.cells?.[at] ?? ''))
  const tail = show(stage, tailOf(choice, question))
  const line = lineOf(layout, name, cells, tail)
  const left = layout.columns - widthOf(line) + widthOf(tail)
  return left < leastTail ? lineOf(layout, name, cells, '') : line
}

/** What its row does not say of the choice under the cursor, whole. */
export function detailOf(
  stage: Stage,
  question: Question,
  choices: readonly Choice[],
  choice: Choice,
): readonly string[] {
  const { note, recommended, cannot } = choice
  const layout = layoutOf(stage, question, choices)
  const row = rowOf(stage, layout, question, choice)
  const says = (text: string) =>
    widthOf(row) <= layout.columns && row.includes(show(stage, text).trim())
  const parts = [
    ...(widthOf(show(stage, choice.name)) > layout.most ? [choice.name] : []),
    ...(cannot === undefined || says(cannot) ? [] : [`${words.cannot}: ${cannot}`]),
    ...(note === undefined || says(note) ? [] : [note]),
  ]
  const why = recommended === undefined ? [] : [`${words.recommended}: ${recommended}`]
  return [...why, ...parts].flatMap((part) => paragraph(stage, part, '  '))
}

/** The same words as in every other place, for those who see no colours. */
export function tailOf(
  { value, note, recommended, cannot }: Choice,
  { current, found }: Question,
): string {
  if (cannot !== undefined) return `${words.cannot}: ${cannot}`
  return [
    ...(value === current ? ['now'] : []),
    ...(value === found?.value ? [words.found] : []),
    ...(recommended === undefined ? [] : [words.recommended]),
    ...(note === undefined ? [] : [note]),
  ].join(', ')
}

function shortened({ script }: Stage, text: string, columns: number): string {
  const { more } = script.signs
  const short = cut(text, columns - more.length + 1)
  return short === text ? text : short.slice(0, -1) + more
}

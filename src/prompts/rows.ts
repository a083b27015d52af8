// Rows: the choices of a question as lines of a list, and what is said of the one under the cursor.
import { words } from '../present/signs.ts'
import { widthOf } from '../present/width.ts'
import { cut } from '../present/wrap.ts'
import type { Choice, Question } from '../wizard/question.ts'
import { paragraph, show, type Stage } from './stage.ts'

const gap = 2

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
  const cells = cellWidths(question)
  const names = choices.map(({ name }) =>
    shortened(stage, show(stage, name), nameRoom(stage, question)),
  )
  const widest = Math.max(0, ...names.map(widthOf))
  const line = (name: string, own: readonly string[], tail: string) => {
    const numbers = own.map((cell, at) => ' '.repeat(gap) + cell.padStart(cells[at] ?? 0)).join('')
    const text = `${name}${' '.repeat(widest - widthOf(name))}${numbers}${' '.repeat(gap)}${tail}`
    return shortened(stage, text.trimEnd(), stage.size().columns - 3)
  }
  return {
    head: columns.length > 0 ? [`  ${paint('bold', line('', columns, ''))}`] : [],
    lines: choices.map((choice, index) => {
      const own = columns.map((_, at) => show(stage, choice.cells?.[at] ?? ''))
      const text = line(names[index] ?? '', own, show(stage, tailOf(choice, question)))
      if (index === active) return paint('bold', `${script.signs.pointer} ${text}`)
      return `  ${choice.cannot === undefined ? text : paint('dim', text)}`
    }),
  }
}

function cellWidths({ columns = [], choices = [] }: Question): readonly number[] {
  return columns.map((column, at) =>
    Math.max(widthOf(column), ...choices.map(({ cells = [] }) => widthOf(cells[at] ?? ''))),
  )
}

/** Beside names that are long, numbers would be out of sight. */
function nameRoom(stage: Stage, question: Question): number {
  const numbers = cellWidths(question).reduce((sum, width) => sum + gap + width, 0)
  const { more } = stage.script.signs
  return stage.size().columns - 3 - numbers - gap - more.length
}

/** What is said of the choice under the cursor, whole. */
export function detailOf(stage: Stage, question: Question, choice: Choice): readonly string[] {
  const { note, recommended, cannot } = choice
  const parts = [
    ...(widthOf(choice.name) > nameRoom(stage, question) ? [choice.name] : []),
    ...(cannot === undefined ? [] : [`${words.cannot}: ${cannot}`]),
    ...(recommended === undefined ? [] : [`${words.recommended}: ${recommended}`]),
    ...(note === undefined ? [] : [note]),
  ]
  const columns = stage.size().columns - 3
  const row = `${choice.name}  ${(choice.cells ?? []).join('  ')}  ${tailOf(choice, question)}`
  const whole = recommended === undefined && widthOf(row) + gap <= columns
  return whole ? [] : parts.flatMap((part) => paragraph(stage, part, '  '))
}

/** The same words as in every other place, for those who see no colours. */
export function tailOf({ value, note, recommended, cannot }: Choice, question: Question): string {
  if (cannot !== undefined) return `${words.cannot}: ${cannot}`
  return [
    ...(value === question.current ? ['now'] : []),
    ...(value === question.found?.value ? [words.found] : []),
    ...(recommended === undefined ? [] : [words.recommended]),
    ...(note === undefined ? [] : [note]),
  ].join(', ')
}

function shortened({ script }: Stage, text: string, columns: number): string {
  const { more } = script.signs
  const short = cut(text, columns - more.length + 1)
  return short === text ? text : short.slice(0, -1) + more
}

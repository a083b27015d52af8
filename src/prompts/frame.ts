// Frame: the parts of a prompt, as many of them as the terminal has lines for.
import { briefly, type Question } from '../wizard/question.ts'
import { words } from '../present/signs.ts'
import { fold } from '../present/wrap.ts'
import { paragraph, show, type Stage } from './stage.ts'

/** What a key does, in a word. */
type Key = readonly [key: string, does: string]

const keys = {
  take: ['enter', 'take'],
  skip: ['tab', 'skip'],
  help: ['?', 'help'],
  back: ['esc', 'back'],
  leave: ['ctrl-c', 'quit'],
  filter: ['type', 'filter'],
  unset: ['ctrl-x', 'unset'],
} as const satisfies Readonly<Record<string, Key>>

export interface Parts {
  /** Below the title: the line where a person types is the last. */
  readonly typed: readonly string[]
  /** Below it: takes what room is left, and is filtered by what is typed. */
  readonly list?: (lines: number) => readonly string[]
  readonly problem: string | undefined
  /** What is good to know, below the problem. */
  readonly aside: readonly string[]
}

const indent = '  '

const leastList = 3

/** What was said before stays in sight. */
const mostList = 12

/** The lines above and below the line where a person types; one line of the terminal stays free. */
export function frame(stage: Stage, question: Question, parts: Parts): [string, string] {
  const { list } = parts
  const head = [...titleLines(stage, question), ...parts.typed]
  const room = stage.size().rows - 1 - head.length - (list ? leastList : 0)
  const kept = notesOf(stage, question, parts).reduce<Notes>((all, note) => {
    const used = all.reduce((sum, { length }) => sum + length, 0)
    return used + note.length <= room ? [...all, note] : all
  }, [])
  const used = kept.reduce((sum, { length }) => sum + length, 0)
  const rows = list?.(Math.min(mostList, room + leastList - used)) ?? []
  // The keys come last, where a person looks for them.
  const [first = [], ...others] = kept
  const below = [...others.flat(), ...first]
  const apart = rows.length > 0 && rows.length + below.length < room + leastList ? [''] : []
  return [head.join('\n'), [...rows, ...apart, ...below].join('\n')]
}

type Notes = readonly (readonly string[])[]

/** The most needed first. */
function notesOf(stage: Stage, question: Question, { list, problem, aside }: Parts): Notes {
  const { must, unset } = question
  const shown: readonly Key[] = [
    keys.take,
    ...(must === undefined ? [keys.skip] : []),
    // Of a setting that the profile has and need not have.
    ...(unset ? [keys.unset] : []),
    ...(list ? [keys.filter] : []),
    ...[keys.help, keys.back, keys.leave],
  ]
  return [
    keyLines(stage, shown),
    problem === undefined ? [] : inRed(stage, problem),
    aside,
    problem !== undefined && problem === must ? [] : skipLines(stage, question),
  ]
}

function titleLines(stage: Stage, { title, found }: Question): readonly string[] {
  const { paint } = stage
  const proposal = found ? `${words.found} ${briefly(found.value)} (${found.where})` : undefined
  return [
    ...paragraph(stage, title).map((line) => paint('bold', line)),
    ...(proposal === undefined ? [] : paragraph(stage, proposal, '  ')),
  ]
}

/** The keys stand out, and each stays beside what it does. */
function keyLines({ paint, script, size }: Stage, shown: readonly Key[]): readonly string[] {
  const { between } = script.signs
  const bold = (_: string, key: string) => `${paint('bold', key)} `
  const text = shown.map(([key, does]) => `${key}\u00a0${does}`).join(between)
  return fold(text, indent.length, size().columns - 1).map((line) => {
    const whole = line.split(between.trim()).flatMap((part) => part.trim() || [])
    return indent + whole.join(between).replace(/(\S+)\u00a0/g, bold)
  })
}

function skipLines(stage: Stage, { fallback, must, unset }: Question): readonly string[] {
  const texts = [
    must === undefined ? `if skipped: ${fallback}` : `needed: ${must}`,
    ...(unset ? [`unset: ${unset.then}`] : []),
  ]
  return texts.flatMap((text) => paragraph(stage, text, indent))
}

function inRed(stage: Stage, text: string): readonly string[] {
  return paragraph(stage, text, indent).map((line) => stage.paint('red', line))
}

/** The help in place of everything else, until the next key. */
export function helpFrame(stage: Stage, question: Question): [string, string] {
  const { script } = stage
  const head = titleLines(stage, question)
  const end = paragraph(stage, 'any key goes on', indent)
  const room = stage.size().rows - 1 - end.length - head.length
  const lines = question.help.flatMap((text) => ['', ...paragraph(stage, text, '  ')])
  const kept =
    lines.length <= room ? lines : [...lines.slice(0, room - 1), `  ${script.signs.more}`]
  return [head.join('\n'), [...kept, '', ...end].slice(-room - end.length).join('\n')]
}

/** What stays of a question that is done with; what a person said stands out, what is left open does not. */
export function answeredLine(
  stage: Stage,
  { title }: Question,
  answer: string,
  isSaid: boolean,
): string {
  const { paint, script, size } = stage
  const asked = show(stage, title)
  const text = fold(`${asked} ${show(stage, answer)}`, indent.length, size().columns - 1).join('\n')
  const said = text.slice(asked.length)
  const shown = isSaid ? said.replace(/[^\n]+/g, (line) => paint('bold', line)) : said
  const lines = `${text.slice(0, asked.length)}${shown}`.replaceAll('\n', `\n${indent}`)
  return `${paint('green', script.signs.done)} ${lines}`
}

// Ask: one question on a terminal, with the search or input prompt of inquirer.
import { emitKeypressEvents } from 'node:readline'
import input from '@inquirer/input'
import search from '@inquirer/search'
import { words } from '../present/signs.ts'
import { cut, widthOf } from '../present/width.ts'
import { fold } from '../present/wrap.ts'
import { onOneLine, type Choice, type Kind, type Question } from '../wizard/question.ts'
import type { Keyboard } from './keyboard.ts'
import type { Said } from './said.ts'
import { paragraph, show, type Stage } from './stage.ts'

export type Ask = (question: Question) => Promise<Said>

/** How the lines of a paste become one answer. */
const joints: Readonly<Record<Kind, string>> = {
  list: ', ',
  pairs: ', ',
  block: '\r',
  text: ' ',
  choice: ' ',
  confirm: ' ',
}

const hints: Readonly<Partial<Record<Kind, string>>> = {
  list: 'separate multiple values with commas',
  pairs: 'key=value, separate multiple values with commas',
  block: 'paste it; end with an empty line',
}

/** Leaves room for the answers above the question. */
const mostRows = 12

/** Why a prompt was aborted by a key, or by the terminal. */
type Key = 'help' | 'back' | 'unset' | 'left' | 'redrawn'

/** The prompt is erased once it is answered; the caller prints the line that stays. */
export function askOn(stage: Stage, keyboard: Keyboard, output: NodeJS.WritableStream): Ask {
  return async (question) => {
    let notes: readonly string[] = []
    let isHelp = false
    for (;;) {
      const reply = await keyboard.hear(joints[question.kind], (keys) =>
        prompt({ stage, question, notes, keys, output }),
      )
      const closes = reply === 'back' && isHelp
      const said = typeof reply === 'string' ? meaningOf(reply, question) : reply
      if (reply !== 'redrawn') isHelp = reply === 'help'
      if (closes) notes = []
      else if (said?.kind === 'problem') notes = inRed(stage, said.text)
      else if (said) return said
      else if (reply === 'help') notes = helpLines(stage, question)
    }
  }
}

interface Problem {
  readonly kind: 'problem'
  readonly text: string
}

/** `undefined` where the question is only asked again. */
function meaningOf(key: Key, { unset }: Question): Said | Problem | undefined {
  switch (key) {
    case 'back':
    case 'left':
      return { kind: key }
    case 'unset':
      if (!unset) return undefined
      if (unset.cannot === undefined) return { kind: 'unset' }
      return { kind: 'problem', text: `${words.cannotUnset}: ${unset.cannot}` }
    case 'help':
    case 'redrawn':
      return undefined
  }
}

interface Asked {
  readonly stage: Stage
  readonly question: Question
  /** Shown below the title: the help, or what is wrong. */
  readonly notes: readonly string[]
  readonly keys: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

async function prompt(asked: Asked): Promise<Said | Problem | Key> {
  const { stage, question, keys, output } = asked
  const controller = new AbortController()
  const abort = (key: Key) => {
    controller.abort(key)
  }
  listen(keys, question, abort)
  const stop = stage.onResize(() => {
    abort('redrawn')
  })
  const context = { input: keys, output, clearPromptOnDone: true, signal: controller.signal }
  try {
    const text = await answerOf(asked, context)
    return text === '' ? emptied(question) : complaintOr(question, text)
  } catch (thrown) {
    const reason: unknown = controller.signal.reason
    if (isKey(reason)) return reason
    throw thrown
  } finally {
    stop()
  }
}

/** Emptying a line with a value removes the setting, or the entries of a list or map. */
function emptied(question: Question): Said | Problem | Key {
  const { unset, current, proposal, kind, must } = question
  if (unset && current !== undefined) return 'unset'
  if (proposal !== undefined && ['list', 'pairs'].includes(kind)) return complaintOr(question, '')
  return must === undefined ? { kind: 'skip' } : { kind: 'problem', text: 'a value is required' }
}

function complaintOr({ check }: Question, text: string): Said | Problem {
  const wrong = check(text)
  return wrong === undefined ? { kind: 'answer', text } : { kind: 'problem', text: wrong }
}

function isKey(reason: unknown): reason is Key {
  return typeof reason === 'string'
}

/** Keys that no prompt of inquirer knows abort it. `?` is help until something is typed. */
function listen(keys: NodeJS.ReadableStream, question: Question, abort: (key: Key) => void): void {
  let typed = false
  emitKeypressEvents(keys)
  keys.on('keypress', (_: string | undefined, { name, ctrl, sequence = '' }: Keypress) => {
    if (name === 'escape') abort('back')
    else if (name === 'f1' || (sequence === '?' && !typed)) abort('help')
    // A list would take the whole row for its filter.
    else if (name === 'tab' && question.choices) abort('redrawn')
    else if (ctrl && name === 'x') abort('unset')
    // Readline closes at the end of the input, and no prompt would ever be answered.
    else if (ctrl && name === 'd') abort('left')
    else typed ||= /^[^\p{Cc}]+$/u.test(sequence)
  })
  keys.on('end', () => {
    abort('left')
  })
}

interface Keypress {
  readonly name?: string
  readonly ctrl: boolean
  readonly sequence?: string
}

type Context = NonNullable<Parameters<typeof input>[1]>

function answerOf(asked: Asked, context: Context): Promise<string> {
  const { question } = asked
  if (question.choices) return choose(asked, question.choices, context)
  return question.kind === 'block' ? typeLines(asked, context) : typeLine(asked, context)
}

function typeLine({ stage, question, notes }: Asked, context: Context): Promise<string> {
  const { proposal } = question
  const config = {
    message: headed(stage, question, notes, stage.script.signs.pointer),
    theme: themeOf(stage, question),
    // Empty: the question is skipped, or the value unset.
    validate: (text: string) => text.trim() === '' || (question.check(text.trim()) ?? true),
    ...(proposal !== undefined && { default: proposal }),
  }
  return input(config, context).then((text) => text.trim())
}

/** One prompt for each line, until an empty one. */
async function typeLines({ stage, question, notes }: Asked, context: Context): Promise<string> {
  const lines: string[] = []
  for (;;) {
    const count =
      lines.length > 0 ? [`  ${lines.length} lines: ${show(stage, lines[0] ?? '')}`] : []
    const message = headed(stage, question, [...notes, ...count], stage.script.signs.pointer)
    const line = await input({ message, theme: themeOf(stage, question) }, context)
    if (line.trim() === '') return lines.join('\n')
    lines.push(line)
  }
}

async function choose(
  { stage, question, notes }: Asked,
  choices: readonly Choice[],
  context: Context,
): Promise<string> {
  const rows = rowsOf(stage, question, choices)
  const theme = themeOf(stage, question)
  const pageSize = Math.max(3, Math.min(mostRows, stage.size().rows - 10 - notes.length))
  const proposed = proposedOf(question, choices)
  const none = choices.every(({ cannot }) => cannot !== undefined)
  const said = none
    ? [...notes, ...inRed(stage, 'all choices are unavailable; esc goes back')]
    : notes
  return search(
    {
      theme,
      pageSize,
      message: `${headed(stage, question, said)}\n  ${rows.length > pageSize ? `${rows.length} choices; ` : ''}filter:`,
      source: (typed = '') => rows.filter((_, at) => matches(choices[at], typed)),
      ...(proposed !== undefined && { default: proposed }),
    },
    context,
  )
}

/** Every word that is typed is somewhere in the choice. */
function matches(choice: Choice | undefined, typed: string): boolean {
  const { value = '', name = '', note = '' } = choice ?? {}
  const text = `${value} ${name} ${note}`.toLowerCase()
  return typed
    .toLowerCase()
    .split(' ')
    .every((word) => text.includes(word))
}

function proposedOf({ proposal }: Question, choices: readonly Choice[]): string | undefined {
  const can = choices.filter(({ cannot }) => cannot === undefined)
  const recommended = can.find((choice) => choice.recommended !== undefined)
  return (can.find(({ value }) => value === proposal) ?? recommended ?? can.at(0))?.value
}

interface Row {
  readonly value: string
  readonly name: string
  readonly disabled: string | false
  readonly description: string
}

/** Names and cells in columns; other details of a choice beside them, or below the list. */
function rowsOf(stage: Stage, question: Question, choices: readonly Choice[]): readonly Row[] {
  const { columns: heads = [] } = question
  const columns = stage.size().columns - 4
  const names = choices.map(({ name }) => show(stage, name))
  const wide = Math.min(Math.max(...names.map(widthOf)), Math.max(8, columns - 24))
  const cellWidths = heads.map((head, at) =>
    Math.max(widthOf(head), ...choices.map(({ cells = [] }) => widthOf(cells[at] ?? ''))),
  )
  return choices.map((choice, index) => {
    const name = shortened(stage, names[index] ?? '', wide)
    const cells = cellWidths.map((width, at) => `  ${(choice.cells?.[at] ?? '').padStart(width)}`)
    const row = `${name}${' '.repeat(Math.max(0, wide - widthOf(name)))}${cells.join('')}`
    const tail = show(stage, tailOf(choice, question))
    const fits = widthOf(row) + 2 + widthOf(tail) <= columns
    const whole = fits && tail !== '' ? `${row}  ${tail}` : row
    const { cannot, recommended, note } = choice
    const detail = [
      name === names[index] ? undefined : choice.name,
      cannot === undefined ? undefined : `${words.unavailable}: ${cannot}`,
      recommended === undefined ? undefined : `${words.recommended}: ${recommended}`,
      fits || cannot !== undefined ? undefined : note,
    ].filter((part) => part !== undefined)
    return {
      value: choice.value,
      name: (cannot === undefined ? whole : row).trimEnd(),
      disabled:
        cannot !== undefined &&
        ` ${shortened(stage, show(stage, `${words.unavailable}: ${cannot}`), columns - widthOf(row) - 2)}`,
      description: detail.flatMap((part) => paragraph(stage, part, '  ')).join('\n'),
    }
  })
}

function shortened({ script }: Stage, text: string, columns: number): string {
  const { more } = script.signs
  const short = cut(text, Math.max(more.length, columns - more.length + 1))
  return short === text ? text : short.slice(0, -1) + more
}

/** Words, not colors alone, mark the state of a choice. */
export function tailOf(
  { value, note, recommended, cannot }: Choice,
  { current, found, proposal }: Question,
): string {
  if (cannot !== undefined) return `${words.unavailable}: ${cannot}`
  const marks: string[] = [
    ...(value === current ? [words.current] : []),
    ...(value === found?.value ? [words.found] : []),
    ...(recommended === undefined ? [] : [words.recommended]),
  ]
  if (marks.length === 0 && value === proposal) marks.push(words.isDefault)
  return [...marks, ...(note === undefined ? [] : [note])].join(', ')
}

/** The text above the list, or above the input line. */
function headed(
  stage: Stage,
  question: Question,
  notes: readonly string[],
  pointer?: string,
): string {
  const { title, found, columns: heads, choices, unset } = question
  const { paint } = stage
  const aside = [
    ...(choices ? [] : typingHints(question)),
    ...(unset ? [`default: ${unset.then}`] : []),
  ].filter(Boolean)
  const wide = Math.max(0, ...(choices ?? []).map(({ name }) => widthOf(show(stage, name))))
  return [
    ...paragraph(stage, title, '  ').map((line) => paint('bold', line.trimStart())),
    ...(found
      ? paragraph(stage, `${words.found} ${onOneLine(found.value)} (${found.where})`, '  ')
      : []),
    ...notes,
    ...aside.flatMap((text) => paragraph(stage, text, '  ')),
    ...(heads ? [paint('bold', `  ${' '.repeat(wide)}  ${heads.join('  ')}`)] : []),
    ...(pointer === undefined ? [] : [...keyLines(stage, question), paint('bold', pointer)]),
  ].join('\n')
}

/** Where a value is found, how to type it, and what applies without one: a line each. */
export function typingHints({
  kind,
  hint,
  typing,
  example,
  proposal,
  must,
  fallback,
}: Question): readonly string[] {
  const empty = must === undefined ? `default: ${fallback}` : `required: ${must}`
  const form = [
    ...(hints[kind] === undefined ? [] : [hints[kind]]),
    ...(proposal === undefined && hint === undefined && example !== undefined
      ? [`for example ${example}`]
      : []),
  ].join('; ')
  const where = [hint, typing].filter(Boolean).join('; ')
  return [where, form, proposal === undefined ? empty : ''].filter((line) => line !== '')
}

function inRed(stage: Stage, text: string): readonly string[] {
  return paragraph(stage, text, '  ').map((line) => stage.paint('red', line))
}

/** Also why choices cannot be selected, as much as leaves room for the question itself. */
function helpLines(stage: Stage, { help, choices = [] }: Question): readonly string[] {
  const reasons = choices.flatMap(({ name, cannot }) =>
    cannot === undefined ? [] : `${name} ${words.unavailable}: ${cannot}`,
  )
  const lines = [...help, ...reasons].flatMap((text) => paragraph(stage, text, '  '))
  const room = Math.max(2, stage.size().rows - 12)
  return lines.length <= room
    ? lines
    : [...lines.slice(0, room - 1), `  ${stage.script.signs.more}`]
}

/** The keys stand out, and each stays beside what it does. */
function keyLines({ paint, script, size }: Stage, question: Question): readonly string[] {
  const { choices, unset, proposal, step } = question
  const keys: readonly (readonly [string, string])[] = [
    ['enter', choices ? 'select' : 'accept'],
    ...(!choices && proposal !== undefined ? [['tab', 'edit'] as const] : []),
    ...(unset ? [['ctrl-x', 'unset'] as const] : []),
    ...(choices ? [['type', 'filter'] as const] : []),
    ['?', 'help'],
    ['esc', 'back'],
    ['ctrl-c', 'quit'],
  ]
  const { between } = script.signs
  const text = [
    ...(step === undefined ? [] : [step]),
    ...keys.map(([key, does]) => `${key}\u00a0${does}`),
  ].join(between)
  return fold(text, 2, size().columns - 1).map((line) => {
    const whole = line.split(between.trim()).flatMap((part) => part.trim() || [])
    return `  ${whole.join(between).replace(/(\S+)\u00a0/g, (_, key: string) => `${paint('bold', key)} `)}`
  })
}

/** All styles are set here: inquirer's colors ignore NO_COLOR and the stream. */
function themeOf(stage: Stage, question: Question) {
  const { paint, script } = stage
  const as = (text: string) => text
  return {
    prefix: '?',
    icon: { cursor: script.signs.pointer },
    style: {
      answer: as,
      message: as,
      description: as,
      searchTerm: as,
      error: (text: string) => inRed(stage, text).join('\n'),
      defaultAnswer: (text: string) => paint('dim', show(stage, text)),
      disabled: (text: string) => paint('dim', `- ${text}`),
      highlight: (text: string) => paint('bold', text),
      keysHelpTip: () => keyLines(stage, question).join('\n'),
    },
  }
}

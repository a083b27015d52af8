// Asks one question on a terminal, with inquirer's search or input prompt.
import { emitKeypressEvents } from 'node:readline'
import input from '@inquirer/input'
import search from '@inquirer/search'
import { words } from '../present/signs.ts'
import { cut, widthOf } from '../present/width.ts'
import { fold } from '../present/wrap.ts'
import { onOneLine, type Choice, type Kind, type Question } from '../wizard/question.ts'
import type { Keyboard } from './keyboard.ts'
import { paragraph, show, type Stage } from './stage.ts'

export type Reply =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'skip' }
  | { readonly kind: 'back' }
  /** Removes the setting from the profile. */
  | { readonly kind: 'unset' }
  /** The input ended. */
  | { readonly kind: 'left' }

export type Ask = (question: Question) => Promise<Reply>

/** Joins the lines of a paste into one answer. */
const pasteSeparators: Readonly<Record<Kind, string>> = {
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
const maxRows = 12

/** Why a prompt was aborted by a key, or by the terminal. */
type AbortReason = 'help' | 'back' | 'unset' | 'left' | 'redrawn'

/** The prompt is erased once it is answered; the caller prints the line that stays. */
export function createAsk(stage: Stage, keyboard: Keyboard, output: NodeJS.WritableStream): Ask {
  return async (question) => {
    let notes: readonly string[] = []
    let isHelp = false
    for (;;) {
      const line: string[] = []
      const result = await keyboard.withKeys(pasteSeparators[question.kind], (keys) =>
        prompt({ stage, question, notes, keys, line, output }),
      )
      const closesHelp = result === 'back' && isHelp
      const reply = typeof result === 'string' ? replyToKey(result, question) : result
      if (result !== 'redrawn') isHelp = result === 'help'
      if (closesHelp) notes = []
      else if (reply?.kind === 'problem') notes = redLines(stage, reply.text)
      else if (reply) return reply
      else if (result === 'help') notes = helpLines(stage, question)
      keyboard.sendAgain(line.join(''))
    }
  }
}

interface Problem {
  readonly kind: 'problem'
  readonly text: string
}

/** `undefined` if the question is only asked again. */
function replyToKey(key: AbortReason, { unset }: Question): Reply | Problem | undefined {
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

interface PromptOptions {
  readonly stage: Stage
  readonly question: Question
  /** Help or an error, shown below the title. */
  readonly notes: readonly string[]
  readonly keys: NodeJS.ReadableStream
  /** Keys that edited the line, or the lines of a block; none once it is entered. */
  readonly line: string[]
  readonly output: NodeJS.WritableStream
}

async function prompt(options: PromptOptions): Promise<Reply | Problem | AbortReason> {
  const { stage, question, keys, line, output } = options
  const controller = new AbortController()
  const abort = (key: AbortReason) => {
    controller.abort(key)
  }
  abortOnKeys(options, abort)
  const stop = stage.onResize(() => {
    abort('redrawn')
  })
  const context = { input: keys, output, clearPromptOnDone: true, signal: controller.signal }
  try {
    const text = await promptByKind(options, context)
    line.length = 0
    return text === '' ? replyToEmptyLine(question) : checkedReply(question, text)
  } catch (thrown) {
    const reason: unknown = controller.signal.reason
    if (isKey(reason)) return reason
    throw thrown
  } finally {
    stop()
  }
}

/** Emptying a line with a value removes the setting, or the entries of a list or map. */
function replyToEmptyLine(question: Question): Reply | Problem | AbortReason {
  const { unset, current, proposal, kind, must } = question
  if (unset && current !== undefined) return 'unset'
  if (proposal !== undefined && ['list', 'pairs'].includes(kind)) return checkedReply(question, '')
  return must === undefined ? { kind: 'skip' } : { kind: 'problem', text: 'a value is required' }
}

function checkedReply({ check }: Question, text: string): Reply | Problem {
  const problem = check(text)
  return problem === undefined ? { kind: 'answer', text } : { kind: 'problem', text: problem }
}

function isKey(reason: unknown): reason is AbortReason {
  return typeof reason === 'string'
}

/** Aborts the prompt on keys that inquirer does not handle. `?` shows help only before any other input. */
function abortOnKeys(
  { keys, question, line }: PromptOptions,
  abort: (key: AbortReason) => void,
): void {
  let typed = false
  emitKeypressEvents(keys)
  keys.on('keypress', (_: string | undefined, { name, ctrl, sequence = '' }: Keypress) => {
    if (name === 'escape') abort('back')
    else if (name === 'f1' || (sequence === '?' && !typed)) abort('help')
    // Without this, tab would copy the whole row into the filter.
    else if (name === 'tab' && question.choices) abort('redrawn')
    else if (ctrl && name === 'x') abort('unset')
    // Readline closes at the end of the input, so the prompt would never resolve.
    else if (ctrl && name === 'd') abort('left')
    else {
      typed ||= name === 'tab' || /^[^\p{Cc}]+$/u.test(sequence)
      const isEnter = name === 'return' || name === 'enter'
      if (!isEnter || question.kind === 'block') line.push(sequence)
    }
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

function promptByKind(asked: PromptOptions, context: Context): Promise<string> {
  const { question } = asked
  if (question.choices) return choose(asked, question.choices, context)
  return question.kind === 'block' ? typeLines(asked, context) : typeLine(asked, context)
}

function typeLine({ stage, question, notes }: PromptOptions, context: Context): Promise<string> {
  const { proposal } = question
  const config = {
    message: promptHeader(stage, question, notes, stage.charset.signs.pointer),
    theme: themeOf(stage, question),
    // Empty: the question is skipped, or the value unset.
    validate: (text: string) => text.trim() === '' || (question.check(text.trim()) ?? true),
    ...(proposal !== undefined && { default: proposal }),
  }
  return input(config, context).then((text) => text.trim())
}

/** One prompt for each line, until an empty one. */
async function typeLines(
  { stage, question, notes }: PromptOptions,
  context: Context,
): Promise<string> {
  const lines: string[] = []
  for (;;) {
    const pasted = lines.length === 1 ? '1 line' : `${lines.length} lines`
    const count = lines.length > 0 ? [`  ${pasted}: ${show(stage, lines[0] ?? '')}`] : []
    const message = promptHeader(stage, question, [...notes, ...count], stage.charset.signs.pointer)
    const line = await input({ message, theme: themeOf(stage, question) }, context)
    if (line.trim() === '') return lines.join('\n')
    lines.push(line)
  }
}

async function choose(
  { stage, question, notes }: PromptOptions,
  choices: readonly Choice[],
  context: Context,
): Promise<string> {
  const rows = choiceRows(stage, question, choices)
  const theme = themeOf(stage, question)
  const pageSize = Math.max(3, Math.min(maxRows, stage.size().rows - 10 - notes.length))
  const proposed = defaultChoice(question, choices)
  const noneAvailable = choices.every(({ cannot }) => cannot !== undefined)
  const shownNotes = noneAvailable
    ? [...notes, ...redLines(stage, 'all choices are unavailable; esc goes back')]
    : notes
  return search(
    {
      theme,
      pageSize,
      message: `${promptHeader(stage, question, shownNotes)}\n  ${rows.length > pageSize ? `${rows.length} choices; ` : ''}filter:`,
      source: (typed = '') => rows.filter((_, at) => matches(choices[at], typed)),
      ...(proposed !== undefined && { default: proposed }),
    },
    context,
  )
}

/** Whether the choice contains every typed word. */
function matches(choice: Choice | undefined, typed: string): boolean {
  const { value = '', name = '', note = '' } = choice ?? {}
  const text = `${value} ${name} ${note}`.toLowerCase()
  return typed
    .toLowerCase()
    .split(' ')
    .every((word) => text.includes(word))
}

function defaultChoice({ proposal }: Question, choices: readonly Choice[]): string | undefined {
  const available = choices.filter(({ cannot }) => cannot === undefined)
  const recommended = available.find((choice) => choice.recommended !== undefined)
  return (available.find(({ value }) => value === proposal) ?? recommended ?? available.at(0))
    ?.value
}

interface Row {
  readonly value: string
  readonly name: string
  readonly disabled: string | false
  readonly description: string
}

/** Room beside a name for the mark of an unavailable choice. */
const markSpace = widthOf(`  ${words.unavailable}…`)

/** Long names are cut, so that a row with its cells fits on one line. */
function columnsFor(stage: Stage, { columns: headings = [] }: Question, all: readonly Choice[]) {
  const cellWidths = headings.map((head, at) =>
    Math.max(widthOf(head), ...all.map(({ cells = [] }) => widthOf(cells[at] ?? ''))),
  )
  const cellSpace = cellWidths.reduce((sum, width) => sum + 2 + width, 0)
  const space = stage.size().columns - 4 - Math.max(markSpace, cellSpace)
  const longest = Math.max(0, ...all.map(({ name }) => widthOf(show(stage, name))))
  return { cellWidths, nameWidth: Math.min(longest, Math.max(8, space)) }
}

/** Names and cells in columns; other details of a choice beside them, or below the list. */
function choiceRows(stage: Stage, question: Question, choices: readonly Choice[]): readonly Row[] {
  const columns = stage.size().columns - 4
  const names = choices.map(({ name }) => show(stage, name))
  const { cellWidths, nameWidth } = columnsFor(stage, question, choices)
  return choices.map((choice, index) => {
    const name = truncate(stage, names[index] ?? '', nameWidth)
    const cells = cellWidths.map((width, at) => `  ${(choice.cells?.[at] ?? '').padStart(width)}`)
    const row = `${name}${' '.repeat(Math.max(0, nameWidth - widthOf(name)))}${cells.join('')}`
    const marks = show(stage, choiceMarks(choice, question))
    const fits = widthOf(row) + 2 + widthOf(marks) <= columns
    const rowWithMarks = fits && marks !== '' ? `${row}  ${marks}` : row
    const { cannot, recommended, note } = choice
    const detail = [
      name === names[index] ? undefined : choice.name,
      cannot === undefined ? undefined : `${words.unavailable}: ${cannot}`,
      recommended === undefined ? undefined : `${words.recommended}: ${recommended}`,
      fits || cannot !== undefined ? undefined : note,
    ].filter((part) => part !== undefined)
    return {
      value: choice.value,
      name: cannot === undefined ? rowWithMarks.trimEnd() : row,
      disabled:
        cannot !== undefined &&
        ` ${truncate(stage, show(stage, `${words.unavailable}: ${cannot}`), columns - widthOf(row) - 2)}`,
      description: detail.flatMap((part) => paragraph(stage, part)).join('\n'),
    }
  })
}

function truncate({ charset }: Stage, text: string, columns: number): string {
  const { more } = charset.signs
  const short = cut(text, Math.max(more.length, columns - more.length + 1))
  return short === text ? text : short.slice(0, -1) + more
}

/** Words, not colors alone, mark the state of a choice. */
export function choiceMarks(
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
function promptHeader(
  stage: Stage,
  question: Question,
  notes: readonly string[],
  pointer?: string,
): string {
  const { title, found, columns: headings, choices, unset } = question
  const { paint } = stage
  const hintLines = [
    ...(choices ? [] : typingHints(question)),
    ...(unset ? [`default: ${unset.then}`] : []),
  ].filter(Boolean)
  const { nameWidth, cellWidths } = columnsFor(stage, question, choices ?? [])
  const heads = (headings ?? []).map((head, at) => `  ${head.padStart(cellWidths[at] ?? 0)}`)
  return [
    ...paragraph(stage, title).map((line) => paint('bold', line.trimStart())),
    ...(found ? paragraph(stage, `${words.found} ${onOneLine(found.value)} (${found.where})`) : []),
    ...notes,
    ...hintLines.flatMap((text) => paragraph(stage, text)),
    ...(headings ? [paint('bold', `  ${' '.repeat(nameWidth)}${heads.join('')}`)] : []),
    ...(pointer === undefined ? [] : [...keyLines(stage, question), paint('bold', pointer)]),
  ].join('\n')
}

/** Where to find the value, its format, and the default: a line each. */
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

function redLines(stage: Stage, text: string): readonly string[] {
  return paragraph(stage, text).map((line) => stage.paint('red', line))
}

/** Help, and why choices are unavailable, truncated so that the question stays visible. */
function helpLines(stage: Stage, { help, choices = [] }: Question): readonly string[] {
  const reasons = choices.flatMap(({ name, cannot }) =>
    cannot === undefined ? [] : `${name} ${words.unavailable}: ${cannot}`,
  )
  const lines = [...help, ...reasons].flatMap((text) => paragraph(stage, text))
  const room = Math.max(2, stage.size().rows - 12)
  return lines.length <= room
    ? lines
    : [...lines.slice(0, room - 1), `  ${stage.charset.signs.more}`]
}

/** Keys are bold; a non-breaking space keeps each key next to its action. */
function keyLines({ paint, charset, size }: Stage, question: Question): readonly string[] {
  const { choices, unset, proposal, step } = question
  const keys: readonly (readonly [string, string])[] = [
    ['enter', choices ? 'select' : 'accept'],
    ...(!choices && proposal !== undefined ? [['tab', 'edit'] as const] : []),
    ...(unset ? [['ctrl-x', 'unset'] as const] : []),
    ...(choices ? [['type', 'filter'] as const] : []),
    // In a line, `?` is a part of the answer.
    [choices ? '?' : 'f1', 'help'],
    ['esc', 'back'],
    ['ctrl-c', 'quit'],
  ]
  const { between } = charset.signs
  const text = [
    ...(step === undefined ? [] : [step]),
    ...keys.map(([key, action]) => `${key}\u00a0${action}`),
  ].join(between)
  return fold(text, 2, size().columns - 1).map((line) => {
    const whole = line.split(between.trim()).flatMap((part) => part.trim() || [])
    return `  ${whole.join(between).replace(/(\S+)\u00a0/g, (_, key: string) => `${paint('bold', key)} `)}`
  })
}

/** All styles are set here: inquirer's colors ignore NO_COLOR and the stream. */
function themeOf(stage: Stage, question: Question) {
  const { paint, charset } = stage
  const unstyled = (text: string) => text
  return {
    prefix: '?',
    icon: { cursor: charset.signs.pointer },
    style: {
      answer: unstyled,
      message: unstyled,
      description: unstyled,
      searchTerm: unstyled,
      error: (text: string) => redLines(stage, text).join('\n'),
      defaultAnswer: (text: string) => paint('dim', show(stage, text)),
      disabled: (text: string) => paint('dim', `- ${text}`),
      highlight: (text: string) => paint('bold', text),
      keysHelpTip: () => keyLines(stage, question).join('\n'),
    },
  }
}

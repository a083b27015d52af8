// Asks in plain lines, for screen readers and terminals without cursor control.
import { words } from '../present/signs.ts'
import { onOneLine, type Kind, type Question } from '../wizard/question.ts'
import { tailOf, typingHints } from './ask.ts'
import type { Said } from './said.ts'
import { show, type Stage } from './stage.ts'
import type { TypedLines } from './typed-lines.ts'

const signs = { help: '?', back: '<', skip: '-', unset: '~' } as const

/** Kinds whose answer may have several lines. */
const lineJoints: Readonly<Partial<Record<Kind, string>>> = { list: ', ', pairs: ', ' }

const how: Readonly<Record<Kind, string>> = {
  choice: 'Type a number or a name.',
  confirm: 'Type yes or no.',
  text: 'Type a value.',
  list: 'Type values; separate them with commas.',
  pairs: 'Type key=value; separate multiple values with commas.',
  block: 'Paste the text.',
}

/** Prints each line once and unwrapped: the terminal or the screen reader wraps it. */
export async function askLinear(
  stage: Stage,
  question: Question,
  lines: TypedLines,
): Promise<Said> {
  const say = (text: string) => {
    stage.say(show(stage, text))
  }
  for (const line of asked(question)) say(line)
  for (;;) {
    const first = await lines.next()
    if (first === undefined) return { kind: 'left' }
    const pasted = [first, ...(await lines.rest())].filter((line) => line.trim() !== '')
    const { kind } = question
    const joint = { ...lineJoints, block: '\n' }[kind]
    if (joint === undefined && pasted.length > 1)
      say(`The answer is one line; ${pasted.length - 1} more were not used.`)
    const text = joint === undefined ? (pasted[0] ?? '') : pasted.join(joint)
    const said = understood(text.trim(), question)
    if (typeof said !== 'string') return said
    for (const line of said.split('\n')) say(line)
  }
}

function asked(question: Question): readonly string[] {
  const { title, step, kind, choices = [], columns, found, current, proposal, unset } = question
  const take = proposal === undefined ? 'uses the default' : `selects ${onOneLine(proposal)}`
  return [
    '',
    step === undefined ? title : `${title} (${step})`,
    ...(found ? [`${words.found}: ${onOneLine(found.value)}, in ${found.where}`] : []),
    ...(current === undefined ? [] : [`${words.current}: ${onOneLine(current)}`]),
    ...(columns ? [`columns: ${columns.join(', ')}`] : []),
    ...choices.map((choice, index) => {
      const { name, cells = [], recommended } = choice
      const tail = tailOf(choice, question)
      const why = recommended === undefined ? '' : ` (${recommended})`
      return [`${index + 1}. ${name}`, ...cells, ...(tail === '' ? [] : [tail + why])].join(', ')
    }),
    ...(choices.length > 0 ? [] : typingHints(question)),
    `${how[kind]} An empty line ${take}; ${signs.help} shows help, ${signs.back} goes back, ${signs.skip} uses the default.`,
    ...(unset ? [`${signs.unset} unsets it: ${unset.then}`] : []),
  ]
}

/** The reply, or the text to print instead. */
function understood(text: string, question: Question): Said | string {
  const { must, help, choices = [], unset, proposal } = question
  if (text === signs.help) return help.join('\n')
  if (text === signs.back) return { kind: 'back' }
  if (text === signs.unset && unset)
    return unset.cannot === undefined ? { kind: 'unset' } : `${words.cannotUnset}: ${unset.cannot}`
  if (text === signs.skip || (text === '' && proposal === undefined))
    return must ?? { kind: 'skip' }
  if (text === '' && proposal !== undefined) return judged(proposal, question)
  const lower = text.toLowerCase()
  const choice =
    choices.find(({ value, name, aliases = [] }) =>
      [value, name, ...aliases].some((word) => word.toLowerCase() === lower),
    ) ?? (/^\d+$/.test(text) ? choices[Number(text) - 1] : undefined)
  if (choices.length > 0 && !choice) return `There is no choice ${text}.`
  if (choice?.cannot !== undefined) return `${words.unavailable}: ${choice.cannot}`
  return judged(choice?.value ?? text, question)
}

function judged(text: string, { check }: Question): Said | string {
  return check(text) ?? { kind: 'answer', text }
}

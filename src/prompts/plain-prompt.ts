// Asks in plain lines, for screen readers and terminals without cursor control.
import { words } from '../present/signs.ts'
import { redactSecrets } from '../text/secrets.ts'
import { onOneLine, type Kind, type Question } from '../wizard/question.ts'
import { choiceMarks, type Reply, typingHints } from './ask.ts'
import { show, type Stage } from './stage.ts'
import type { TypedLines } from './typed-lines.ts'

const commands = { help: '?', back: '<', skip: '-', unset: '~' } as const

/** Joins the lines of an answer that may have several. */
const lineSeparators: Readonly<Partial<Record<Kind, string>>> = {
  list: ', ',
  pairs: ', ',
  block: '\n',
}

const instructions: Readonly<Record<Kind, string>> = {
  choice: 'Type a number or a name.',
  confirm: 'Type yes or no.',
  text: 'Type a value.',
  list: 'Type values; separate them with commas.',
  pairs: 'Type key=value; separate multiple values with commas.',
  block: 'Paste the text.',
}

/** Prints each line once and unwrapped: the terminal or the screen reader wraps it. */
export async function askInPlainLines(
  stage: Stage,
  question: Question,
  lines: TypedLines,
): Promise<Reply> {
  const print = (text: string) => {
    stage.print(show(stage, text))
  }
  for (const line of questionLines(question)) print(line)
  for (;;) {
    const first = await lines.next()
    if (first === undefined) return { kind: 'left' }
    const pasted = [first, ...(await lines.restOfPaste())].filter((line) => line.trim() !== '')
    const separator = lineSeparators[question.kind]
    if (separator === undefined && pasted.length > 1)
      print(`The answer is one line; ${pasted.length - 1} more were not used.`)
    const text = separator === undefined ? (pasted[0] ?? '') : pasted.join(separator)
    const reply = parseReply(text.trim(), question)
    if (typeof reply !== 'string') return reply
    for (const line of reply.split('\n')) print(line)
  }
}

function questionLines(question: Question): readonly string[] {
  const {
    title,
    step,
    kind,
    choices = [],
    columns,
    found,
    current,
    proposal,
    unset,
    must,
  } = question
  const proposed = choices.find(({ value }) => value === proposal)?.name ?? proposal
  // A menu sets no field, so it has no default.
  const skipAction = question.paths.length > 0 ? 'uses the default' : `means: ${question.fallback}`
  const emptyAction = proposed === undefined ? skipAction : `selects ${onOneLine(proposed)}`
  const keys = [
    `${commands.help} shows help`,
    `${commands.back} goes back`,
    ...(must === undefined ? [`${commands.skip} ${skipAction}`] : []),
  ].join(', ')
  const acceptsEmpty = proposed !== undefined || must === undefined
  return [
    '',
    step === undefined ? title : `${title} (${step})`,
    ...(found ? [`${words.found}: ${onOneLine(found.value)}, in ${found.where}`] : []),
    ...(current === undefined ? [] : [`${words.current}: ${onOneLine(current)}`]),
    ...(columns ? [`columns: ${columns.join(', ')}`] : []),
    ...choices.map((choice, index) => {
      const { name, cells = [], recommended } = choice
      const marks = choiceMarks(choice, question)
      const why = recommended === undefined ? '' : ` (${recommended})`
      return [`${index + 1}. ${name}`, ...cells, ...(marks === '' ? [] : [marks + why])].join(', ')
    }),
    ...(choices.length > 0 ? [] : typingHints(question)),
    `${instructions[kind]} ${acceptsEmpty ? `An empty line ${emptyAction}; ` : ''}${keys}.`,
    ...(unset ? [`${commands.unset} unsets it: ${unset.then}`] : []),
  ]
}

/** The reply, or the text to print instead. */
function parseReply(text: string, question: Question): Reply | string {
  const { must, help, choices = [], unset, proposal } = question
  if (text === commands.help) return help.join('\n')
  if (text === commands.back) return { kind: 'back' }
  if (text === commands.unset && unset)
    return unset.cannot === undefined ? { kind: 'unset' } : `${words.cannotUnset}: ${unset.cannot}`
  if (text === commands.skip || (text === '' && proposal === undefined))
    return must ?? { kind: 'skip' }
  if (text === '' && proposal !== undefined) return checkedReply(proposal, question)
  const lower = text.toLowerCase()
  const choice =
    choices.find(({ value, name, aliases = [] }) =>
      [value, name, ...aliases].some((word) => word.toLowerCase() === lower),
    ) ?? (/^\d+$/.test(text) ? choices[Number(text) - 1] : undefined)
  if (choices.length > 0 && !choice) return `There is no choice ${redactSecrets(text)}.`
  if (choice?.cannot !== undefined) return `${words.unavailable}: ${choice.cannot}`
  return checkedReply(choice?.value ?? text, question)
}

function checkedReply(text: string, { check }: Question): Reply | string {
  return check(text) ?? { kind: 'answer', text }
}

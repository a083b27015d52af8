// Asks the questions of the engine one after another, until none is left.
import { onOneLine, type Engine, type Question } from '../wizard/question.ts'
import type { Ask } from './ask.ts'
import { fold } from '../present/wrap.ts'
import { show, type Stage } from './stage.ts'

/** The input ended before the questions did. */
export class InputEnded extends Error {
  override name = 'InputEnded'
}

export async function interview<Session>(
  engine: Engine<Session>,
  first: Session,
  { ask, stage }: { readonly ask: Ask; readonly stage: Stage },
): Promise<Session> {
  let session = first
  const said: boolean[] = []
  for (;;) {
    const question = engine.nextQuestion(session)
    if (!question) return session
    const reply = await ask(question)
    if (reply.kind === 'left') throw new InputEnded('the input ended')
    if (reply.kind === 'back') {
      session = engine.back(session)
      // Without an answer since, the text above is a review.
      if (said.pop()) stage.unsay()
      continue
    }
    const isSaid = reply.kind === 'answer'
    // The questions that follow show what a menu selected.
    const isField = question.paths.length > 0
    said.push(isField)
    if (isField) {
      const answer = isSaid ? shownAs(question, reply.text) : without(reply.kind, question)
      const isTyped = isSaid && reply.text !== question.proposal
      stage.say(answeredLine(stage, question, answer, isTyped))
    }
    session = isSaid
      ? engine.answer(session, question, reply.text)
      : engine[reply.kind](session, question)
  }
}

function without(kind: 'skip' | 'unset', { fallback, unset }: Question): string {
  return `(${kind === 'skip' ? fallback : `default: ${unset?.then ?? ''}`})`
}

function shownAs({ choices = [], shown }: Question, text: string): string {
  return choices.find(({ value }) => value === text)?.name ?? onOneLine(shown(text))
}

/** The line that remains of a question: a typed answer is bold, a default is not. */
export function answeredLine(
  stage: Stage,
  { title }: Question,
  answer: string,
  isSaid: boolean,
): string {
  const { paint, script, size } = stage
  const asked = show(stage, title.endsWith('?') ? title : `${title}:`)
  const text = fold(`${asked} ${show(stage, answer)}`, 2, size().columns - 1).join('\n')
  const said = text.slice(asked.length)
  const shown = isSaid ? said.replace(/[^\n]+/g, (line) => paint('bold', line)) : said
  const lines = `${text.slice(0, asked.length)}${shown}`.replaceAll('\n', '\n  ')
  return `${paint('green', script.signs.done)} ${lines}`
}

// Asks the questions of the engine one after another, until none is left.
import { engine } from '../wizard/engine.ts'
import { onOneLine, type Question } from '../wizard/question.ts'
import type { Session } from '../wizard/session.ts'
import type { Ask } from './ask.ts'
import { fold } from '../present/wrap.ts'
import { show, type Stage } from './stage.ts'

/** The input ended before all questions were answered. */
export class InputEnded extends Error {
  override name = 'InputEnded'
}

export async function interview(
  first: Session,
  { ask, stage }: { readonly ask: Ask; readonly stage: Stage },
): Promise<Session> {
  let session = first
  const printed: boolean[] = []
  for (;;) {
    const question = engine.nextQuestion(session)
    if (!question) return session
    const reply = await ask(question)
    if (reply.kind === 'left') throw new InputEnded('the input ended')
    if (reply.kind === 'back') {
      session = engine.back(session)
      // A question without a printed answer follows a review, which must stay.
      if (printed.pop()) stage.erase()
      continue
    }
    const isAnswer = reply.kind === 'answer'
    // The answer to a menu is not printed: the next questions show it.
    const isField = question.paths.length > 0
    printed.push(isField)
    if (isField) {
      const answer = isAnswer
        ? answerText(question, reply.text)
        : textWithoutAnswer(reply.kind, question)
      const isTyped = isAnswer && reply.text !== question.proposal
      stage.print(answeredLine(stage, question, answer, isTyped))
    }
    session = isAnswer
      ? engine.answer(session, question, reply.text)
      : engine[reply.kind](session, question)
  }
}

function textWithoutAnswer(kind: 'skip' | 'unset', { fallback, unset }: Question): string {
  return `(${kind === 'skip' ? fallback : `default: ${unset?.then ?? ''}`})`
}

function answerText({ choices = [], shown }: Question, text: string): string {
  return choices.find(({ value }) => value === text)?.name ?? onOneLine(shown(text))
}

/** The line that replaces an answered question: a typed answer is bold, a default is not. */
export function answeredLine(
  stage: Stage,
  { title }: Question,
  answer: string,
  isTyped: boolean,
): string {
  const { paint, charset, size } = stage
  const asked = show(stage, title.endsWith('?') ? title : `${title}:`)
  const text = fold(`${asked} ${show(stage, answer)}`, 2, size().columns - 1).join('\n')
  const answerPart = text.slice(asked.length)
  const shown = isTyped ? answerPart.replace(/[^\n]+/g, (line) => paint('bold', line)) : answerPart
  const lines = `${text.slice(0, asked.length)}${shown}`.replaceAll('\n', '\n  ')
  return `${paint('green', charset.signs.done)} ${lines}`
}

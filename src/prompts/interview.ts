// Interview: asks question after question, until nothing is left to ask.
import type { Engine, Question } from '../wizard/question.ts'
import type { Ask } from './ask.ts'
import { answeredLine } from './frame.ts'
import type { Stage } from './stage.ts'

/** Nobody can answer any more: the input came to its end. */
export class InputEnded extends Error {
  override name = 'InputEnded'
}

export async function interview<Session>(
  engine: Engine<Session>,
  first: Session,
  { ask, stage }: { readonly ask: Ask; readonly stage: Stage },
): Promise<Session> {
  let session = first
  for (;;) {
    const question = engine.nextQuestion(session)
    if (!question) return session
    const said = await ask(question)
    if (said.kind === 'left') throw new InputEnded('the input ended')
    if (said.kind === 'back') {
      session = engine.back(session)
      continue
    }
    stage.say(
      answeredLine(
        stage,
        question,
        said.kind === 'answer' ? shownAs(question, said.text) : without(said.kind, question),
        said.kind === 'answer',
      ),
    )
    session =
      said.kind === 'answer'
        ? engine.answer(session, question, said.text)
        : engine[said.kind](session, question)
  }
}

function without(kind: 'skip' | 'unset', { fallback, unset }: Question): string {
  return `(${kind === 'skip' ? fallback : `unset: ${unset?.then ?? ''}`})`
}

function shownAs({ kind, choices = [] }: Question, text: string): string {
  if (kind === 'block') return `${text.split('\n').length} lines`
  return choices.find(({ value }) => value === text)?.name ?? text
}

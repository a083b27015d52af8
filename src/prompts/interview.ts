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
        said.kind === 'skip' ? skipped(question) : shownAs(question, said.text),
      ),
    )
    session =
      said.kind === 'skip'
        ? engine.skip(session, question)
        : engine.answer(session, question, said.text)
  }
}

function skipped({ fallback }: Question): string {
  return `(${fallback})`
}

function shownAs({ kind, choices = [] }: Question, text: string): string {
  if (kind === 'block') return `${text.split('\n').length} lines`
  return choices.find(({ value }) => value === text)?.name ?? text
}

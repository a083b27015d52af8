// The course of init: questions, review, and the end, repeated after each changed answer.
import type { Engine, Outcome, Question } from '../wizard/question.ts'
import type { Ask } from './ask.ts'
import {
  changeQuestion,
  clusterQuestion,
  endingQuestion,
  fileQuestion,
  isEnding,
  takenQuestion,
  type OfferedCluster,
} from './ending.ts'
import { InputEnded, interview } from './interview.ts'
import type { Stage } from './stage.ts'

export interface Talk<Session> {
  readonly engine: Engine<Session>
  /** A cluster whose settings can be read before the first question. */
  readonly offered: OfferedCluster | undefined
  /** The session with the settings of that cluster; `tell` prints what was found. */
  readonly readCluster: (tell: (line: string) => void) => Promise<{ readonly session: Session }>
  readonly ask: Ask
  readonly stage: Stage
  /** Drops keys typed before the review, which are no answer to it. */
  readonly forget: () => void
  /** The review. */
  readonly summary: (outcome: Outcome) => Promise<string>
  readonly out: string
  readonly bundle: string
  /** Whether `out` exists. */
  readonly replaces: boolean
  /** Why a file cannot be written instead. */
  readonly check: (file: string) => string | undefined
}

export interface Agreed {
  readonly outcome: Outcome
  readonly render: boolean
  readonly out: string
  /** Overwrite an existing file. */
  readonly replace: boolean
}

/** `undefined` where the user cancels. */
export async function converse<Session>(
  first: Session,
  talk: Talk<Session>,
): Promise<Agreed | undefined> {
  const { engine, stage, out, bundle, offered } = talk
  let session = first
  if (offered && (await answerTo(clusterQuestion(offered), talk)) === 'yes')
    ({ session } = await talk.readCluster(stage.say))
  for (;;) {
    session = await interview(engine, session, talk)
    const outcome = engine.outcome(session)
    stage.say(await talk.summary(outcome))
    talk.forget()
    const ending = await answerTo(endingQuestion(out, bundle), talk)
    if (ending === 'back') session = engine.back(session)
    else if (ending === 'change') {
      const id = await answerTo(changeQuestion(outcome.answers), talk)
      if (id !== undefined && id !== 'back') session = engine.ask(session, id)
    } else if (ending === undefined || !isEnding(ending) || ending === 'cancel') return undefined
    else {
      const place = talk.replaces ? await settle(talk) : { out, replace: false }
      if (place) return { outcome, render: ending === 'render', ...place }
    }
  }
}

/** Where to write instead of over an existing file; `undefined` returns to the review. */
async function settle<Session>(
  talk: Talk<Session>,
): Promise<Pick<Agreed, 'out' | 'replace'> | undefined> {
  const way = await answerTo(takenQuestion(talk.out), talk)
  if (way === 'replace') return { out: talk.out, replace: true }
  if (way !== 'another') return undefined
  const said = await talk.ask(fileQuestion(talk.check))
  if (said.kind === 'left') throw new InputEnded('the input ended')
  return said.kind === 'answer' ? { out: said.text, replace: false } : undefined
}

/** `undefined` where it is skipped. */
async function answerTo(
  question: Question,
  { ask }: Pick<Talk<unknown>, 'ask'>,
): Promise<string | undefined> {
  const said = await ask(question)
  if (said.kind === 'left') throw new InputEnded('the input ended')
  if (said.kind === 'answer') return said.text
  return said.kind === 'back' ? 'back' : undefined
}

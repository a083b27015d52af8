// The dialog of init: questions, review and final choice, repeated after each changed answer.
import { engine } from '../wizard/engine.ts'
import type { Outcome, Question } from '../wizard/question.ts'
import type { Session } from '../wizard/session.ts'
import type { Ask } from './ask.ts'
import {
  changeQuestion,
  clusterQuestion,
  endingQuestion,
  fileQuestion,
  existingFileQuestion,
  type OfferedCluster,
} from './ending.ts'
import { InputEnded, interview } from './interview.ts'
import type { Stage } from './stage.ts'

export interface InitDialog {
  /** A cluster whose settings can be read before the first question. */
  readonly offered: OfferedCluster | undefined
  /** The session with the settings of that cluster; `log` prints what was found. */
  readonly readCluster: (log: (line: string) => void) => Promise<Session>
  readonly ask: Ask
  readonly stage: Stage
  /** Drops keys typed before the review, so that they do not answer it. */
  readonly dropTypedAhead: () => void
  /** The review. */
  readonly summary: (outcome: Outcome) => Promise<string>
  readonly out: string
  readonly bundle: string
  /** Whether `out` exists. */
  readonly outExists: boolean
  /** Why another file cannot be written. */
  readonly check: (file: string) => string | undefined
}

export interface InitResult {
  readonly outcome: Outcome
  readonly render: boolean
  readonly out: string
  /** Overwrite an existing file. */
  readonly replace: boolean
}

/** `undefined` if the user cancels. */
export async function runDialog(
  first: Session,
  dialog: InitDialog,
): Promise<InitResult | undefined> {
  const { stage, out, bundle, offered } = dialog
  let session = first
  if (offered && (await askForText(clusterQuestion(offered), dialog)) === 'yes')
    session = await dialog.readCluster(stage.print)
  for (;;) {
    session = await interview(session, dialog)
    const outcome = engine.outcome(session)
    stage.print(await dialog.summary(outcome))
    dialog.dropTypedAhead()
    const ending = await askForText(endingQuestion(out, bundle), dialog)
    if (ending === 'back') session = engine.back(session)
    else if (ending === 'change') {
      const id = await askForText(changeQuestion(outcome.answers), dialog)
      if (id !== undefined && id !== 'back') session = engine.ask(session, id)
    } else if (ending !== 'write' && ending !== 'render') return undefined
    else {
      const target = dialog.outExists ? await askWhereToWrite(dialog) : { out, replace: false }
      if (target) return { outcome, render: ending === 'render', ...target }
    }
  }
}

/** Asks whether to overwrite the existing file or to write another; `undefined` returns to the review. */
async function askWhereToWrite(
  dialog: InitDialog,
): Promise<Pick<InitResult, 'out' | 'replace'> | undefined> {
  const choice = await askForText(existingFileQuestion(dialog.out), dialog)
  if (choice === 'replace') return { out: dialog.out, replace: true }
  if (choice !== 'another') return undefined
  const reply = await dialog.ask(fileQuestion(dialog.check))
  if (reply.kind === 'left') throw new InputEnded('the input ended')
  return reply.kind === 'answer' ? { out: reply.text, replace: false } : undefined
}

/** The answer; the default, if any, of a skipped question. */
async function askForText(
  question: Question,
  { ask }: Pick<InitDialog, 'ask'>,
): Promise<string | undefined> {
  const reply = await ask(question)
  if (reply.kind === 'left') throw new InputEnded('the input ended')
  if (reply.kind === 'answer') return reply.text
  return reply.kind === 'back' ? 'back' : question.proposal
}

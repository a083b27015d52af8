// A session answered by flags alone, without a terminal.
import { engine } from '../../wizard/engine.ts'
import {
  isList,
  isSameJson,
  leavesIn,
  valueAt,
  type Json,
  type JsonObject,
} from '../../model/json.ts'
import { formatPath } from '../../model/path.ts'
import { nearest } from '../../text/nearest.ts'
import { truncateMiddle } from '../../text/shortened.ts'
import type { Question } from '../../wizard/question.ts'
import { answerTo, type Session } from '../../wizard/session.ts'
import { Failure } from '../failure.ts'
import { nearestChoice } from '../nearest-choice.ts'
import { answersIn } from './answer-flags.ts'

/** Applies the answers of flags; throws one usage failure that lists every invalid one. */
export function withFlags(first: Session, flags: Readonly<Record<string, unknown>>): Session {
  const { session: opened, wrong } = withoutUnset(first, flags['unset'])
  let session = opened
  for (const { id, text } of answersIn(flags)) {
    const question = engine.question(session, id)
    const isGone = answerTo(session, id)?.from === 'unset'
    const problem = isGone ? '--unset removes it' : (question?.check(text) ?? unasked(question))
    if (problem === undefined) session = engine.give(session, id, text)
    else wrong.push(`--${id}: ${problem}${suggestion(question, text)}`)
  }
  const [problem, ...more] = wrong
  if (problem !== undefined) throw new Failure('usage', problem, more)
  return session
}

/** `; did you mean X?` for a typo in a choice. */
function suggestion(question: Question | undefined, text: string): string {
  const choices = question?.choices ?? []
  // A known choice is refused for another reason.
  if (choices.some(({ value }) => value === text)) return ''
  const offered = choices.flatMap(({ value, cannot }) => (cannot === undefined ? value : []))
  const meant = nearestChoice(text, offered)
  return meant === undefined ? '' : `; did you mean ${meant}?`
}

const unasked = (question: Question | undefined) => (question ? undefined : 'no such question')

/** Runs before the answers, which may set what it takes out. */
function withoutUnset(first: Session, names: unknown) {
  let session = first
  const wrong: string[] = []
  for (const name of isList(names) ? names.map(String) : []) {
    const question = engine.question(session, name)
    if (question?.unset) session = engine.unset(session, question)
    else wrong.push(`--unset ${name}: ${question ? notSetByProfile : noSuchName(first, name)}`)
  }
  return { session, wrong }
}

function noSuchName(session: Session, name: string): string {
  const meant = nearest(name, engine.unsettable(session))
  return `no such answer or field${meant === undefined ? '' : `; did you mean ${meant}?`}`
}

const notSetByProfile = 'the profile itself does not set it'

/** Skips the remaining questions, and returns them. */
export function skipAll(first: Session): {
  readonly session: Session
  readonly questions: readonly Question[]
} {
  let session = first
  const questions: Question[] = []
  for (let next = engine.nextQuestion(session); next; next = engine.nextQuestion(session)) {
    // A required question cannot be skipped and is asked again.
    if (questions.some(({ id }) => id === next.id)) break
    questions.push(next)
    session = engine.skip(session, next)
  }
  return { session, questions }
}

/** The failure that lists required answers; with `yes`, only those that have no default. */
export function missingAnswers(questions: readonly Question[], yes: boolean): Failure | undefined {
  const required = yes ? questions.filter(({ must }) => must !== undefined) : questions
  const fields = required.filter(({ paths }) => paths.length > 0)
  if (fields.length === 0) return undefined
  const lines = fields.map((one) => `--${one.id}: ${needed(one)}`)
  if (yes) return new Failure('usage', 'required flags are missing:', lines)
  return new Failure('usage', 'no terminal to ask on; missing flags:', [
    ...lines,
    '--yes uses the defaults',
  ])
}

/** The reason, and the command that prints the value; without a reason, the title. */
function needed({ title, must, hint }: Question): string {
  if (must === undefined) return title
  return hint === undefined ? must : `${must}; ${hint}`
}

/** What an edit changed: a flag also changes values that do not fit it, such as the version of the kubelet. */
export function changedValues(before: JsonObject, after: JsonObject): readonly string[] {
  return leavesIn(before).flatMap(({ path, value }) => {
    const now = valueAt(after, path)
    if (isSameJson(now, value)) return []
    const change = now === undefined ? 'removed' : `now ${textOf(now)}`
    return `${formatPath(path)}: was ${textOf(value)}, ${change}`
  })
}

const textOf = (value: Json) => truncateMiddle(JSON.stringify(value))

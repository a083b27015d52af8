// Sessions of the wizard for tests: answered from a table, or up to a question.
import { builtinBases } from '../../src/io/profiles/bases.ts'
import { engine } from '../../src/wizard/engine.ts'
import type { Question } from '../../src/wizard/question.ts'
import { menu } from '../../src/wizard/rows.ts'
import { baseOf, newSession, type SessionContext, type Session } from '../../src/wizard/session.ts'
import { today } from '../tools/bundle.ts'
import { root } from '../tools/run.ts'

export const bases = builtinBases(root).map(({ name, layers }) => baseOf(name, layers))
export const digest = `sha256:${'a'.repeat(64)}`

export function opening(more: Partial<SessionContext> = {}): Session {
  const [first, ...rest] = bases
  if (!first) throw new Error('there are built-in profiles')
  return newSession({
    bases: [first, ...rest],
    name: 'node',
    today,
    allowNewer: false,
    found: [],
    ...more,
  })
}

/** Answers what the table has an answer for, selects the other questions by name, and skips the rest. */
export function run(answers: Readonly<Record<string, string>>, session = opening()) {
  const asked: Question[] = []
  let at = session
  for (let question = engine.nextQuestion(at); question; question = engine.nextQuestion(at)) {
    const further = question.id === menu.id && unasked(answers, asked)
    if (further) {
      at = engine.ask(at, further)
      continue
    }
    asked.push(question)
    const text = answers[question.id]
    const problem = text === undefined ? question.must : question.check(text)
    if (problem !== undefined) throw new Error(`${question.id}: ${problem}`)
    at = text === undefined ? engine.skip(at, question) : engine.answer(at, question, text)
  }
  return { session: at, asked, ids: asked.map(({ id }) => id), outcome: engine.outcome(at) }
}

const unasked = (answers: Readonly<Record<string, string>>, asked: readonly Question[]) =>
  Object.keys(answers).find((id) => !asked.some((question) => question.id === id))

/** The session when that question comes. */
export function upTo(id: string, answers: Readonly<Record<string, string>>, session = opening()) {
  let at = session
  for (let question = engine.nextQuestion(at); question; question = engine.nextQuestion(at)) {
    if (question.id === id) return { at, question }
    if (question.id === menu.id) {
      at = engine.ask(at, id)
      continue
    }
    const text = answers[question.id]
    at = text === undefined ? engine.skip(at, question) : engine.answer(at, question, text)
  }
  throw new Error(`${id} is not asked`)
}

export const choice = (question: Question, value: string) =>
  question.choices?.find((each) => each.value === value)

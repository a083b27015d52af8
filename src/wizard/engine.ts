// The engine: selects the next question, and applies answers to the session.
import { compile } from '../compile.ts'
import type { Finding } from '../model/finding.ts'
import { isObject, type Json, valueAt } from '../model/json.ts'
import type { Path } from '../model/path.ts'
import { assumptionsOf } from '../profile/assumed.ts'
import { fieldOf } from '../profile/catalogue.ts'
import { questionOf, typedAnswerProblem, valueOfText } from './build-question.ts'
import { draftOf } from './draft.ts'
import { lazy } from './lazy.ts'
import type { Answered, GivingEngine, Outcome } from './question.ts'
import { effectiveValue, foundFor, hasOnlyDefault, proposalOf, unsetOf } from './proposal.ts'
import { codecFor, type Row } from './row.ts'
import { anotherField, rowAt, rowOf, rows } from './rows.ts'
import { isEqual } from './equal.ts'
import { answerTo, ask, back, withAnswer, type Given, type Session } from './session.ts'
import { errors, fieldsOf, isUnanswered, checkedOf, withoutConflicts } from './answer-check.ts'

function nextRow(session: Session): Row | undefined {
  if (session.next !== undefined) return rowOf(session.next)
  const isNew = ({ id }: Row) => !answerTo(session, id)
  return (
    rows.find((row) => isNew(row) && isRelevant(session, row)) ??
    session.extraFields.flatMap((path) => rowOf(path) ?? []).find(isNew) ??
    rowWithError(session) ??
    [anotherField].find(isNew)
  )
}

function isRelevant(session: Session, row: Row): boolean {
  if (row.ask === 'always') return !hasOnlyDefault(session, row)
  if (needsAnswer(session, row)) return true
  const found = session.context.found.find(({ path }) => isEqual(path, row.path))
  if (!found || isEqual(found.value, effectiveValue(session, row))) return false
  const { id, path } = row
  return !isUnread(withAnswer(session, { id, path, value: found.value, from: 'found' }), row)
}

/** Whether an error or a warning names its field. */
function needsAnswer(session: Session, row: Row): boolean {
  return findingsOn(session, row).some(({ severity }) => severity !== 'info')
}

/** Whether the field has no effect with the answers so far: the ids of the rules that say so end in -unread. */
function isUnread(session: Session, row: Row): boolean {
  return findingsOn(session, row).some(({ id }) => id.endsWith('-unread'))
}

function findingsOn(session: Session, row: Row): readonly Finding[] {
  return checkedOf(session).findings.filter((finding) =>
    fieldsOf(finding).some(({ path }) => isEqual(path, row.path)),
  )
}

/** The row of a field that an error names, preferably an unanswered one. */
function rowWithError(session: Session): Row | undefined {
  const named = errors(session).flatMap(fieldsOf)
  const open = named.find(({ path }) => isUnanswered(session, path)) ?? named.at(0)
  return open && rowAt(open.path)
}

function applyAnswer(session: Session, row: Row, given: Pick<Given, 'from' | 'value'>): Session {
  const { id, path } = row
  const next = withAnswer(session, { id, path, ...given })
  return given.value === undefined && given.from !== 'unset' ? next : withoutConflicts(next, id)
}

function answer(session: Session, id: string, text: string, from: Answered['from']): Session {
  const row = rowOf(id)
  const problem = row ? typedAnswerProblem(session, row, text) : `there is no question ${id}`
  if (!row || problem !== undefined) throw new Error(problem)
  if (row.path.length > 0)
    return applyAnswer(session, row, { from, value: valueOfText(session, row, text) })
  if (text === '') return applyAnswer(session, row, { from })
  return { ...ask(session, text), extraFields: [...session.extraFields, text] }
}

function outcome(session: Session): Outcome {
  const { context } = session
  const { base, patch, layers } = draftOf(session)
  const { today, name, allowNewer } = context
  const { facts, origin } = checkedOf(session)
  const { spec } = facts
  const compiled = lazy(() => compile(layers, name, today, allowNewer))
  return {
    base: base.name,
    patch,
    comments: session.answers.flatMap((given) => commentOn(session, given)),
    get compiled() {
      return compiled()
    },
    answers: session.answers.flatMap((given) => summaryLine(session, given)),
    open: assumptionsOf(spec, origin).filter(
      ({ path }) => !isConfirmed(session, path, isObject(spec) ? valueAt(spec, path) : undefined),
    ),
  }
}

/** A value detected in the cluster needs no comparison with it. */
function isConfirmed({ context }: Session, path: Path, value: Json | undefined): boolean {
  return context.found.some((found) => isEqual(found.path, path) && isEqual(found.value, value))
}

function commentOn(session: Session, { id, path, from }: Given): Outcome['comments'] {
  const row = rowOf(id)
  const what = fieldOf(path)?.what
  if (!row || what === undefined) return []
  const where = from === 'found' ? ` Found in ${foundFor(session, row)?.where ?? ''}.` : ''
  return [{ path, text: `${what}${where}` }]
}

function summaryLine(session: Session, { id, value, from }: Given): readonly Answered[] {
  const row = rowOf(id)
  if (!row || row.path.length === 0) return []
  const { encode } = codecFor(row)
  const usual = value ?? effectiveValue(session, row)
  const shown = usual === undefined ? '' : encode(usual)
  return [{ id, title: row.title, value: shown || (row.fallbackText ?? 'nothing is set'), from }]
}

export const engine: GivingEngine<Session> = {
  nextQuestion: (session) => {
    const row = nextRow(session)
    return row && questionOf(session, row)
  },
  question: (session, id) => {
    const row = rowOf(id)
    return row && questionOf(session, row)
  },
  answer: (session, { id }, text) => answer(session, id, text, 'answered'),
  give: (session, id, text) => answer(session, id, text, 'given'),
  skip: (session, { id }) => {
    const row = rowOf(id)
    return row ? applyAnswer(session, row, proposalOf(session, row).given) : session
  },
  unset: (session, { id }) => {
    const row = rowOf(id)
    if (!row || !unsetOf(session, row)) throw new Error(`${id} is not set by the profile`)
    return applyAnswer(session, row, { from: 'unset' })
  },
  back,
  ask,
  outcome,
}

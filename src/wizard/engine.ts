// The engine: which question comes next, and what an answer does to the session.
import { compile } from '../compile.ts'
import type { Finding } from '../model/finding.ts'
import { isObject, type Json, valueAt } from '../model/json.ts'
import type { Path } from '../model/path.ts'
import { assumptionsOf } from '../profile/assumed.ts'
import { fieldOf } from '../profile/catalogue.ts'
import { complaint, questionOf } from './asking.ts'
import { draftOf } from './draft.ts'
import { once } from './once.ts'
import type { Answered, GivingEngine, Outcome } from './question.ts'
import { effective, foundFor, isDerived, proposalOf, unsetOf } from './proposal.ts'
import { writingFor, type Row } from './row.ts'
import { another, rowAt, rowOf, rows } from './rows.ts'
import { isSame } from './same.ts'
import { answerTo, ask, back, withAnswer, type Given, type Session } from './session.ts'
import { errors, fieldsOf, isOpen, judgedOf, refit } from './verdict.ts'

function nextRow(session: Session): Row | undefined {
  if (session.next !== undefined) return rowOf(session.next)
  const isNew = ({ id }: Row) => !answerTo(session, id)
  return (
    rows.find((row) => isNew(row) && isWanted(session, row)) ??
    session.further.flatMap((path) => rowOf(path) ?? []).find(isNew) ??
    brokenRow(session) ??
    [another].find(isNew)
  )
}

function isWanted(session: Session, row: Row): boolean {
  if (row.ask === 'always') return !isDerived(session, row)
  if (isNamed(session, row)) return true
  const found = session.opening.found.find(({ path }) => isSame(path, row.path))
  if (!found || isSame(found.value, effective(session, row))) return false
  const { id, path } = row
  return !isUnread(withAnswer(session, { id, path, value: found.value, from: 'found' }), row)
}

/** An error or a warning is about its field. */
function isNamed(session: Session, row: Row): boolean {
  return namedBy(session, row).some(({ severity }) => severity !== 'info')
}

/** Nothing reads it beside the answers so far: rules that say so are called that. */
function isUnread(session: Session, row: Row): boolean {
  return namedBy(session, row).some(({ id }) => id.endsWith('-unread'))
}

function namedBy(session: Session, row: Row): readonly Finding[] {
  return judgedOf(session).findings.filter((finding) =>
    fieldsOf(finding).some(({ path }) => isSame(path, row.path)),
  )
}

/** Whose field an error names: rather one that nobody answered. */
function brokenRow(session: Session): Row | undefined {
  const named = errors(session).flatMap(fieldsOf)
  const open = named.find(({ path }) => isOpen(session, path)) ?? named.at(0)
  return open && rowAt(open.path)
}

function accept(session: Session, row: Row, given: Pick<Given, 'from' | 'value'>): Session {
  const { id, path } = row
  const next = withAnswer(session, { id, path, ...given })
  return given.value === undefined && given.from !== 'unset' ? next : refit(next, id)
}

function answer(session: Session, id: string, text: string, from: Answered['from']): Session {
  const row = rowOf(id)
  const problem = row ? complaint(session, row, text) : `there is no question ${id}`
  if (!row || problem !== undefined) throw new Error(problem)
  if (row.path.length > 0) return accept(session, row, { from, value: writingFor(row).read(text) })
  if (text === '') return accept(session, row, { from })
  return { ...ask(session, text), further: [...session.further, text] }
}

function outcome(session: Session): Outcome {
  const { opening } = session
  const { base, patch, layers } = draftOf(session)
  const { today, name, allowNewer } = opening
  const { facts, origin } = judgedOf(session)
  const { spec } = facts
  const compiled = once(() => compile(layers, name, today, allowNewer))
  return {
    base: base.name,
    patch,
    comments: session.answers.flatMap((given) => commentOn(session, given)),
    get compiled() {
      return compiled()
    },
    answers: session.answers.flatMap((given) => lineOf(session, given)),
    open: assumptionsOf(spec, origin).filter(
      ({ path }) => !isConfirmed(session, path, isObject(spec) ? valueAt(spec, path) : undefined),
    ),
  }
}

/** What the cluster says already needs no comparison with it. */
function isConfirmed({ opening }: Session, path: Path, value: Json | undefined): boolean {
  return opening.found.some((found) => isSame(found.path, path) && isSame(found.value, value))
}

function commentOn(session: Session, { id, path, from }: Given): Outcome['comments'] {
  const row = rowOf(id)
  const what = fieldOf(path)?.what
  if (!row || what === undefined) return []
  const where = from === 'found' ? ` Found in ${foundFor(session, row)?.where ?? ''}.` : ''
  return [{ path, text: `${what}${where}` }]
}

function lineOf(session: Session, { id, value, from }: Given): readonly Answered[] {
  const row = rowOf(id)
  if (!row || row.path.length === 0) return []
  const { show } = writingFor(row)
  const usual = value ?? effective(session, row)
  const shown = usual === undefined ? '' : show(usual)
  return [{ id, title: row.title, value: shown || (row.without ?? 'nothing is set'), from }]
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
    return row ? accept(session, row, proposalOf(session, row).given) : session
  },
  unset: (session, { id }) => {
    const row = rowOf(id)
    if (!row || !unsetOf(session, row)) throw new Error(`nothing is to be taken out of ${id}`)
    return accept(session, row, { from: 'unset' })
  },
  back,
  ask,
  outcome,
}

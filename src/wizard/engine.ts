// The engine: selects the next question, and applies answers to the session.
import { carries } from '../cni/index.ts'
import { compile } from '../compile.ts'
import { isObject, type Json, valueAt } from '../model/json.ts'
import type { Path } from '../model/path.ts'
import { memo } from '../model/memo.ts'
import { assumptionsOf } from '../profile/assumed.ts'
import { fieldOf, type Field } from '../profile/catalogue.ts'
import { withDependencies } from '../profile/follow.ts'
import { questionOf, typedAnswerProblem, valueOfText } from './build-question.ts'
import { draftOf } from './draft.ts'
import { lazy } from '../model/lazy.ts'
import type { Answered, Outcome, Question } from './question.ts'
import {
  effectiveValue,
  foundFor,
  hasOnlyDefault,
  proposalOf,
  recommendedOffer,
  unsetOf,
} from './proposal.ts'
import { codecFor, type Row } from './row.ts'
import { basics } from './rows/basics.ts'
import { groupRows } from './rows/groups.ts'
import { menu, names, questionsAfter, review, rowAt, rowOf, rows } from './rows.ts'
import { isEqual } from './equal.ts'
import {
  answerTo,
  ask,
  back,
  filterAnswers,
  isOwn,
  withAnswer,
  type Given,
  type Session,
} from './session.ts'
import {
  answerProblem,
  checkedOf,
  errorCheckOf,
  errors,
  errorsOf,
  fieldsOf,
  isUnanswered,
  withoutConflicts,
} from './answer-check.ts'

function nextRow(session: Session): Row | undefined {
  const [queued] = session.queue
  if (queued !== undefined) return rowOf(queued)
  return (
    nextBasic(session) ??
    rowWithError(withUnasked(session)) ??
    groupRows.find((row) => !answerTo(session, row.id) && isContradicted(session, row)) ??
    (answerTo(session, menu.id) ? undefined : menu)
  )
}

function nextBasic(session: Session): Row | undefined {
  return basics.find((row) => !answerTo(session, row.id) && isAsked(session, row))
}

/**
 * The session that a question is built from. After the basics it has what needs no question, so that an error there is
 * an error in the question, too, and accepting a default ends it.
 */
function sessionOfQuestion(session: Session): Session {
  return nextBasic(session) ? session : withUnasked(session)
}

/** Whether the bundle of the chosen plugin carries the field. */
function isCarried(session: Session, { path }: Row): boolean {
  return path.length === 0 || carries(errorCheckOf(session).facts.spec.network.cni, path)
}

function isAsked(session: Session, row: Row): boolean {
  if (!isCarried(session, row)) return false
  return row.isSameStep ? errorsOf(session, row).length > 0 : !hasOnlyDefault(session, row)
}

/** Whether the edited profile and the cluster have different values. */
function isContradicted(session: Session, row: Row): boolean {
  const given = foundAnswer(session, row)
  return (
    given !== undefined &&
    isOwn(session, row.path) &&
    !isEqual(given.value, effectiveValue(session, row))
  )
}

/**
 * The session with what needs no question: what the cluster has of further fields, and the first choice that works where
 * a default does not, such as a kubelet version that the API server supports.
 */
const withUnasked = memo((session: Session): Session => {
  let done = session
  for (const row of rows) {
    if (answerTo(done, row.id) || isOwn(done, row.path) || !isCarried(done, row)) continue
    const given = foundAnswer(done, row) ?? workingChoice(done, row)
    if (given) done = { ...done, answers: [...done.answers, given] }
  }
  return done
})

/** What the cluster has, where the rules accept it and the field has an effect. */
function foundAnswer(session: Session, row: Row): Given | undefined {
  const { id, path } = row
  const found = session.context.found.find((one) => isEqual(one.path, path))
  if (!found || answerProblem(session, row, found.value) !== undefined) return undefined
  const given: Given = { id, path, value: found.value, from: 'found', isKept: true }
  return isUnread(withAnswer(session, given), row) ? undefined : given
}

function workingChoice(session: Session, row: Row): Given | undefined {
  if (!row.offers || errorsOf(session, row).length === 0) return undefined
  const best = recommendedOffer(session, row)
  if (!best || best.isDefault) return undefined
  const { id, path } = row
  return { id, path, value: codecFor(row).decode(best.value), from: 'proposed' }
}

/** Whether the field has no effect with the answers so far: the ids of the rules that say so end in -unread. */
function isUnread(session: Session, { path }: Row): boolean {
  return checkedOf(session).findings.some(
    (finding) =>
      finding.id.endsWith('-unread') && fieldsOf(finding).some((one) => isEqual(one.path, path)),
  )
}

/** Whether the field has an effect, according to the plugin, the mode and the rules. */
function applies(session: Session, row: Row): boolean {
  const { network } = errorCheckOf(session).facts.spec
  if (row.cni !== undefined && row.cni !== network.cni) return false
  if (row.mode !== undefined && row.mode !== network.mode) return false
  if (!isCarried(session, row)) return false
  const { id, path } = row
  const value = fieldOf(path)?.example
  if (value === undefined || isOwn(session, path)) return true
  return !isUnread(withAnswer(session, { id, path, value, from: 'answered' }), row)
}

/** The row of a field that an error names, preferably an unanswered one. */
function rowWithError(session: Session): Row | undefined {
  const named = errors(session).flatMap(fieldsOf)
  const { values } = errorCheckOf(session)
  // A value computed from another field with an error, such as kube-proxy's version, is right once that one is.
  const isComputed = ({ path }: Field) =>
    withDependencies([path], values).some(
      (source) => !isEqual(source, path) && named.some((one) => isEqual(one.path, source)),
    )
  const causes = named.filter((field) => !isComputed(field))
  const open = causes.find(({ path }) => isUnanswered(session, path)) ?? causes.at(0) ?? named.at(0)
  return open && rowAt(open.path)
}

function applyAnswer(session: Session, row: Row, given: Omit<Given, 'id' | 'path'>): Session {
  const { id, path } = row
  const next = {
    ...withAnswer(sessionOfQuestion(session), { id, path, ...given }),
    previous: session,
  }
  return given.value === undefined && given.from !== 'unset' ? next : withoutConflicts(next, id)
}

function answer(session: Session, id: string, text: string, from: Answered['from']): Session {
  const row = rowOf(id)
  const problem = row
    ? typedAnswerProblem(sessionOfQuestion(session), row, text)
    : `there is no question ${id}`
  if (!row || problem !== undefined) throw new Error(problem)
  if (row.path.length === 0) {
    if (text === review) return applyAnswer(session, row, { from })
    const asked = questionsAfter(text).filter((one) => applies(session, rowOf(one) ?? menu))
    const left = session.queue.filter((one) => one !== id)
    return { ...session, queue: [...asked, ...left], previous: session }
  }
  const value = valueOfText(sessionOfQuestion(session), row, text)
  // An edited profile gets what changes; a new one states what was asked, so that a later default changes nothing.
  const isKept = !session.context.own && row.group === 'basics'
  const before = filterAnswers(session, (given) => given.id !== id)
  const source = from === 'given' ? from : sourceOf(before, row, value)
  const isSame = session.context.own !== undefined && source === 'default'
  const given = isSame ? {} : { value, ...(isKept && { isKept }) }
  const next = applyAnswer(session, row, { from: source, ...given })
  return { ...alsoAnswered(next, row, text, from), previous: session }
}

/** A line such as `kubeadm join ...` answers two questions; a flag wins over it. */
function alsoAnswered(
  session: Session,
  { alsoAnswers }: Row,
  text: string,
  from: Answered['from'],
): Session {
  const other = alsoAnswers === undefined ? undefined : rowOf(alsoAnswers)
  if (!other || answerTo(session, other.id)?.from === 'given') return session
  const problem = typedAnswerProblem(sessionOfQuestion(session), other, text)
  return problem === undefined ? answer(session, other.id, text, from) : session
}

/** Where an answer comes from that accepts what stands in the field. */
function sourceOf(session: Session, row: Row, value: Json): Answered['from'] {
  const found = session.context.found.find(({ path }) => isEqual(path, row.path))
  if (isEqual(found?.value, value)) return 'found'
  const effective = effectiveValue(session, row)
  return isEqual(effective, value) || isDefaultLine(session, row, value) ? 'default' : 'answered'
}

/** Whether the default is a patch version, such as 1.37.2, and the chosen value its line. */
function isDefaultLine(session: Session, row: Row, value: Json): boolean {
  const best = row.offers && !isOwn(session, row.path) && recommendedOffer(session, row)
  return best ? best.isDefault && best.value === codecFor(row).encode(value) : false
}

function outcome(answered: Session): Outcome {
  const session = withUnasked(answered)
  const { context, answers } = session
  const { base, patch, layers } = draftOf(session)
  const { facts, origin } = checkedOf(session)
  const { spec } = facts
  const compiled = lazy(() => compile(layers, context.name, context))
  return {
    base: base.name,
    patch,
    comments: session.answers.flatMap((given) => commentOn(session, given)),
    get compiled() {
      return compiled()
    },
    answers: answers.flatMap((given) => summaryLine(session, given)),
    open: assumptionsOf(spec, (path) =>
      isDefault(answers, path) ? undefined : origin(path),
    ).filter(
      ({ path }) => !isConfirmed(session, path, isObject(spec) ? valueAt(spec, path) : undefined),
    ),
  }
}

const isDefault = (answers: readonly Given[], at: Path) =>
  answers.some(({ path, from }) => from === 'default' && isEqual(path, at))

/** A value detected in the cluster needs no comparison with it. */
function isConfirmed({ context }: Session, path: Path, value: Json | undefined): boolean {
  return context.found.some((found) => isEqual(found.path, path) && isEqual(found.value, value))
}

function commentOn(session: Session, { id, path, from }: Given): Outcome['comments'] {
  const row = rowOf(id)
  const what = fieldOf(path)?.what
  if (!row || what === undefined) return []
  const where = foundFor(session, row)?.where ?? ''
  const origins = {
    found: ` Found in ${where}.`,
    default: ' Default value.',
  }
  const origin = from === 'found' || from === 'default' ? origins[from] : ''
  return [{ path, text: `${what}${origin}` }]
}

function summaryLine(session: Session, { id, value, from }: Given): readonly Answered[] {
  const row = rowOf(id)
  if (!row || row.path.length === 0) return []
  const { encode } = codecFor(row)
  const usual = value ?? effectiveValue(session, row)
  const shown = usual === undefined ? '' : encode(usual)
  return [{ id, title: row.title, value: shown || (row.fallbackText ?? 'nothing is set'), from }]
}

/** Sessions are immutable: each call returns a new one. */
export const engine = {
  /** `undefined` when no question is left. */
  nextQuestion: (session: Session): Question | undefined => {
    const row = nextRow(session)
    return row && questionOf(sessionOfQuestion(session), row)
  },
  /** The question of a flag. */
  question: (session: Session, id: string): Question | undefined => {
    const row = rowOf(id)
    return row && questionOf(sessionOfQuestion(session), row)
  },
  /** Throws on a text that `check` refuses. Later answers that are no longer valid are asked again. */
  answer: (session: Session, { id }: Question, text: string): Session =>
    answer(session, id, text, 'answered'),
  /** As `answer`, by a flag: no later answer removes it. */
  give: (session: Session, id: string, text: string): Session => answer(session, id, text, 'given'),
  /** Accepts `fallback`. */
  skip: (session: Session, { id }: Question): Session => {
    const row = rowOf(id)
    if (!row || row.path.length === 0) return withAnswer(session, { id, path: [], from: 'default' })
    return applyAnswer(session, row, proposalOf(sessionOfQuestion(session), row).given)
  },
  /** Removes the setting from the edited profile; fields that this breaks are asked. */
  unset: (session: Session, { id }: Question): Session => {
    const row = rowOf(id)
    if (!row || !unsetOf(session, row)) throw new Error(`${id} is not set by the profile`)
    return applyAnswer(session, row, { from: 'unset' })
  },
  /** Flags and fields that `unset` can remove. */
  unsettable: (session: Session): readonly string[] =>
    [...names].filter(([, path]) => path.length > 0 && isOwn(session, path)).map(([name]) => name),
  back,
  ask,
  outcome,
}

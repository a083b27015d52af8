// Checks answers by running the rules over the draft that they make.
import { checkWithoutUpgrades, checkErrors, type CheckInput } from '../check.ts'
import type { Finding } from '../model/finding.ts'
import type { Json } from '../model/json.ts'
import { memo } from '../model/memo.ts'
import { isWithin, parsePath, type Path } from '../model/path.ts'
import { fieldOf, type Field } from '../profile/catalogue.ts'
import { withDependencies } from '../profile/follow.ts'
import { factsOf } from '../profile/lookup.ts'
import { readsOf } from '../rules/check.ts'
import { draftOf, type Draft } from './draft.ts'
import type { Row } from './row.ts'
import { rowAt, rowOf, rows } from './rows.ts'
import { basics } from './rows/basics.ts'
import { isEqual } from './equal.ts'
import { filterAnswers, withAnswer, type SessionContext, type Session } from './session.ts'
import { unsafeValueProblem } from './text-codec.ts'

export const checkedOf = memoizedByDraft(checkWithoutUpgrades)

/** Errors only, which is faster: most drafts only try a choice. */
export const errorCheckOf = memoizedByDraft(checkErrors)

function memoizedByDraft<T>(run: (...input: CheckInput) => T) {
  const results = memo((context: SessionContext) =>
    memo(({ layers }: Draft) => run(layers, context.name, context)),
  )
  return (session: Session): T => results(session.context)(draftOf(session))
}

/** Why the answer is not valid, in the words of a rule. */
export function answerProblem(session: Session, row: Row, value: Json): string | undefined {
  const known = knownProblems(session)
  const key = JSON.stringify([row.id, value])
  if (!known.has(key)) {
    const next = answered(session, row, value)
    known.set(key, unsafeValueProblem(value) ?? newErrorIn(session, row, next))
  }
  return known.get(key)
}

/** By row and value; choices, proposal and validation all need it. */
const knownProblems = memo((_: Session) => new Map<string, string | undefined>())

/** Why the setting cannot be removed from the edited profile. */
export function unsetProblem(session: Session, row: Row): string | undefined {
  const next = unset(session, row)
  return errorsOf(next, row)[0]?.message ?? newErrorIn(session, row, next)
}

function newErrorIn(session: Session, row: Row, next: Session): string | undefined {
  const after = blockingErrors(next)
  if (after.length === 0 || isFixableByChoice(next)) return undefined
  const before = blockingErrors(session)
  const known = isFixableByChoice(session) ? [] : before
  const added = after.filter((error) => !known.some((one) => isEqual(one, error)))
  // What the answer itself adds is the reason, not an error that a later answer resolves.
  const isOld = (error: Finding) => before.some((one) => isEqual(one, error))
  const reason =
    after.find((error) => isAbout(error, row)) ??
    added.find((error) => !isOld(error)) ??
    added.at(0)
  if (!reason) return undefined
  const { message, remedy } = reason
  // Choices have a line each.
  return row.offers || remedy === undefined ? message : `${message}. ${remedy}`
}

/** Drops answers that conflict with the one to `id`, so that they are asked again; flags stay. */
export function withoutConflicts(session: Session, id: string): Session {
  const broken = blockingErrors(session)
  if (broken.length === 0 || isFixableByChoice(session)) return session
  let valid = filterAnswers(session, (given) => given.id === id || given.from === 'given')
  for (const given of session.answers) {
    const row = rowOf(given.id)
    const { value } = given
    if (valid.answers.includes(given) || !row) continue
    if (value === undefined || answerProblem(valid, row, value) === undefined)
      valid = { ...valid, answers: [...valid.answers, given] }
  }
  return valid
}

/** Errors that name the field of a row. */
export function errorsOf(session: Session, row: Row): readonly Finding[] {
  return errors(session).filter((error) => isAbout(error, row))
}

export function errors(session: Session): readonly Finding[] {
  return errorCheckOf(session).findings
}

/** The fields that a finding is about or asks for. */
export const fieldsOf = memo(({ path, asks = [] }: Finding): readonly Field[] => {
  const paths = [path, ...asks.map((text) => parsePath(text) ?? [])]
  return paths.flatMap((one) => fieldOf(one) ?? [])
})

const isAbout = (finding: Finding, { path }: Row) =>
  fieldsOf(finding).some((field) => isWithin(field.path, path))

export function isUnanswered({ answers }: Session, path: Path): boolean {
  return !answers.some((given) => given.value !== undefined && isEqual(given.path, path))
}

/** Errors that no unanswered free-text field can still resolve. */
const blockingErrors = memo((session: Session): readonly Finding[] => {
  const typed = ({ path, form }: Field) =>
    isUnanswered(session, path) && form.kind !== 'choice' && rowAt(path)?.offers === undefined
  return errors(session).filter((error) => !fieldsOf(error).some(typed))
})

/** Whether some choice of an unanswered question on which all of the errors depend resolves them. */
const isFixableByChoice = memo((session: Session): boolean => {
  const broken = blockingErrors(session)
  const { facts, values } = errorCheckOf(session)
  const { spec, today, allowNewer, added } = facts
  const look = (seen: typeof spec) => factsOf(seen, { today, allowNewer, added })
  const read = broken.map(({ id, path }) =>
    withDependencies([path, ...readsOf(id, spec, look)], values),
  )
  const choices = rows.filter(
    (row) =>
      row.offers &&
      isUnanswered(session, row.path) &&
      // No other choice is asked later without a selection of it.
      (basics.includes(row) || broken.some((error) => isAbout(error, row))) &&
      read.every((paths) => paths.some((path) => isWithin(path, row.path))),
  )
  return choices.some((row) =>
    likelyFirst(session, row).some(
      (value) => blockingErrors(answered(session, row, value)).length === 0,
    ),
  )
})

/** Values of other answers first, such as the API server's version: they are most likely valid. */
function likelyFirst(session: Session, row: Row): readonly string[] {
  const answers = session.answers.map(({ value }) => value)
  const values = (row.offers?.(errorCheckOf(session)) ?? []).map(({ value }) => value)
  return values.toSorted((a, b) => Number(answers.includes(b)) - Number(answers.includes(a)))
}

export function unset(session: Session, { id, path }: Row): Session {
  return withAnswer(session, { id, path, from: 'unset' })
}

function answered(session: Session, { id, path }: Row, value: Json): Session {
  return withAnswer(session, { id, path, value, from: 'answered' })
}

// What the rules say of answers; here is no rule, only the question whether a profile stands with one.
import { judge, tryOut } from '../check.ts'
import type { Finding } from '../model/finding.ts'
import type { Json } from '../model/json.ts'
import { remembered } from '../model/remembered.ts'
import { isWithin, parsePath, type Path } from '../model/path.ts'
import { fieldOf, type Field } from '../profile/catalogue.ts'
import { withSources } from '../profile/follow.ts'
import { factsOf } from '../profile/lookup.ts'
import { readsOf } from '../rules/check.ts'
import { draftOf, type Draft } from './draft.ts'
import type { Row } from './row.ts'
import { rowAt, rowOf, rows } from './rows.ts'
import { isSame } from './same.ts'
import { keeping, withAnswer, type Opening, type Session } from './session.ts'
import { unkeepable } from './writing.ts'

export const judgedOf = ofDraft(judge)

/** Errors alone are found sooner, and most sessions are only tried. */
export const triedOf = ofDraft(tryOut)

function ofDraft<T>(ask: (...profile: Parameters<typeof judge>) => T): (session: Session) => T {
  const answers = remembered((opening: Opening) =>
    remembered(({ layers }: Draft) => ask(layers, opening.name, opening)),
  )
  return (session) => answers(session.opening)(draftOf(session))
}

/** Why the answer cannot be taken, in the words of a rule. */
export function against(session: Session, row: Row, value: Json): string | undefined {
  const known = verdictsOf(session)
  const text = JSON.stringify([row.id, value])
  const verdict = known.get(text) ?? {
    problem: unkeepable(value) ?? brokenBy(session, row, answered(session, row, value)),
  }
  known.set(text, verdict)
  return verdict.problem
}

/** Each is asked for several times: is there a choice, which is the best, what stands beside it. */
const verdictsOf = remembered(
  (_: Session) => new Map<string, { readonly problem: string | undefined }>(),
)

/** Why what the profile says cannot be taken out. */
export function againstUnset(session: Session, row: Row): string | undefined {
  const next = unset(session, row)
  return errorsOf(next, row)[0]?.message ?? brokenBy(session, row, next)
}

function brokenBy(session: Session, row: Row, next: Session): string | undefined {
  const after = lasting(next)
  if (after.length === 0 || mended(next)) return undefined
  const before = lasting(session)
  const known = mended(session) ? [] : before
  return after.find((error) => isOf(error, row) || !known.some((one) => isSame(one, error)))
    ?.message
}

/** Without the answers that no longer fit beside the one to `id`: they are asked again. */
export function refit(session: Session, id: string): Session {
  const broken = lasting(session)
  if (broken.length === 0 || mended(session)) return session
  let fitting = keeping(session, (given) => given.id === id || given.from === 'given')
  for (const given of session.answers) {
    const row = rowOf(given.id)
    const { value } = given
    if (fitting.answers.includes(given) || !row) continue
    if (value === undefined || against(fitting, row, value) === undefined)
      fitting = { ...fitting, answers: [...fitting.answers, given] }
  }
  return fitting
}

/** Errors that name the field of a row. */
export function errorsOf(session: Session, row: Row): readonly Finding[] {
  return errors(session).filter((error) => isOf(error, row))
}

export function errors(session: Session): readonly Finding[] {
  return triedOf(session).findings
}

/** The fields that a finding is about, or asks for. */
export const fieldsOf = remembered(({ path, asks = [] }: Finding): readonly Field[] => {
  const paths = [path, ...asks.map((text) => parsePath(text) ?? [])]
  return paths.flatMap((one) => fieldOf(one) ?? [])
})

const isOf = (finding: Finding, { path }: Row) =>
  fieldsOf(finding).some((field) => isWithin(field.path, path))

/** Nobody gave it a value yet. */
export function isOpen({ answers }: Session, path: Path): boolean {
  return !answers.some((given) => given.value !== undefined && isSame(given.path, path))
}

/** Errors beside those that a person can still settle by typing into an open field. */
const lasting = remembered((session: Session): readonly Finding[] => {
  const typed = ({ path, form }: Field) =>
    isOpen(session, path) && form.kind !== 'choice' && rowAt(path)?.offers === undefined
  return errors(session).filter((error) => !fieldsOf(error).some(typed))
})

/** Whether another choice, still open, takes the errors away: one that all of them depend on. */
const mended = remembered((session: Session): boolean => {
  const broken = lasting(session)
  const { facts, values } = triedOf(session)
  const { spec, today, allowNewer } = facts
  const look = (seen: typeof spec) => factsOf(seen, { today, allowNewer })
  const read = broken.map(({ id, path }) => withSources([path, ...readsOf(id, spec, look)], values))
  const choices = rows.filter(
    (row) =>
      row.offers &&
      isOpen(session, row.path) &&
      read.every((paths) => paths.some((path) => isWithin(path, row.path))),
  )
  return choices.some((row) =>
    likelyFirst(session, row).some((value) => lasting(answered(session, row, value)).length === 0),
  )
})

/** What was said elsewhere fits most likely: the version of the API server, say. */
function likelyFirst(session: Session, row: Row): readonly string[] {
  const said = session.answers.map(({ value }) => value)
  const values = (row.offers?.(triedOf(session)) ?? []).map(({ value }) => value)
  return values.toSorted((a, b) => Number(said.includes(b)) - Number(said.includes(a)))
}

export function unset(session: Session, { id, path }: Row): Session {
  return withAnswer(session, { id, path, from: 'unset' })
}

function answered(session: Session, { id, path }: Row, value: Json): Session {
  return withAnswer(session, { id, path, value, from: 'answered' })
}

// The proposed answer of a question: detected in the cluster, the default, or the first offer that is valid.
import { isObject, valueAt, type Json } from '../model/json.ts'
import { memo } from '../model/memo.ts'
import { fieldOf } from '../profile/catalogue.ts'
import { draftOf, draftValue } from './draft.ts'
import { onOneLine, type Found, type Unset } from './question.ts'
import { codecFor, type Offer, type Row } from './row.ts'
import { rows } from './rows.ts'
import { isEqual } from './equal.ts'
import { filterAnswers, isOwn, type Given, type Session } from './session.ts'
import { answerProblem, unsetProblem, errorsOf, errorCheckOf, unset } from './answer-check.ts'

interface Proposal {
  /** Recorded where the question is skipped. */
  readonly given: Omit<Given, 'id' | 'path'>
  readonly words: string
  readonly must?: string
}

export function proposalOf(session: Session, row: Row): Proposal {
  const { decode } = codecFor(row)
  const earlier = sessionBefore(session, row)
  const found = foundFor(session, row)
  if (found && answerProblem(earlier, row, decode(found.value)) === undefined)
    return {
      given: { from: 'found', value: decode(found.value), isKept: true },
      words: `${onOneLine(found.value)}, found in ${found.where}`,
    }
  const best = row.path.length > 0 ? recommendedOffer(earlier, row) : undefined
  if (best && !best.isDefault)
    return {
      given: { from: 'proposed', value: decode(best.value) },
      words: `${best.name}: ${best.why}`,
    }
  const written = draftValue(draftOf(earlier), row.path)
  const must = whyRequired(session, row)
  return {
    given: { from: 'default', ...(written !== undefined && { value: written }) },
    words: fallbackText(earlier, row),
    ...(must !== undefined && { must }),
  }
}

/** In the row's own words where the field is empty; else the error, or of one that asks for the field, its remedy. */
function whyRequired(session: Session, row: Row): string | undefined {
  const all = errorsOf(session, row)
  const [error] = [...all.filter(({ path }) => isEqual(path, row.path)), ...all]
  const isUnset = isEmpty(effectiveValue(session, row) ?? '')
  if (!error || !isUnset) return error?.message
  return row.required ?? (isEqual(error.path, row.path) ? error.message : error.remedy)
}

/** What applies without an answer. */
function fallbackText(earlier: Session, row: Row): string {
  const current = effectiveValue(earlier, row)
  const words =
    current === undefined || isEmpty(current) ? undefined : displayName(earlier, row, current)
  return words ?? row.fallbackText ?? fieldOf(row.path)?.derived ?? 'nothing is set'
}

/** The name of the choice, or the value itself. */
function displayName(earlier: Session, row: Row, value: Json): string {
  const text = codecFor(row).encode(value)
  const offer = offersOf(earlier, row)?.find((one) => one.value === text)
  return offer?.name ?? onOneLine(text)
}

/** `undefined` where the edited profile does not set the field. */
export function unsetOf(session: Session, row: Row): Unset | undefined {
  if (row.path.length === 0 || !isOwn(session, row.path)) return undefined
  const earlier = sessionBefore(session, row)
  const cannot = unsetProblem(earlier, row)
  return { then: fallbackText(unset(earlier, row), row), ...(cannot !== undefined && { cannot }) }
}

export const isEmpty = (value: Json) => ['""', '[]', '{}'].includes(JSON.stringify(value))

/** The session with flags and the answers to earlier questions only: later answers may still change. */
export function sessionBefore(session: Session, row: Row): Session {
  const known = sessionsBefore(session)
  const earlier = known.get(row.id) ?? keepEarlierAnswers(session, row)
  known.set(row.id, earlier)
  return earlier
}

const sessionsBefore = memo((_: Session) => new Map<string, Session>())

function keepEarlierAnswers(session: Session, { id }: Row): Session {
  const place = (one: string) => rows.findIndex((row) => row.id === one)
  const last = place(id) < 0
  return filterAnswers(
    session,
    (given) =>
      given.id !== id &&
      (given.from === 'given' || last || (place(given.id) >= 0 && place(given.id) < place(id))),
  )
}

export function offersOf(earlier: Session, row: Row): readonly Offer[] | undefined {
  if (row.offers) return row.offers(errorCheckOf(earlier))
  const form = fieldOf(row.path)?.form
  if (form?.kind === 'confirm') return ['yes', 'no'].map((value) => ({ value, name: value }))
  if (form?.kind !== 'choice') return undefined
  return form.choices.map((value) => ({ value: String(value), name: String(value) }))
}

/** The default where it is valid; else the first valid offer. */
export function recommendedOffer(earlier: Session, row: Row) {
  const offers = offersOf(earlier, row) ?? []
  const current = offers.find(({ value }) => isOfVersionLine(effectiveText(earlier, row), value))
  if (current && fits(earlier, row, current)) {
    return {
      ...current,
      isDefault: true as const,
      get why() {
        return whyDefault(earlier, row)
      },
    }
  }
  const first = offers.find((offer) => fits(earlier, row, offer))
  const why = 'the newest that fits the answers so far'
  return first && { ...first, isDefault: false as const, why }
}

const fits = (earlier: Session, row: Row, { value }: Offer) =>
  answerProblem(earlier, row, codecFor(row).decode(value)) === undefined

/** Whether the default is the only valid choice. */
export function hasOnlyDefault(session: Session, row: Row): boolean {
  const earlier = sessionBefore(session, row)
  const best = row.offers && recommendedOffer(earlier, row)
  if (!best?.isDefault) return false
  const others = offersOf(earlier, row)?.filter(({ value }) => value !== best.value) ?? []
  return !others.some((offer) => fits(earlier, row, offer))
}

/** Whether a version is of a line, as 1.36.5 is of 1.36. */
export const isOfVersionLine = (value: string | undefined, line: string) =>
  value === line || value?.startsWith(`${line}.`) === true

/** A value that only the base or the table of fields has needs no reason. */
function whyDefault(session: Session, { path, decision }: Row): string | undefined {
  if (draftValue(draftOf(session), path) !== undefined) return undefined
  return errorCheckOf(session).decisions.find(({ subject }) => subject === decision)?.reason
}

/** The value of the field, set or derived. */
export function effectiveValue(session: Session, { path }: Row): Json | undefined {
  const { spec } = errorCheckOf(session).facts
  return isObject(spec) && path.length > 0 ? valueAt(spec, path) : undefined
}

function effectiveText(session: Session, row: Row): string | undefined {
  const value = effectiveValue(session, row)
  return value === undefined ? undefined : codecFor(row).encode(value)
}

export function foundFor({ context }: Session, row: Row): Found | undefined {
  const found = context.found.find(({ path }) => isEqual(path, row.path))
  return found && { value: codecFor(row).encode(found.value), where: found.where }
}

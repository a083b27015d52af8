// Builds the question of a row: its choices, help, proposal and validation.
import { valueAt, type Json } from '../model/json.ts'
import { fieldOf } from '../profile/catalogue.ts'
import {
  effectiveValue,
  hasOnlyDefault,
  isEmpty,
  recommendedOffer,
  foundFor,
  isOfVersionLine,
  offersOf,
  proposalOf,
  sessionBefore,
  unsetOf,
} from './proposal.ts'
import type { Choice, Question } from './question.ts'
import { lazy } from '../model/lazy.ts'
import { codecFor, type Offer, type Row } from './row.ts'
import { rowOf } from './rows.ts'
import { basics } from './rows/basics.ts'
import { answerTo, type Session } from './session.ts'
import { answerProblem, errorCheckOf } from './answer-check.ts'
import { notUnderstood } from './text-codec.ts'
import { redactSecrets } from '../text/secrets.ts'

/** Choices and proposal run the rules many times, so they are computed on first use. */
export function questionOf(session: Session, row: Row): Question {
  const { id, path, title, hint, typing, columns } = row
  const { kind, encode } = codecFor(row)
  const found = foundFor(session, row)
  const current = currentOf(session, row)
  const example = row.example ?? exampleOf(row)
  const choices = lazy(() =>
    choicesOf(session, row, [current === undefined ? undefined : encode(current), found?.value]),
  )
  const proposal = lazy(() => proposalOf(session, row))
  const unset = lazy(() => unsetOf(session, row))
  return {
    id,
    title,
    paths: path.length > 0 ? [path] : [],
    kind,
    help: helpOf(row),
    get step() {
      return stepOf(session, row)
    },
    ...(hint !== undefined && { hint }),
    ...(typing !== undefined && { typing }),
    ...(example !== undefined && kind !== 'block' && { example }),
    ...(columns && { columns }),
    ...(found && { found }),
    ...(current !== undefined && { current: encode(current) }),
    get choices() {
      return choices()
    },
    get proposal() {
      if (kind === 'block') return undefined
      const value = current ?? (found ? undefined : effectiveValue(session, row))
      return value === undefined || isEmpty(value) ? found?.value : encode(value)
    },
    get fallback() {
      return proposal().words
    },
    get unset() {
      return unset()
    },
    get must() {
      return proposal().must
    },
    check: (typed) => typedAnswerProblem(session, row, typed),
    shown: (typed) => shownAnswer(session, row, typed),
  }
}

/** With the answer to the other question that the same line has. */
function shownAnswer(session: Session, row: Row, typed: string): string {
  const own = codecFor(row).encode(valueOfText(session, row, typed))
  const other = row.alsoAnswers === undefined ? undefined : rowOf(row.alsoAnswers)
  if (!other || typedAnswerProblem(session, other, typed) !== undefined) return own
  return `${own}, ${codecFor(other).encode(valueOfText(session, other, typed))}`
}

/** `2 of 7`: questions with one possible answer, or answered by flags, are not counted. */
function stepOf(session: Session, row: Row): string | undefined {
  const steps = basics.filter(
    (one) =>
      !one.isSameStep &&
      answerTo(session, one.id)?.from !== 'given' &&
      !hasOnlyDefault(session, one),
  )
  const at = steps.findLastIndex((one) => basics.indexOf(one) <= basics.indexOf(row))
  const part = row.isSameStep ? ', second part' : ''
  return basics.includes(row) && at >= 0 ? `${at + 1} of ${steps.length}${part}` : undefined
}

/** The value that a text means; a choice also by its name, or another word for it. */
export function valueOfText(session: Session, row: Row, typed: string): Json {
  const lower = typed.trim().toLowerCase()
  const meant = offersOf(sessionBefore(session, row), row)?.find(({ value, name, aliases = [] }) =>
    [value, name, ...aliases].some((word) => word.toLowerCase() === lower),
  )
  return codecFor(row).decode(meant?.value ?? typed)
}

/** Why a typed answer is not valid; `undefined` for a valid one. */
export function typedAnswerProblem(session: Session, row: Row, typed: string): string | undefined {
  const problem = unredactedProblem(session, row, typed)
  return problem === undefined ? undefined : redactSecrets(problem)
}

/** It quotes the answer, which can be a mistyped join line with its token. */
function unredactedProblem(session: Session, row: Row, typed: string): string | undefined {
  if (row.path.length > 0) {
    const value = valueOfText(session, row, typed)
    return (
      notUnderstood(codecFor(row), value) ??
      notOffered(session, row, value) ??
      answerProblem(sessionBefore(session, row), row, value)
    )
  }
  const known = row.offers?.(errorCheckOf(session)).some(({ value }) => value === typed)
  return known ? undefined : `no such choice: ${typed}`
}

/** Names the choices that the rules accept, where a text is none of the field's values. */
function notOffered(session: Session, row: Row, value: Json): string | undefined {
  const { form, refused } = fieldOf(row.path) ?? {}
  if (form?.kind !== 'choice' || form.choices.some((choice) => choice === value)) return undefined
  const known = typeof value === 'string' ? refused?.get(value.toLowerCase()) : undefined
  const can = choicesOf(session, row, [])?.filter(({ cannot }) => cannot === undefined) ?? []
  const why = known === undefined ? '' : `: it ${known.reason}`
  const values = can.map((one) => one.value).join(', ')
  return `${JSON.stringify(value)} is not supported${why}; use ${can.length > 1 ? 'one of ' : ''}${values}`
}

/** `known` are the current and the detected value: a patch version is not among the offered lines. */
function choicesOf(
  session: Session,
  row: Row,
  known: readonly (string | undefined)[],
): readonly Choice[] | undefined {
  const earlier = sessionBefore(session, row)
  const listed = offersOf(earlier, row)
  if (!listed || row.path.length === 0) return listed
  const offers = known.reduce(withOffer, listed)
  const best = lazy(() => recommendedOffer(earlier, row))
  return offers.map((offer) => {
    const recommended = lazy(() => (offer.value === best()?.value ? best()?.why : undefined))
    const cannot = lazy(() => answerProblem(earlier, row, codecFor(row).decode(offer.value)))
    return {
      ...offer,
      get recommended() {
        return recommended()
      },
      get cannot() {
        return cannot()
      },
    }
  })
}

/** Inserts a version above its line. */
function withOffer(offers: readonly Offer[], value: string | undefined): readonly Offer[] {
  if (value === undefined || offers.some((offer) => offer.value === value)) return offers
  const at = Math.max(
    0,
    offers.findIndex((offer) => isOfVersionLine(value, offer.value)),
  )
  return offers.toSpliced(at, 0, { value, name: value })
}

function currentOf({ undone, answers, context }: Session, { id, path }: Row): Json | undefined {
  const before = [...undone, ...answers].find((one) => one.id === id && one.value !== undefined)
  // The menus have no value in the profile.
  if (path.length === 0) return before?.value
  // null removes a value of the parent profile: it is not an answer.
  return before?.value ?? valueAt(context.own?.patch, path) ?? undefined
}

function helpOf(row: Row): readonly string[] {
  const field = fieldOf(row.path)
  if (!field) return []
  const { what, why, when, derived } = field
  const example = exampleOf(row)
  return [
    what,
    why,
    when === undefined ? undefined : `It applies ${when}.`,
    derived === undefined ? undefined : `Default: ${derived}.`,
    example === undefined ? undefined : `Example: ${example}`,
  ].filter((part) => part !== undefined)
}

function exampleOf(row: Row): string | undefined {
  const example = fieldOf(row.path)?.example
  return example === undefined ? undefined : codecFor(row).encode(example)
}

// A row of the table as a question: its choices judged, its help, and what skipping it means.
import { valueAt, type Json } from '../model/json.ts'
import { fieldOf } from '../profile/catalogue.ts'
import { bestOf, foundFor, isOfLine, offersOf, proposalOf, stageOf, unsetOf } from './proposal.ts'
import type { Choice, Question } from './question.ts'
import { once } from './once.ts'
import { writingFor, type Offer, type Row } from './row.ts'
import type { Session } from './session.ts'
import { against, triedOf } from './verdict.ts'

/** What takes long is found out when somebody looks. */
export function questionOf(session: Session, row: Row): Question {
  const { id, topic, path, title, columns } = row
  const { kind, show } = writingFor(row)
  const found = foundFor(session, row)
  const current = currentOf(session, row)
  const example = row.example ?? exampleOf(row)
  const choices = once(() =>
    choicesOf(session, row, [current === undefined ? undefined : show(current), found?.value]),
  )
  const proposal = once(() => proposalOf(session, row))
  const unset = once(() => unsetOf(session, row))
  return {
    id,
    topic,
    title,
    paths: path.length > 0 ? [path] : [],
    flag: id,
    kind,
    help: helpOf(row),
    ...(example !== undefined && kind !== 'block' && { example }),
    ...(columns && { columns }),
    ...(found && { found }),
    ...(current !== undefined && { current: show(current) }),
    get choices() {
      return choices()
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
    check: (typed) => complaint(session, row, typed),
  }
}

/** What is wrong with a text as an answer. */
export function complaint(session: Session, row: Row, typed: string): string | undefined {
  const { read } = writingFor(row)
  if (row.path.length > 0) return against(stageOf(session, row), row, read(typed))
  const known = row.offers?.(triedOf(session)).some(({ value }) => value === typed)
  return known ? undefined : `there is no field ${typed}`
}

/** `said` has what is there already: a patch is none of the lines that are offered. */
function choicesOf(
  session: Session,
  row: Row,
  said: readonly (string | undefined)[],
): readonly Choice[] | undefined {
  const stage = stageOf(session, row)
  const usual = offersOf(stage, row)
  if (!usual || row.path.length === 0) return usual
  const offers = said.reduce(withOffer, usual)
  const best = once(() => bestOf(stage, row))
  return offers.map((offer) => {
    const recommended = once(() => (offer.value === best()?.value ? best()?.why : undefined))
    const cannot = once(() => against(stage, row, writingFor(row).read(offer.value)))
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

/** Above its line. */
function withOffer(offers: readonly Offer[], value: string | undefined): readonly Offer[] {
  if (value === undefined || offers.some((offer) => offer.value === value)) return offers
  const at = Math.max(
    0,
    offers.findIndex((offer) => isOfLine(value, offer.value)),
  )
  return offers.toSpliced(at, 0, { value, name: value })
}

function currentOf({ remembered, opening }: Session, { id, path }: Row): Json | undefined {
  const before = remembered.find((given) => given.id === id && given.value !== undefined)
  // What a profile takes out with null is nothing that anybody could type.
  return before?.value ?? valueAt(opening.own?.patch, path) ?? undefined
}

function helpOf(row: Row): readonly string[] {
  const field = fieldOf(row.path)
  if (!field) return []
  const { what, why, when, derived } = field
  const example = exampleOf(row)
  return [
    what,
    why,
    when === undefined ? undefined : `It counts ${when}.`,
    derived === undefined ? undefined : `Default: ${derived}.`,
    example === undefined ? undefined : `Example: ${example}`,
  ].filter((part) => part !== undefined)
}

function exampleOf(row: Row): string | undefined {
  const example = fieldOf(row.path)?.example
  return example === undefined ? undefined : writingFor(row).show(example)
}

// A row of the table as a question: its choices judged, its help, and what skipping it means.
import { isObject, valueAt, type Json } from '../model/json.ts'
import { fieldOf } from '../profile/catalogue.ts'
import { draftOf } from './draft.ts'
import type { Choice, Found, Question } from './question.ts'
import type { Offer, Row } from './row.ts'
import { rows } from './rows.ts'
import { isSame } from './same.ts'
import { keeping, type Given, type Session } from './session.ts'
import { against, errorsOf, judgedOf } from './verdict.ts'
import { text, writingOf, type Writing } from './writing.ts'

export function questionOf(session: Session, row: Row): Question {
  const { id, topic, path, title, columns } = row
  const { kind, show } = writingFor(row)
  const choices = choicesOf(session, row)
  const found = foundFor(session, row)
  const current = currentOf(session, row)
  const proposal = proposalOf(session, row, choices)
  return {
    id,
    topic,
    title,
    paths: path.length > 0 ? [path] : [],
    flag: id,
    kind,
    help: helpOf(row),
    ...(choices && { choices }),
    ...(columns && { columns }),
    ...(found && { found }),
    ...(current !== undefined && { current: show(current) }),
    fallback: proposal.words,
    ...(proposal.must !== undefined && { must: proposal.must }),
    check: (typed) => complaint(session, row, typed),
  }
}

export function writingFor({ path, writing, offers }: Row): Writing {
  const field = fieldOf(path)
  const own = writing ?? (field ? writingOf(field.form) : text)
  return offers ? { ...own, kind: 'choice' } : own
}

/** What is wrong with a text as an answer. */
export function complaint(session: Session, row: Row, typed: string): string | undefined {
  const { read } = writingFor(row)
  if (row.path.length > 0) return against(stageOf(session, row), row, read(typed))
  const known = row.offers?.(judgedOf(session)).some(({ value }) => value === typed)
  return known ? undefined : `there is no field ${typed}`
}

/** With the answers of the questions before it: what was said later may change. */
function stageOf(session: Session, { id }: Row): Session {
  const place = (one: string) => rows.findIndex((row) => row.id === one)
  const last = place(id) < 0
  return keeping(
    session,
    (given) =>
      given.id !== id &&
      (given.from === 'given' || last || (place(given.id) >= 0 && place(given.id) < place(id))),
  )
}

function choicesOf(session: Session, row: Row): readonly Choice[] | undefined {
  const offers = offersOf(session, row)
  if (!offers || row.path.length === 0) return offers
  const stage = stageOf(session, row)
  const { read } = writingFor(row)
  const judged = offers.map((offer): Choice => {
    const cannot = against(stage, row, read(offer.value))
    return { ...offer, ...(cannot !== undefined && { cannot }) }
  })
  const best = bestOf(stage, row, judged)
  return judged.map((choice) =>
    choice.value === best?.value ? { ...choice, recommended: best.why } : choice,
  )
}

function offersOf(session: Session, row: Row): readonly Offer[] | undefined {
  if (row.offers) return row.offers(judgedOf(stageOf(session, row)))
  const form = fieldOf(row.path)?.form
  if (form?.kind === 'confirm') return ['yes', 'no'].map((value) => ({ value, name: value }))
  if (form?.kind !== 'choice') return undefined
  return form.choices.map((value) => ({ value: String(value), name: String(value) }))
}

/** What would stand there anyway, if it fits; else the first that does. */
function bestOf(stage: Session, row: Row, choices: readonly Choice[]) {
  const possible = choices.filter(({ cannot }) => cannot === undefined)
  const usual = possible.find(({ value }) => isOfLine(effectiveText(stage, row), value))
  if (usual) return { value: usual.value, why: whyUsual(stage, row) }
  const [first] = possible
  return first && { value: first.value, why: 'the first that works with the answers so far' }
}

/** 1.36.5 is of 1.36. */
const isOfLine = (value: string | undefined, line: string) =>
  value === line || value?.startsWith(`${line}.`) === true

function whyUsual(session: Session, { path, decision }: Row): string {
  const { base, document } = draftOf(session)
  if (valueAt(document, path) !== undefined) return `as ${base.name} has it`
  const { decisions } = judgedOf(session)
  return decisions.find(({ subject }) => subject === decision)?.reason ?? 'the default'
}

/** What the profile has at the field, said or decided. */
export function effective(session: Session, { path }: Row): Json | undefined {
  const { spec } = judgedOf(session).facts
  return isObject(spec) && path.length > 0 ? valueAt(spec, path) : undefined
}

function effectiveText(session: Session, row: Row): string | undefined {
  const value = effective(session, row)
  return value === undefined ? undefined : writingFor(row).show(value)
}

export function foundFor({ opening }: Session, row: Row): Found | undefined {
  const found = opening.found.find(({ path }) => isSame(path, row.path))
  return found && { value: writingFor(row).show(found.value), where: found.where }
}

function currentOf({ remembered, opening }: Session, { id, path }: Row): Json | undefined {
  const before = remembered.find((given) => given.id === id && given.value !== undefined)
  return before?.value ?? valueAt(opening.own?.patch, path)
}

export interface Proposal {
  /** What a skipped question leaves behind. */
  readonly given: Pick<Given, 'from' | 'value'>
  readonly words: string
  readonly must?: string
}

export function proposalOf(
  session: Session,
  row: Row,
  choices: readonly Choice[] | undefined = choicesOf(session, row),
): Proposal {
  const { read, show } = writingFor(row)
  const found = foundFor(session, row)
  if (found && complaint(session, row, found.value) === undefined)
    return {
      given: { from: 'found', value: read(found.value) },
      words: `${found.value}, found in ${found.where}`,
    }
  const stage = stageOf(session, row)
  const usual = effective(stage, row)
  const best = choices?.find(({ recommended }) => recommended !== undefined)
  if (best?.recommended !== undefined && !isOfLine(effectiveText(stage, row), best.value))
    return {
      given: { from: 'proposed', value: read(best.value) },
      words: `${best.name}: ${best.recommended}`,
    }
  const written = valueAt(draftOf(stage).document, row.path)
  const must = errorsOf(session, row)[0]?.message
  const words = usual === undefined || isEmpty(usual) ? undefined : show(usual)
  return {
    given: { from: 'left open', ...(written !== undefined && { value: written }) },
    words: words ?? row.without ?? fieldOf(row.path)?.derived ?? 'nothing is set',
    ...(must !== undefined && { must }),
  }
}

const isEmpty = (value: Json) => JSON.stringify(value).length === 2

function helpOf({ path }: Row): readonly string[] {
  const field = fieldOf(path)
  if (!field) return []
  const { what, why, when, derived, example, form } = field
  return [
    what,
    why,
    when === undefined ? undefined : `It counts ${when}.`,
    derived === undefined ? undefined : `Default: ${derived}.`,
    example === undefined ? undefined : `Example: ${writingOf(form).show(example)}`,
  ].filter((part) => part !== undefined)
}

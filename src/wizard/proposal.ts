// What a question proposes: what was found, what would stand there anyway, or the first that fits.
import { isObject, valueAt, type Json } from '../model/json.ts'
import { remembered } from '../model/remembered.ts'
import { fieldOf } from '../profile/catalogue.ts'
import { draftOf, saidAt } from './draft.ts'
import { briefly, type Found, type Unset } from './question.ts'
import { writingFor, type Offer, type Row } from './row.ts'
import { rows } from './rows.ts'
import { isSame } from './same.ts'
import { keeping, type Given, type Session } from './session.ts'
import { against, againstUnset, errorsOf, triedOf, unset } from './verdict.ts'

export interface Proposal {
  /** What a skipped question leaves behind. */
  readonly given: Pick<Given, 'from' | 'value'>
  readonly words: string
  readonly must?: string
}

export function proposalOf(session: Session, row: Row): Proposal {
  const { read } = writingFor(row)
  const found = foundFor(session, row)
  if (found && against(stageOf(session, row), row, read(found.value)) === undefined)
    return {
      given: { from: 'found', value: read(found.value) },
      words: `${briefly(found.value)}, found in ${found.where}`,
    }
  const stage = stageOf(session, row)
  const best = row.path.length > 0 ? bestOf(stage, row) : undefined
  if (best && !best.isUsual)
    return {
      given: { from: 'proposed', value: read(best.value) },
      words: `${best.name}: ${best.why}`,
    }
  const written = saidAt(draftOf(stage), row.path)
  const must = errorsOf(session, row)[0]?.message
  return {
    given: { from: 'left open', ...(written !== undefined && { value: written }) },
    words: usualWords(stage, row),
    ...(must !== undefined && { must }),
  }
}

/** What holds where nobody answers. */
function usualWords(stage: Session, row: Row): string {
  const usual = effective(stage, row)
  const words = usual === undefined || isEmpty(usual) ? undefined : named(stage, row, usual)
  return words ?? row.without ?? fieldOf(row.path)?.derived ?? 'nothing is set'
}

/** As its choice is called. */
function named(stage: Session, row: Row, value: Json): string {
  const { show } = writingFor(row)
  const text = show(value)
  const offer = offersOf(stage, row)?.find((one) => one.value === text)
  return offer?.name ?? briefly(text)
}

/** Absent where the profile that is edited says nothing of it. */
export function unsetOf(session: Session, row: Row): Unset | undefined {
  if (row.path.length === 0 || valueAt(session.opening.own?.patch, row.path) === undefined)
    return undefined
  const stage = stageOf(session, row)
  const cannot = againstUnset(stage, row)
  return { then: usualWords(unset(stage, row), row), ...(cannot !== undefined && { cannot }) }
}

const isEmpty = (value: Json) => ['""', '[]', '{}'].includes(JSON.stringify(value))

/** With the answers of the questions before it: what was said later may change. */
export function stageOf(session: Session, row: Row): Session {
  const stages = stagesOf(session)
  const stage = stages.get(row.id) ?? staged(session, row)
  stages.set(row.id, stage)
  return stage
}

const stagesOf = remembered((_: Session) => new Map<string, Session>())

function staged(session: Session, { id }: Row): Session {
  const place = (one: string) => rows.findIndex((row) => row.id === one)
  const last = place(id) < 0
  return keeping(
    session,
    (given) =>
      given.id !== id &&
      (given.from === 'given' || last || (place(given.id) >= 0 && place(given.id) < place(id))),
  )
}

export function offersOf(stage: Session, row: Row): readonly Offer[] | undefined {
  if (row.offers) return row.offers(triedOf(stage))
  const form = fieldOf(row.path)?.form
  if (form?.kind === 'confirm') return ['yes', 'no'].map((value) => ({ value, name: value }))
  if (form?.kind !== 'choice') return undefined
  return form.choices.map((value) => ({ value: String(value), name: String(value) }))
}

/** What would stand there anyway, if it fits; else the first that does. */
export function bestOf(stage: Session, row: Row) {
  const offers = offersOf(stage, row) ?? []
  const usual = offers.find(({ value }) => isOfLine(effectiveText(stage, row), value))
  if (usual && fits(stage, row, usual)) {
    const why = () => whyUsual(stage, row)
    return {
      ...usual,
      isUsual: true,
      get why() {
        return why()
      },
    }
  }
  const first = offers.find((offer) => fits(stage, row, offer))
  return first && { ...first, isUsual: false, why: 'the first that works with the answers so far' }
}

const fits = (stage: Session, row: Row, { value }: Offer) =>
  against(stage, row, writingFor(row).read(value)) === undefined

/** Only one choice works, and it is what stands there. */
export function isDerived(session: Session, row: Row): boolean {
  const stage = stageOf(session, row)
  const best = row.offers && bestOf(stage, row)
  if (!best?.isUsual || foundFor(session, row)) return false
  const others = offersOf(stage, row)?.filter(({ value }) => value !== best.value) ?? []
  return !others.some((offer) => fits(stage, row, offer))
}

/** 1.36.5 is of 1.36. */
export const isOfLine = (value: string | undefined, line: string) =>
  value === line || value?.startsWith(`${line}.`) === true

function whyUsual(session: Session, { path, decision }: Row): string {
  const draft = draftOf(session)
  if (saidAt(draft, path) !== undefined)
    return `as ${session.opening.own ? '' : 'the built-in profile '}${draft.base.name} has it`
  const { decisions } = triedOf(session)
  return decisions.find(({ subject }) => subject === decision)?.reason ?? 'the default'
}

/** What the profile has at the field, said or decided. */
export function effective(session: Session, { path }: Row): Json | undefined {
  const { spec } = triedOf(session).facts
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

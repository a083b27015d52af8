// How people type the values of fields: text to JSON, and back.
import { isList, isObject, type Json } from '../model/json.ts'
import { forbiddenKeys, unsafeText } from '../model/unsafe.ts'
import type { Form } from '../profile/catalogue.ts'
import type { Kind } from './question.ts'

export interface Writing {
  readonly kind: Kind
  /** Gives the text itself where it has not the form: the table of fields complains of that. */
  readonly read: (text: string) => Json
  /** Reading it gives the value again. */
  readonly show: (value: Json) => string
}

const json = (text: string): Json => {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? value : text
  } catch {
    return text
  }
}

function isJson(value: unknown): value is Json {
  if (isList(value)) return value.every(isJson)
  if (isObject(value)) return Object.values(value).every(isJson)
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

const words = (text: string) => text.split(',').flatMap((word) => word.trim() || [])
const truths: Readonly<Record<string, Json>> = { yes: true, no: false, true: true, false: false }
const truth = (text: string): Json => (Object.hasOwn(truths, text) ? (truths[text] ?? text) : text)
const sayTruth = (value: Json) => (value === true ? 'yes' : value === false ? 'no' : plain(value))
const whole = (text: string): Json => (/^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text)
export const plain = (value: Json): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** What a comma or an equals sign would cut is written as JSON. */
export function orJson(mark: string, { read, show, kind }: Writing): Writing {
  return {
    kind,
    read: (text) => (text.trimStart().startsWith(mark) ? json(text) : read(text)),
    show: (value) => {
      const text = show(value)
      return JSON.stringify(read(text)) === JSON.stringify(value) ? text : JSON.stringify(value)
    },
  }
}

export const text: Writing = { kind: 'text', read: (typed) => typed, show: plain }
export const block: Writing = { kind: 'block', read: (typed) => typed, show: plain }

const choice = (values: readonly (string | number)[]): Writing => ({
  kind: 'choice',
  read: (typed) => values.find((value) => String(value) === typed) ?? typed,
  show: plain,
})

export function list(readItem: (word: string) => Json, showItem: (item: Json) => string): Writing {
  return orJson('[', {
    kind: 'list',
    read: (typed) => words(typed).map(readItem),
    show: (value) => (isList(value) ? value.map(showItem).join(', ') : plain(value)),
  })
}

export function pairs(
  readValue: (word: string) => Json,
  showValue: (value: Json) => string,
): Writing {
  return orJson('{', {
    kind: 'pairs',
    read: (typed) => {
      const entries = words(typed).map((word) => word.split(/=(.*)/s, 2))
      if (entries.some(([, value]) => value === undefined)) return typed
      return Object.fromEntries(
        entries.map(([key = '', value = '']) => [key.trim(), readValue(value.trim())]),
      )
    },
    show: (value) => {
      if (!isObject(value)) return plain(value)
      const entries = Object.entries(value)
      return entries.map(([key, one]) => `${key}=${showValue(one ?? null)}`).join(', ')
    },
  })
}

/** From the form of the field. */
export function writingOf(form: Form): Writing {
  switch (form.kind) {
    case 'choice':
      return choice(form.choices)
    case 'confirm':
      return { kind: 'confirm', read: truth, show: sayTruth }
    case 'number':
      return { kind: 'text', read: whole, show: plain }
    case 'text':
      return text
    case 'list':
      return list((word) => word, plain)
    case 'pairs':
      return form.of === 'text' ? pairs((word) => word, plain) : pairs(truth, sayTruth)
    case 'json':
      return { kind: 'text', read: json, show: plain }
  }
}

/** What keeps a value out of a profile, whatever its field. */
export function unkeepable(value: Json): string | undefined {
  if (typeof value === 'string')
    return unsafeText.test(value) ? 'it holds a character that no profile can keep' : undefined
  if (isList(value)) return firstOf(value, unkeepable)
  if (!isObject(value)) return undefined
  return firstOf(Object.entries(value), ([key, one]) =>
    forbiddenKeys.has(key)
      ? `${key} cannot be a key`
      : (unkeepable(key) ?? unkeepable(one ?? null)),
  )
}

function firstOf<T>(all: readonly T[], problem: (one: T) => string | undefined) {
  return all.map(problem).find((found) => found !== undefined)
}

// Codecs between the JSON value of a field and the text that the user types.
import { isList, isObject, toText, type Json } from '../model/json.ts'
import { forbiddenKeys, unsafeText } from '../model/unsafe.ts'
import type { Form } from '../profile/catalogue.ts'
import type { Kind } from './question.ts'

interface Codec {
  /** Returns malformed text itself, which the field's validation then refuses. */
  readonly decode: (text: string) => Json
  /** `decode(encode(value))` is the value. */
  readonly encode: (value: Json) => string
}

export interface TextCodec extends Codec {
  readonly kind: Kind
  /** How to write a text that was not understood, with an example; the error of the field would be about maps. */
  readonly form?: (text: string) => string
}

const parseJson = (text: string): Json => {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) && duplicateKey(text) === undefined ? value : text
  } catch {
    return text
  }
}

function isJson(value: unknown): value is Json {
  if (isList(value)) return value.every(isJson)
  if (isObject(value)) return Object.values(value).every(isJson)
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

/** A key that a map of the JSON has twice; JSON.parse takes the last one. */
function duplicateKey(json: string): string | undefined {
  const maps: Set<string>[] = []
  for (const [token, key] of json.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') maps.push(new Set())
    if (token === '}') maps.pop()
    if (key === undefined) continue
    if (maps.at(-1)?.has(key)) return key
    maps.at(-1)?.add(key)
  }
  return undefined
}

const splitList = (text: string) => text.split(',').flatMap((word) => word.trim() || [])
const booleans: Readonly<Record<string, Json>> = { yes: true, no: false, true: true, false: false }

const plain: Codec = { decode: (typed) => typed, encode: toText }
const boolean: Codec = {
  decode: (typed) => (Object.hasOwn(booleans, typed) ? (booleans[typed] ?? typed) : typed),
  encode: (value) => (value === true ? 'yes' : value === false ? 'no' : toText(value)),
}
const integer: Codec = {
  decode: (typed) => (/^-?\d{1,15}$/.test(typed.trim()) ? Number(typed) : typed),
  encode: toText,
}
export const text: TextCodec = { kind: 'text', ...plain }
export const block: TextCodec = { kind: 'block', ...plain }

/** Falls back to JSON, which begins with `mark`, for values that hold a separator. */
export function orJson(mark: string, codec: TextCodec): TextCodec {
  const { decode, encode } = codec
  return {
    ...codec,
    decode: (typed) => (typed.trimStart().startsWith(mark) ? parseJson(typed) : decode(typed)),
    encode: (value) => {
      const typed = encode(value)
      return JSON.stringify(decode(typed)) === JSON.stringify(value) ? typed : JSON.stringify(value)
    },
  }
}

const choice = (values: readonly (string | number)[]): TextCodec => ({
  kind: 'choice',
  decode: (typed) => values.find((value) => String(value) === typed) ?? typed,
  encode: toText,
})

export function list(item: Codec): TextCodec {
  return orJson('[', {
    kind: 'list',
    decode: (typed) => splitList(typed).map(item.decode),
    encode: (value) => (isList(value) ? value.map(item.encode).join(', ') : toText(value)),
  })
}

/** `undefined` for a text that is no pairs. */
function entriesOf(typed: string): readonly (readonly [key: string, value: string])[] | undefined {
  const entries = splitList(typed).map((word) => /^([^=]*?)(?:=|:\s+)(.*)$/s.exec(word))
  return entries.some((entry) => entry === null)
    ? undefined
    : entries.map((entry) => [entry?.[1]?.trim() ?? '', entry?.[2]?.trim() ?? ''])
}

/** `key=value`, or `key: value` as YAML has it, separated by commas. */
export function pairs(
  item: Codec,
  form: TextCodec['form'] = () => 'KEY=VALUE, for example pool=web',
): TextCodec {
  return orJson('{', {
    kind: 'pairs',
    form: (typed) =>
      entriesOf(typed) || duplicateKey(typed) !== undefined ? 'each key once' : form(typed),
    decode: (typed) => {
      const entries = entriesOf(typed)
      const map = new Map(entries)
      return entries?.length === map.size
        ? Object.fromEntries(Array.from(map, ([key, value]) => [key, item.decode(value)]))
        : typed
    },
    encode: (value) => {
      if (!isObject(value)) return toText(value)
      const entries = Object.entries(value)
      return entries.map(([key, one]) => `${key}=${item.encode(one ?? null)}`).join(', ')
    },
  })
}

/** The codec for a form of field. */
export function codecOf(form: Form): TextCodec {
  switch (form.kind) {
    case 'choice':
      return choice(form.choices)
    case 'confirm':
      return { kind: 'confirm', ...boolean }
    case 'number':
      return { kind: 'text', ...integer }
    case 'text':
      return text
    case 'list':
      return list(plain)
    case 'pairs':
      return pairs(form.of === 'text' ? plain : boolean)
    case 'json':
      return { kind: 'text', decode: parseJson, encode: toText }
  }
}

/** What of a decoded text is still text, where a map is expected. */
export function notUnderstood({ form }: TextCodec, value: Json): string | undefined {
  const left = isList(value) ? value.find((item) => typeof item === 'string') : value
  return form && typeof left === 'string'
    ? `${JSON.stringify(left)}: expected ${form(left)}`
    : undefined
}

/** Why no field of a profile can hold a value: forbidden characters or keys. */
export function unsafeValueProblem(value: Json): string | undefined {
  if (typeof value === 'string')
    return unsafeText.test(value) ? 'it holds a character that no profile can keep' : undefined
  if (isList(value)) return firstOf(value, unsafeValueProblem)
  if (!isObject(value)) return undefined
  return firstOf(Object.entries(value), ([key, one]) =>
    forbiddenKeys.has(key)
      ? `${key} cannot be a key`
      : (unsafeValueProblem(key) ?? unsafeValueProblem(one ?? null)),
  )
}

function firstOf<T>(all: readonly T[], problem: (one: T) => string | undefined) {
  return all.map(problem).find((found) => found !== undefined)
}

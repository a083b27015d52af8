// JSON as Go's encoding/json reads it: names in any case, unknown names ignored.
import type { Json } from '../../../src/model/json.ts'
import { isMap, isNumber, readJson, type Parsed } from './json-reader.ts'

/** A type, or the fields of a struct; a function refuses a text with what it returns. */
export type Shape =
  | 'bool'
  | 'int'
  | 'uint'
  | 'string'
  | 'anything'
  | ((text: string) => string | undefined)
  // An Unmarshaler that is no pointer is asked to read null, and refuses it.
  | { readonly notNull: (text: string) => string | undefined }
  | { readonly list: Shape }
  | { readonly [field: string]: Shape }

export interface PlainJson {
  readonly value: Json
  /** Keys that no field has. */
  readonly unknown: readonly string[]
}

/** Throws a message for what Go refuses. */
export function readPlainJson(text: string, shape: Shape): PlainJson {
  if (text.startsWith('\ufeff'))
    throw new Error("invalid character 'ï' looking for beginning of value")
  const unknown: string[] = []
  return { value: fill(readJson(text).value, shape, '', unknown), unknown }
}

function fill(value: Parsed, shape: Shape, at: string, unknown: string[]): Json {
  if (isNotNull(shape)) {
    if (value === null) throw new Error(`json: null for ${at}`)
    return fill(value, shape.notNull, at, unknown)
  }
  if (value === null) return null
  if (shape === 'anything') return plain(value)
  if (typeof shape === 'string') return scalar(value, shape, at)
  if (typeof shape === 'function') {
    const fault = typeof value === 'string' ? shape(value) : 'not a string'
    if (fault !== undefined) throw new Error(fault)
    return plain(value)
  }
  if (isListShape(shape)) {
    if (!Array.isArray(value)) throw new Error(`json: cannot unmarshal into ${at} of a list type`)
    return value.map((item: Parsed) => fill(item, shape.list, at, unknown))
  }
  if (!isMap(value)) throw new Error(`json: cannot unmarshal into ${at} of a struct type`)
  const entries = Object.entries(value).flatMap(([key, member]) => {
    const field = Object.keys(shape).find((name) => name.toLowerCase() === key.toLowerCase())
    if (field === undefined) unknown.push(at === '' ? key : `${at}.${key}`)
    const inner = field === undefined ? undefined : shape[field]
    // What is null leaves a field as it was.
    if (field === undefined || inner === undefined) return []
    if (member === null && !isNotNull(inner)) return []
    return [[field, fill(member, inner, at === '' ? field : `${at}.${field}`, unknown)] as const]
  })
  return Object.fromEntries(entries)
}

type NotNull = Extract<Shape, { readonly notNull: unknown }>

function isNotNull(shape: Shape): shape is NotNull {
  return typeof shape === 'object' && 'notNull' in shape
}

function isListShape(shape: object): shape is { readonly list: Shape } {
  return Object.keys(shape).length === 1 && 'list' in shape
}

function scalar(value: Parsed, type: 'bool' | 'int' | 'uint' | 'string', at: string): Json {
  const whole = isNumber(value) && /^-?\d+$/.test(value.text) ? Number(value.text) : undefined
  const fits = {
    bool: typeof value === 'boolean',
    string: typeof value === 'string',
    int: whole !== undefined,
    uint: whole !== undefined && whole >= 0,
  }[type]
  if (!fits) throw new Error(`json: cannot unmarshal into Go struct field ${at} of type ${type}`)
  return plain(value)
}

function plain(value: Parsed): Json {
  if (isNumber(value)) return Number(value.text)
  if (Array.isArray(value)) return value.map(plain)
  if (!isMap(value)) return value as Json
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]))
}

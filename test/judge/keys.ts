// Compares every key of a document with a table of what exists in a version.
import { isObject } from '../../src/model/json.ts'
import { parseDuration } from '../../src/go/duration.ts'
import { parseQuantity } from '../../src/go/quantity.ts'
import { isBefore } from './minors.ts'

type KeyType =
  | 'boolean'
  | 'duration'
  | 'integer'
  | 'list of objects'
  | 'list of strings'
  | 'map to booleans'
  | 'map to lists'
  | 'map to quantities'
  | 'map to strings'
  | 'object'
  | 'string'

interface Key {
  readonly type: KeyType
  /** First minor that has it; absent where it is older than the tables. */
  readonly added?: string
  /** First minor without it; absent where the newest still has it. */
  readonly removed?: string
  /** What it, or each of its items, can be. */
  readonly values?: readonly string[]
}

/** Dotted paths; `*` is any key of a map, `[]` an item of a list. Versions are the component's. */
export type Keys = Readonly<Record<string, Key>>

const isQuantity = (value: unknown) => typeof value === 'string' && !!parseQuantity(value)
const isText = (value: unknown) => typeof value === 'string'
const mapOf = (fits: (value: unknown) => boolean) => (value: unknown) =>
  isObject(value) && Object.values(value).every(fits)
const listOf = (fits: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(fits)

const kinds: Readonly<Record<KeyType, (value: unknown) => boolean>> = {
  boolean: (value) => typeof value === 'boolean',
  duration: (value) => typeof value === 'string' && parseDuration(value) !== undefined,
  integer: Number.isInteger,
  'list of objects': listOf(isObject),
  'list of strings': listOf(isText),
  'map to booleans': mapOf((value) => typeof value === 'boolean'),
  'map to lists': mapOf(Array.isArray),
  'map to quantities': mapOf(isQuantity),
  'map to strings': mapOf(isText),
  object: isObject,
  string: isText,
}

/** What the program of that version would refuse, ignore or misread; nothing where all is right. */
export function judgeKeys(document: unknown, keys: Keys, version: string, at = ''): string[] {
  if (!isObject(document)) return [`${at || 'the document'} is no map`]
  return Object.entries(document).flatMap(([key, value]) => {
    const name = nameIn(keys, at, key)
    const row = name === undefined ? undefined : keys[name]
    if (name === undefined || !row) return [`${join(at, key)} does not exist`]
    return [
      ...judgeRow(join(at, key), row, version),
      ...judgeValue(join(at, key), row, value),
      ...below(value, row, keys, version, name),
    ]
  })
}

function join(at: string, key: string): string {
  return at === '' ? key : `${at}.${key}`
}

function nameIn(keys: Keys, at: string, key: string): string | undefined {
  return [join(at, key), join(at, '*')].find((name) => Object.hasOwn(keys, name))
}

function judgeRow(name: string, row: Key, version: string): string[] {
  const { added, removed } = row
  return [
    ...(added !== undefined && isBefore(version, added) ? [`${name} came with ${added}`] : []),
    ...(removed !== undefined && !isBefore(version, removed)
      ? [`${name} went with ${removed}`]
      : []),
  ]
}

function judgeValue(name: string, { type, values }: Key, value: unknown): string[] {
  if (!kinds[type](value)) return [`${name} is no ${type}: ${JSON.stringify(value)}`]
  const words: readonly unknown[] = Array.isArray(value) ? value : [value]
  return words
    .filter((word) => values !== undefined && !values.some((one) => one === word))
    .map((word) => `${name} cannot be ${JSON.stringify(word)}`)
}

function below(value: unknown, { type }: Key, keys: Keys, version: string, name: string) {
  if (type === 'object') return judgeKeys(value, keys, version, name)
  if (type !== 'list of objects' || !Array.isArray(value)) return []
  return value.flatMap((item) => judgeKeys(item, keys, version, `${name}[]`))
}

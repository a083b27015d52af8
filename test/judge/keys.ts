// Compares every key of a document with a table of what exists in a version.
import { inRange } from '../../src/matrix/version.ts'
import { isObject } from '../../src/model/json.ts'
import type { ConfigField, FieldType } from '../../src/model/config-rows.ts'

/** Dotted paths; `*` is any key of a map, `[]` an item of a list. Versions are the component's. */
export type Keys = Readonly<Record<string, ConfigField>>

const duration = /^(?:\d+(?:\.\d+)?(?:ns|us|ms|s|m|h))+$/
const quantity = /^\d+(?:\.\d+)?(?:m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$/
const isText = (value: unknown) => typeof value === 'string'
const mapOf = (fits: (value: unknown) => boolean) => (value: unknown) =>
  isObject(value) && Object.values(value).every(fits)
const listOf = (fits: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(fits)

const kinds: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  boolean: (value) => typeof value === 'boolean',
  duration: (value) => typeof value === 'string' && duration.test(value),
  'duration or nanoseconds': (value) =>
    Number.isInteger(value) || (typeof value === 'string' && duration.test(value)),
  integer: Number.isInteger,
  'list of integers': listOf(Number.isInteger),
  'list of objects': listOf(isObject),
  'list of strings': listOf(isText),
  'map to booleans': mapOf((value) => typeof value === 'boolean'),
  'map to lists': mapOf(Array.isArray),
  'map to quantities': mapOf((value) => typeof value === 'string' && quantity.test(value)),
  'map to strings': mapOf(isText),
  number: (value) => typeof value === 'number',
  object: isObject,
  quantity: (value) => typeof value === 'string' && quantity.test(value),
  string: isText,
  time: isText,
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

function judgeRow(name: string, row: ConfigField, version: string): string[] {
  const { added, removed, linuxOnly } = row
  return [
    ...(added !== undefined && inRange(version, `<${added}`) ? [`${name} came with ${added}`] : []),
    ...(removed !== undefined && inRange(version, `>=${removed}`)
      ? [`${name} went with ${removed}`]
      : []),
    ...(linuxOnly ? [`${name} has no effect on Windows`] : []),
  ]
}

function judgeValue(name: string, { type, values }: ConfigField, value: unknown): string[] {
  if (!kinds[type](value)) return [`${name} is no ${type}: ${JSON.stringify(value)}`]
  const words: readonly unknown[] = Array.isArray(value) ? value : [value]
  return words
    .filter((word) => values !== undefined && !values.some((one) => one === word))
    .map((word) => `${name} cannot be ${JSON.stringify(word)}`)
}

function below(value: unknown, { type }: ConfigField, keys: Keys, version: string, name: string) {
  if (type === 'object') return judgeKeys(value, keys, version, name)
  if (type !== 'list of objects' || !Array.isArray(value)) return []
  return value.flatMap((item) => judgeKeys(item, keys, version, `${name}[]`))
}

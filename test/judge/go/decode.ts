// Decodes a document into the types of its fields, as strictly as the programs do.
// https://github.com/kubernetes-sigs/json: names by case; unknown ones are reported and ignored.
import type { Json, JsonObject } from '../../../src/model/json.ts'
import { ignored, refused, type Finding } from '../finding.ts'
import type { FieldRow, Rows } from '../tables.ts'
import { parseDuration } from '../../../src/go/duration.ts'
import { isMap, isNumber, type Parsed } from './json-reader.ts'
import { parseQuantity } from '../../../src/go/quantity.ts'
import { quantityFault } from './quantity.ts'

export interface Decoded {
  readonly value: JsonObject
  readonly findings: readonly Finding[]
}

/** Throws a message for a value that Go refuses; nulls stay, and mean absent. */
type Reader = (value: Parsed, path: string) => Json

class Refusal extends Error {}

const kindOf = (value: Parsed): string =>
  isNumber(value)
    ? `number ${value.text}`
    : Array.isArray(value)
      ? 'array'
      : isMap(value)
        ? 'object'
        : typeof value === 'boolean'
          ? 'bool'
          : 'string'

function mismatch(value: Parsed, path: string, type: string): Refusal {
  return new Refusal(
    `json: cannot unmarshal ${kindOf(value)} into Go struct field ${path} of type ${type}`,
  )
}

function integer(type: string, least: bigint, most: bigint): Reader {
  return (value, path) => {
    const whole = isNumber(value) && /^-?\d+$/.test(value.text) ? BigInt(value.text) : undefined
    if (whole === undefined || whole < least || whole > most) throw mismatch(value, path, type)
    return Number(whole)
  }
}

function text(value: Parsed, path: string): string {
  if (typeof value !== 'string') throw mismatch(value, path, 'string')
  return value
}

/** Of the Kubernetes API: null is an empty text here, because it is asked to read it. */
function duration(value: Parsed, path: string): Json {
  const given = value === null ? '' : text(value, path)
  if (parseDuration(given) === undefined)
    throw new Refusal(`time: invalid duration ${JSON.stringify(given)}`)
  return given
}

function quantity(value: Parsed, path: string): Json {
  const given = isNumber(value) ? value.text : text(value, path)
  // Quantity.UnmarshalJSON takes spaces off first.
  if (!parseQuantity(given.trim())) throw new Refusal(quantityFault)
  return given.trim()
}

const nanoseconds = integer('time.Duration', -(1n << 63n), (1n << 63n) - 1n)

const readers: Readonly<Record<string, Reader>> = {
  bool: (value, path) => {
    if (typeof value !== 'boolean') throw mismatch(value, path, 'bool')
    return value
  },
  string: text,
  int32: integer('int32', -(1n << 31n), (1n << 31n) - 1n),
  int64: integer('int64', -(1n << 63n), (1n << 63n) - 1n),
  uint32: integer('uint32', 0n, (1n << 32n) - 1n),
  float32: floating,
  float64: floating,
  duration,
  'integer, nanoseconds': nanoseconds,
  'duration or nanoseconds': (value, path) =>
    (isNumber(value) ? nanoseconds : duration)(value, path),
  quantity,
  time: (value, path) => {
    const given = text(value, path)
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(given))
      throw new Refusal(`parsing time ${JSON.stringify(given)}`)
    return given
  },
}

function floating(value: Parsed, path: string): Json {
  if (!isNumber(value)) throw mismatch(value, path, 'float64')
  return Number(value.text)
}

function readerOf(type: string): Reader {
  const [, item] = /^(?:list of |\[\])(.+)$/.exec(type) ?? []
  const [, member] = /^map of (?:string|resource name) to (.+)$/.exec(type) ?? []
  if (item !== undefined) return listOf(readerOf(item))
  if (member !== undefined) return mapOf(readerOf(member))
  const reader = readers[type]
  if (!reader) throw new Error(`no reader of ${type}`)
  return reader
}

const orNull =
  (reader: Reader): Reader =>
  (value, path) =>
    value === null ? null : reader(value, path)

function listOf(reader: Reader): Reader {
  return (value, path) => {
    if (!Array.isArray(value)) throw mismatch(value, path, 'a list')
    return value.map((item: Parsed, at) => orNull(reader)(item, `${path}[${at}]`))
  }
}

function mapOf(reader: Reader): Reader {
  return (value, path) => {
    if (!isMap(value)) throw mismatch(value, path, 'a map')
    const entries = Object.entries(value)
    return Object.fromEntries(
      entries.map(([key, member]) => [key, orNull(reader)(member, `${path}.${key}`)]),
    )
  }
}

/** The fields of a map, and what was said of it; a refused field is left out. */
export function decode(document: Parsed, rows: Rows<FieldRow>, at = '', shown = at): Decoded {
  if (document === null) return { value: {}, findings: [] }
  if (!isMap(document))
    return { value: {}, findings: [refused(mismatch(document, shown, 'a struct').message)] }
  const findings: Finding[] = []
  const entries: [string, Json][] = []
  for (const [key, value] of Object.entries(document)) {
    const [path, name] = [below(at, key), below(shown, key)]
    const row = rows.get(path)
    if (!row) {
      findings.push(ignored(`strict decoding error: unknown field "${name}"`))
      continue
    }
    const field = decodeField(value, row, rows, path, name)
    findings.push(...field.findings)
    if (field.value !== undefined) entries.push([key, field.value])
  }
  return { value: Object.fromEntries(entries), findings }
}

interface DecodedField {
  readonly value?: Json
  readonly findings: readonly Finding[]
}

function decodeField(
  value: Parsed,
  row: FieldRow,
  rows: Rows<FieldRow>,
  path: string,
  name: string,
): DecodedField {
  const asked = row.type === 'duration' && row.nullable !== true
  if (value === null && !asked) return { value: null, findings: [] }
  if (row.type === 'object') return decode(value, rows, path, name)
  if (row.type === 'list of objects') {
    if (!Array.isArray(value))
      return { findings: [refused(mismatch(value, name, 'a list').message)] }
    const items = value.map((item: Parsed, index) =>
      decode(item, rows, `${path}[]`, `${name}[${index}]`),
    )
    return {
      value: items.map((item) => item.value),
      findings: items.flatMap(({ findings }) => findings),
    }
  }
  try {
    return { value: readerOf(row.type)(value, name), findings: [] }
  } catch (error) {
    if (error instanceof Refusal) return { findings: [refused(error.message)] }
    throw error
  }
}

function below(at: string, key: string): string {
  return at === '' ? key : `${at}.${key}`
}

// What an API server says of a value by the structural schema of a CRD, unknown fields included.
// https://github.com/kubernetes/kubernetes/tree/master/staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema
import { Environment } from '@marcbachmann/cel-js'
import { isObject, type Json, type JsonObject } from '../../../src/model/json.ts'
import { ignored, refused, type Finding } from '../finding.ts'
import { textOf } from '../go/scalar.ts'
import { kinds } from '../json-kinds.ts'

type Check = (asked: Json, value: Json, at: string, schema: JsonObject) => readonly Finding[]

const none: Check = () => []
const when = (broken: boolean, message: string) => (broken ? [refused(message)] : [])
/** In code points, as Go counts runes. */
const lengthOf = (value: Json) => (typeof value === 'string' ? Array.from(value).length : 0)
const keysOf = (value: Json) => (isObject(value) ? Object.keys(value) : [])
const itemsOf = (value: Json): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : [])
const int32 = 2 ** 31 - 1

const cel = new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true })

/** CEL knows integers from floating numbers, JSON does not. */
function numeric(value: Json): unknown {
  if (Array.isArray(value)) return (value as Json[]).map(numeric)
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, numeric(one ?? null)]),
    )
  return Number.isInteger(value) ? BigInt(Number(value)) : value
}

const checks: Readonly<Record<string, Check>> = {
  default: none,
  'x-kubernetes-int-or-string': none,
  'x-kubernetes-map-type': none,
  'x-kubernetes-list-map-keys': none,
  type: (asked, value, at) =>
    when(!kinds[textOf(asked)]?.(value), `${at}: must be of type ${textOf(asked)}`),
  enum: (asked, value, at) => when(!itemsOf(asked).includes(value), `${at}: unsupported value`),
  pattern: (asked, value, at) =>
    when(
      typeof value === 'string' && !new RegExp(textOf(asked), 'u').test(value),
      `${at}: pattern`,
    ),
  format: (asked, value, at) =>
    when(
      asked === 'int32' && typeof value === 'number' && Math.abs(value) > int32,
      `${at}: not an int32`,
    ),
  minimum: (asked, value, at) => when(Number(value) < Number(asked), `${at}: too small`),
  maximum: (asked, value, at) => when(Number(value) > Number(asked), `${at}: too large`),
  minLength: (asked, value, at) =>
    when(typeof value === 'string' && lengthOf(value) < Number(asked), `${at}: too short`),
  maxLength: (asked, value, at) => when(lengthOf(value) > Number(asked), `${at}: too long`),
  minItems: (asked, value, at) => when(itemsOf(value).length < Number(asked), `${at}: too few`),
  maxItems: (asked, value, at) => when(itemsOf(value).length > Number(asked), `${at}: too many`),
  minProperties: (asked, value, at) =>
    when(keysOf(value).length < Number(asked), `${at}: too few properties`),
  required: (asked, value, at) =>
    itemsOf(asked)
      .map(textOf)
      .filter((key) => isObject(value) && value[key] === undefined)
      .map((key) => refused(`${at}.${key}: required value`)),
  properties: (asked, value, at, schema) =>
    keysOf(value).flatMap((key) => {
      const inner = isObject(asked) ? asked[key] : undefined
      const item = isObject(value) ? value[key] : undefined
      if (isObject(inner)) return judgeValue(inner, item ?? null, `${at}.${key}`)
      return schema['additionalProperties'] === undefined
        ? [refused(`unknown field ${at}.${key}`)]
        : []
    }),
  additionalProperties: (asked, value, at) =>
    keysOf(value).flatMap((key) =>
      isObject(asked) && isObject(value)
        ? judgeValue(asked, value[key] ?? null, `${at}.${key}`)
        : [],
    ),
  items: (asked, value, at) =>
    itemsOf(value).flatMap((item, index) =>
      isObject(asked) ? judgeValue(asked, item, `${at}[${index}]`) : [],
    ),
  anyOf: (asked, value, at) =>
    when(
      !itemsOf(asked).some((one) => isObject(one) && judgeValue(one, value, at).length === 0),
      `${at}: none of the forms that it may have`,
    ),
  allOf: (asked, value, at) =>
    itemsOf(asked).flatMap((one) => (isObject(one) ? judgeValue(one, value, at) : [])),
  'x-kubernetes-list-type': (asked, value, at, schema) => {
    if (asked !== 'map') return []
    const names = itemsOf(schema['x-kubernetes-list-map-keys'] ?? []).map(textOf)
    const keys = itemsOf(value).map((item) =>
      JSON.stringify(names.map((name) => (isObject(item) ? item[name] : null))),
    )
    return when(new Set(keys).size < keys.length, `${at}: duplicate value`)
  },
  'x-kubernetes-validations': (asked, value, at) =>
    itemsOf(asked).flatMap((row) => {
      const { rule, message } = row as { readonly rule: string; readonly message: string }
      return when(cel.evaluate(rule, { self: numeric(value) }) !== true, `${at}: ${message}`)
    }),
}

/** Nothing where the value is as the schema wants it. */
export function judgeValue(schema: JsonObject, value: Json, at: string): readonly Finding[] {
  // The server drops it, unless the schema says `nullable`, as none of these does.
  if (value === null) return [ignored(`${at}: null is dropped`)]
  // What is of another type is not looked at any further.
  const { type, ...others } = schema
  const wrong = type === undefined ? [] : (checks['type']?.(type, value, at, schema) ?? [])
  if (wrong.length > 0) return wrong
  return Object.entries(others).flatMap(([keyword, asked]) => {
    const check = checks[keyword]
    if (!check) throw new Error(`the schema has ${keyword}`)
    return check(asked ?? null, value, at, schema)
  })
}

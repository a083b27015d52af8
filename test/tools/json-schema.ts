// Says where a value breaks a JSON Schema, for the keywords that our schemas use; any other is an error.
import type { Json, JsonObject } from '../../src/model/json.ts'
import { isObject } from '../../src/model/json.ts'
import { kinds } from '../judge/json-kinds.ts'

type Check = (
  asked: Json,
  value: Json,
  at: string,
  schema: JsonObject,
  root: JsonObject,
) => string[]

const textOf = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value))

const none: Check = () => []

const fits = (schema: Json, value: Json, root: JsonObject) =>
  breaches(schema as JsonObject, value, '', root).length === 0

/** Where `at` is not as `holds` says. */
const must =
  (holds: (asked: never, value: Json) => boolean, what: string): Check =>
  (asked, value, at) =>
    holds(asked as never, value) ? [] : [`${at} has not ${what} ${textOf(asked)}`]

const checks: Readonly<Record<string, Check>> = {
  $schema: none,
  $defs: none,
  id: none,
  definitions: none,
  title: none,
  description: none,
  default: none,
  $ref: (asked, value, at, _, root) => {
    const [, home = '', target = ''] = textOf(asked).split('/')
    return breaches((root[home] as JsonObject)[target] as JsonObject, value, at, root)
  },
  format: (asked, value, at) => {
    if (asked === 'date-time') return [`${at} is a day, which no answer has`]
    const base = asked === 'uri' ? undefined : 'https://winnode.example'
    return URL.canParse(textOf(value), base) ? [] : [`${at} is no ${textOf(asked)}`]
  },
  pattern: must((asked: string, value) => new RegExp(asked).test(textOf(value)), 'the form'),
  minimum: must((asked: number, value) => Number(value) >= asked, 'at least'),
  maximum: must((asked: number, value) => Number(value) <= asked, 'at most'),
  minItems: must((asked: number, value) => (value as Json[]).length >= asked, 'so many items:'),
  uniqueItems: must(
    (asked: boolean, value) =>
      !asked ||
      new Set((value as Json[]).map((one) => JSON.stringify(one))).size ===
        (value as Json[]).length,
    'each item once:',
  ),
  anyOf: (asked, value, at, _, root) =>
    (asked as Json[]).some((one) => fits(one, value, root))
      ? []
      : [`${at} is none of ${JSON.stringify(asked)}`],
  oneOf: (asked, value, at, _, root) =>
    (asked as Json[]).filter((one) => fits(one, value, root)).length === 1
      ? []
      : [`${at} is not one of ${JSON.stringify(asked)}`],
  type: (asked, value, at) =>
    [asked].flat().some((kind) => kinds[textOf(kind)]?.(value))
      ? []
      : [`${at} is no ${textOf(asked)}`],
  const: (asked, value, at) => (asked === value ? [] : [`${at} is not ${textOf(asked)}`]),
  enum: (asked, value, at) =>
    (asked as Json[]).includes(value) ? [] : [`${at} is ${JSON.stringify(value)}`],
  required: (asked, value, at) =>
    isObject(value)
      ? (asked as string[]).filter((key) => !(key in value)).map((key) => `${at}.${key} is missing`)
      : [],
  properties: (asked, value, at, _, root) =>
    isObject(value)
      ? Object.entries(asked as JsonObject).flatMap(([key, inner]) =>
          key in value
            ? breaches(inner as JsonObject, value[key] ?? null, `${at}.${key}`, root)
            : [],
        )
      : [],
  additionalProperties: (asked, value, at, schema, root) =>
    isObject(value)
      ? Object.keys(value)
          .filter((key) => !(key in ((schema['properties'] ?? {}) as JsonObject)))
          .flatMap((key) =>
            isObject(asked)
              ? breaches(asked, value[key] ?? null, `${at}.${key}`, root)
              : [`${at}.${key} is unknown`],
          )
      : [],
  items: (asked, value, at, _, root) =>
    Array.isArray(value)
      ? (value as Json[]).flatMap((item, index) =>
          breaches(asked as JsonObject, item, `${at}[${index}]`, root),
        )
      : [],
}

/** None where the value is as the schema says. */
export function breaches(
  schema: JsonObject,
  value: Json,
  at = 'the answer',
  root: JsonObject = schema,
): string[] {
  return Object.entries(schema).flatMap(([keyword, asked]) => {
    const check = checks[keyword]
    if (!check) throw new Error(`the schema has ${keyword}`)
    return check(asked ?? null, value, at, schema, root)
  })
}

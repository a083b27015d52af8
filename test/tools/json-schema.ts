// A JSON Schema validator for the keywords that winnode's schemas use; any other keyword is an error.
import type { Json, JsonObject } from '../../src/model/json.ts'
import { isObject } from '../../src/model/json.ts'
import { kinds } from '../judge/json-kinds.ts'

type Check = (
  argument: Json,
  value: Json,
  at: string,
  schema: JsonObject,
  root: JsonObject,
) => string[]

const textOf = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value))

const none: Check = () => []

const fits = (schema: Json, value: Json, root: JsonObject) =>
  breaches(schema as JsonObject, value, '', root).length === 0

/** A check of one keyword; `holds` gets its argument and the value. */
const must =
  (holds: (argument: never, value: Json) => boolean, what: string): Check =>
  (argument, value, at) =>
    holds(argument as never, value) ? [] : [`${at} has not ${what} ${textOf(argument)}`]

const checks: Readonly<Record<string, Check>> = {
  $schema: none,
  $defs: none,
  id: none,
  definitions: none,
  title: none,
  description: none,
  default: none,
  $ref: (argument, value, at, _, root) => {
    const [, home = '', target = ''] = textOf(argument).split('/')
    return breaches((root[home] as JsonObject)[target] as JsonObject, value, at, root)
  },
  format: (argument, value, at) => {
    if (argument === 'date-time') return [`${at} is a day, which no answer has`]
    const base = argument === 'uri' ? undefined : 'https://winnode.example'
    return URL.canParse(textOf(value), base) ? [] : [`${at} is no ${textOf(argument)}`]
  },
  pattern: must((argument: string, value) => new RegExp(argument).test(textOf(value)), 'the form'),
  minimum: must((argument: number, value) => Number(value) >= argument, 'at least'),
  maximum: must((argument: number, value) => Number(value) <= argument, 'at most'),
  minItems: must(
    (argument: number, value) => (value as Json[]).length >= argument,
    'so many items:',
  ),
  uniqueItems: must(
    (argument: boolean, value) =>
      !argument ||
      new Set((value as Json[]).map((one) => JSON.stringify(one))).size ===
        (value as Json[]).length,
    'each item once:',
  ),
  anyOf: (argument, value, at, _, root) =>
    (argument as Json[]).some((one) => fits(one, value, root))
      ? []
      : [`${at} is none of ${JSON.stringify(argument)}`],
  oneOf: (argument, value, at, _, root) =>
    (argument as Json[]).filter((one) => fits(one, value, root)).length === 1
      ? []
      : [`${at} is not one of ${JSON.stringify(argument)}`],
  type: (argument, value, at) =>
    [argument].flat().some((kind) => kinds[textOf(kind)]?.(value))
      ? []
      : [`${at} is no ${textOf(argument)}`],
  const: (argument, value, at) => (argument === value ? [] : [`${at} is not ${textOf(argument)}`]),
  enum: (argument, value, at) =>
    (argument as Json[]).includes(value) ? [] : [`${at} is ${JSON.stringify(value)}`],
  required: (argument, value, at) =>
    isObject(value)
      ? (argument as string[])
          .filter((key) => !(key in value))
          .map((key) => `${at}.${key} is missing`)
      : [],
  properties: (argument, value, at, _, root) =>
    isObject(value)
      ? Object.entries(argument as JsonObject).flatMap(([key, inner]) =>
          key in value
            ? breaches(inner as JsonObject, value[key] ?? null, `${at}.${key}`, root)
            : [],
        )
      : [],
  additionalProperties: (argument, value, at, schema, root) =>
    isObject(value)
      ? Object.keys(value)
          .filter((key) => !(key in ((schema['properties'] ?? {}) as JsonObject)))
          .flatMap((key) =>
            isObject(argument)
              ? breaches(argument, value[key] ?? null, `${at}.${key}`, root)
              : [`${at}.${key} is unknown`],
          )
      : [],
  items: (argument, value, at, _, root) =>
    Array.isArray(value)
      ? (value as Json[]).flatMap((item, index) =>
          breaches(argument as JsonObject, item, `${at}[${index}]`, root),
        )
      : [],
}

/** Violations of the schema, each with the path of the value. */
export function breaches(
  schema: JsonObject,
  value: Json,
  at = 'the answer',
  root: JsonObject = schema,
): string[] {
  return Object.entries(schema).flatMap(([keyword, argument]) => {
    const check = checks[keyword]
    if (!check) throw new Error(`the schema has ${keyword}`)
    return check(argument ?? null, value, at, schema, root)
  })
}

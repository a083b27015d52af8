// Says where a value breaks a JSON Schema, for the keywords that our schemas use; any other is an error.
import type { Json, JsonObject } from '../../src/model/json.ts'
import { isObject } from '../../src/model/json.ts'

const kinds: Readonly<Record<string, (value: Json) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  null: (value) => value === null,
}

type Check = (
  asked: Json,
  value: Json,
  at: string,
  schema: JsonObject,
  root: JsonObject,
) => string[]

const textOf = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value))

const none: Check = () => []

const checks: Readonly<Record<string, Check>> = {
  $schema: none,
  $defs: none,
  title: none,
  description: none,
  $ref: (asked, value, at, _, root) => {
    const target = textOf(asked).slice('#/$defs/'.length)
    return breaches((root['$defs'] as JsonObject)[target] as JsonObject, value, at, root)
  },
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
  additionalProperties: (_, value, at, schema) =>
    isObject(value)
      ? Object.keys(value)
          .filter((key) => !(key in (schema['properties'] as JsonObject)))
          .map((key) => `${at}.${key} is unknown`)
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

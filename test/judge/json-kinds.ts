// The kinds of values that a schema names in `type`, as JSON Schema and API servers have them.
import { isObject, type Json } from '../../src/model/json.ts'

/** The schemas of an API server name no null. */
export const kinds: Readonly<Record<string, (value: Json) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  null: (value) => value === null,
}

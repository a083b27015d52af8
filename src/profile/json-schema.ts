// The table of fields as JSON Schema, for editors that complete and check profiles.
import { toJsonSchema } from '@valibot/to-json-schema'
import { isList, isObject, type Json, type JsonObject } from '../model/json.ts'
import { profileSchema } from './fields/index.ts'

export function profileJsonSchema(): JsonObject {
  const { $schema, $defs, ...fields } = generated()
  return {
    $schema,
    title: 'winnode node profile',
    description:
      'Everything that winnode must know of a Windows node; what is left out has a default.',
    ...toEditors(fields),
    $defs,
  }
}

function generated(): JsonObject {
  const schema: unknown = toJsonSchema(profileSchema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    errorMode: 'ignore',
  })
  return isObject(schema) ? schema : {}
}

/** Editors show `description` alone, so it says the reason and the default too. */
function toEditors({ what, why, when, derived, example, ...schema }: JsonObject): JsonObject {
  const told = [
    what,
    why,
    when === undefined ? undefined : `It counts ${said(when)}.`,
    derived === undefined ? undefined : `Default: ${said(derived)}.`,
  ]
  const words = told.filter((part) => part !== undefined).map(said)
  return {
    ...(words.length > 0 ? { description: words.join(' ') } : {}),
    ...withChildren(schema),
    ...(example === undefined ? {} : { examples: [example] }),
  }
}

function withChildren(schema: JsonObject): JsonObject {
  const { properties, additionalProperties, required, ...rest } = schema
  const must = isList(required) ? required : []
  return {
    ...rest,
    ...(isObject(properties) ? { properties: propertiesOf(properties, must) } : {}),
    ...(must.length > 0 ? { required: must } : {}),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties: isObject(additionalProperties)
            ? orNull(toEditors(additionalProperties))
            : additionalProperties,
        }),
  }
}

function propertiesOf(properties: JsonObject, must: readonly Json[]): JsonObject {
  const told = Object.entries(properties).map(([key, child]): [string, Json | undefined] => {
    if (!isObject(child)) return [key, child]
    return [key, must.includes(key) ? toEditors(child) : orNull(toEditors(child))]
  })
  return Object.fromEntries(told)
}

/** In a map null takes away what an extended profile says (RFC 7396). */
function orNull(schema: JsonObject): JsonObject {
  const { type, enum: choices, anyOf } = schema
  return {
    ...schema,
    ...(typeof type === 'string' ? { type: [type, 'null'] } : {}),
    ...(isList(choices) ? { enum: [...choices, null] } : {}),
    ...(isList(anyOf) ? { anyOf: [...anyOf, { type: 'null' }] } : {}),
  }
}

function said(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

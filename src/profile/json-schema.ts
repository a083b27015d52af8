// The table of fields as JSON Schema, for completion and checks in editors.
import { toJsonSchema } from '@valibot/to-json-schema'
import { isList, isObject, type Json, type JsonObject } from '../model/json.ts'
import { needWords } from '../model/need.ts'
import type { Path } from '../model/path.ts'
import { fieldNeed } from './field-needs.ts'
import { profileSchema } from './fields/index.ts'

export function profileJsonSchema(): JsonObject {
  const { $schema, $defs, ...fields } = generated()
  return {
    $schema,
    title: 'winnode node profile',
    description: 'Describes a Windows node for winnode. Omitted fields have defaults.',
    ...toEditors(fields, []),
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

/** Editors show only `description`, so it contains the reason, the default and what a change needs. */
function toEditors(
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- a schema has no place for refused values
  { what, why, when, derived, example, refused, ...schema }: JsonObject,
  path: Path,
): JsonObject {
  const need = isObject(schema['properties']) ? undefined : fieldNeed(path)
  const sentences = [
    what,
    why,
    when === undefined ? undefined : `Applies ${textOrEmpty(when)}.`,
    derived === undefined ? undefined : `Default: ${textOrEmpty(derived)}.`,
    what === undefined || need === undefined ? undefined : `A change needs ${needWords[need]}.`,
  ]
  const words = sentences.filter((part) => part !== undefined).map(textOrEmpty)
  return {
    ...(words.length > 0 ? { description: words.join(' ') } : {}),
    ...withChildren(schema, path),
    ...(example === undefined ? {} : { examples: [example] }),
  }
}

function withChildren(schema: JsonObject, path: Path): JsonObject {
  const { properties, additionalProperties, required, ...rest } = schema
  const must = isList(required) ? required : []
  return {
    ...rest,
    ...(isObject(properties) ? { properties: propertiesOf(properties, must, path) } : {}),
    ...(must.length > 0 ? { required: must } : {}),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties: isObject(additionalProperties)
            ? orNull(toEditors(additionalProperties, [...path, '*']))
            : additionalProperties,
        }),
  }
}

function propertiesOf(properties: JsonObject, must: readonly Json[], path: Path): JsonObject {
  const schemas = Object.entries(properties).map(([key, child]): [string, Json | undefined] => {
    if (!isObject(child)) return [key, child]
    const schema = toEditors(child, [...path, key])
    return [key, must.includes(key) ? schema : orNull(schema)]
  })
  return Object.fromEntries(schemas)
}

/** null in a map removes the value of an extended profile (RFC 7396). */
function orNull(schema: JsonObject): JsonObject {
  const { type, enum: choices, anyOf } = schema
  return {
    ...schema,
    ...(typeof type === 'string' ? { type: [type, 'null'] } : {}),
    ...(isList(choices) ? { enum: [...choices, null] } : {}),
    ...(isList(anyOf) ? { anyOf: [...anyOf, { type: 'null' }] } : {}),
  }
}

function textOrEmpty(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

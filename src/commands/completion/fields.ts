// Candidates for `--set`, from the JSON Schema of profiles.
import { isList, isObject, type JsonObject, toText } from '../../model/json.ts'
import { formatPath } from '../../model/path.ts'
import { profileJsonSchema } from '../../profile/json-schema.ts'
import type { Candidate } from './candidates.ts'

/** `FIELD=` for each field, or `FIELD=VALUE` for a field with an enumeration once its name is typed. */
export function fieldCandidates(last: string): readonly Candidate[] {
  const leaves = leavesOf(profileJsonSchema(), [])
  const leaf = leaves.find(({ name }) => last.startsWith(name))
  if (!leaf) return leaves.map(({ name, schema }) => ({ value: name, note: noteOf(schema) }))
  return valuesOf(leaf.schema).map((value) => ({ value: leaf.name + value, note: '' }))
}

interface Leaf {
  /** `network.mode=`. */
  readonly name: string
  readonly schema: JsonObject
}

function leavesOf(schema: JsonObject, path: readonly string[]): readonly Leaf[] {
  const alternatives = [schema, ...(isList(schema['anyOf']) ? schema['anyOf'] : [])].filter(
    isObject,
  )
  const children = alternatives.flatMap(({ properties }) =>
    isObject(properties) ? Object.entries(properties) : [],
  )
  // Some fields take a scalar or an object, such as kubelet.nodeName.
  const scalar = alternatives.some(
    ({ type }) => typeof type === 'string' && !['object', 'null'].includes(type),
  )
  return [
    ...(children.length === 0 || scalar ? [{ name: `${formatPath(path)}=`, schema }] : []),
    ...[...new Map(children)].flatMap(([key, child]) =>
      isObject(child) ? leavesOf(child, [...path, key]) : [],
    ),
  ]
}

function valuesOf({ enum: choices, type }: JsonObject): readonly string[] {
  if (isList(choices)) return choices.flatMap((one) => (one === null ? [] : toText(one)))
  return isList(type) && type.includes('boolean') ? ['true', 'false'] : []
}

/** The first sentence of the description. */
function noteOf({ description }: JsonObject): string {
  return typeof description === 'string' ? (/^.*?\.(?= |$)/.exec(description)?.[0] ?? '') : ''
}

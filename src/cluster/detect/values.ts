// Reads values from objects of a cluster, and from documents in ConfigMaps.
import { readSource } from '../../io/source.ts'
import {
  isList,
  type Json,
  type JsonObject,
  parseObject,
  textAt,
  valueAt,
} from '../../model/json.ts'
import type { DetectedValue } from '../../model/detected.ts'
import type { Path } from '../../model/path.ts'

/** Empty where the object has no value. */
export function foundAt(where: string, value: Json | undefined): readonly DetectedValue[] {
  const empty = value === undefined || value === null || value === ''
  return empty || (isList(value) && value.length === 0) ? [] : [{ value, where }]
}

export function listAt(document: JsonObject | undefined, path: Path): readonly Json[] {
  const value = valueAt(document, path)
  return isList(value) ? value.filter((item) => item !== null) : []
}

export const isJson = (key: string) => key.endsWith('.json')

/** Programs read .json as JSON, without comments, and others as YAML. `undefined` where they cannot. */
export function documentIn(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const text = textAt(object, ['data', key])
  if (text === '') return undefined
  if (isJson(key)) return parseObject(text)
  const { layer, findings } = readSource(new TextEncoder().encode(text), key)
  return findings.length === 0 ? layer?.patch : undefined
}

/** Splits a comma-separated list, such as dual-stack CIDRs. */
export function splitList(text: string): readonly string[] {
  return text.split(',').flatMap((item) => item.trim() || [])
}

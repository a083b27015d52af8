// Quoting: values out of objects of a cluster, and out of documents in their ConfigMaps.
import { readSource } from '../../io/source.ts'
import { isList, type Json, type JsonObject, valueAt } from '../../model/json.ts'
import type { Said } from '../../model/detected.ts'
import type { Path } from '../../model/path.ts'

/** Nothing where the object does not say it. */
export function says(where: string, value: Json | undefined): readonly Said[] {
  const empty = value === undefined || value === null || value === ''
  return empty || (isList(value) && value.length === 0) ? [] : [{ value, where }]
}

export function textAt(document: JsonObject | undefined, path: Path): string | undefined {
  const value = valueAt(document, path)
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function listAt(document: JsonObject | undefined, path: Path): readonly Json[] {
  const value = valueAt(document, path)
  return isList(value) ? value.filter((item) => item !== null) : []
}

/** YAML or JSON in one key of a ConfigMap; nothing where it is neither. */
export function documentIn(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const text = textAt(object, ['data', key])
  if (text === undefined) return undefined
  const { layer, findings } = readSource(new TextEncoder().encode(text), key)
  return findings.length === 0 ? layer?.patch : undefined
}

/** One address for each family, with commas between. */
export function splitList(text: string | undefined): readonly string[] {
  return (text ?? '').split(',').flatMap((item) => item.trim() || [])
}

export function nameOf(object: JsonObject): string {
  return textAt(object, ['metadata', 'name']) ?? ''
}

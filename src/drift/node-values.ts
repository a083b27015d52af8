// Reads values from a document of a node, which can contain anything.
import { isList, isObject, type Json, type JsonObject } from '../model/json.ts'

export function itemText(item: JsonObject, key: string): string {
  const value = item[key]
  return typeof value === 'string' ? value : ''
}

export function itemsOf(value: Json | undefined): readonly JsonObject[] {
  return isList(value) ? value.filter(isObject) : []
}

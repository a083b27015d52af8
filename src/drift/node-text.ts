// Node-text: parts of what a node wrote, which may be anything.
import { isList, isObject, type Json, type JsonObject } from '../model/json.ts'

export function itemText(item: JsonObject, key: string): string {
  const value = item[key]
  return typeof value === 'string' ? value : ''
}

/** Of an object of the cluster. */
export function nameOf({ metadata }: JsonObject): string {
  return isObject(metadata) ? itemText(metadata, 'name') : ''
}

export function itemsOf(value: Json | undefined): readonly JsonObject[] {
  return isList(value) ? value.filter(isObject) : []
}

/** The row of a table that a word of a node names; `constructor` names none. */
export function rowOf<T>(table: Readonly<Record<string, T>>, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined
}

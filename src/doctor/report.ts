// Report: what a node wrote of itself, as diagnoses look at it.
import { isList, isObject, type Json, type JsonObject } from '../model/json.ts'

/** Parts of a report; a snapshot has the first three only. */
export const parts = [
  'steps',
  'preflight',
  'health',
  'services',
  'volumes',
  'configuration',
  'events',
  'logs',
  'memory',
  'nameServers',
  'talk',
  'cni',
  'containers',
  'unread',
] as const
export type Part = (typeof parts)[number]

export interface Report {
  readonly document: JsonObject
  /** Parts that the node could write. */
  readonly has: ReadonlySet<Part>
}

/** A part that could not be read holds why, in place of what it is. */
export function reportOf(document: JsonObject): Report {
  const has = parts.filter((part) => {
    const value = document[part]
    return isList(value) || (isObject(value) && typeof value['error'] !== 'string')
  })
  return { document, has: new Set(has) }
}

export function itemsOf({ document }: Report, part: Part): readonly JsonObject[] {
  const value = document[part]
  return isList(value) ? value.filter(isObject) : []
}

/** Files by their paths, each with its lines. */
export function textsOf({ document }: Report, part: 'configuration' | 'logs'): readonly Text[] {
  const value = document[part]
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([path, text]) =>
    typeof text === 'string' ? [{ path, lines: text.split('\n') }] : [],
  )
}

export interface Text {
  readonly path: string
  readonly lines: readonly string[]
}

export function textAt(item: JsonObject, key: string): string {
  const value: Json | undefined = item[key]
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

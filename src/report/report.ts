// The node report that Export-WinNodeReport.ps1 writes, split into parts for diagnoses.
import { isObject, type Json, type JsonObject } from '../model/json.ts'
import { listed } from './listed.ts'

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
  'adapters',
  'nameServers',
  'networks',
  'commandOutput',
  'cni',
  'containers',
  'unread',
] as const
export type Part = (typeof parts)[number]

/** Parts that are JSON objects; the others are lists. */
const maps: ReadonlySet<Part> = new Set(['configuration', 'logs', 'commandOutput', 'containers'])

export interface Report {
  readonly document: JsonObject
  /** Parts that are present and readable. */
  readonly has: ReadonlySet<Part>
}

/** A part that the node could not collect is an object with `error` instead of its value. */
export function reportOf(document: JsonObject): Report {
  const has = parts.filter((part) => {
    const value = document[part]
    if (!maps.has(part)) return listed(value) !== undefined
    return isObject(value) && typeof value['error'] !== 'string'
  })
  return { document, has: new Set(has) }
}

/** Whether the node ran health checks and all passed. */
export function isHealthy(report: Report): boolean {
  const checks = itemsOf(report, 'health')
  return checks.length > 0 && checks.every((item) => textOf(item, 'verdict') === 'ok')
}

export function itemsOf({ document }: Report, part: Part): readonly JsonObject[] {
  return listed(document[part]) ?? []
}

export function textsOf({ document }: Report, part: 'configuration' | 'logs'): readonly Text[] {
  const value = document[part]
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([path, text]) =>
    typeof text === 'string' ? [{ path, lines: text.split('\n') }] : [],
  )
}

interface Text {
  readonly path: string
  readonly lines: readonly string[]
}

export function textOf(item: JsonObject, key: string): string {
  const value: Json | undefined = item[key]
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

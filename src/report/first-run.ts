// First run: the measurements of a real Windows Server that test/first-run/Measure-WinNode.ps1 writes.
import { isList, isObject, type Json, type JsonObject, parseObject } from '../model/json.ts'
import type { Measured } from '../model/tables.ts'

/** A value, or why there is none. */
export type Measurement = { readonly value: Measured } | { readonly why: string }

export interface FirstRun {
  /** Windows build and update revision, such as 20348.3091. */
  readonly windows: string
  readonly powershell: string
  /** A stand-in answers as an API server does, but starts no pods. */
  readonly cluster: 'real' | 'stand-in' | 'none'
  readonly rows: ReadonlyMap<string, Measurement>
}

const firstRunForm = { apiVersion: 'winnode/v1', kind: 'FirstRun' }

const clusters = ['real', 'stand-in', 'none'] as const

/** Far more than the script writes. */
const most = 1000

/** The measurements, or why the text has none. */
export function readFirstRun(text: string): FirstRun | string {
  const document = parseObject(text)
  if (!document) return 'it is cut off, or no JSON'
  const { apiVersion, kind, rows, cluster } = document
  if (kind !== firstRunForm.kind) return 'Measure-WinNode.ps1 did not write it'
  if (apiVersion !== firstRunForm.apiVersion)
    return `its apiVersion is not ${firstRunForm.apiVersion}`
  const known = clusters.find((one) => one === cluster)
  if (!known || !isList(rows)) return 'it has no measurements'
  if (rows.length > most) return `it has more than ${most} rows`
  const measured = new Map<string, Measurement>()
  for (const row of rows) {
    const { id } = isObject(row) ? row : {}
    if (!isObject(row) || typeof id !== 'string') return 'a row has no id'
    if (measured.has(id)) return `${id} is in it twice`
    measured.set(id, measurementOf(row))
  }
  return {
    windows: versionOf(document['windows']),
    powershell: versionOf(document['powershell']),
    cluster: known,
    rows: measured,
  }
}

function measurementOf({ value, notMeasured }: JsonObject): Measurement {
  if (typeof notMeasured === 'string') return { why: notMeasured }
  if (typeof value === 'boolean' || typeof value === 'string' || typeof value === 'number')
    return { value }
  return { why: 'the value cannot be read' }
}

/** Digits and dots only. */
function versionOf(value: Json | undefined): string {
  return typeof value === 'string' && /^[\d.]{1,40}$/.test(value) ? value : 'unknown'
}

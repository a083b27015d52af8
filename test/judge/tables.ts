// Tables of what programs know, asked of the programs themselves, by minor.
import { readFileSync } from 'node:fs'
import { isWithin, minorOf } from './minors.ts'

/** A row holds for the minors that it names. */
export interface Row {
  readonly minors: string
}

export interface FieldRow extends Row {
  readonly type: string
  /** A pointer in Go: null or absent takes the default, zero does not. */
  readonly nullable?: boolean
  readonly default?: unknown
}

export interface FlagRow extends Row {
  readonly type: string
  readonly default?: string
  readonly deprecated?: string
}

export interface GateRow extends Row {
  readonly stage: 'Alpha' | 'Beta' | 'GA' | 'Deprecated'
  readonly default: boolean
  readonly locked: boolean
  readonly needs?: readonly string[]
}

export type Table<Kind extends Row> = Readonly<Record<string, readonly Kind[]>>
export type Rows<Kind extends Row> = ReadonlyMap<string, Kind>

interface Tables {
  /** The build that was asked, by minor. */
  readonly versions: Readonly<Record<string, string>>
  readonly fields: Table<FieldRow>
  readonly flags: Table<FlagRow>
  readonly gates: Table<GateRow>
}

function readTables(name: string): Tables {
  const text = readFileSync(new URL(`./tables/${name}.json`, import.meta.url), 'utf8')
  return JSON.parse(text) as Tables
}

export const kubeletFields = readTables('kubelet-config-fields').fields
export const kubeletFlags = readTables('kubelet-flags').flags
export const kubeProxyFields = readTables('kube-proxy-config-fields').fields
export const kubeProxyFlags = readTables('kube-proxy-flags').flags
export const logRunnerFlags = readTables('kube-log-runner-flags').flags
export const featureGates = readTables('feature-gates').gates

/** The newest minor that was asked for its gates. */
const newestAsked = Math.max(...Object.keys(readTables('feature-gates').versions).map(minorOf))

const known = new Map<Table<Row>, Map<number, Rows<Row>>>()

/** The row of each name in a version. 1.27 was not asked, and counts as 1.28; so do newer ones as the newest. */
export function rowsOf<Kind extends Row>(table: Table<Kind>, version: string): Rows<Kind> {
  const asked = Math.min(minorOf(version), newestAsked)
  const minor = asked === minorOf('1.27') ? minorOf('1.28') : asked
  const byMinor = known.get(table) ?? new Map<number, Rows<Row>>()
  known.set(table, byMinor)
  const found = byMinor.get(minor) ?? new Map(rowsWithin(table, `1.${minor % 1000}`))
  byMinor.set(minor, found)
  return found as Rows<Kind>
}

function rowsWithin(table: Table<Row>, minor: string): (readonly [string, Row])[] {
  return Object.entries(table).flatMap(([name, rows]) =>
    rows.filter(({ minors }) => isWithin(minor, minors)).map((row) => [name, row] as const),
  )
}

// Feature gates and fields of the kubelet and kube-proxy, one file per Kubernetes minor.
//
// A file contains the output of the programs themselves; `npm run facts:import` writes it. A minor is parsed on first
// use, because most runs need only one.
import minors from '#minors'
import type { MinorTables } from '../model/config-rows.ts'
import { compareVersions, minorOf } from './version.ts'

/** Oldest first. */
export const minorsWithTables: readonly string[] = Object.keys(minors)

const read = new Map<string, MinorTables>()

/** The tables of a version's minor. Newer versions use the newest known minor, older ones the oldest. */
export function tablesFor(version: string): MinorTables {
  const known = read.get(version)
  if (known) return known
  const text = minors[version]
  const tables = text === undefined ? tablesFor(minorFor(version)) : parsed(text)
  read.set(version, tables)
  return tables
}

function parsed(text: string): MinorTables {
  const tables: unknown = JSON.parse(text)
  if (!isTables(tables)) throw new Error('a file of src/matrix/minors holds no tables')
  return tables
}

/** The build checks each row against the schema. */
function isTables(value: unknown): value is MinorTables {
  return typeof value === 'object' && value !== null && 'gates' in value
}

function minorFor(version: string): string {
  const minor = minorOf(version) ?? ''
  const reached = minorsWithTables.findLast((one) => compareVersions(one, minor) <= 0)
  const [oldest] = minorsWithTables
  if (oldest === undefined) throw new Error('src/matrix/minors holds no minor')
  return reached ?? oldest
}

/** Whether the minor of the version is known; other minors can have further gates and fields. */
export function hasTables(version: string): boolean {
  return minorsWithTables.includes(minorOf(version) ?? '')
}

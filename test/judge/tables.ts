// Gates, fields and flags of programs, by minor, from the files that winnode reads, too.
//
// So the judge does not check which gates, fields and flags exist: test/matrix/answers.test.ts compares the files
// with the recorded verdicts, and lists rows without a verdict. What a program does with a value is code of the judge.
import { readdirSync, readFileSync } from 'node:fs'
import { minorOf } from './minors.ts'

export interface FieldRow {
  readonly type: string
  /** A pointer in Go: null or absent takes the default, zero does not. */
  readonly nullable?: boolean
  readonly default?: unknown
}

export interface FlagRow {
  readonly type: string
  readonly default?: string
  readonly deprecated?: string
}

export interface GateRow {
  readonly stage: 'Alpha' | 'Beta' | 'GA' | 'Deprecated'
  readonly default: boolean
  readonly locked: boolean
  readonly needs?: readonly string[]
  readonly only?: 'kubelet'
}

export type Rows<Kind> = ReadonlyMap<string, Kind>
export type Table<Kind> = (version: string) => Rows<Kind>
type Named<Kind> = Readonly<Record<string, Kind>>

interface Program {
  readonly version: string
  readonly fields?: Named<FieldRow>
  readonly flags?: Named<FlagRow>
}

export interface Minor {
  readonly minor: string
  /** Absent where no build was asked. */
  readonly asked?: string
  readonly gates: Named<GateRow>
  readonly kubelet: Program
  readonly 'kube-proxy': Program
  readonly 'kube-log-runner'?: Program
}

/** Of a folder, oldest first. */
export function readMinors(folder: URL): readonly Minor[] {
  const names = readdirSync(folder).filter((name) => /^1\.\d+\.json$/.test(name))
  const files = names.map((name): Minor => {
    const minor: Minor = JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
    return minor
  })
  return files.toSorted((a, b) => minorOf(a.minor) - minorOf(b.minor))
}

/** The rows of a version: of the first minor from it on whose programs were asked, or of the newest. */
export function tableOf<Kind>(
  minors: readonly Minor[],
  read: (minor: Minor) => Named<Kind> | undefined,
): Table<Kind> {
  const asked = minors.filter((minor) => minor.asked !== undefined && read(minor) !== undefined)
  const known = new Map<string, Rows<Kind>>()
  return (version) => {
    const found = asked.find(({ minor }) => minorOf(minor) >= minorOf(version)) ?? asked.at(-1)
    const rows = known.get(version) ?? new Map(Object.entries((found && read(found)) ?? {}))
    known.set(version, rows)
    return rows
  }
}

export const minors = readMinors(new URL('../../src/matrix/minors/', import.meta.url))

export const kubeletFields = tableOf(minors, ({ kubelet }) => kubelet.fields)
export const kubeletFlags = tableOf(minors, ({ kubelet }) => kubelet.flags)
export const kubeProxyFields = tableOf(minors, (minor) => minor['kube-proxy'].fields)
export const kubeProxyFlags = tableOf(minors, (minor) => minor['kube-proxy'].flags)
export const logRunnerFlags = tableOf(minors, (minor) => minor['kube-log-runner']?.flags)
export const featureGates = tableOf(minors, ({ gates }) => gates)

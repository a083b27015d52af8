// What the tables of winnode say otherwise than the programs did: one line of each.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fieldIn, type FieldTable } from '../../src/matrix/config-fields.ts'
import { featureGates, gateIn, isOfKubeletOnly } from '../../src/matrix/feature-gates.ts'
import { needsIn } from '../../src/matrix/gate-needs.ts'
import { kubeProxyFields } from '../../src/matrix/kube-proxy-fields.ts'
import { kubeletFields } from '../../src/matrix/kubelet-fields.ts'
import { kubernetesMinors } from '../../src/matrix/kubernetes.ts'
import { isWithin } from '../judge/minors.ts'
import type { FieldRow, GateRow, Row } from '../judge/tables.ts'

interface Told<Kind extends Row> {
  readonly versions: Readonly<Record<string, string>>
  readonly gates?: Readonly<Record<string, readonly Kind[]>>
  readonly fields?: Readonly<Record<string, readonly Kind[]>>
  readonly onlyKubelet?: Readonly<Record<string, string>>
}

type Rows<Kind> = Readonly<Record<string, readonly Kind[]>>

const fieldTables: readonly (readonly [file: string, table: FieldTable])[] = [
  ['kubelet-config-fields', kubeletFields],
  ['kube-proxy-config-fields', kubeProxyFields],
]

/** Of a folder with files as in `test/judge/tables`; what is not there is not asked. */
export function differencesOf(folder: string): readonly string[] {
  const gates = read<GateRow>(folder, 'feature-gates')
  const known = kubernetesMinors.map(({ minor }) => minor)
  const asked = new Set(
    ['feature-gates', ...fieldTables.map(([file]) => file)].flatMap((file) =>
      Object.keys(read(folder, file)?.versions ?? {}),
    ),
  )
  const missing = [...asked].filter((minor) => !known.includes(minor))
  return [
    ...missing.map((minor) => `Kubernetes ${minor}: the table of minors lacks it`),
    ...(gates ? gateDifferences(gates) : []),
    ...fieldTables.flatMap(([file, table]) => {
      const told = read<FieldRow>(folder, file)
      return told ? fieldDifferences(file.replace('-config-fields', ''), told, table) : []
    }),
  ]
}

function read<Kind extends Row>(folder: string, name: string): Told<Kind> | undefined {
  const file = path.join(folder, `${name}.json`)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Told<Kind>) : undefined
}

function rowIn<Kind extends Row>(rows: Rows<Kind>, name: string, minor: string): Kind | undefined {
  return (rows[name] ?? []).find(({ minors }) => isWithin(minor, minors))
}

function gateDifferences({ versions, gates = {}, onlyKubelet = {} }: Told<GateRow>) {
  const names = [...new Set([...Object.keys(gates), ...Object.keys(featureGates)])].sort()
  return Object.keys(versions).flatMap((minor) =>
    names.flatMap((name) => {
      const told = gateWords(rowIn(gates, name, minor))
      const stage = gateIn(name, minor)
      const needs = needsIn(minor).find(({ gate }) => gate === name)?.needs
      const ours = gateWords(stage && { ...stage, ...(needs && { needs }) })
      const both = isOfKubeletOnly(name, minor) === isWithin(minor, onlyKubelet[name] ?? '0.0')
      return [
        ...(told === ours ? [] : [`gate ${name} in ${minor}: ${told}, and the table says ${ours}`]),
        ...(both ? [] : [`gate ${name} in ${minor}: another program registers it`]),
      ]
    }),
  )
}

function gateWords(row: Omit<GateRow, 'minors'> | undefined): string {
  if (!row) return 'unknown'
  const { stage, default: on, locked, needs = [] } = row
  const ends = [
    ...(locked ? ['locked'] : []),
    ...(needs.length > 0 ? [`needs ${needs.join()}`] : []),
  ]
  return [stage, on ? 'on' : 'off', ...ends].join(' ')
}

/** Paths of the machine that was asked. */
const ofMachine = ['resolvConf', 'volumePluginDir']
const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

function fieldDifferences(
  program: string,
  { versions, fields = {} }: Told<FieldRow>,
  table: FieldTable,
): readonly string[] {
  const names = [...new Set([...Object.keys(fields), ...Object.keys(table)])].sort()
  return Object.keys(versions).flatMap((minor) =>
    names.flatMap((name) => {
      const told = rowIn(fields, name, minor)
      const ours = fieldIn(table, name, minor)
      const said = told && fieldWords(name, told.type, told.nullable, told.default)
      const has = ours && fieldWords(name, ours.type, ours.nullable, ours.default)
      if (said === has) return []
      return [
        `${program} ${name} in ${minor}: ${said ?? 'unknown'}, and the table says ${has ?? 'unknown'}`,
      ]
    }),
  )
}

function fieldWords(
  name: string,
  type: string,
  nullable: boolean | undefined,
  value: unknown,
): string {
  const isMeta = name === 'kind' || name === 'apiVersion'
  const fallback =
    isEmpty(value) || isMeta || ofMachine.includes(name) ? '' : ` ${JSON.stringify(value)}`
  // A duration here, and whole nanoseconds besides: component-base, logs/api/v1/types.go, TimeOrMetaDuration.
  const words = name === 'logging.flushFrequency' ? type.replace(' or nanoseconds', '') : type
  return `${words}${nullable === true ? ', nullable' : ''}${fallback}`
}

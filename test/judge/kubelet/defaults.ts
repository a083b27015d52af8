// A KubeletConfiguration after defaulting: pkg/kubelet/apis/config/v1beta1/defaults.go.
import { isObject, valueAt, type Json, type JsonObject } from '../../../src/model/json.ts'
import { ignored, type Finding } from '../finding.ts'
import { parseDuration } from '../../../src/go/duration.ts'
import { kubeletFields, type FieldRow } from '../tables.ts'

const known = new Map<string, ReadonlyMap<string, FieldRow>>()

/** LoggingConfiguration has TimeOrMetaDuration from 1.28 on, which reflection calls a duration. */
export function fieldsOf(version: string): ReadonlyMap<string, FieldRow> {
  const rows = kubeletFields(version)
  const flush = rows.get('logging.flushFrequency')
  const fields =
    known.get(version) ??
    new Map<string, FieldRow>([
      ...rows,
      ...(flush?.type === 'duration'
        ? [['logging.flushFrequency', { ...flush, type: 'duration or nanoseconds' }] as const]
        : []),
    ])
  known.set(version, fields)
  return fields
}

export function at(document: Json | undefined, path: string): Json | undefined {
  return valueAt(document, path.split('.')) ?? undefined
}

export function put(document: JsonObject, path: string, value: Json | undefined): JsonObject {
  const [key = '', ...rest] = path.split('.')
  if (rest.length === 0) return { ...document, [key]: value }
  const inner = document[key]
  return { ...document, [key]: put(isObject(inner) ? inner : {}, rest.join('.'), value) }
}

/** Of Go's types: no number, no text, no time. Lists and maps are so only where they are absent. */
function isZero(value: Json | undefined, type: string): boolean {
  if (value === undefined || value === null || value === 0 || value === '' || value === false)
    return true
  return type.startsWith('duration') && typeof value === 'string' && parseDuration(value) === 0
}

/** Defaults that only some gates add. */
const gated: readonly (readonly [gate: string, path: string, value: string])[] = [
  ['KubeletCrashLoopBackOffMax', 'crashLoopBackOff.maxContainerRestartPeriod', '5m0s'],
  [
    'KubeletEnsureSecretPulledImages',
    'imagePullCredentialsVerificationPolicy',
    'NeverVerifyPreloadedImages',
  ],
]

export function withDefaults(
  given: JsonObject,
  version: string,
  enabled: (gate: string) => boolean,
): JsonObject {
  const rows = fieldsOf(version)
  const whole: Draft = structuredClone(given)
  const pulls = at(given, 'maxParallelImagePulls')
  const serial = pulls === undefined || pulls === 1
  if (at(given, 'serializeImagePulls') === undefined) fill(whole, 'serializeImagePulls', serial)
  for (const [path, row] of rows) {
    if (row.default === undefined || gated.some(([, field]) => field === path)) continue
    if (isUnset(at(whole, path), row)) fill(whole, path, row.default as Json)
  }
  for (const [gate, path, value] of gated)
    if (rows.has(path) && enabled(gate) && isZero(at(whole, path), 'string'))
      fill(whole, path, value)
  return whole
}

type Draft = { [key: string]: Json | undefined }

function fill(draft: Draft, path: string, value: Json): void {
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  let inner = draft
  for (const step of steps) {
    const next = inner[step]
    const child = isObject(next) ? next : {}
    inner[step] = child
    inner = child
  }
  inner[last] = value
}

function isUnset(value: Json | undefined, row: FieldRow): boolean {
  return row.nullable === true ? value === undefined || value === null : isZero(value, row.type)
}

/** Given, and replaced by the default all the same. */
export function judgeZeros(given: JsonObject, version: string): readonly Finding[] {
  const pids = at(given, 'podPidsLimit')
  const unlimited = typeof pids === 'number' && pids < -1
  const zeros = [...fieldsOf(version)].flatMap(([path, row]) => {
    const value = path.includes('[]') ? undefined : at(given, path)
    const replaced =
      value !== undefined &&
      isZero(value, row.type) &&
      row.nullable !== true &&
      !isZero((row.default ?? null) as Json, row.type)
    return replaced ? [ignored(`${path} is zero, and becomes ${JSON.stringify(row.default)}`)] : []
  })
  return [...zeros, ...(unlimited ? [ignored(`podPidsLimit ${pids} becomes -1`)] : [])]
}

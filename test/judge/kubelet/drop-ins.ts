// The folder of --config-dir: cmd/kubelet/app/server.go, mergeKubeletConfigurations.
import { isList, isObject, mergeJson, type Json, type JsonObject } from '../../../src/model/json.ts'
import { ignored, refused, type Finding } from '../finding.ts'
import { isWithin, isBefore } from '../minors.ts'
import { readDocument, type Reader } from './document.ts'
import { withDefaults } from './defaults.ts'

export interface Merged {
  readonly value: JsonObject
  readonly findings: readonly Finding[]
}

/** Files by their path below the folder; walked in the order of their names. */
export function mergeDropIns(
  base: JsonObject,
  dropIns: Readonly<Record<string, string>>,
  version: string,
): Merged {
  const findings: Finding[] = []
  // The base is written as JSON first, from 1.32 on in the form that leaves out empty lists and maps:
  // https://github.com/kubernetes/kubernetes/pull/127421
  let value = isBefore(version, '1.32') ? base : filter(base, isFilled)
  for (const name of Object.keys(dropIns).toSorted()) {
    if (!name.endsWith('.conf')) {
      findings.push(ignored(`${name} is no .conf, and is passed over`))
      continue
    }
    const read = readDocument(dropIns[name] ?? '', version, dropInReader(version))
    findings.push(...read.findings)
    value = merge(value, read.value, version)
  }
  return { value, findings }
}

/** 1.30 and 1.31 look for a kind, and take any version of it. */
function dropInReader(version: string): Reader {
  return isWithin(version, '1.30-1.31') ? 'any version' : 'this version'
}

function merge(base: JsonObject, over: JsonObject, version: string): JsonObject {
  if (isBefore(version, '1.30')) {
    // mergo, over whole configurations: a drop-in's defaults win, what is empty in it does not.
    const on = () => false
    const whole = withDefaults(over, version, on)
    return mergeJson(withDefaults(base, version, on), filter(whole, isNotZero))
  }
  // A merge patch; before 1.32 its nulls look for keys in the spelling of Go's fields, and find none.
  const patch = { ...over, kind: undefined, apiVersion: undefined }
  return isBefore(version, '1.32')
    ? mergeJson(base, filter(patch, isGiven))
    : deletingMerge(base, patch)
}

function deletingMerge(base: JsonObject, patch: JsonObject): JsonObject {
  const merged = new Map(Object.entries(base))
  for (const [key, value] of Object.entries(patch)) {
    const before = merged.get(key)
    if (value === null) merged.delete(key)
    else if (isObject(value)) merged.set(key, deletingMerge(isObject(before) ? before : {}, value))
    else if (value !== undefined) merged.set(key, value)
  }
  return Object.fromEntries(merged)
}

const isGiven = (value: Json | undefined) => value !== null && value !== undefined

function isFilled(value: Json | undefined): boolean {
  if (isList(value)) return value.length > 0
  return isObject(value) ? Object.keys(value).length > 0 : isGiven(value)
}

function isNotZero(value: Json | undefined): boolean {
  return isFilled(value) && value !== '' && value !== false && value !== 0
}

function filter(document: JsonObject, keeps: (value: Json | undefined) => boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(document)
      .filter(([, value]) => keeps(value))
      .map(([key, value]) => [key, isObject(value) ? filter(value, keeps) : value]),
  )
}

/** Whether the folder can be named at all. */
export function judgeFolder(version: string, alphaVariable: boolean): readonly Finding[] {
  const alpha = isBefore(version, '1.30') && !alphaVariable
  return alpha
    ? [
        refused(
          '--config-dir specified but KUBELET_CONFIG_DROPIN_DIR_ALPHA not set, cannot start kubelet',
        ),
      ]
    : []
}

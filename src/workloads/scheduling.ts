// Which nodes the pods of a workload can be scheduled on.
import type { Taint, Toleration } from '../matrix/tolerations.ts'
import { isList, type Json, type JsonObject, textAt, textsAt } from '../model/json.ts'
import { itemsAt, type Manifest } from './manifest.ts'
import type { Workload } from './workload.ts'

export const osLabel = 'kubernetes.io/os'
const osLabels: readonly string[] = [osLabel, 'beta.kubernetes.io/os']
const systems = ['linux', 'windows']
export const buildLabel = 'node.kubernetes.io/windows-build'

/** What a RuntimeClass adds to the pods that name it. */
export interface RuntimeClass {
  readonly handler: string
  readonly nodeSelector: Readonly<Record<string, string>>
  readonly tolerations: readonly Toleration[]
}

export function runtimeClassOf({ value }: Manifest): RuntimeClass {
  return {
    handler: textAt(value, ['handler']),
    nodeSelector: textsAt(value, ['scheduling', 'nodeSelector']),
    tolerations: tolerationsAt(value, ['scheduling', 'tolerations']),
  }
}

export function tolerationsOf({ spec }: Workload): readonly Toleration[] {
  return tolerationsAt(spec, ['tolerations'])
}

function tolerationsAt(value: JsonObject, path: readonly string[]): readonly Toleration[] {
  return itemsAt(value, path).map(({ item }) => ({
    key: textAt(item, ['key']),
    operator: textAt(item, ['operator']),
    value: textAt(item, ['value']),
    effect: textAt(item, ['effect']),
  }))
}

/** Whether the taint prevents scheduling: PreferNoSchedule does not. */
export function blocksScheduling({ effect }: Taint): boolean {
  return effect !== 'PreferNoSchedule'
}

/**
 * Labels that a node must have, each with its allowed values: from nodeSelector, and from required node affinity
 * if it has one term, or if all of its terms name the label.
 */
export function requiredLabels({ spec }: Workload): ReadonlyMap<string, readonly string[]> {
  const wanted = new Map(
    Object.entries(textsAt(spec, ['nodeSelector'])).map(([key, value]) => [key, [value]]),
  )
  for (const [key, values] of affinityLabels(spec)) {
    const before = wanted.get(key)
    wanted.set(key, before ? before.filter((one) => values.includes(one)) : values)
  }
  return wanted
}

const requiredAffinity = [
  'affinity',
  'nodeAffinity',
  'requiredDuringSchedulingIgnoredDuringExecution',
  'nodeSelectorTerms',
]

function affinityLabels(spec: JsonObject): ReadonlyMap<string, string[]> {
  const terms = itemsAt(spec, requiredAffinity).map(({ item }) =>
    itemsAt(item, ['matchExpressions']).flatMap(({ item: { key, operator, values } }) => {
      if (typeof key !== 'string') return []
      const texts = textsIn(values)
      if (operator === 'In') return [{ key, values: texts }]
      // A kubelet labels its node with one of two.
      const others = systems.filter((one) => !texts.includes(one))
      const isOs = operator === 'NotIn' && osLabels.includes(key) && others.length === 1
      return isOs ? [{ key, values: others }] : []
    }),
  )
  const keys = new Set(terms.flatMap((term) => term.map(({ key }) => key)))
  const labels = new Map<string, string[]>()
  for (const key of keys) {
    const found = terms.map((term) => {
      const [first, ...others] = term.flatMap((one) => (one.key === key ? [one.values] : []))
      // A node has to match each expression of a term.
      return first?.filter((value) => others.every((values) => values.includes(value)))
    })
    const known = found.filter((values) => values !== undefined)
    // One of the terms is enough for the scheduler.
    if (known.length === terms.length) labels.set(key, [...new Set(known.flat())])
  }
  return labels
}

function textsIn(values: Json | undefined): readonly string[] {
  return isList(values) ? values.filter((one) => typeof one === 'string') : []
}

/** A pod with nodeName bypasses the scheduler. */
export function hasNodeName({ spec }: Workload): boolean {
  return textAt(spec, ['nodeName']) !== ''
}

export function runtimeClassName({ spec }: Workload): string {
  return textAt(spec, ['runtimeClassName'])
}

/** The OS that the pod's selectors require. */
export function selectedOs(workload: Workload): readonly string[] | undefined {
  const wanted = requiredLabels(workload)
  if (wanted.has(buildLabel)) return ['windows']
  const label = osLabels.find((one) => wanted.has(one))
  return label === undefined ? undefined : wanted.get(label)
}

/** Keys of the selected labels that not every node of a cluster has. */
export function ownLabels(workload: Workload): readonly string[] {
  return [...requiredLabels(workload).keys()].filter(
    (key) => !/(?:^|\.)kubernetes\.io\/arch$/.test(key),
  )
}

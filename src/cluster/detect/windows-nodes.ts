// Detects what the existing Windows nodes have in common.
import { isPassing } from '../../matrix/passing-taints.ts'
import { windowsReleases } from '../../matrix/windows.ts'
import {
  isObject,
  isSameJson,
  type Json,
  type JsonObject,
  nameOf,
  textAt,
} from '../../model/json.ts'
import type { DetectedValue } from '../../model/detected.ts'
import { bytes } from '../../sizing/quantities.ts'
import type { Evidence, Row } from './evidence.ts'
import { listAt, foundAt } from './values.ts'

export const windowsNodes: readonly Row[] = [
  { path: ['windows', 'release'], valuesIn: (evidence) => commonValue(evidence, windowsReleaseOf) },
  { path: ['kubelet', 'taints'], valuesIn: commonTaints },
  { path: ['kubelet', 'maxPods'], valuesIn: (evidence) => smallest(evidence, 'pods', Number) },
  { path: ['machine', 'cpu'], valuesIn: (evidence) => smallest(evidence, 'cpu', Number) },
  {
    path: ['machine', 'memory'],
    valuesIn: (evidence) => smallest(evidence, 'memory', (text) => text),
  },
  {
    path: ['machine', 'disk'],
    valuesIn: (evidence) => smallest(evidence, 'ephemeral-storage', (text) => text),
  },
]

export function windowsNodesOf({ lists }: Pick<Evidence, 'lists'>): readonly JsonObject[] {
  return (lists.get('nodes') ?? []).filter(
    (node) => textAt(node, ['status', 'nodeInfo', 'operatingSystem']) === 'windows',
  )
}

/** 10.0.20348.2700 */
function windowsReleaseOf(node: JsonObject): string | undefined {
  const version = textAt(node, ['status', 'nodeInfo', 'kernelVersion'])
  const [, build] = /^10\.0\.(\d+)\b/.exec(version) ?? []
  return windowsReleases.find((release) => String(release.build) === build)?.id
}

/** Empty where the nodes differ. */
function commonValue(
  evidence: Evidence,
  read: (node: JsonObject) => string | undefined,
): readonly DetectedValue[] {
  const nodes = windowsNodesOf(evidence)
  const values = new Set(nodes.map(read))
  return values.size === 1 ? foundAt(whereOf(nodes), [...values][0]) : []
}

/** Taints that all nodes have. */
function commonTaints(evidence: Evidence): readonly DetectedValue[] {
  const nodes = windowsNodesOf(evidence)
  const [first, ...others] = nodes.map(taintsOf)
  const shared = (first ?? []).filter((taint) =>
    others.every((some) => some.some((one) => isSameJson(one, taint))),
  )
  return foundAt(whereOf(nodes), shared)
}

function taintsOf(node: JsonObject): readonly Json[] {
  return listAt(node, ['spec', 'taints']).flatMap((taint) => {
    if (!isObject(taint)) return []
    const [key, effect] = [textAt(taint, ['key']), textAt(taint, ['effect'])]
    if (key === '' || effect === '' || isPassing(key)) return []
    return [{ key, value: textAt(taint, ['value']), effect }]
  })
}

/** The smallest capacity: reservations must suit the smallest machine. */
function smallest(
  evidence: Evidence,
  resource: string,
  as: (text: string) => Json,
): readonly DetectedValue[] {
  const amounts = windowsNodesOf(evidence).flatMap((node) => {
    const text = textAt(node, ['status', 'capacity', resource])
    const amount = bytes(text, 'down')
    return amount === undefined ? [] : [{ node, text, amount }]
  })
  const [least] = amounts.toSorted((a, b) => Number(a.amount - b.amount))
  return least ? foundAt(`Node ${nameOf(least.node)}, capacity`, as(least.text)) : []
}

function whereOf(nodes: readonly JsonObject[]): string {
  const [first, ...others] = nodes.map(nameOf)
  return others.length === 0
    ? `Node ${first ?? ''}`
    : `Node ${first ?? ''} and ${others.length} more`
}

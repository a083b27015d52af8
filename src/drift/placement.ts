// Whether the DaemonSet controller schedules a pod on a node, by selector, affinity and taints.
// https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/daemon/daemon_controller.go, predicates
import { isPassing } from '../matrix/passing-taints.ts'
import { tolerates, type Taint } from '../matrix/tolerations.ts'
import {
  isList,
  isObject,
  type Json,
  type JsonObject,
  nameOf,
  ownOf,
  valueAt,
  textAt,
  itemsOf,
} from '../model/json.ts'

export interface Placement {
  readonly name: string
  readonly labels: JsonObject
  /** Permanent taints; temporary ones only delay a pod. */
  readonly taints: readonly JsonObject[]
}

export function placeOf(node: JsonObject): Placement {
  const labels = valueAt(node, ['metadata', 'labels'])
  return {
    name: nameOf(node),
    labels: isObject(labels) ? labels : {},
    taints: itemsOf(valueAt(node, ['spec', 'taints'])).filter(
      (taint) => !isPassing(textAt(taint, ['key'])),
    ),
  }
}

/** `pod` is the spec of a pod. */
export function isPlacedOn(pod: JsonObject, place: Placement): boolean {
  const { nodeName } = pod
  if (typeof nodeName === 'string' && nodeName !== '' && nodeName !== place.name) return false
  return isSelected(pod, place) && isAttracted(pod, place) && toleratesAll(pod, place)
}

function isSelected({ nodeSelector }: JsonObject, { labels }: Placement): boolean {
  const wanted = isObject(nodeSelector) ? Object.entries(nodeSelector) : []
  return wanted.every(([key, value]) => ownOf(labels, key) === value)
}

const required = ['affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution']

/** One matching term is enough; a term without requirements matches no node: component-helpers, nodeaffinity.go. */
function isAttracted(pod: JsonObject, place: Placement): boolean {
  const selector = valueAt(pod, required)
  if (!isObject(selector)) return true
  return itemsOf(selector['nodeSelectorTerms']).some((term) => {
    const [labels, fields] = [itemsOf(term['matchExpressions']), itemsOf(term['matchFields'])]
    if (labels.length + fields.length === 0) return false
    return (
      labels.every((one) => fits(one, ownOf(place.labels, textAt(one, ['key'])))) &&
      fields.every((one) => textAt(one, ['key']) === 'metadata.name' && fits(one, place.name))
    )
  })
}

type Operator = (value: Json | undefined, values: readonly Json[]) => boolean

/** As apimachinery has them, pkg/labels/selector.go. The API server takes no In and no NotIn without values. */
const operators: Readonly<Record<string, Operator>> = {
  In: (value, values) => value !== undefined && values.includes(value),
  NotIn: (value, values) => value === undefined || !values.includes(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
  Gt: (value, [least]) => compared(value, least, (a, b) => a > b),
  Lt: (value, [most]) => compared(value, most, (a, b) => a < b),
}

function fits(requirement: JsonObject, value: Json | undefined): boolean {
  const { values } = requirement
  const operator = ownOf(operators, textAt(requirement, ['operator']))
  return operator?.(value, isList(values) ? values : []) ?? false
}

function compared(
  value: Json | undefined,
  other: Json | undefined,
  holds: (a: bigint, b: bigint) => boolean,
): boolean {
  const whole = (one: Json | undefined): one is string =>
    typeof one === 'string' && /^[-+]?\d+$/.test(one)
  return whole(value) && whole(other) && holds(BigInt(value), BigInt(other))
}

const keepsAway = ['NoSchedule', 'NoExecute']

function toleratesAll(pod: JsonObject, { taints }: Placement): boolean {
  const tolerations = itemsOf(pod['tolerations']).map((one) => ({
    ...taintOf(one),
    operator: textAt(one, ['operator']),
  }))
  return taints
    .map(taintOf)
    .filter(({ effect }) => keepsAway.includes(effect))
    .every((taint) => tolerates(tolerations, taint))
}

/** The fields that taints and tolerations share. */
function taintOf(item: JsonObject): Taint {
  return {
    key: textAt(item, ['key']),
    value: textAt(item, ['value']),
    effect: textAt(item, ['effect']),
  }
}

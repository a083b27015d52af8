// DaemonSets for Linux that are also scheduled on Windows nodes, where their pods never start.
import type { Drift } from '../model/drift.ts'
import {
  isList,
  isObject,
  type JsonObject,
  nameOf,
  qualifiedName,
  valueAt,
  textAt,
  itemsOf,
} from '../model/json.ts'
import { isPlacedOn, type Placement, placeOf } from './placement.ts'
import { nodeDrift } from './node-drift.ts'

/**
 * Returns the DaemonSets that schedule such pods on one node. `windows` are all Windows nodes of the cluster, not only the
 * compared ones.
 */
export function straysOn(
  sets: readonly JsonObject[],
  windows: readonly JsonObject[],
): (node: JsonObject) => readonly Drift[] {
  const places = windows.map((node) => ({ node, place: placeOf(node) }))
  const strays = sets.flatMap((set) => {
    const pod = valueAt(set, ['spec', 'template', 'spec'])
    if (!isObject(pod) || isForWindows(pod)) return []
    const taken = places.filter(
      ({ place }) => isPlacedOn(pod, place) && isPlacedOn(pod, linux(place)),
    )
    const { wanted, missing } = statusOf(set)
    // If fewer pods are unavailable than it has on Windows nodes, some of those run.
    if (taken.length === 0 || missing < taken.length) return []
    if (taken.some(({ node }) => hasPulled(node, pod))) return []
    const names = new Set(taken.map(({ place }) => place.name))
    return [{ names, drift: stray(set, `${missing} of ${wanted} pods are not available`) }]
  })
  return (node) => strays.flatMap(({ names, drift }) => (names.has(nameOf(node)) ? [drift] : []))
}

/** `os` of its spec, and HostProcess, which only Windows has. */
function isForWindows(pod: JsonObject): boolean {
  const hostProcess = ['securityContext', 'windowsOptions', 'hostProcess']
  const holders = [pod, ...itemsOf(pod['containers'])]
  return (
    valueAt(pod, ['os', 'name']) === 'windows' ||
    holders.some((one) => valueAt(one, hostProcess) === true)
  )
}

/** The same node as a Linux node: a pod not placed on it selects Windows. */
function linux(place: Placement): Placement {
  const labels = Object.entries(place.labels)
    .filter(([key]) => key !== 'node.kubernetes.io/windows-build')
    .map(([key, value]) => {
      const system = /(?:^|\.)kubernetes\.io\/os$/.test(key)
      return [key, system ? 'linux' : value] as const
    })
  return { ...place, labels: Object.fromEntries(labels) }
}

function statusOf(set: JsonObject) {
  const count = (name: string) => {
    const value = valueAt(set, ['status', name])
    return typeof value === 'number' ? value : 0
  }
  return { wanted: count('desiredNumberScheduled'), missing: count('numberUnavailable') }
}

/** An image that the node has pulled is for Windows. The kubelet reports full names: kubelet, nodestatus/setters.go, Images. */
function hasPulled(node: JsonObject, pod: JsonObject): boolean {
  const images = itemsOf(pod['containers']).map((container) => textAt(container, ['image']))
  const held = itemsOf(valueAt(node, ['status', 'images'])).flatMap(({ names }) =>
    isList(names) ? names : [],
  )
  return ['', 'docker.io/', 'docker.io/library/'].some((registry) =>
    images.some((image) => held.includes(`${registry}${image}`)),
  )
}

function stray(set: JsonObject, state: string): Drift {
  const called = qualifiedName(set)
  return nodeDrift({
    id: 'daemonset-strays',
    severity: 'warning',
    weight: 'informational',
    subject: `cluster/DaemonSet ${called}`,
    message: `DaemonSet ${called} is scheduled on Windows nodes: it does not select Linux, and ${state}`,
    remedy:
      'Set nodeSelector kubernetes.io/os: linux in its pod template; if the image supports Windows, check its pods instead.',
  })
}

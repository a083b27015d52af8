// Daemon-sets: those made for Linux that put their pods on Windows nodes too, where they never start.
import type { Drift } from '../model/drift.ts'
import { isList, isObject, type JsonObject, valueAt } from '../model/json.ts'
import { isPlacedOn, type Placement, placeOf } from './placement.ts'
import { told } from './node-drift.ts'
import { itemsOf, itemText, nameOf } from './node-text.ts'

/** What the sets of a cluster do to one of its nodes. */
export type StraysOn = (node: JsonObject) => readonly Drift[]

/** `windows` are all Windows nodes of the cluster, whichever of them are compared. */
export function openStrays(sets: readonly JsonObject[], windows: readonly JsonObject[]): StraysOn {
  const places = windows.map((node) => ({ node, place: placeOf(node) }))
  const strays = sets.flatMap((set) => {
    const pod = valueAt(set, ['spec', 'template', 'spec'])
    if (!isObject(pod) || isForWindows(pod)) return []
    const taken = places.filter(
      ({ place }) => isPlacedOn(pod, place) && isPlacedOn(pod, linux(place)),
    )
    const { wanted, missing } = statusOf(set)
    // Where fewer pods are missing than it has on Windows nodes, some of those run.
    if (taken.length === 0 || missing < taken.length) return []
    if (taken.some(({ node }) => hasPulled(node, pod))) return []
    const names = new Set(taken.map(({ place }) => place.name))
    return [{ names, drift: stray(set, `${missing} of its ${wanted} pods are not available`) }]
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

/** The same node, if it were one of Linux: what would not go there asks for Windows. */
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

/** What a node has pulled is for it; it writes names in full: kubelet, nodestatus/setters.go, Images. */
function hasPulled(node: JsonObject, pod: JsonObject): boolean {
  const images = itemsOf(pod['containers']).map((container) => itemText(container, 'image'))
  const held = itemsOf(valueAt(node, ['status', 'images'])).flatMap(({ names }) =>
    isList(names) ? names : [],
  )
  return ['', 'docker.io/', 'docker.io/library/'].some((registry) =>
    images.some((image) => held.includes(`${registry}${image}`)),
  )
}

function stray(set: JsonObject, state: string): Drift {
  const [namespace, name] = ['namespace', 'name'].map((key) => {
    const value = valueAt(set, ['metadata', key])
    return typeof value === 'string' ? value : ''
  })
  const called = `${namespace}/${name}`
  return told({
    id: 'daemonset-strays',
    severity: 'warning',
    weight: 'told',
    subject: `cluster/DaemonSet ${called}`,
    message: `DaemonSet ${called} puts pods on Windows nodes: nothing in it asks for Linux, and ${state}`,
    remedy:
      'Set nodeSelector kubernetes.io/os: linux in its template; where its image is for Windows too, look at its pods.',
  })
}

// Node-object: what the API server says of a node, beside what a profile describes.
import type { Facts } from '../model/facts.ts'
import type { Drift } from '../model/drift.ts'
import { type JsonObject, valueAt } from '../model/json.ts'
import { allocatable } from './node-allocatable.ts'
import { differing, text } from './node-differing.ts'
import { told } from './node-drift.ts'
import { itemsOf, itemText } from './node-text.ts'

export function nodeDrifts(node: JsonObject, facts: Facts): readonly Drift[] {
  return [
    ...labels(node, facts),
    ...taints(node, facts),
    ...windows(node, facts),
    ...programs(node, facts),
    ...allocatable(node, facts),
    ...unsaid(node),
    ...ready(node),
  ]
}

function labels(node: JsonObject, { spec }: Facts): readonly Drift[] {
  return Object.entries(spec.kubelet.labels).flatMap(([key, should]) => {
    const was = text(node, ['metadata', 'labels', key])
    if (was === should) return []
    const remedy = `kubectl label node NAME ${key}=${should} --overwrite; a node gets it by itself only when it joins.`
    const about = { what: `labels.${key}`, name: `label ${key}`, was, should, remedy }
    return [
      differing({
        id: 'label-differs',
        field: ['kubelet', 'labels', key],
        need: 'apply',
        ...about,
      }),
    ]
  })
}

/** Others taint nodes too, for a while or for a reason of their own; nothing is said of theirs. */
function taints(node: JsonObject, { spec }: Facts): readonly Drift[] {
  const held = itemsOf(valueAt(node, ['spec', 'taints']))
  return spec.kubelet.taints.flatMap(({ key, value, effect }) => {
    const same = held.find(
      (one) => itemText(one, 'key') === key && itemText(one, 'effect') === effect,
    )
    if (same && itemText(same, 'value') === value) return []
    const should = `${key}=${value}:${effect}`
    const was = same && `${key}=${itemText(same, 'value')}:${effect}`
    const remedy = `kubectl taint node NAME ${should} --overwrite; a node gets it by itself only when it joins.`
    const about = { what: `taints.${key}:${effect}`, name: `taint ${key}`, was, should, remedy }
    return [
      differing({ id: 'taint-differs', field: ['kubelet', 'taints'], need: 'apply', ...about }),
    ]
  })
}

function windows(node: JsonObject, facts: Facts): readonly Drift[] {
  const version = text(node, ['status', 'nodeInfo', 'kernelVersion']) ?? ''
  const [, build, revision] = /^10\.0\.(\d+)(?:\.(\d+))?/.exec(version) ?? []
  const { build: wanted } = facts.windows
  const least = facts.spec.windows.revision
  if (build === undefined) return []
  if (Number(build) !== wanted) {
    const about = {
      what: 'windows.build',
      name: 'the build of Windows',
      was: build,
      should: `${wanted}`,
    }
    const remedy = 'Make the machine anew from an image of that release.'
    const field = ['windows', 'release']
    return [differing({ id: 'windows-differs', field, need: 'machine', remedy, ...about })]
  }
  if (least === undefined || revision === undefined || Number(revision) >= least) return []
  const about = {
    what: 'windows.revision',
    name: 'the revision of Windows',
    was: revision,
    should: `${least} or later`,
  }
  const field = ['windows', 'revision']
  return [
    differing({
      id: 'windows-differs',
      field,
      need: 'restart',
      remedy: 'Update Windows, and restart it.',
      ...about,
    }),
  ]
}

function programs(node: JsonObject, { spec }: Facts): readonly Drift[] {
  const info = (key: string) => text(node, ['status', 'nodeInfo', key])
  const rows = [
    {
      name: 'kubelet',
      was: info('kubeletVersion')?.replace(/^v/, ''),
      should: spec.kubernetes.version,
      field: ['kubernetes', 'version'],
    },
    {
      name: 'containerd',
      was: info('containerRuntimeVersion')?.replace(/^containerd:\/\/v?/, ''),
      should: spec.containerd.version,
      field: ['containerd', 'version'],
    },
  ]
  return rows.flatMap(({ name, was, should, field }) => {
    if (was === undefined || was === should) return []
    const about = { what: `versions.${name}`, name: `${name}’s version`, was, should, field }
    return [
      differing({
        id: 'version-differs',
        need: 'install',
        remedy: 'Run Install-WinNode.ps1 of today’s bundle on the node.',
        ...about,
      }),
    ]
  })
}

/** What the kubelet writes when it comes; without it nothing of these is known. */
function unsaid(node: JsonObject): readonly Drift[] {
  const wanted = ['kernelVersion', 'kubeletVersion', 'containerRuntimeVersion']
  const missing = wanted.filter((key) => !text(node, ['status', 'nodeInfo', key]))
  if (missing.length === 0) return []
  return [
    told({
      id: 'node-unknown',
      severity: 'error',
      weight: 'incomplete',
      subject: 'node/nodeInfo',
      message: `the node does not say its ${missing.join(', ')}`,
      remedy: 'See whether its kubelet runs, and came to the cluster under this name.',
    }),
  ]
}

function ready(node: JsonObject): readonly Drift[] {
  const condition = itemsOf(valueAt(node, ['status', 'conditions'])).find(
    (one) => one['type'] === 'Ready',
  )
  if (condition?.['status'] === 'True') return []
  const message = condition ? itemText(condition, 'message') : ''
  const reason = message === '' ? 'the kubelet says nothing' : message
  return [
    told({
      id: 'node-not-working',
      severity: 'error',
      weight: 'not-working',
      subject: 'node/ready',
      message: `the node is not ready: ${reason}`,
      remedy: 'Run Test-WinNode.ps1 on the node.',
    }),
  ]
}

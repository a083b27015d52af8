// Compares a Node object with the profile.
import type { Facts } from '../model/facts.ts'
import type { Drift } from '../model/drift.ts'
import { type JsonObject, valueAt, textAt, itemsOf } from '../model/json.ts'
import { allocatable } from './node-allocatable.ts'
import { isOfLaterMinor } from '../matrix/standing.ts'
import { nodeDifference, text } from './node-difference.ts'
import { nodeDrift } from './node-drift.ts'

interface Expected {
  readonly facts: Facts
  /** Of what counts on a node, if the profile has a bundle. */
  readonly digest: string | undefined
  /** RFC 3339: what the reconcile loop published before then is too old. */
  readonly oldest: string
}

export function nodeDrifts(
  node: JsonObject,
  { facts, digest, oldest }: Expected,
): readonly Drift[] {
  return [
    ...labels(node, facts),
    ...taints(node, facts),
    ...windows(node, facts),
    ...programs(node, facts),
    ...allocatable(node, facts),
    ...bundle(node, digest),
    ...missingValues(node),
    ...ready(node),
    ...healthy(node),
    ...(facts.spec.host.publishStatus && isReady(node) ? heartbeat(node, oldest) : []),
  ]
}

function labels(node: JsonObject, { spec }: Facts): readonly Drift[] {
  return Object.entries(spec.kubelet.labels).flatMap(([key, should]) =>
    nodeDifference({
      id: 'label-differs',
      what: `labels.${key}`,
      name: `label ${key}`,
      was: text(node, ['metadata', 'labels', key]),
      should,
      field: ['kubelet', 'labels', key],
      need: 'nothing',
      remedy: `Run kubectl label node NAME ${key}=${should} --overwrite; the kubelet sets it only at first registration.`,
    }),
  )
}

/** Additional taints, such as those set by controllers, are not reported. */
function taints(node: JsonObject, { spec }: Facts): readonly Drift[] {
  const held = itemsOf(valueAt(node, ['spec', 'taints']))
  return spec.kubelet.taints.flatMap(({ key, value, effect }) => {
    const same = held.find(
      (one) => textAt(one, ['key']) === key && textAt(one, ['effect']) === effect,
    )
    const should = `${key}=${value}:${effect}`
    return nodeDifference({
      id: 'taint-differs',
      what: `taints.${key}:${effect}`,
      name: `taint ${key}`,
      was: same && `${key}=${textAt(same, ['value'])}:${effect}`,
      should,
      field: ['kubelet', 'taints'],
      need: 'nothing',
      remedy: `Run kubectl taint node NAME ${should} --overwrite; the kubelet sets it only at first registration.`,
    })
  })
}

function windows(node: JsonObject, facts: Facts): readonly Drift[] {
  const version = text(node, ['status', 'nodeInfo', 'kernelVersion']) ?? ''
  const [, build, revision] = /^10\.0\.(\d+)(?:\.(\d+))?/.exec(version) ?? []
  const { build: wanted } = facts.windows
  const least = facts.spec.windows.revision
  if (build === undefined) return []
  if (Number(build) !== wanted)
    return nodeDifference({
      id: 'windows-differs',
      what: 'windows.build',
      name: 'Windows build',
      was: build,
      should: `${wanted}`,
      field: ['windows', 'release'],
      need: 'machine',
      remedy: 'Recreate the machine from an image of that release.',
    })
  if (least === undefined || revision === undefined || Number(revision) >= least) return []
  return nodeDifference({
    id: 'windows-differs',
    what: 'windows.revision',
    name: 'Windows revision',
    was: revision,
    should: `${least} or later`,
    field: ['windows', 'revision'],
    need: 'restart',
    remedy: 'Update Windows, and restart the machine.',
  })
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
  return rows.flatMap(({ name, was, should, field }) =>
    was === undefined
      ? []
      : nodeDifference({
          id: 'version-differs',
          what: `versions.${name}`,
          name: `${name} version`,
          was,
          should,
          field,
          ...(isOfLaterMinor(was, should) ? goingBack : installing),
        }),
  )
}

const installing = {
  need: 'install',
  remedy: 'Run Install-WinNode.ps1 of the current bundle on the node.',
} as const

/** Install refuses it on a joined node: Assert-NodeNotOlder. */
const goingBack = {
  need: 'join',
  remedy:
    'Set the version in the profile. Or go back a minor version: run Reset-WinNode.ps1, then Install-WinNode.ps1 and Join-WinNode.ps1 of the current bundle.',
} as const

/** As the reconcile loop publishes it with host.publishStatus; unknown otherwise. */
function bundle(node: JsonObject, should: string | undefined): readonly Drift[] {
  return bundleDifference(text(node, ['metadata', 'annotations', 'winnode/bundle']), should)
}

/** Both are digests of what counts on a node; unknown where a node or the profile has none. */
export function bundleDifference(
  was: string | undefined,
  should: string | undefined,
): readonly Drift[] {
  if (was === undefined || should === undefined) return []
  return nodeDifference({
    id: 'bundle-differs',
    what: 'bundle',
    name: 'nodeDigest of the bundle',
    was,
    should,
    field: [],
    need: 'install',
    remedy: 'Run Install-WinNode.ps1 and Join-WinNode.ps1 of the current bundle on the node.',
  })
}

/** Written by the kubelet when it registers; missing values are unknown. */
function missingValues(node: JsonObject): readonly Drift[] {
  const wanted = ['kernelVersion', 'kubeletVersion', 'containerRuntimeVersion']
  const missing = wanted.filter((key) => !text(node, ['status', 'nodeInfo', key]))
  if (missing.length === 0) return []
  return [
    unknown(
      'nodeInfo',
      `the Node object has no ${missing.join(', ')}`,
      'Check that the kubelet runs, and that it registered with this name.',
    ),
  ]
}

function ready(node: JsonObject): readonly Drift[] {
  if (isReady(node)) return []
  const condition = conditionOf(node, 'Ready')
  const message = condition ? textAt(condition, ['message']) : ''
  const reason = message === '' ? 'no status from the kubelet' : message
  return [notWorking('ready', `the node is NotReady: ${reason}`)]
}

const isReady = (node: JsonObject) => conditionOf(node, 'Ready')?.['status'] === 'True'

const published = 'WinNodeHealthy'

/** What the reconcile loop found, with host.publishStatus. */
function healthy(node: JsonObject): readonly Drift[] {
  const condition = conditionOf(node, published)
  if (!condition || condition['status'] === 'True') return []
  const message = `${published} is ${textAt(condition, ['status'])}: ${textAt(condition, ['message'])}`
  return condition['status'] === 'False'
    ? [notWorking('healthy', message)]
    : [unknown('healthy', message, test)]
}

/** A Node without the condition may have joined just now. The API server writes each time in UTC. */
function heartbeat(node: JsonObject, oldest: string): readonly Drift[] {
  const condition = conditionOf(node, published)
  const last = condition
    ? textAt(condition, ['lastHeartbeatTime'])
    : text(node, ['metadata', 'creationTimestamp'])
  if (last !== undefined && last >= oldest) return []
  const state = condition ? 'not written for over two hours' : 'missing'
  return [
    {
      ...unknown(
        'healthy.heartbeat',
        `${published} is ${state}: the reconcile loop is suspended, does not run, or cannot write it`,
        'Run Test-WinNode.ps1 of the current bundle on the node, and read the logs in C:\\var\\log\\winnode.',
      ),
      field: ['host', 'publishStatus'],
    },
  ]
}

const conditionOf = (node: JsonObject, type: string) =>
  itemsOf(valueAt(node, ['status', 'conditions'])).find((one) => one['type'] === type)

function notWorking(what: string, message: string): Drift {
  return nodeDrift({
    id: 'node-not-working',
    severity: 'error',
    weight: 'not-working',
    subject: `node/${what}`,
    message,
    remedy: test,
  })
}

const test = 'Run Test-WinNode.ps1 on the node.'

function unknown(what: string, message: string, remedy: string): Drift {
  return nodeDrift({
    id: 'node-unknown',
    severity: 'error',
    weight: 'incomplete',
    subject: `node/${what}`,
    message,
    remedy,
  })
}

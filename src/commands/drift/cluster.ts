// Cluster: the differences of a live cluster, which is only read.
import type { Answer, Listed } from '../../cluster/answer.ts'
import type { Client } from '../../cluster/client.ts'
import { pathOfObject } from '../../cluster/described.ts'
import { detect } from '../../cluster/detect.ts'
import { documentIn } from '../../cluster/detect/quoting.ts'
import type { Seen } from '../../cluster/detect/reads.ts'
import { windowsNodesOf } from '../../cluster/detect/windows-nodes.ts'
import type { AskKubelet } from '../../cluster/kubelets.ts'
import { clusterDrifts } from '../../drift/cluster-says.ts'
import { linuxSideDrifts } from '../../drift/linux-side.ts'
import { kubeletDrifts, kubeletFile, unreadKubelet } from '../../drift/configz.ts'
import { openStrays, type StraysOn } from '../../drift/daemon-sets.ts'
import { openFleet } from '../../drift/fleet.ts'
import { kubeProxyDrifts, kubeProxyFile } from '../../drift/kube-proxy-says.ts'
import { nodeDrifts } from '../../drift/node-object.ts'
import { nameOf } from '../../drift/node-text.ts'
import { type Described, missingObject, objectDrifts } from '../../drift/object.ts'
import { unreadDrift } from '../../drift/unread.ts'
import { readContent } from '../../io/drift/document.ts'
import type { Drift } from '../../model/drift.ts'
import type { Facts } from '../../model/facts.ts'
import { isObject, type Json, type JsonObject, valueAt } from '../../model/json.ts'
import type { Plan, RenderedFile } from '../../model/plan.ts'
import type { FleetFound } from './nodes.ts'

export interface Wanted {
  readonly facts: Facts
  readonly files: readonly RenderedFile[]
  /** Of labels, for the nodes of this profile among others. */
  readonly selector: string | undefined
  readonly plan: Plan
  /** Absent where no kubelet is asked. */
  readonly kubelets: AskKubelet | undefined
  /** What a person should know before a long wait. */
  readonly tell: (line: string) => void
}

export async function clusterFound(client: Client, wanted: Wanted): Promise<FleetFound> {
  // The version is asked for first: where that fails, nothing else is asked.
  const { detected, unread, seen, network } = await detect(client)
  // What a cluster does not have, such as kubeadm's ConfigMaps, says nothing either way.
  const blind = unread.filter(({ why }) => why !== 'missing')
  const nodes = await nodesFound(client, wanted, seen)
  const objects = await Promise.all(
    (await described(wanted.files)).map(async (one) => objectFound(client, one)),
  )
  const drifts = [
    ...clusterDrifts(detected, specOf(wanted.facts)),
    ...(network.unread.length > 0 ? [] : linuxSideDrifts(network.documents, wanted.facts.spec)),
    ...(await kubeProxyFound(seen, wanted)),
    ...objects.flat(),
    ...nodes.drifts,
    ...blind.map(({ what, message }) => unreadDrift(what, message)).filter(isNew(nodes.drifts)),
  ]
  return { drifts, nodes: nodes.nodes }
}

/** Nodes are listed once for what all of them say, and once for what each does. */
function isNew(told: readonly Drift[]): (drift: Drift) => boolean {
  return ({ subject }) => !told.some((one) => one.subject === subject)
}

function specOf({ spec }: Facts): JsonObject {
  const value: unknown = JSON.parse(JSON.stringify(spec))
  return isObject(value) ? value : {}
}

async function kubeProxyFound({ objects }: Seen, { files }: Wanted): Promise<readonly Drift[]> {
  const theirs = documentIn(objects.get('kubeProxy'), 'config.conf')
  const ours = await valueOf(files, kubeProxyFile)
  return theirs && ours !== undefined ? kubeProxyDrifts(theirs, ours) : []
}

function straysOf({ lists }: Seen): StraysOn {
  return openStrays(lists.get('daemonSets') ?? [], windowsNodesOf({ lists }))
}

async function nodesFound(client: Client, wanted: Wanted, seen: Seen): Promise<FleetFound> {
  const { facts, selector } = wanted
  const listed = selector === undefined ? nodesOf(seen) : await selected(client, selector)
  if (listed.kind !== 'found') return { drifts: [unreadDrift('nodes', listed.message)], nodes: [] }
  const windows = listed.items.filter(isWindows)
  const some = selector === undefined ? '' : ` with ${selector}`
  if (windows.length === 0)
    return { drifts: [unreadDrift('nodes', `there is no Windows node${some}`)], nodes: [] }
  const fleet = openFleet()
  const strays = straysOf(seen)
  const kubeletSays = await openKubelets(wanted)
  if (wanted.kubelets && windows.length > many)
    wanted.tell(`asking ${windows.length} kubelets, ${atOnce} at a time`)
  for (let at = 0; at < windows.length; at += atOnce) {
    const asked = windows.slice(at, at + atOnce)
    const said = await Promise.all(asked.map(kubeletSays))
    for (const [index, node] of asked.entries()) {
      fleet.add(nameOf(node), [...nodeDrifts(node, facts), ...strays(node), ...(said[index] ?? [])])
    }
  }
  return { drifts: fleet.drifts(), nodes: fleet.nodes() }
}

/** Detection has listed all nodes before. */
function nodesOf({ lists, unread }: Seen): Listed {
  const items = lists.get('nodes')
  if (items) return { kind: 'found', items }
  const { why = 'missing', message = 'not listed' } =
    unread.find(({ what }) => what === 'nodes') ?? {}
  return { kind: why, message }
}

function selected(client: Client, selector: string): Promise<Listed> {
  return client.list(`/api/v1/nodes?labelSelector=${encodeURIComponent(selector)}`)
}

/** A node whose kubelet has not come yet has its label only, from whoever made it. */
function isWindows(node: JsonObject): boolean {
  const system =
    valueAt(node, ['status', 'nodeInfo', 'operatingSystem']) ??
    valueAt(node, ['metadata', 'labels', 'kubernetes.io/os'])
  return system === 'windows'
}

/** Kubelets that are asked at a time. */
const atOnce = 8

/** More kubelets than that take a while. */
const many = 100

async function openKubelets({ plan, files, kubelets }: Wanted) {
  const value = await valueOf(files, kubeletFile)
  return async (node: JsonObject): Promise<readonly Drift[]> => {
    if (!kubelets || value === undefined) return []
    const answer = await kubelets(node)
    if (answer.kind !== 'found') return [unreadKubelet(answer.message)]
    return kubeletDrifts(answer.object, value, plan)
  }
}

/** Of a file that holds one document. */
async function valueOf(files: readonly RenderedFile[], name: string): Promise<Json | undefined> {
  const file = files.find(({ path }) => path === name)
  const content = file && (await readContent(file.content, file.path, file.path))
  return content?.kind === 'documents' ? content.docs[0]?.value : undefined
}

/** Every object that the bundle has a manifest for. */
async function described(files: readonly RenderedFile[]): Promise<readonly Described[]> {
  const manifests = files.filter(({ path }) => /^cluster\/[^/]+\.yaml$/.test(path))
  const read = manifests.map(async ({ path, content }) => {
    const found = await readContent(content, path, path)
    return found.kind === 'documents'
      ? found.docs.map(({ name, value }) => ({ file: path, name, value }))
      : []
  })
  return (await Promise.all(read)).flat()
}

async function objectFound(client: Client, one: Described): Promise<readonly Drift[]> {
  const path = pathOfObject(one.value)
  if (path === undefined) return []
  const answer: Answer = await client.get(path)
  if (answer.kind === 'found') return objectDrifts(one, answer.object)
  return [answer.kind === 'missing' ? missingObject(one) : unreadDrift(one.name, answer.message)]
}

// Compares a live cluster with the profile; read-only.
import { clusterManifest } from '../../artifacts/kustomization.ts'
import type { Answer, Listed } from '../../cluster/answer.ts'
import type { Client } from '../../cluster/client.ts'
import { labelledLists, type ListOf, objectPath } from '../../cluster/object-path.ts'
import { detect } from '../../cluster/detect.ts'
import { documentIn } from '../../cluster/detect/values.ts'
import type { Observed } from '../../cluster/detect/cluster-objects.ts'
import type { Network } from '../../cluster/detect/network-plugin.ts'
import { windowsNodesOf } from '../../cluster/detect/windows-nodes.ts'
import type { ReadConfigz } from '../../cluster/kubelets.ts'
import { clusterDrifts } from '../../drift/cluster-values.ts'
import { brokenLinuxSide, linuxSideDrifts } from '../../drift/linux-side.ts'
import { kubeletDrifts, kubeletFile, unreadKubelet } from '../../drift/configz.ts'
import { straysOn } from '../../drift/daemon-sets.ts'
import { newFleet } from '../../drift/fleet.ts'
import { kubeProxyDrifts, kubeProxyFile } from '../../drift/kube-proxy-config.ts'
import { nodeDrifts } from '../../drift/node-object.ts'
import { type Described, leftObjects, missingObject, objectDrifts } from '../../drift/object.ts'
import { forImage, kubeletOfImage } from '../../drift/provider-image.ts'
import { unmatchedNodes, unreadableObjects } from '../../drift/unreadable.ts'
import { readContent } from '../../io/drift/document.ts'
import type { Drift } from '../../model/drift.ts'
import type { Facts } from '../../model/facts.ts'
import { type Json, type JsonObject, nameOf, valueAt } from '../../model/json.ts'
import type { Plan, RenderedFile } from '../../model/plan.ts'
import type { NodeSpec } from '../../model/spec.ts'
import { installedDigest } from '../../render/bundle-digest.ts'
import type { NodesDrift } from './nodes.ts'

export interface Options {
  readonly facts: Facts
  readonly files: readonly RenderedFile[]
  /** Label selector of the nodes that the profile describes. */
  readonly selector: string | undefined
  readonly plan: Plan
  /** RFC 3339: what a node published before then is too old. */
  readonly oldest: string
  /** Reads a kubelet's /configz; absent without --configz. */
  readonly kubelets: ReadConfigz | undefined
  /** Prints a line before a long wait. */
  readonly log: (line: string) => void
}

export async function compareCluster(client: Client, options: Options): Promise<NodesDrift> {
  const { spec } = options.facts
  const { detected, unread, seen, network } = await detect(client)
  // A missing object, such as kubeadm's ConfigMaps, is not drift.
  const unreadable = unread.filter(({ why }) => why !== 'missing')
  const nodes = await compareNodes(client, options, seen)
  const manifests = await describedObjects(options.files)
  const objects = await Promise.all(manifests.map(async (one) => compareObject(client, one)))
  const left = await Promise.all(labelledLists.map(async (one) => listLeft(client, one, manifests)))
  const drifts = [
    ...clusterDrifts(detected, spec),
    ...networkDrifts(network, spec),
    ...(await compareKubeProxy(seen, options)),
    ...objects.flat(),
    ...left.flat(),
    ...nodes.drifts,
    ...unreadable
      .map(({ what, message }) => unreadableObjects(what, message))
      .filter(isUnreported(nodes.drifts)),
  ]
  return { drifts, nodes: nodes.nodes }
}

function networkDrifts({ unread, broken, documents }: Network, spec: NodeSpec): readonly Drift[] {
  if (unread.length > 0) return []
  if (broken) return broken.cni === spec.network.cni ? [brokenLinuxSide(broken)] : []
  return linuxSideDrifts(documents, spec)
}

/** Nodes may be listed twice, for detection and by selector: a failure is reported once. */
function isUnreported(reported: readonly Drift[]): (drift: Drift) => boolean {
  return ({ subject }) => !reported.some((one) => one.subject === subject)
}

async function compareKubeProxy(
  { objects }: Observed,
  { files }: Options,
): Promise<readonly Drift[]> {
  const theirs = documentIn(objects.get('kubeProxy'), 'config.conf')
  const ours = await firstDocument(files, kubeProxyFile)
  return theirs && ours !== undefined ? kubeProxyDrifts(theirs, ours) : []
}

async function compareNodes(client: Client, options: Options, seen: Observed): Promise<NodesDrift> {
  const { facts, selector, oldest } = options
  const listed = selector === undefined ? listedNodes(seen) : await selectedNodes(client, selector)
  if (listed.kind !== 'found')
    return { drifts: [unreadableObjects('nodes', listed.message)], nodes: [] }
  const windows = listed.items.filter(isWindows)
  const some = selector === undefined ? '' : ` with ${selector}`
  if (windows.length === 0)
    return { drifts: [unmatchedNodes(`there is no Windows node${some}`)], nodes: [] }
  const fleet = newFleet()
  const strays = straysOn(seen.lists.get('daemonSets') ?? [], windowsNodesOf(seen))
  const compareKubelet = await kubeletComparer(options)
  const digest = installedDigest(options.files)
  if (options.kubelets && windows.length > largeFleet)
    options.log(`asking ${windows.length} kubelets, ${maxConcurrent} at a time`)
  for (let at = 0; at < windows.length; at += maxConcurrent) {
    const asked = windows.slice(at, at + maxConcurrent)
    const kubeletResults = await Promise.all(asked.map(compareKubelet))
    for (const [index, node] of asked.entries()) {
      const drifts = [
        ...nodeDrifts(node, { facts, digest, oldest }),
        ...strays(node),
        ...(kubeletResults[index] ?? []),
      ]
      fleet.add(nameOf(node), forImage(drifts, facts.spec.network.cni))
    }
  }
  return { drifts: fleet.drifts(), nodes: fleet.nodes() }
}

/** From detection, which has listed all nodes. */
function listedNodes({ lists, unread }: Observed): Listed {
  const items = lists.get('nodes')
  if (items) return { kind: 'found', items }
  const { why = 'missing', message = 'not listed' } =
    unread.find(({ what }) => what === 'nodes') ?? {}
  return { kind: why, message }
}

function selectedNodes(client: Client, selector: string): Promise<Listed> {
  return client.list(`/api/v1/nodes?labelSelector=${encodeURIComponent(selector)}`)
}

/** A Node object created before its kubelet registered has the label, but no nodeInfo. */
function isWindows(node: JsonObject): boolean {
  const system =
    valueAt(node, ['status', 'nodeInfo', 'operatingSystem']) ??
    valueAt(node, ['metadata', 'labels', 'kubernetes.io/os'])
  return system === 'windows'
}

/** Kubelets read concurrently. */
const maxConcurrent = 8

/** Number of kubelets that takes long enough to announce. */
const largeFleet = 100

async function kubeletComparer({ facts, plan, files, kubelets }: Options) {
  const value = (await firstDocument(files, kubeletFile)) ?? kubeletOfImage(facts)
  return async (node: JsonObject): Promise<readonly Drift[]> => {
    if (!kubelets || value === undefined) return []
    const answer = await kubelets(node)
    if (answer.kind !== 'found') return [unreadKubelet(answer.message)]
    return kubeletDrifts(answer.object, value, plan)
  }
}

/** The document of a rendered file that holds only one. */
async function firstDocument(
  files: readonly RenderedFile[],
  name: string,
): Promise<Json | undefined> {
  const file = files.find(({ path }) => path === name)
  const content = file && (await readContent(file.content, file.path, file.path))
  return content?.kind === 'documents' ? content.docs[0]?.value : undefined
}

/** The objects of the cluster-side manifests. */
async function describedObjects(files: readonly RenderedFile[]): Promise<readonly Described[]> {
  const manifests = files.filter(({ path }) => clusterManifest.test(path))
  const read = manifests.map(async ({ path, content }) => {
    const found = await readContent(content, path, path)
    return found.kind === 'documents'
      ? found.docs.map(({ name, value }) => ({ file: path, name, value }))
      : []
  })
  return (await Promise.all(read)).flat()
}

async function compareObject(client: Client, one: Described): Promise<readonly Drift[]> {
  const path = objectPath(one.value)
  if (path === undefined) return []
  const answer: Answer = await client.get(path)
  if (answer.kind === 'found') return objectDrifts(one, answer.object)
  return [
    answer.kind === 'missing' ? missingObject(one) : unreadableObjects(one.name, answer.message),
  ]
}

async function listLeft(
  client: Client,
  { kind, path, what }: ListOf,
  manifests: readonly Described[],
): Promise<readonly Drift[]> {
  const listed = await client.list(path)
  if (listed.kind === 'found') return leftObjects(kind, listed.items, manifests)
  return listed.kind === 'missing' ? [] : [unreadableObjects(what, listed.message)]
}

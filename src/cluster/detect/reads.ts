// Reads: the objects of a cluster that say something of a Windows node, and what a person calls them.
import type { JsonObject } from '../../model/json.ts'
import type { Refusal } from '../answer.ts'
import type { Client } from '../client.ts'
import { ClusterProblem } from '../problem.ts'

interface Read<Name> {
  readonly name: Name
  readonly path: string
  readonly what: string
}

/** A ConfigMap, as a person and as the API call it. */
export function configMap<Name>(name: Name, namespace: string, called: string): Read<Name> {
  const path = `/api/v1/namespaces/${namespace}/configmaps/${called}`
  return { name, path, what: `ConfigMap ${namespace}/${called}` }
}

export type ObjectName =
  'version' | 'clusterInfo' | 'kubeadmConfig' | 'kubeletConfig' | 'kubeProxy' | 'coreDNS' | 'rootCA'

const version: Read<ObjectName> = {
  name: 'version',
  path: '/version',
  what: 'the version of the API server',
}

const objects: readonly Read<ObjectName>[] = [
  configMap('clusterInfo', 'kube-public', 'cluster-info'),
  configMap('kubeadmConfig', 'kube-system', 'kubeadm-config'),
  configMap('kubeletConfig', 'kube-system', 'kubelet-config'),
  configMap('kubeProxy', 'kube-system', 'kube-proxy'),
  configMap('coreDNS', 'kube-system', 'coredns'),
  configMap('rootCA', 'kube-system', 'kube-root-ca.crt'),
]

export type ListName = 'nodes' | 'daemonSets' | 'serviceCIDRs' | 'dnsServices' | 'controlPlane'

const lists: readonly Read<ListName>[] = [
  { name: 'nodes', path: '/api/v1/nodes', what: 'nodes' },
  { name: 'daemonSets', path: '/apis/apps/v1/daemonsets', what: 'DaemonSets' },
  // Stable from 1.33 on: https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/service-cidr-v1/
  { name: 'serviceCIDRs', path: '/apis/networking.k8s.io/v1/servicecidrs', what: 'ServiceCIDRs' },
  {
    name: 'dnsServices',
    path: '/api/v1/namespaces/kube-system/services?labelSelector=k8s-app%3Dkube-dns',
    what: 'Services of kube-system with k8s-app=kube-dns',
  },
  // Where the control plane runs in pods, their arguments say what no other object says.
  {
    name: 'controlPlane',
    path: '/api/v1/namespaces/kube-system/pods?labelSelector=tier%3Dcontrol-plane',
    what: 'Pods of kube-system with tier=control-plane',
  },
]

/** What could not be read: nothing is known of its fields. */
export interface Unread {
  readonly what: string
  readonly why: Refusal['kind']
  /** The server's own sentence, without secrets. */
  readonly message: string
}

export interface Seen {
  readonly objects: ReadonlyMap<ObjectName, JsonObject>
  readonly lists: ReadonlyMap<ListName, readonly JsonObject[]>
  readonly unread: readonly Unread[]
}

/** The version comes first: where it cannot be asked for, nothing can. */
export async function readCluster(client: Client): Promise<Seen> {
  const first = await client.get(version.path)
  if (first.kind === 'failed' || first.kind === 'missing')
    throw reasonOf(first) ?? new ClusterProblem('connection', `no API server: ${first.message}`)
  if (first.kind === 'unauthorized') throw stranger()
  const objectsRead = await Promise.all(
    objects.map(async (read) => ({ read, answer: await client.get(read.path) })),
  )
  const listsRead = await Promise.all(
    lists.map(async (read) => ({ read, answer: await client.list(read.path) })),
  )
  const answers = [{ read: version, answer: first }, ...objectsRead]
  return {
    objects: new Map(
      answers.flatMap(({ read, answer }) =>
        answer.kind === 'found' ? [[read.name, answer.object]] : [],
      ),
    ),
    lists: new Map(
      listsRead.flatMap(({ read, answer }) =>
        answer.kind === 'found' ? [[read.name, answer.items]] : [],
      ),
    ),
    unread: [...answers, ...listsRead].flatMap(({ read, answer }) =>
      answer.kind === 'found' ? [] : [unreadOf(read.what, answer)],
    ),
  }
}

/** Who is not known is told so at once: every answer would be the same. */
export function unreadOf(what: string, refusal: Refusal): Unread {
  if (refusal.kind === 'unauthorized') throw stranger()
  return { what, why: refusal.kind, message: refusal.message }
}

function stranger(): ClusterProblem {
  return new ClusterProblem('credentials', 'the API server does not know these credentials', [
    'they may have expired: log in again',
  ])
}

function reasonOf(refusal: Refusal): ClusterProblem | undefined {
  return refusal.kind === 'failed' ? refusal.problem : undefined
}

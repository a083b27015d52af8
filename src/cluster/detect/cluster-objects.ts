// The objects and lists that detection reads from a cluster.
import type { JsonObject } from '../../model/json.ts'
import type { Refusal } from '../answer.ts'
import type { Client } from '../client.ts'
import { ClusterError } from '../cluster-error.ts'

interface ApiRequest<Name> {
  readonly name: Name
  readonly path: string
  /** Names it in messages. */
  readonly what: string
}

export function configMap<Name>(name: Name, namespace: string, called: string): ApiRequest<Name> {
  const path = `/api/v1/namespaces/${namespace}/configmaps/${called}`
  return { name, path, what: `ConfigMap ${namespace}/${called}` }
}

type ObjectName =
  'version' | 'clusterInfo' | 'kubeadmConfig' | 'kubeletConfig' | 'kubeProxy' | 'coreDNS' | 'rootCA'

const version: ApiRequest<ObjectName> = {
  name: 'version',
  path: '/version',
  what: 'the version of the API server',
}

const objects: readonly ApiRequest<ObjectName>[] = [
  configMap('clusterInfo', 'kube-public', 'cluster-info'),
  configMap('kubeadmConfig', 'kube-system', 'kubeadm-config'),
  configMap('kubeletConfig', 'kube-system', 'kubelet-config'),
  configMap('kubeProxy', 'kube-system', 'kube-proxy'),
  configMap('coreDNS', 'kube-system', 'coredns'),
  configMap('rootCA', 'kube-system', 'kube-root-ca.crt'),
]

type ListName = 'nodes' | 'daemonSets' | 'serviceCIDRs' | 'dnsServices' | 'controlPlane'

const lists: readonly ApiRequest<ListName>[] = [
  { name: 'nodes', path: '/api/v1/nodes', what: 'nodes' },
  { name: 'daemonSets', path: '/apis/apps/v1/daemonsets', what: 'DaemonSets' },
  // Stable from 1.33 on: https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/service-cidr-v1/
  { name: 'serviceCIDRs', path: '/apis/networking.k8s.io/v1/servicecidrs', what: 'ServiceCIDRs' },
  {
    name: 'dnsServices',
    path: '/api/v1/namespaces/kube-system/services?labelSelector=k8s-app%3Dkube-dns',
    what: 'Services of kube-system with k8s-app=kube-dns',
  },
  // Some flags of the control plane are in no other object.
  {
    name: 'controlPlane',
    path: '/api/v1/namespaces/kube-system/pods?labelSelector=tier%3Dcontrol-plane',
    what: 'Pods of kube-system with tier=control-plane',
  },
]

/** An object or list that could not be read. */
export interface Unread {
  readonly what: string
  readonly why: Refusal['kind']
  /** The server's message, redacted. */
  readonly message: string
}

export interface Observed {
  readonly objects: ReadonlyMap<ObjectName, JsonObject>
  readonly lists: ReadonlyMap<ListName, readonly JsonObject[]>
  readonly unread: readonly Unread[]
}

/** Throws a `ClusterError` where the version, which is read first, cannot be read. */
export async function readCluster(client: Client): Promise<Observed> {
  const first = await client.get(version.path)
  if (first.kind === 'failed' || first.kind === 'missing')
    throw errorOf(first) ?? new ClusterError('connection', `no API server: ${first.message}`)
  if (first.kind === 'unauthorized') throw unauthorized()
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

/** Throws for rejected credentials: every other request would fail alike. */
export function unreadOf(what: string, refusal: Refusal): Unread {
  if (refusal.kind === 'unauthorized') throw unauthorized()
  return { what, why: refusal.kind, message: refusal.message }
}

function unauthorized(): ClusterError {
  return new ClusterError('credentials', 'the API server does not know these credentials', [
    'they may have expired: log in again',
  ])
}

function errorOf(refusal: Refusal): ClusterError | undefined {
  return refusal.kind === 'failed' ? refusal.problem : undefined
}

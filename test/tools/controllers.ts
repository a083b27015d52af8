// What happens in a cluster after an object is stored: tokens, certificates, and flanneld that starts anew.
import { isObject, type JsonObject } from '../../src/model/json.ts'
import { base64, caPem, type Cluster, type Controller } from './cluster.ts'

const text = (object: JsonObject | undefined, ...keys: readonly string[]): string => {
  let value: unknown = object
  for (const key of keys) value = isObject(value) ? value[key] : undefined
  return typeof value === 'string' ? value : ''
}

/** The token controller is not at once: the first look at a Secret finds none. */
const serviceAccountTokens: Controller = (cluster, verb, path) => {
  const secret = cluster.objects.get(path)
  if (verb !== 'GET' || text(secret, 'type') !== 'kubernetes.io/service-account-token') return
  const account = path.split('/').at(-1) ?? ''
  if (!cluster.users.has(`secret-of-${account}`)) {
    cluster.users.set(`secret-of-${account}`, account)
    return
  }
  const data = { token: base64(`secret-of-${account}`), 'ca.crt': base64(caPem) }
  cluster.objects.set(path, { ...secret, data })
}

const bootstrapTokens: Controller = (cluster, verb, path) => {
  const secret = cluster.objects.get(path)
  if (verb !== 'POST' || text(secret, 'type') !== 'bootstrap.kubernetes.io/token') return
  const of = (key: string) => text(secret, 'stringData', key)
  cluster.users.set(`${of('token-id')}.${of('token-secret')}`, of('auth-extra-groups'))
}

const signer: Controller = (cluster, verb, path) => {
  const request = cluster.objects.get(path)
  if (verb !== 'PUT' || text(request, 'kind') !== 'CertificateSigningRequest') return
  cluster.put(path, { ...request, status: { certificate: base64(caPem) } })
}

/** What a flanneld announces is what its file said when it started. */
const flanneld: Controller = (cluster, verb, path) => {
  if (verb !== 'DELETE' || !path.includes('/pods/')) return
  cluster.put('/api/v1/nodes/linux-1', linuxNode(netConfOf(cluster)))
}

export const controllers = [serviceAccountTokens, bootstrapTokens, signer, flanneld]

const configMap = '/api/v1/namespaces/kube-flannel/configmaps/kube-flannel-cfg'
export const netConfOf = (cluster: Cluster): JsonObject =>
  JSON.parse(text(cluster.objects.get(configMap), 'data', 'net-conf.json'))

function linuxNode({ Backend }: JsonObject): JsonObject {
  const { Type, VNI = 1 } = isObject(Backend) ? Backend : {}
  const annotations = {
    'flannel.alpha.coreos.com/backend-type': Type ?? 'udp',
    'flannel.alpha.coreos.com/backend-data': JSON.stringify({ VNI, VtepMAC: '12:c6:65:89:b4:e3' }),
  }
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: 'linux-1', annotations } }
}

/** A cluster as kubeadm and the manifests of flannel and Antrea leave it. */
export function furnish(cluster: Cluster, netConf: JsonObject): void {
  const map = (path: string, data: JsonObject) => {
    const [namespace = '', name = ''] = path.split('/')
    const at = `/api/v1/namespaces/${namespace}/configmaps/${name}`
    cluster.put(at, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data })
  }
  map('kube-public/cluster-info', { kubeconfig: cluster.kubeconfig() })
  map('kube-flannel/kube-flannel-cfg', {
    'cni-conf.json': '{}',
    'net-conf.json': JSON.stringify(netConf, null, 2),
  })
  map('kube-system/antrea-config', { 'antrea-agent.conf': 'trafficEncapMode: encap\n' })
  cluster.put('/api/v1/nodes/linux-1', linuxNode(netConf))
  const labels = { app: 'flannel' }
  const flannel = { namespace: 'kube-flannel', labels }
  cluster.put('/api/v1/namespaces/kube-flannel/pods/kube-flannel-ds-abcde', {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { ...flannel, name: 'kube-flannel-ds-abcde' },
  })
  const counts = ['desired', 'current', 'updated'].map((word) => [`${word}NumberScheduled`, 1])
  cluster.put('/apis/apps/v1/namespaces/kube-flannel/daemonsets/kube-flannel-ds', {
    ...{ apiVersion: 'apps/v1', kind: 'DaemonSet' },
    metadata: { ...flannel, name: 'kube-flannel-ds', generation: 1 },
    spec: { selector: { matchLabels: labels }, updateStrategy: { type: 'RollingUpdate' } },
    status: { ...Object.fromEntries(counts), observedGeneration: 1, numberAvailable: 1 },
  })
}

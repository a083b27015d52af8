// The API paths of the objects that a bundle gives the cluster.
import { isObject, type Json } from '../model/json.ts'

export interface ListOf {
  readonly kind: string
  readonly path: string
  readonly what: string
}

const label = 'app.kubernetes.io/managed-by=winnode'

const lists: readonly (readonly [kind: string, path: string])[] = [
  ['DaemonSet', '/apis/apps/v1/namespaces/kube-system/daemonsets'],
  ['CronJob', '/apis/batch/v1/namespaces/kube-system/cronjobs'],
  ['Deployment', '/apis/apps/v1/namespaces/kube-system/deployments'],
  ['Service', '/api/v1/namespaces/kube-system/services'],
  ['ServiceAccount', '/api/v1/namespaces/kube-system/serviceaccounts'],
  ['ClusterRole', '/apis/rbac.authorization.k8s.io/v1/clusterroles'],
  ['ClusterRoleBinding', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings'],
  // In the namespaces of the service accounts that may use a gMSA.
  ['RoleBinding', '/apis/rbac.authorization.k8s.io/v1/rolebindings'],
  ['CSIDriver', '/apis/storage.k8s.io/v1/csidrivers'],
  ['StorageClass', '/apis/storage.k8s.io/v1/storageclasses'],
  ['PersistentVolume', '/api/v1/persistentvolumes'],
  ['GMSACredentialSpec', '/apis/windows.k8s.io/v1/gmsacredentialspecs'],
  ['ServiceMonitor', '/apis/monitoring.coreos.com/v1/namespaces/kube-system/servicemonitors'],
  ['PrometheusRule', '/apis/monitoring.coreos.com/v1/namespaces/kube-system/prometheusrules'],
  ['RuntimeClass', '/apis/node.k8s.io/v1/runtimeclasses'],
  [
    'ValidatingAdmissionPolicy',
    '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
  ],
  [
    'ValidatingAdmissionPolicyBinding',
    '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
  ],
]

/**
 * Lists of the objects that bundles gave the cluster, from this profile or others. Not of ConfigMaps: their values are read
 * only by name.
 */
export const labelledLists: readonly ListOf[] = lists.map(([kind, path]) => ({
  kind,
  path: `${path}?labelSelector=${encodeURIComponent(label)}`,
  what: `${kind}s with the label ${label}`,
}))

/** Plural names of the kinds that a bundle writes; Secrets are never read. */
const plurals = new Map([
  ...lists.map(([kind, path]) => [kind, path.slice(path.lastIndexOf('/') + 1)] as const),
  ['ConfigMap', 'configmaps'],
  ['Namespace', 'namespaces'],
  ['Role', 'roles'],
])

/** `undefined` for kinds that are not read. */
export function objectPath(manifest: Json): string | undefined {
  if (!isObject(manifest) || !isObject(manifest['metadata'])) return undefined
  const { apiVersion, kind } = manifest
  const { name, namespace } = manifest['metadata']
  const plural = typeof kind === 'string' ? plurals.get(kind) : undefined
  if (plural === undefined || typeof apiVersion !== 'string' || typeof name !== 'string')
    return undefined
  const root = apiVersion.includes('/') ? 'apis' : 'api'
  const within = typeof namespace === 'string' ? `namespaces/${encodeURIComponent(namespace)}/` : ''
  return `/${root}/${apiVersion}/${within}${plural}/${encodeURIComponent(name)}`
}

// The API paths of the objects that a bundle gives the cluster.
import { isObject, type Json } from '../model/json.ts'

/** Plural names of the kinds that a bundle writes; Secrets are never read. */
const plurals: Readonly<Record<string, string>> = {
  CSIDriver: 'csidrivers',
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  ConfigMap: 'configmaps',
  DaemonSet: 'daemonsets',
  Deployment: 'deployments',
  GMSACredentialSpec: 'gmsacredentialspecs',
  Namespace: 'namespaces',
  PersistentVolume: 'persistentvolumes',
  Role: 'roles',
  RoleBinding: 'rolebindings',
  RuntimeClass: 'runtimeclasses',
  Service: 'services',
  ServiceAccount: 'serviceaccounts',
  ServiceMonitor: 'servicemonitors',
  StorageClass: 'storageclasses',
  ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
  ValidatingAdmissionPolicyBinding: 'validatingadmissionpolicybindings',
}

export interface ListOf {
  readonly kind: string
  readonly path: string
  readonly what: string
}

const label = 'app.kubernetes.io/managed-by=winnode'

/** Lists of the objects that bundles gave the cluster, from this profile or others. */
export const labelledLists: readonly ListOf[] = [
  ['ServiceAccount', '/api/v1/namespaces/kube-system/serviceaccounts'],
  ['ClusterRole', '/apis/rbac.authorization.k8s.io/v1/clusterroles'],
  ['ClusterRoleBinding', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings'],
  ['RuntimeClass', '/apis/node.k8s.io/v1/runtimeclasses'],
  [
    'ValidatingAdmissionPolicy',
    '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
  ],
  [
    'ValidatingAdmissionPolicyBinding',
    '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
  ],
].map(([kind = '', path = '']) => ({
  kind,
  path: `${path}?labelSelector=${encodeURIComponent(label)}`,
  what: `${kind}s with the label ${label}`,
}))

/** `undefined` for kinds that are not read. */
export function objectPath(manifest: Json): string | undefined {
  if (!isObject(manifest) || !isObject(manifest['metadata'])) return undefined
  const { apiVersion, kind } = manifest
  const { name, namespace } = manifest['metadata']
  const plural = typeof kind === 'string' ? plurals[kind] : undefined
  if (plural === undefined || typeof apiVersion !== 'string' || typeof name !== 'string')
    return undefined
  const root = apiVersion.includes('/') ? 'apis' : 'api'
  const within = typeof namespace === 'string' ? `namespaces/${encodeURIComponent(namespace)}/` : ''
  return `/${root}/${apiVersion}/${within}${plural}/${encodeURIComponent(name)}`
}

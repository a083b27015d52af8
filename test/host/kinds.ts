// The kinds of objects in the simulated API server, and its discovery documents for kubectl.
import type { JsonObject } from '../../src/model/json.ts'

export const kinds: readonly (readonly [
  gv: string,
  name: string,
  kind: string,
  namespaced: boolean,
])[] = [
  ['v1', 'secrets', 'Secret', true],
  ['v1', 'serviceaccounts', 'ServiceAccount', true],
  ['v1', 'configmaps', 'ConfigMap', true],
  ['v1', 'pods', 'Pod', true],
  ['v1', 'services', 'Service', true],
  ['v1', 'nodes', 'Node', false],
  ['v1', 'persistentvolumes', 'PersistentVolume', false],
  ['storage.k8s.io/v1', 'csidrivers', 'CSIDriver', false],
  ['storage.k8s.io/v1', 'storageclasses', 'StorageClass', false],
  ['apps/v1', 'daemonsets', 'DaemonSet', true],
  ['apps/v1', 'deployments', 'Deployment', true],
  ['batch/v1', 'cronjobs', 'CronJob', true],
  ['rbac.authorization.k8s.io/v1', 'clusterroles', 'ClusterRole', false],
  ['rbac.authorization.k8s.io/v1', 'clusterrolebindings', 'ClusterRoleBinding', false],
  ['rbac.authorization.k8s.io/v1', 'rolebindings', 'RoleBinding', true],
  ['windows.k8s.io/v1', 'gmsacredentialspecs', 'GMSACredentialSpec', false],
  ['node.k8s.io/v1', 'runtimeclasses', 'RuntimeClass', false],
  [
    'admissionregistration.k8s.io/v1',
    'validatingadmissionpolicies',
    'ValidatingAdmissionPolicy',
    false,
  ],
  [
    'admissionregistration.k8s.io/v1',
    'validatingadmissionpolicybindings',
    'ValidatingAdmissionPolicyBinding',
    false,
  ],
  ['operator.tigera.io/v1', 'installations', 'Installation', false],
  ['projectcalico.org/v3', 'felixconfigurations', 'FelixConfiguration', false],
  ['projectcalico.org/v3', 'ipamconfigurations', 'IPAMConfiguration', false],
  ['monitoring.coreos.com/v1', 'servicemonitors', 'ServiceMonitor', true],
  ['monitoring.coreos.com/v1', 'prometheusrules', 'PrometheusRule', true],
  ['networking.k8s.io/v1', 'servicecidrs', 'ServiceCIDR', false],
  ['discovery.k8s.io/v1', 'endpointslices', 'EndpointSlice', true],
  ['certificates.k8s.io/v1', 'certificatesigningrequests', 'CertificateSigningRequest', false],
]

const rootOf = (gv: string) => (gv === 'v1' ? '/api/v1' : `/apis/${gv}`)
const verbs = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch']

const versions = [...new Set(kinds.map(([gv]) => gv))]
const groups = versions.filter((gv) => gv !== 'v1')

/** What kubectl asks before anything else, by path. */
export function documents(): Readonly<Record<string, JsonObject>> {
  const paths = versions.map((gv) => [
    rootOf(gv).slice(1),
    { serverRelativeURL: `/openapi/v3${rootOf(gv)}` },
  ])
  return {
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupOf) },
    '/openapi/v3': { paths: Object.fromEntries(paths) as JsonObject },
    ...Object.fromEntries(versions.map((gv) => [rootOf(gv), listOf(gv)])),
    ...Object.fromEntries(versions.map((gv) => [`/openapi/v3${rootOf(gv)}`, openApi(gv)])),
  }
}

function listOf(gv: string): JsonObject {
  const resources = kinds
    .filter(([of]) => of === gv)
    .map(([, name, kind, namespaced]) => {
      const shortNames = name === 'certificatesigningrequests' ? ['csr'] : []
      return { name, singularName: '', kind, namespaced, shortNames, verbs }
    })
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: gv, resources }
}

function groupOf(gv: string): JsonObject {
  const version = { groupVersion: gv, version: gv.split('/')[1] ?? '' }
  return { name: gv.split('/')[0] ?? '', versions: [version], preferredVersion: version }
}

/** Just that the server checks fields itself, or kubectl wants the whole schema. */
function openApi(gv: string): JsonObject {
  const [group, version] = gv === 'v1' ? ['', 'v1'] : gv.split('/')
  const parameters = ['dryRun', 'fieldValidation'].map((name) => ({
    name,
    in: 'query',
    schema: { type: 'string' },
  }))
  const paths = kinds
    .filter(([of]) => of === gv)
    .map(([, name, kind]) => [
      `${rootOf(gv)}/${name}/{name}`,
      {
        patch: {
          parameters,
          responses: {},
          'x-kubernetes-action': 'patch',
          'x-kubernetes-group-version-kind': { group: group ?? '', version: version ?? '', kind },
        },
      },
    ])
  return {
    openapi: '3.0.0',
    info: { title: 'k', version: '1' },
    paths: Object.fromEntries(paths) as JsonObject,
  }
}

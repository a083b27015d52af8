// The kinds of objects that a stood-in API server has, and the documents in which kubectl looks them up.
import type { JsonObject } from '../../src/model/json.ts'

export interface Resource {
  readonly gv: string
  readonly name: string
  readonly kind: string
  readonly namespaced: boolean
  readonly shortNames: readonly string[]
  readonly verbs: readonly string[]
  /** Paths of its objects, and of its list. */
  readonly at: RegExp
  readonly list: RegExp
}

const rows: readonly (readonly [gv: string, name: string, kind: string, namespaced: boolean])[] = [
  ['v1', 'secrets', 'Secret', true],
  ['v1', 'serviceaccounts', 'ServiceAccount', true],
  ['v1', 'configmaps', 'ConfigMap', true],
  ['v1', 'pods', 'Pod', true],
  ['v1', 'services', 'Service', true],
  ['v1', 'nodes', 'Node', false],
  ['apps/v1', 'daemonsets', 'DaemonSet', true],
  ['rbac.authorization.k8s.io/v1', 'clusterroles', 'ClusterRole', false],
  ['rbac.authorization.k8s.io/v1', 'clusterrolebindings', 'ClusterRoleBinding', false],
  ['node.k8s.io/v1', 'runtimeclasses', 'RuntimeClass', false],
  ['certificates.k8s.io/v1', 'certificatesigningrequests', 'CertificateSigningRequest', false],
]

const rootOf = (gv: string) => (gv === 'v1' ? '/api/v1' : `/apis/${gv}`)
const verbs = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch']

export const resources: readonly Resource[] = rows.map(([gv, name, kind, namespaced]) => {
  const root = rootOf(gv).replaceAll('.', '\\.')
  const folder = namespaced ? `${root}/(namespaces/[^/]+/)?` : `${root}/`
  const list = new RegExp(`^${folder}${name}$`)
  const shortNames = name === 'certificatesigningrequests' ? ['csr'] : []
  return {
    gv,
    name,
    kind,
    namespaced,
    shortNames,
    verbs,
    list,
    at: new RegExp(`^${folder}${name}(/.*)?$`),
  }
})

const versions = [...new Set(rows.map(([gv]) => gv))]
const groups = versions.filter((gv) => gv !== 'v1')

/** What kubectl asks before anything else; `undefined` for every other path. */
export function discovery(path: string): JsonObject | undefined {
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] }
  if (path === '/apis')
    return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupOf) }
  if (path === '/openapi/v3') {
    const paths = versions.map((gv) => [
      rootOf(gv).slice(1),
      { serverRelativeURL: `/openapi/v3${rootOf(gv)}` },
    ])
    return { paths: Object.fromEntries(paths) as JsonObject }
  }
  const gv = versions.find((each) => [rootOf(each), `/openapi/v3${rootOf(each)}`].includes(path))
  if (gv === undefined) return undefined
  const those = resources.filter((resource) => resource.gv === gv)
  if (path.startsWith('/openapi')) return openApi(gv, those)
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: gv,
    resources: those.map(({ name, kind, namespaced, shortNames }) => ({
      name,
      singularName: '',
      kind,
      namespaced,
      shortNames,
      verbs,
    })),
  }
}

function groupOf(gv: string): JsonObject {
  const version = { groupVersion: gv, version: gv.split('/')[1] ?? '' }
  return { name: gv.split('/')[0] ?? '', versions: [version], preferredVersion: version }
}

/** Just that the server checks fields itself, or kubectl wants the whole schema. */
function openApi(gv: string, those: readonly Resource[]): JsonObject {
  const [group, version] = gv === 'v1' ? ['', 'v1'] : gv.split('/')
  const parameters = ['dryRun', 'fieldValidation'].map((name) => ({
    name,
    in: 'query',
    schema: { type: 'string' },
  }))
  const paths = those.map(({ name, kind }) => [
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

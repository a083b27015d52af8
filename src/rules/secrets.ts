// Secrets written into a profile, a CA that kubeadm cannot verify, and credentials without an API server endpoint.
import { apiClientsOf } from '../cni/api-clients.ts'
import { isObject } from '../model/json.ts'
import { isWithin, type Path } from '../model/path.ts'
import { defineRule, when, type Conflict } from '../model/rule.ts'
import { isSecretFlag, describeNamedSecret, secretsIn } from '../text/secrets.ts'

/** Attributes of Packer's source block: Packer's variables are for their secrets. */
const packerSource: readonly Path[] = [
  ['targets', 'packer', 'settings'],
  ['targets', 'packer', 'blocks'],
]
const bootstrap = 'https://kubernetes.io/docs/reference/access-authn-authz/bootstrap-tokens/'

const isOfPacker = (path: Path) => packerSource.some((of) => isWithin(path, of))

function search(value: unknown, path: Path): readonly Conflict[] {
  if (typeof value === 'string')
    return [...secretsIn(value), ...secretVariable(path)].map((what) => ({
      path,
      ...(isOfPacker(path)
        ? {
            message: `the value contains ${what}, and the template would contain it, too`,
            remedy: 'Remove the attribute, and set it with a variable of Packer.',
          }
        : {
            message: `the value contains ${what}; put it in a file on the node and set its path here`,
          }),
    }))
  if (Array.isArray(value))
    return value.flatMap((item: unknown, at) => [
      ...search(item, [...path, at]),
      ...argumentAfter(value[at - 1], item, [...path, at]),
    ])
  if (isObject(value))
    return Object.entries(value).flatMap(([key, item]) => {
      const at = [...path, key]
      return [...searchKey(key, at), ...search(item, at)]
    })
  return []
}

function argumentAfter(flag: unknown, item: unknown, path: Path): readonly Conflict[] {
  const holds = isSecretFlag(flag) && typeof item === 'string' && !item.startsWith('-')
  return when(
    holds,
    path,
    `the value of ${String(flag)} is a secret; put it in a file on the node and set its path here`,
  )
}

function searchKey(key: string, path: Path): readonly Conflict[] {
  const message = (what: string) =>
    `the key contains ${what}; put it in a file on the node and set its path here`
  return secretsIn(key).map((what) => ({ path, at: 'key', message: message(what) }))
}

/** Environment variables and attributes of Packer that hold a secret, by their name. */
function secretVariable(path: Path): readonly string[] {
  const isNamed = path.at(-2) === 'env' || isOfPacker(path)
  const what = isNamed ? describeNamedSecret(String(path.at(-1))) : undefined
  return what === undefined ? [] : [what]
}

export const secretInProfile = defineRule({
  id: 'secret-in-profile',
  severity: 'error',
  summary: 'The profile contains no secrets.',
  remedy: 'Put the secret in a file on the node, and set the path of that file in the profile.',
  see: bootstrap,
  byValue: true,
  check: ({ spec }) => search(spec, []),
})

export const unpinnedCa = defineRule({
  id: 'join-trusts-anybody',
  severity: 'error',
  summary: 'kubeadm can verify the cluster’s CA.',
  remedy: 'Set join.caCertHashes, or use join.discoveryFile.',
  see: 'https://kubernetes.io/docs/reference/setup-tools/kubeadm/kubeadm-join/#token-based-discovery-with-ca-pinning',
  check: ({ spec: { join } }) =>
    when(
      join.method === 'kubeadm' &&
        join.endpoint !== undefined &&
        join.discoveryFile === undefined &&
        join.caCertHashes.length === 0,
      ['join', 'caCertHashes'],
      'join.caCertHashes is empty, so kubeadm cannot verify the API server',
    ),
})

export const endpointMissing = defineRule({
  id: 'credentials-need-endpoint',
  severity: 'error',
  summary: 'join.endpoint is set where winnode writes a kubeconfig.',
  remedy: 'Set join.endpoint, or set the path of a complete kubeconfig.',
  see: 'https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/',
  check: ({ spec }) =>
    apiClientsOf(spec).flatMap(({ field, credentials }) =>
      when(
        spec.join.endpoint === undefined && credentials.kind !== 'kubeconfig',
        field,
        'these credentials need a kubeconfig with the API server address, and join.endpoint is not set',
      ),
    ),
})

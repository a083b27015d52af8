// Kubeconfigs for components that have credentials of their own; they name files, never secrets.
import { layout } from '../model/layout.ts'
import type { Json } from '../model/json.ts'
import type { WrittenCredentials } from '../model/credentials-field.ts'
import type { Credentials } from '../model/credentials.ts'
import { explain } from '../model/setting.ts'

export function credentialsOf(written: WrittenCredentials): Credentials {
  if ('kubeconfig' in written) return { kind: 'kubeconfig', ...written }
  if ('tokenFile' in written) return { kind: 'tokenFile', ...written }
  return { kind: 'clientCertificate', ...written }
}

/** Where the component reads its kubeconfig: the profile's own, or the one that winnode writes. */
export function kubeconfigPath(credentials: Credentials, component: string): string {
  if (credentials.kind === 'kubeconfig') return credentials.kubeconfig
  return `${layout.kubernetes}\\${component}.conf`
}

/** The files on the node that must be there before the component can start. */
export function credentialFiles(credentials: Credentials): readonly string[] {
  switch (credentials.kind) {
    case 'kubeconfig':
      return [credentials.kubeconfig]
    case 'tokenFile':
      return [credentials.tokenFile]
    case 'clientCertificate':
      return [credentials.certificate, credentials.key]
  }
}

/** Whether the Secret of its account is of use; otherwise the token in it, which never ends, is so to thieves alone. */
export function usesSecret({ kind }: Credentials): boolean {
  return kind === 'kubeconfig'
}

/** A kubeconfig as JSON, which every reader of kubeconfigs takes. */
export function kubeconfigFor(credentials: Credentials, component: string, endpoint: string): Json {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'cluster',
        cluster: { server: `https://${endpoint}`, 'certificate-authority': layout.ca },
      },
    ],
    users: [{ name: component, user: userOf(credentials) }],
    contexts: [{ name: 'default', context: { cluster: 'cluster', user: component } }],
    'current-context': 'default',
  }
}

function userOf(credentials: Credentials): Json {
  switch (credentials.kind) {
    case 'kubeconfig':
      return {}
    case 'tokenFile':
      return { tokenFile: credentials.tokenFile }
    case 'clientCertificate':
      return { 'client-certificate': credentials.certificate, 'client-key': credentials.key }
  }
}

/** Where an account's credentials lie before the first Join, which may write the kubeconfig itself. */
export function accountOf(
  name: string,
  credentials: Credentials,
): Readonly<Record<string, string>> {
  switch (credentials.kind) {
    case 'kubeconfig':
      return { [`${name}Kubeconfig`]: credentials.kubeconfig }
    case 'tokenFile':
      return { [`${name}TokenFile`]: credentials.tokenFile }
    case 'clientCertificate':
      return { [`${name}Certificate`]: credentials.certificate, [`${name}Key`]: credentials.key }
  }
}

const tokens =
  'https://kubernetes.io/docs/concepts/configuration/secret/#serviceaccount-token-secrets'

/** A service that runs on the node gets an identity of its own in the cluster. */
export const accountSettings = explain(
  'https://kubernetes.io/docs/reference/access-authn-authz/rbac/',
  {
    apiVersion: 'The format of the object.',
    kind: 'ServiceAccount, its permissions, and a Secret for its token.',
    'metadata.name': 'winnode and the component: nothing else of the cluster is touched.',
    'metadata.namespace': 'kube-system, with the other parts of the cluster.',
    'metadata.labels."app.kubernetes.io/managed-by"':
      'winnode: drift finds objects of earlier bundles by it.',
    'metadata.annotations."kubernetes.io/service-account.name"': [
      'Whose token Kubernetes puts into the Secret.',
      tokens,
    ],
    type: ['Kubernetes fills a Secret of this type with a token, and keeps it.', tokens],
    'roleRef.apiGroup': 'Roles are objects of RBAC.',
    'roleRef.kind':
      'The permissions are cluster-wide: nodes and services are in no namespace of ours.',
    'roleRef.name': 'What the component may do, and no more.',
    'subjects[].kind': 'Who gets it.',
    'subjects[].name': 'The account above.',
    'subjects[].namespace': 'And where it is.',
  },
)

/** For a component whose credentials are a token or a certificate in a file. */
export const kubeconfigSettings = explain(
  'https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/',
  {
    apiVersion: 'The format of the file.',
    kind: 'What the file is.',
    'clusters[].name': 'A name within the file.',
    'clusters[].cluster.server': 'The API server of the profile.',
    'clusters[].cluster.certificate-authority': 'The cluster’s CA, which the join brings.',
    'users[].name': 'The component.',
    'users[].user.tokenFile': 'The file that holds its token; read again when it changes.',
    'users[].user.client-certificate': 'Its certificate, a file on the node.',
    'users[].user.client-key': 'And the key, a file that only SYSTEM and Administrators open.',
    'contexts[].name': 'A name within the file.',
    'contexts[].context.cluster': 'Which cluster.',
    'contexts[].context.user': 'And who.',
    'current-context': 'The only one there is.',
  },
)

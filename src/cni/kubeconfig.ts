// Kubeconfigs for components with their own credentials; they contain paths, never secrets.
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

/** Path of the component's kubeconfig: the one set in the profile, or the one that winnode writes. */
export function kubeconfigPath(credentials: Credentials, component: string): string {
  if (credentials.kind === 'kubeconfig') return credentials.kubeconfig
  return `${layout.kubernetes}\\${component}.conf`
}

/** Files that must exist on the node before the component can start. */
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

/** Whether the Secret with its token is needed. Otherwise it is not created, because that token never expires. */
export function usesSecret({ kind }: Credentials): boolean {
  return kind === 'kubeconfig'
}

/** A kubeconfig as JSON, which every kubeconfig parser accepts. */
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

/** Paths of an account's credentials before the first Join, which may write the kubeconfig itself. */
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

/** A service on the node has its own ServiceAccount in the cluster. */
export const accountSettings = explain(
  'https://kubernetes.io/docs/reference/access-authn-authz/rbac/',
  {
    apiVersion: 'API version of the object.',
    kind: 'ServiceAccount, its permissions, and a Secret for its token.',
    'metadata.name':
      'winnode and the component, so that no other object of the cluster is changed.',
    'metadata.namespace': 'kube-system, as for other cluster components.',
    'metadata.labels."app.kubernetes.io/managed-by"':
      'winnode: drift finds objects of earlier bundles by this label.',
    'metadata.annotations."kubernetes.io/service-account.name"': [
      'The ServiceAccount whose token Kubernetes stores in the Secret.',
      tokens,
    ],
    type: ['Kubernetes stores a long-lived token in a Secret of this type.', tokens],
    'roleRef.apiGroup': 'The API group of roles.',
    'roleRef.kind':
      'The permissions are cluster-wide: Nodes have no namespace, and Services are in all namespaces.',
    'roleRef.name': 'The permissions that the component needs.',
    'subjects[].kind': 'The subject that gets the permissions.',
    'subjects[].name': 'The ServiceAccount above.',
    'subjects[].namespace': 'The namespace of the ServiceAccount.',
  },
)

/** For a component with a token or certificate in a file. */
export const kubeconfigSettings = explain(
  'https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/',
  {
    apiVersion: 'API version of the file.',
    kind: 'Config: a kubeconfig.',
    'clusters[].name': 'A name used only in this file.',
    'clusters[].cluster.server': 'The API server of the profile.',
    'clusters[].cluster.certificate-authority':
      'The cluster’s CA certificate, which the join writes.',
    'users[].name': 'The component that uses these credentials.',
    'users[].user.tokenFile': 'The file with its token; reread when it changes.',
    'users[].user.client-certificate': 'The path of its client certificate on the node.',
    'users[].user.client-key':
      'The path of its private key, which only SYSTEM and Administrators can read.',
    'contexts[].name': 'A name used only in this file.',
    'contexts[].context.cluster': 'The cluster entry above.',
    'contexts[].context.user': 'The user entry above.',
    'current-context': 'The only context in the file.',
  },
)

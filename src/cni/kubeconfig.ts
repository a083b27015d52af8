// Kubeconfigs for components that have credentials of their own; they name files, never secrets.
import { layout } from '../model/layout.ts'
import type { Json } from '../model/json.ts'
import type { Credentials } from '../model/credentials.ts'

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

// Kubeconfigs for components with their own credentials; they contain paths, never secrets.
import { layout } from '../model/layout.ts'
import type { Json } from '../model/json.ts'
import type { WrittenCredentials } from '../model/credentials-field.ts'
import type { Credentials } from '../model/credentials.ts'
import type { PlannedFile } from '../model/plan.ts'
import type { NodeSpec } from '../model/spec.ts'
import { reasonsFor } from '../matrix/reasons.ts'

/**
 * The default is a token file: programs read it again when it changes, so a new token restarts nothing. It needs a
 * kubeconfig, which winnode can write if the profile has the API server's endpoint.
 * https://github.com/kubernetes/client-go/blob/master/transport/token_source.go
 */
export function credentialsOf(
  written: WrittenCredentials | undefined,
  component: string,
  endpoint: string | undefined,
): Credentials {
  if (written === undefined) {
    const path = `${layout.kubernetes}\\${component}`
    if (endpoint === undefined) return { kind: 'kubeconfig', kubeconfig: `${path}.conf` }
    return { kind: 'tokenFile', tokenFile: `${path}.token` }
  }
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

/** The kubeconfig of a component; none if the profile has a path of one, or no endpoint. */
export function kubeconfigFile(
  component: string,
  summary: string,
  credentials: Credentials,
  { endpoint }: NodeSpec['join'],
): PlannedFile | undefined {
  if (credentials.kind === 'kubeconfig' || endpoint === undefined) return undefined
  return {
    id: `${component}-kubeconfig`,
    path: `files/kubernetes/${component}.conf`,
    summary,
    body: { kind: 'json', value: kubeconfigFor(credentials, component, endpoint) },
    settings: reasonsFor('kubeconfigs'),
    install: {
      path: kubeconfigPath(credentials, component),
      phase: 'beforeJoin',
      after: ['directory-kubernetes'],
    },
  }
}

/** A kubeconfig as JSON, which every kubeconfig parser accepts. */
function kubeconfigFor(credentials: Credentials, component: string, endpoint: string): Json {
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

/**
 * For a HostProcess pod, whose start script fills in the paths of its token and CA. `joined` is where the script finds
 * the API server if the profile has no endpoint.
 */
export function podKubeconfig(component: string, endpoint: string | undefined) {
  const token = { kind: 'tokenFile', tokenFile: '' } as const
  return {
    kubeconfig: JSON.stringify(kubeconfigFor(token, component, endpoint ?? '')),
    joined: endpoint === undefined ? layout.kubeletKubeconfig : '',
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

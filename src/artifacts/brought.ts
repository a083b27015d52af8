// Files that are created in the cluster and must be copied to each node.
import { cniOf } from '../cni/index.ts'
import type { Credentials } from '../model/credentials.ts'
import { layout } from '../model/layout.ts'
import type { NodeSpec } from '../model/spec.ts'

export interface Brought {
  /** Its name where it is made. */
  readonly file: string
  /** Where the node reads it. */
  readonly path: string
}

export interface ApiClient {
  readonly name: string
  readonly account: string
  readonly credentials: Credentials
  /** What its account must be allowed to list: else its credentials are of no use to it. */
  readonly lists: string
}

/** Programs with separate credentials for the API server. */
export function apiClientsOf({ network, kubeProxy }: NodeSpec): readonly ApiClient[] {
  const cni = cniOf(network.cni)
  const credentials = cni.credentials(network)
  const rows = [
    ...(cni.kubeProxy === 'service'
      ? [{ name: 'kube-proxy', credentials: kubeProxy.credentials, lists: 'services' }]
      : []),
    ...(credentials ? [{ name: network.cni, credentials, lists: cni.lists ?? 'nodes' }] : []),
  ]
  return rows.map((row) => ({ ...row, account: `winnode-${row.name}` }))
}

export function credentialFilesOf({ name, credentials }: ApiClient): readonly Brought[] {
  switch (credentials.kind) {
    case 'kubeconfig':
      return [{ file: `${name}.conf`, path: credentials.kubeconfig }]
    case 'tokenFile':
      return [{ file: `${name}.token`, path: credentials.tokenFile }]
    case 'clientCertificate':
      return [
        { file: `${name}.crt`, path: credentials.certificate },
        { file: `${name}.key`, path: credentials.key },
      ]
  }
}

export function broughtFiles(spec: NodeSpec): readonly Brought[] {
  const { join } = spec
  return [
    ...(join.discoveryFile === undefined
      ? []
      : [{ file: 'discovery.conf', path: join.discoveryFile }]),
    ...apiClientsOf(spec).flatMap(credentialFilesOf),
    ...(join.tokenFile === undefined ? [] : [{ file: 'token', path: join.tokenFile }]),
    ...(join.method === 'bootstrapKubeconfig'
      ? [{ file: 'bootstrap-kubelet.conf', path: layout.bootstrapKubeconfig }]
      : []),
  ]
}

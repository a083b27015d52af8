// Programs on the node with their own credentials for the API server: kube-proxy as a service, and the plugin's agent.
import type { Credentials } from '../model/credentials.ts'
import type { Path } from '../model/path.ts'
import type { NodeSpec } from '../model/spec.ts'
import { cniOf } from './index.ts'
import { kubeProxyRuns } from './kube-proxy.ts'

export interface ApiClient {
  readonly name: string
  /** Its service account. */
  readonly account: string
  readonly credentials: Credentials
  /** The profile field of the credentials. */
  readonly field: Path
  /** A resource that its account must be allowed to list. */
  readonly lists: string
}

export function apiClientsOf(spec: NodeSpec): readonly ApiClient[] {
  const { network, kubeProxy } = spec
  const cni = cniOf(network.cni)
  const credentials = cni.credentials?.(network)
  const rows = [
    kubeProxyRuns(spec) === 'service' && {
      name: 'kube-proxy',
      credentials: kubeProxy.credentials,
      field: ['kubeProxy', 'credentials'],
      lists: 'services',
    },
    credentials !== undefined && {
      name: cni.id,
      credentials,
      field: ['network', cni.id, 'credentials'],
      lists: cni.lists ?? 'nodes',
    },
  ]
  return rows
    .filter((row) => row !== false)
    .map((row) => ({ ...row, account: `winnode-${row.name}` }))
}

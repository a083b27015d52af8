// Reads the running configuration of kubelets (/configz), through the API server or directly.
import { isIP } from 'node:net'
import { isList, isObject, type JsonObject, valueAt } from '../model/json.ts'
import type { Answer } from './answer.ts'
import type { Client } from './client.ts'
import { ClusterError } from './cluster-error.ts'

export type KubeletAccess =
  /** Needs `get` of `nodes/proxy`, which also allows running programs in pods. */
  | { readonly via: 'proxy' }
  /** `ca` is the path of a PEM file; without it any certificate is accepted. */
  | { readonly via: 'direct'; readonly ca: string | undefined }

export type ReadConfigz = (node: JsonObject) => Promise<Answer>

const defaultPort = 10250

export function configzReader(client: Client, asked: KubeletAccess): ReadConfigz {
  if (asked.via === 'proxy') return (node) => viaApiServer(client, node)
  refuseTokenLeak(client, asked.ca)
  const trust =
    asked.ca === undefined ? '--insecure-skip-tls-verify' : `--certificate-authority=${asked.ca}`
  return async (node) => {
    const server = serverOf(node)
    if (server === undefined) return { kind: 'failed', message: 'the node has no InternalIP' }
    return client.getFrom([`--server=${server}`, trust], '/configz')
  }
}

async function viaApiServer(client: Client, node: JsonObject): Promise<Answer> {
  const name = valueAt(node, ['metadata', 'name'])
  if (typeof name !== 'string' || !/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(name))
    return { kind: 'failed', message: 'the node has no name' }
  return client.get(`/api/v1/nodes/${name}/proxy/configz`)
}

function serverOf(node: JsonObject): string | undefined {
  const addresses = valueAt(node, ['status', 'addresses'])
  const own = isList(addresses) ? addresses.filter(isObject) : []
  const address = own.find(({ type }) => type === 'InternalIP')?.['address']
  if (typeof address !== 'string' || isIP(address) === 0) return undefined
  const port = valueAt(node, ['status', 'daemonEndpoints', 'kubeletEndpoint', 'Port'])
  const host = isIP(address) === 6 ? `[${address}]` : address
  return `https://${host}:${typeof port === 'number' ? port : defaultPort}`
}

/** An unverified server could steal a token; a client certificate cannot be reused by the server. */
function refuseTokenLeak({ access: { user } }: Client, ca: string | undefined): void {
  if (user.exec)
    throw new ClusterError('kubeconfig', 'a program gives the credentials of this kubeconfig', [
      'kubelets are asked with a token or a client certificate; or use --configz proxy',
    ])
  if (ca === undefined && user.hasToken)
    throw new ClusterError(
      'kubeconfig',
      'any server at the address of the kubelet would get the token of this kubeconfig',
      ['--kubelet-insecure needs a client certificate; or name --kubelet-ca'],
    )
}

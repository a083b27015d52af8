// Kubelets: asks kubelets for the configuration that they run with, through the API server or directly.
import { isIP } from 'node:net'
import { isList, isObject, type JsonObject, valueAt } from '../model/json.ts'
import type { Answer } from './answer.ts'
import { type Client, type ClientOptions, openClient } from './client.ts'
import { ClusterProblem } from './problem.ts'

export type AskedKubelets =
  /** The right to do this, `get` of `nodes/proxy`, is one to run programs in pods too. */
  | { readonly way: 'proxy' }
  /** `ca` is PEM; without one whoever answers is trusted. */
  | { readonly way: 'direct'; readonly ca: string | undefined }

export type AskKubelet = (node: JsonObject) => Promise<Answer>

/** What the default of the kubelet is, where the node does not say it. */
const usualPort = 10250

export function kubelets(
  client: Client,
  asked: AskedKubelets,
  options: Pick<ClientOptions, 'env' | 'signal'>,
): AskKubelet {
  if (asked.way === 'proxy') return (node) => through(client, node)
  refuse(client, asked.ca)
  return (node) => directly(client, node, asked.ca, options)
}

async function through(client: Client, node: JsonObject): Promise<Answer> {
  const name = valueAt(node, ['metadata', 'name'])
  if (typeof name !== 'string' || !/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(name))
    return { kind: 'failed', message: 'the node has no name that could be asked for' }
  return client.get(`/api/v1/nodes/${name}/proxy/configz`)
}

async function directly(
  { access }: Client,
  node: JsonObject,
  ca: string | undefined,
  options: Pick<ClientOptions, 'env' | 'signal'>,
): Promise<Answer> {
  const address = addressOf(node)
  if (address === undefined) return { kind: 'failed', message: 'the node has no InternalIP' }
  const host = isIP(address) === 6 ? `[${address}]` : address
  const port = valueAt(node, ['status', 'daemonEndpoints', 'kubeletEndpoint', 'Port'])
  const server = new URL(`https://${host}:${typeof port === 'number' ? port : usualPort}`)
  const kubelet = await openClient(
    {
      ...access,
      server,
      ca,
      insecure: ca === undefined,
      tlsServerName: undefined,
      proxy: undefined,
    },
    { ...options, allow: () => Promise.resolve(false) },
  )
  try {
    return await kubelet.get('/configz')
  } finally {
    kubelet.close()
  }
}

function addressOf(node: JsonObject): string | undefined {
  const addresses = valueAt(node, ['status', 'addresses'])
  const own = isList(addresses) ? addresses.filter(isObject) : []
  const address = own.find(({ type }) => type === 'InternalIP')?.['address']
  return typeof address === 'string' && isIP(address) > 0 ? address : undefined
}

/** Whoever answers would get a token; a certificate proves who one is and gives nothing away. */
function refuse({ access: { user } }: Client, ca: string | undefined): void {
  if (user?.exec || user?.authProvider !== undefined)
    throw new ClusterProblem('kubeconfig', 'a program gives the credentials of this kubeconfig', [
      'kubelets are asked with a token or a client certificate; or use --configz proxy',
    ])
  if (ca === undefined && user && (user.token || user.tokenFile || user.username))
    throw new ClusterProblem(
      'kubeconfig',
      'whoever answers would get the token of this kubeconfig',
      ['--kubelet-insecure takes a client certificate; or name --kubelet-ca'],
    )
}

// A cluster behind HTTPS that kubectl talks to: what it stores, whom it knows, and what its controllers do with it.
import { spawnSync } from 'node:child_process'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { isObject, type Json, type JsonObject } from '../../src/model/json.ts'
import { discovery, resources, type Resource } from './cluster-resources.ts'

/** A key and a certificate for this machine, in one text; empty where openssl is missing. */
const { stdout: identity } = spawnSync(
  'openssl',
  [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
    ...['-days', '2', '-subj', '/CN=test', '-addext', 'subjectAltName=IP:127.0.0.1'],
    ...['-keyout', '-', '-out', '-'],
  ],
  { encoding: 'utf8' },
)
export const base64 = (text: string): string => Buffer.from(text).toString('base64')
export const caPem =
  /-----BEGIN CERTIFICATE-----[^]*-----END CERTIFICATE-----\n/.exec(identity)?.[0] ?? ''

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0
/** Why no cluster can be stood in for, or `false`. */
export const unreachable: string | false =
  hasKubectl && caPem !== '' ? false : 'kubectl or openssl is not on PATH: no README was walked'

/** What a controller does with what is stored: gives what is to be stored besides, by path. */
export type Controller = (cluster: Cluster, verb: string, path: string) => void

type Answer = readonly [code: number, body: JsonObject]
const status = (code: number, reason: string): Answer => [
  code,
  { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message: reason, code },
]

/** RFC 7396, which is also what a strategic merge comes to for objects without lists that merge. */
function merged(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch
  const old = isObject(target) ? target : {}
  const kept = Object.entries(old).filter(([key]) => !Object.hasOwn(patch, key))
  const set = Object.entries(patch).flatMap(([key, value = null]) =>
    value === null ? [] : [[key, merged(old[key], value)] as const],
  )
  return Object.fromEntries([...kept, ...set])
}

/** The name of an object, or nothing. */
export function nameOf({ metadata }: JsonObject): string {
  const name = isObject(metadata) ? metadata['name'] : undefined
  return typeof name === 'string' ? name : ''
}

export class Cluster {
  readonly objects = new Map<string, JsonObject>()
  /** Who each bearer token belongs to; `admin` may do everything. */
  readonly users = new Map([['admin', 'admin']])
  readonly requests: string[] = []
  readonly #controllers: readonly Controller[]
  readonly #server: Server

  constructor(controllers: readonly Controller[] = []) {
    this.#controllers = controllers
    this.#server = createServer({ key: identity, cert: identity }, (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { method = 'GET', url = '/', headers } = request
        const token = /^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1]
        const text = Buffer.concat(chunks).toString()
        const asked = new URL(url, 'https://localhost')
        const [code, body] = this.#answer(method, asked, token, text)
        response.writeHead(code, { 'content-type': 'application/json' })
        if (code === 200 && asked.searchParams.get('watch') === 'true') response.flushHeaders()
        else response.end(JSON.stringify(body))
      })
    })
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  get address(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  kubeconfig(token?: string): string {
    const cluster = { server: this.address, 'certificate-authority-data': base64(caPem) }
    return JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      users: token === undefined ? [] : [{ name: 'u', user: { token } }],
      'current-context': 'c',
    })
  }

  #answer(verb: string, url: URL, token: string | undefined, text: string): Answer {
    const { pathname: path, searchParams } = url
    this.requests.push(`${verb} ${path}`)
    const user = token === undefined ? 'nobody' : this.users.get(token)
    if (user === undefined) return status(401, 'Unauthorized')
    const known = discovery(path)
    if (known) return [200, known]
    if (user !== 'admin' && path !== '/version' && !allowed(user, path))
      return status(403, 'Forbidden')
    if (path === '/version') return [200, { gitVersion: 'v1.37.1', major: '1', minor: '37' }]
    const resource = resources.find(({ at }) => at.test(path))
    if (!resource) return status(404, 'NotFound')
    // Watches that begin with what there is are new: kubectl lists instead where they are refused.
    if (searchParams.has('sendInitialEvents')) return status(422, 'Invalid')
    // The typed clients of kubectl send protobuf, in requests that need no body here.
    const body: Json = text.startsWith('{') ? JSON.parse(text) : {}
    return this.#store(verb, path, resource, isObject(body) ? body : {}, searchParams)
  }

  #store(
    verb: string,
    path: string,
    resource: Resource,
    body: JsonObject,
    query: URLSearchParams,
  ): Answer {
    if (path.endsWith('/token')) {
      const made = `token-of-${path.split('/').at(-2)}`
      return [
        201,
        { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', status: { token: made } },
      ]
    }
    const name = nameOf(body)
    const at = verb === 'POST' ? `${path}/${name}` : path.replace(/\/(approval|status)$/, '')
    const old = this.objects.get(at)
    if (verb === 'GET' && resource.list.test(path)) return [200, this.#list(path, resource, query)]
    if (verb === 'POST' ? old : !old)
      return status(verb === 'POST' ? 409 : 404, verb === 'POST' ? 'AlreadyExists' : 'NotFound')
    if (verb === 'DELETE') this.objects.delete(at)
    else if (verb !== 'GET')
      this.put(at, (verb === 'POST' ? body : merged(old, body)) as JsonObject)
    for (const controller of this.#controllers) controller(this, verb, at)
    const now = this.objects.get(at) ?? old ?? {}
    return [verb === 'POST' ? 201 : 200, now]
  }

  /** Stores an object, with the identity that the API server gives it. */
  put(path: string, object: JsonObject): void {
    const metadata = isObject(object['metadata']) ? object['metadata'] : {}
    const resourceVersion = String(this.requests.length + 1)
    const labels = isObject(metadata['labels']) ? metadata['labels'] : {}
    this.objects.set(path, {
      ...object,
      metadata: {
        uid: path,
        ...metadata,
        labels,
        name: path.split('/').at(-1) ?? '',
        resourceVersion,
      },
    })
  }

  #list(path: string, { gv, kind }: Resource, query: URLSearchParams): JsonObject {
    const below = path.split('/').length + 1
    const labels = (query.get('labelSelector') ?? '').split(',').filter(Boolean)
    const name = /metadata\.name=([^,]+)/.exec(query.get('fieldSelector') ?? '')?.[1]
    const items = [...this.objects].filter(
      ([at, { metadata }]) =>
        at.startsWith(`${path}/`) &&
        at.split('/').length === below &&
        (name === undefined || at.endsWith(`/${name}`)) &&
        labels.every((label) => {
          const [key = '', value] = label.split('=')
          return (
            isObject(metadata) && isObject(metadata['labels']) && metadata['labels'][key] === value
          )
        }),
    )
    return {
      apiVersion: gv,
      kind: `${kind}List`,
      metadata: { resourceVersion: '1' },
      items: items.map(([, object]) => object),
    }
  }
}

/** The least that the accounts of a bundle are granted. */
function allowed(user: string, path: string): boolean {
  return user.endsWith('kube-proxy') ? path === '/api/v1/services' : path === '/api/v1/nodes'
}

// An API server over HTTPS that only answers: objects by path, lists in pages, and refusals.
import { createServer, type Server } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import type { Json, JsonObject } from '../../src/model/json.ts'
import { identity, type Identity } from './certificates.ts'

export const authority = identity({ name: 'kubernetes' })
const serving = identity({
  name: 'kube-apiserver',
  by: authority,
  hosts: ['127.0.0.1', 'api.test'],
})
export const client = identity({ name: 'admin', by: authority })

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

export interface Behaviour {
  /** By path without its query: an object, or the items of a list. */
  readonly objects?: Readonly<Record<string, JsonObject | readonly JsonObject[]>>
  /** By path: what is refused, and how. */
  readonly refusals?: Readonly<Record<string, { readonly code: number; readonly message: string }>>
  /** The message for every path that is in neither; without one, the answer is 404. */
  readonly forbids?: (path: string) => string
  /** The accepted clients: the value of Authorization, or the name of a client certificate. */
  readonly knows?: string
  /** Comes first for the paths that it has. */
  readonly handlers?: Readonly<Record<string, Handler>>
  readonly identity?: Identity
}

interface Seen {
  readonly method: string
  readonly url: string
  readonly authorization: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly serverName: string | false
  /** The name in the client certificate; empty without one. */
  readonly peer: string
}

export interface ApiServer {
  readonly port: number
  readonly seen: Seen[]
  readonly stop: () => Promise<void>
}

export async function startApiServer(behaviour: Behaviour): Promise<ApiServer> {
  const { cert, key } = behaviour.identity ?? serving
  const seen: Seen[] = []
  const sockets = new Set<Duplex>()
  const server = createServer(
    { cert, key, ca: authority.cert, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      const socket = request.socket as TLSSocket
      const { method = '', url = '', headers } = request
      const { authorization } = headers
      const serverName = (socket as unknown as { servername: string | false }).servername
      const peer = peerOf(socket)
      // kubectl adds its own timeout.
      seen.push({ method, url: withoutTimeout(url), authorization, headers, serverName, peer })
      const path = url.replace(/\?.*$/, '')
      const handler = behaviour.handlers?.[path]
      if (handler) handler(request, response)
      else
        answer(
          behaviour,
          path,
          new URLSearchParams(url.replace(/^[^?]*\??/, '')),
          who(request),
          response,
        )
    },
  )
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    stop: () => stop(server, sockets),
  }
}

function withoutTimeout(url: string): string {
  return url.replace(/([?&])timeout=[^&]*&?/, '$1').replace(/[?&]$/, '')
}

function stop(server: Server, sockets: Iterable<Duplex>): Promise<void> {
  for (const socket of sockets) socket.destroy()
  return new Promise((done) => server.close(() => done()))
}

function who({ headers, socket }: IncomingMessage): readonly string[] {
  const name = peerOf(socket as TLSSocket)
  return [headers.authorization ?? '', name].filter((text) => text !== '')
}

function peerOf(socket: TLSSocket): string {
  return socket.authorized ? String(socket.getPeerCertificate().subject.CN) : ''
}

function answer(
  { objects = {}, refusals = {}, forbids, knows }: Behaviour,
  path: string,
  query: URLSearchParams,
  known: readonly string[],
  response: ServerResponse,
): void {
  if (knows !== undefined && !known.includes(knows)) {
    refuse(response, 401, 'Unauthorized')
    return
  }
  const refusal = refusals[path]
  if (refusal) {
    refuse(response, refusal.code, refusal.message)
    return
  }
  const object = objects[path]
  if (object === undefined) {
    if (forbids) refuse(response, 403, forbids(path))
    else refuse(response, 404, 'the server could not find the requested resource')
    return
  }
  send(response, 200, Array.isArray(object) ? page(object, query) : object)
}

function page(items: readonly JsonObject[], query: URLSearchParams): JsonObject {
  const selector = query.get('labelSelector')?.split('=')
  const chosen = selector
    ? items.filter((item) => labelsOf(item)[selector[0] ?? ''] === selector[1])
    : items
  const limit = Number(query.get('limit') ?? chosen.length)
  const from = Number(query.get('continue') ?? 0)
  const rest = from + limit < chosen.length ? { continue: String(from + limit) } : {}
  return { kind: 'List', apiVersion: 'v1', metadata: rest, items: chosen.slice(from, from + limit) }
}

function labelsOf(item: JsonObject): Readonly<Record<string, string>> {
  return ((item['metadata'] as JsonObject)['labels'] ?? {}) as Record<string, string>
}

/** As API servers give them: StatusReason in apimachinery's pkg/apis/meta/v1/types.go. */
const reasons: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  410: 'Expired',
}

export function refuse(response: ServerResponse, code: number, message: string): void {
  const reason = reasons[code]
  send(response, code, {
    ...{ kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code },
    ...(reason !== undefined && { reason }),
  })
}

export function send(response: ServerResponse, code: number, body: Json): void {
  response.writeHead(code, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

// Transport: GET, and no other verb, to one server with one way of trusting it.
import { Agent as HttpAgent, request as requestHttp, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { checkServerIdentity, connect as connectTls, type ConnectionOptions } from 'node:tls'
import type { Access } from './access.ts'
import type { Credentials } from './credentials.ts'
import { within } from './deadline.ts'
import { hostOf, portOf } from './proxy/choose.ts'
import { dial, settled } from './proxy/dial.ts'
import { proxyHeaders } from './proxy/http-tunnel.ts'

export interface Limits {
  /** Milliseconds for one answer, from the first byte of the connection. */
  readonly request: number
  /** Bytes of one answer. */
  readonly bytes: number
}

export interface Reply {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: string
}

export interface Transport {
  readonly get: (path: string) => Promise<Reply>
  readonly close: () => void
}

/** Thrown where an answer is longer than it may be. */
export class TooLong extends Error {}

export function openTransport(
  access: Access,
  credentials: Credentials,
  proxy: URL | undefined,
  limits: Limits,
): Transport {
  const { server } = access
  const secure = server.protocol === 'https:'
  const closing = new AbortController()
  const target = { host: hostOf(server), port: portOf(server) }
  const trust = trustOf(access, target.host)
  const connect = async (signal: AbortSignal): Promise<Socket> => {
    const socket = await dial(target, {
      proxy,
      trust: proxyTrust(access),
      tunnel: secure || isSocks(proxy),
      signal,
    })
    if (!secure) return socket
    const { certificate } = credentials
    return settled(connectTls({ ...trust, ...certificate, socket }), 'secureConnect', signal)
  }
  const agent = Object.assign(
    secure ? new HttpsAgent(pooling) : new HttpAgent(pooling),
    connecting(() => within(limits.request, closing.signal, connect)),
  )
  const asIs = proxy && !secure && !isSocks(proxy)
  const base = asIs ? server.href.replace(/\/$/, '') : server.pathname.replace(/\/$/, '')
  const options: RequestOptions = {
    method: 'GET',
    agent,
    host: target.host,
    port: target.port,
    headers: {
      ...{ Accept: 'application/json', 'User-Agent': 'winnode', Host: server.host },
      ...(asIs ? proxyHeaders(proxy) : {}),
      ...credentials.headers,
    },
  }
  return {
    get: (path) =>
      within(limits.request, closing.signal, (signal) =>
        get({ ...options, path: base + path, signal }, secure, limits),
      ),
    close: () => {
      closing.abort()
      agent.destroy()
    },
  }
}

const pooling = { keepAlive: true, maxSockets: 4 } as const

const isSocks = (proxy: URL | undefined) => proxy?.protocol === 'socks5:'

type Created = (error: Error | null, socket?: Socket) => void

function connecting(connect: () => Promise<Socket>) {
  return {
    createConnection: (_: unknown, created: Created): undefined => {
      connect().then(
        (socket) => created(null, socket),
        (thrown: unknown) => created(thrown instanceof Error ? thrown : new Error('no connection')),
      )
    },
  }
}

/** `tls-server-name` is sent to the server, and its certificate must be for it: transport.go. */
function trustOf({ ca, insecure, tlsServerName }: Access, host: string): ConnectionOptions {
  const name = tlsServerName ?? host
  return {
    ...(ca === undefined ? {} : { ca }),
    rejectUnauthorized: !insecure,
    // Go takes any certificate of the list for a root, one in the middle too.
    allowPartialTrustChain: true,
    // An address is no name to ask for.
    ...(isIP(name) === 0 ? { servername: name } : {}),
    checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
  }
}

function proxyTrust({ ca, insecure }: Access): ConnectionOptions {
  return { ...(ca === undefined ? {} : { ca }), rejectUnauthorized: !insecure }
}

function get(options: RequestOptions, secure: boolean, limits: Limits): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const asking = (secure ? requestHttps : requestHttp)(options)
    asking.on('error', reject)
    asking.on('response', (response) => {
      const chunks: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > limits.bytes) response.destroy(new TooLong())
        else chunks.push(chunk)
      })
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'],
          body: Buffer.concat(chunks).toString(),
        }),
      )
    })
    asking.end()
  })
}

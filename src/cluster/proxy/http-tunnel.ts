// Http-tunnel: asks a proxy of http for a way through it to a host and port.
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { decoded, ProxyRefusal, type Target } from './target.ts'

/** The connection to the proxy becomes the connection to the target. */
export function throughHttp(
  socket: Socket,
  proxy: URL,
  { host, port }: Target,
  signal: AbortSignal,
): Promise<Socket> {
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
  return new Promise((resolve, reject) => {
    const asking = request({
      method: 'CONNECT',
      path: authority,
      headers: { Host: authority, ...proxyHeaders(proxy) },
      createConnection: () => socket,
      signal,
    })
    asking.on('error', reject)
    asking.on('response', (response) => response.destroy())
    asking.on('connect', ({ statusCode = 0 }, _, head) => {
      if (statusCode === 200 && head.length === 0) resolve(socket)
      else reject(new ProxyRefusal(`the proxy answered ${statusCode}`))
    })
    asking.end()
  })
}

/** Credentials of a proxy stand in its address. */
export function proxyHeaders({ username, password }: URL): Readonly<Record<string, string>> {
  if (username + password === '') return {}
  const pair = `${decoded(username)}:${decoded(password)}`
  return { 'Proxy-Authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}

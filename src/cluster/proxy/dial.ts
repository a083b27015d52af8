// Dial: a connection to a host and port, direct or through a proxy.
import { once } from 'node:events'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'
import { hostOf, portOf } from './choose.ts'
import { throughHttp } from './http-tunnel.ts'
import { throughSocks } from './socks.ts'
import type { Target } from './target.ts'

export interface Dialing {
  readonly proxy: URL | undefined
  /** How an https proxy is trusted: as the API server is, as in net/http. */
  readonly trust: ConnectionOptions
  /** A proxy of http carries requests of http as they are, and tunnels of everything else. */
  readonly tunnel: boolean
  readonly signal: AbortSignal
}

export async function dial(target: Target, dialing: Dialing): Promise<Socket> {
  const { proxy, signal } = dialing
  if (!proxy) return tcp(target, signal)
  const host = hostOf(proxy)
  const first = await tcp({ host, port: portOf(proxy) }, signal)
  try {
    if (proxy.protocol === 'socks5:') return await throughSocks(first, proxy, target, signal)
    const socket = proxy.protocol === 'https:' ? await tls(first, host, dialing) : first
    return dialing.tunnel ? await throughHttp(socket, proxy, target, signal) : socket
  } catch (thrown) {
    first.destroy()
    throw thrown
  }
}

async function tcp({ host, port }: Target, signal: AbortSignal): Promise<Socket> {
  const socket = connectTcp({ host, port })
  return settled(socket, 'connect', signal)
}

function tls(socket: Socket, host: string, { trust, signal }: Dialing): Promise<Socket> {
  const name = isIP(host) === 0 ? { servername: host } : {}
  return settled(connectTls({ ...trust, ...name, host, socket }), 'secureConnect', signal)
}

/** Destroys a connection that does not come about. */
export async function settled<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<S> {
  try {
    await once(socket, event, { signal })
    return socket
  } catch (thrown) {
    socket.on('error', () => undefined).destroy()
    throw thrown
  }
}

// Socks: asks a SOCKS5 proxy for a connection (RFC 1928, RFC 1929).
import { once } from 'node:events'
import { isIPv4, isIPv6, type Socket } from 'node:net'
import { parseAddress } from '../../net/cidr.ts'
import { decoded, ProxyRefusal, type Target } from './target.ts'

const version = 5
const connect = 1
const open = 0
const password = 2

/** The proxy looks up names itself, as in Go. */
export async function throughSocks(
  socket: Socket,
  proxy: URL,
  target: Target,
  signal: AbortSignal,
): Promise<Socket> {
  const read = reading(socket, signal)
  const hasPassword = proxy.username + proxy.password !== ''
  socket.write(Buffer.from([version, ...(hasPassword ? [2, open, password] : [1, open])]))
  const [, method] = await read(2)
  if (method === password && hasPassword) await authenticate(socket, proxy, read)
  else if (method !== open) throw new ProxyRefusal('the SOCKS proxy takes none of our ways in')

  const port = [target.port >> 8, target.port & 0xff]
  socket.write(Buffer.from([version, connect, 0, ...addressOf(target.host), ...port]))
  const [, code, , kind] = await read(4)
  if (code !== 0) throw new ProxyRefusal(`the SOCKS proxy answered with code ${code}`)
  const length = kind === 3 ? ((await read(1))[0] ?? 0) : kind === 4 ? 16 : 4
  await read(length + 2)
  return socket
}

type Read = (length: number) => Promise<Buffer>

async function authenticate(socket: Socket, proxy: URL, read: Read): Promise<void> {
  const [name, secret] = [proxy.username, proxy.password].map((part) => Buffer.from(decoded(part)))
  if (!name || !secret || name.length > 255 || secret.length > 255)
    throw new ProxyRefusal('the name and password of the SOCKS proxy are too long')
  socket.write(Buffer.from([1, name.length, ...name, secret.length, ...secret]))
  const [, answer] = await read(2)
  if (answer !== 0) throw new ProxyRefusal('the SOCKS proxy refuses the name and password')
}

/** Kind, then the address; a name has its length before it. */
function addressOf(host: string): readonly number[] {
  if (isIPv4(host) || isIPv6(host)) {
    const { family, value } = parseAddress(host) ?? { family: 4, value: 0n }
    const length = family === 4 ? 4 : 16
    const bytes = Array.from({ length }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn))
    return [family === 4 ? 1 : 4, ...bytes.toReversed()]
  }
  const name = Buffer.from(host)
  if (name.length > 255) throw new ProxyRefusal('the host name is too long for SOCKS')
  return [3, name.length, ...name]
}

/** Exactly as many bytes: what follows belongs to the connection. */
function reading(socket: Socket, signal: AbortSignal): Read {
  return async (length) => {
    for (;;) {
      const chunk: unknown = socket.read(length)
      if (chunk instanceof Buffer && chunk.length === length) return chunk
      if (socket.readableEnded) throw new ProxyRefusal('the SOCKS proxy ended the connection')
      await Promise.race([once(socket, 'readable', { signal }), once(socket, 'end', { signal })])
    }
  }
}

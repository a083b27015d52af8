// Proxies for tests: one of http, which may be behind TLS, and one of SOCKS5.
import { createServer as createHttp, type Server } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { type Closing, serving, stop } from './api-server.ts'

export interface Proxy {
  readonly port: number
  /** Host and port of each target, with the credentials that came along. */
  readonly asked: string[]
  readonly stop: () => Promise<void>
}

/** Without `secret` everybody may pass. */
export async function startHttpProxy(port: number, tls = false, secret = ''): Promise<Proxy> {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const server: Server = tls ? createHttps({ cert: serving.cert, key: serving.key }) : createHttp()
  server.on('connect', (request, socket: Socket) => {
    sockets.add(socket)
    const given = request.headers['proxy-authorization'] ?? ''
    asked.push(`${request.url ?? ''} ${given}`.trim())
    if (secret !== '' && given !== `Basic ${Buffer.from(secret).toString('base64')}`)
      return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const way = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      way.pipe(socket).pipe(way)
    })
    sockets.add(way)
    way.on('error', () => socket.destroy())
    socket.on('error', () => way.destroy())
  })
  return listening(server, asked, sockets)
}

export async function startSocksProxy(port: number, secret = ''): Promise<Proxy> {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let step = 0
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      step += 1
      if (step === 1) return socket.write(Buffer.from([5, secret === '' ? 0 : 2]))
      if (step === 2 && secret !== '') {
        const name = data.subarray(2, 2 + (data[1] ?? 0)).toString()
        const password = data.subarray(3 + (data[1] ?? 0)).toString()
        return socket.write(Buffer.from([1, `${name}:${password}` === secret ? 0 : 1]))
      }
      const host =
        data[3] === 3 ? data.subarray(5, -2).toString() : [...data.subarray(4, 8)].join('.')
      asked.push(`${host}:${data.readUInt16BE(data.length - 2)}`)
      socket.removeAllListeners('data')
      const way = connect(port, '127.0.0.1', () => {
        socket.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 80]))
        way.pipe(socket).pipe(way)
      })
      sockets.add(way)
      way.on('error', () => socket.destroy())
      return undefined
    })
  })
  return listening(server, asked, sockets)
}

async function listening(
  server: Closing & {
    readonly listen: (port: number, host: string, ready: () => void) => unknown
    readonly address: () => unknown
  },
  asked: string[],
  sockets: Set<Socket>,
): Promise<Proxy> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return { port, asked, stop: () => stop(server, sockets) }
}

// A download server on loopback for the artifacts of a bundle, which can inject faults into its answers.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

/** How an address may answer; each counts the answers that are bad before the right ones begin. */
export type Fault =
  | 'missing'
  | 'forbidden'
  | 'busy'
  | 'late'
  | 'broken'
  | 'truncated'
  | 'wrong'
  | 'stalled'
  | 'dripping'
  | 'endless'
  | 'hangUp'
  | 'toHttp'

export class Artifacts {
  readonly #bodies = new Map<string, Buffer>()
  readonly #faults = new Map<string, { readonly fault: Fault; times: number }>()
  readonly #server: Server
  /** Method, path and range of each request. */
  readonly requests: string[] = []
  #base = ''

  constructor() {
    this.#server = createServer((request, response) => this.#answer(request, response))
    this.#server.unref()
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('the server has no port')
    this.#base = `http://127.0.0.1:${address.port}`
    return this
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** Where an address of the world is served here. */
  put(url: string, body: Buffer | string): string {
    const { host, pathname } = new URL(url)
    const path = host === '' ? pathname : `/${host}${pathname}`
    this.#bodies.set(path, Buffer.from(body))
    return this.#base + path
  }

  get url(): string {
    return this.#base
  }

  body(url: string): Buffer {
    const body = this.#bodies.get(new URL(url).pathname)
    if (body === undefined) throw new Error(`nothing is served at ${url}`)
    return body
  }

  /** The next answers of an address of this server are bad. */
  spoil(url: string, fault: Fault, times = Infinity): void {
    this.#faults.set(new URL(url).pathname, { fault, times })
  }

  heal(): void {
    this.#faults.clear()
    this.requests.length = 0
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = new URL(request.url ?? '', this.#base).pathname
    const range = request.headers.range
    this.requests.push([request.method, path, range].filter(Boolean).join(' '))
    const body = this.#bodies.get(path)
    const planned = this.#faults.get(path)
    if (planned && planned.times > 0 && body) {
      planned.times -= 1
      this.#misbehave(planned.fault, body, response)
    } else if (body === undefined) {
      response.writeHead(404).end()
    } else {
      this.#send(body, range, response)
    }
  }

  #send(body: Buffer, range: string | undefined, response: ServerResponse): void {
    const from = Number(/^bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0)
    if (from >= body.length && from > 0) {
      response.writeHead(416, { 'content-range': `bytes */${body.length}` }).end()
      return
    }
    const part = body.subarray(from)
    const partial = { 'content-range': `bytes ${from}-${body.length - 1}/${body.length}` }
    const headers = { 'content-length': part.length, ...(from > 0 ? partial : {}) }
    response.writeHead(from > 0 ? 206 : 200, headers).end(part)
  }

  #misbehave(fault: Fault, body: Buffer, response: ServerResponse): void {
    const half = body.subarray(0, body.length >> 1)
    switch (fault) {
      case 'missing':
        response.writeHead(404).end()
        return
      case 'forbidden':
        response.writeHead(403).end()
        return
      case 'busy':
        response.writeHead(429).end()
        return
      case 'late':
        response.writeHead(408).end()
        return
      case 'broken':
        response.writeHead(503).end()
        return
      case 'wrong':
        this.#send(Buffer.alloc(body.length, '?'), undefined, response)
        return
      case 'truncated':
        response.writeHead(200, { 'content-length': body.length })
        response.write(half, () => response.destroy())
        return
      case 'stalled':
        // The first half comes, the second never does.
        response.writeHead(200, { 'content-length': body.length })
        response.write(half)
        return
      case 'dripping': {
        // A few bytes at a time.
        response.writeHead(200, { 'content-length': body.length })
        let at = 0
        const drip = setInterval(() => {
          response.write(body.subarray(at, (at += 100)))
          if (at < body.length && !response.destroyed) return
          clearInterval(drip)
          response.end()
        }, 2)
        return
      }
      case 'endless':
        response.writeHead(200)
        for (let count = 0; count < 40; count += 1) response.write(Buffer.alloc(64 * 1024, '?'))
        response.end()
        return
      case 'toHttp':
        response.writeHead(302, { location: 'http://example.com/kubelet.exe' }).end()
        return
      case 'hangUp':
        response.destroy()
    }
  }
}

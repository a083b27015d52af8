// Choose: which proxy the environment names for an address, as Go reads HTTPS_PROXY and NO_PROXY.
//
// https://github.com/golang/net/blob/master/http/httpproxy/proxy.go
import { contains, parseAddress, parseCidr } from '../../net/cidr.ts'

type Env = Readonly<Record<string, string | undefined>>

export function proxyFor(server: URL, env: Env): URL | undefined {
  const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const proxy = parseProxy(either(env, name))
  return proxy && isProxied(hostOf(server), portOf(server), either(env, 'NO_PROXY'))
    ? proxy
    : undefined
}

/** Without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

const defaultPorts: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'socks5:': 1080,
}

export function portOf(url: URL): number {
  return url.port === '' ? (defaultPorts[url.protocol] ?? 443) : Number(url.port)
}

function either(env: Env, name: string): string {
  return [env[name], env[name.toLowerCase()]].find(Boolean) ?? ''
}

/**
 * `proxy.example.com:3128` is one of http. What is no address is no proxy. Names are looked up by a SOCKS
 * proxy in any case: https://pkg.go.dev/net/http#Transport
 */
function parseProxy(text: string): URL | undefined {
  const schemes = /^(?:https?|socks5):\/\/[^/]/i
  const asked = text.replace(/^socks5h:/i, 'socks5:')
  return [asked, `http://${asked}`]
    .filter((address) => schemes.test(address) && URL.canParse(address))
    .map((address) => new URL(address))
    .find(({ hostname }) => hostname !== '')
}

function isProxied(host: string, port: number, exceptions: string): boolean {
  const address = parseAddress(host)
  const loopback = parseCidr(host.includes(':') ? '::1/128' : '127.0.0.0/8')
  if (host === 'localhost' || (address && loopback && contains(loopback, address))) return false
  return !exceptions
    .split(',')
    .map((rule) => rule.trim().toLowerCase())
    .some((rule) => rule === '*' || excepts(rule, host.toLowerCase(), port))
}

/** An address, a CIDR, `example.com` with all below it, or `.example.com`; a port narrows it. */
function excepts(rule: string, host: string, port: number): boolean {
  const address = parseAddress(host)
  const cidr = parseCidr(rule)
  if (cidr) return address !== undefined && contains(cidr, address)
  const [, bracketed, bare = rule, only = ''] =
    /^(?:\[([^\]]*)\]|([^:[\]]*)):([^:]*)$/.exec(rule) ?? []
  const name = bracketed ?? bare
  if (name === '' || (only !== '' && only !== String(port))) return false
  const excepted = parseAddress(name)
  if (excepted) return address?.family === excepted.family && address.value === excepted.value
  const domain = ascii(name.replace(/^\*\./, '.'))
  return domain.startsWith('.')
    ? host.endsWith(domain)
    : host === domain || host.endsWith(`.${domain}`)
}

/** As the host of an address has it; what is no name of a domain stays as it is. */
function ascii(name: string): string {
  const address = `http://${name}`
  return /^[\0-\x7f]*$/.test(name) || !URL.canParse(address) ? name : new URL(address).hostname
}

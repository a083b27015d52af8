// Addresses as Go reads them: net/url, Parse.
import { isIPv6 } from './ipv6.ts'

type ParsedUrl =
  | {
      readonly scheme: string
      /** With its port and without the user. */
      readonly host: string
      readonly path: string
    }
  | { readonly fault: string }

const badEscape = /%(?![\dA-Fa-f]{2})/
const schemed = /^[A-Za-z][A-Za-z\d+.-]*:/

/**
 * https://cs.opensource.google/go/go/+/refs/tags/go1.24.0:src/net/url/url.go, func parse
 *
 * `strict`: as programs of a module for Go 1.26 and later do, which take one colon in a host without brackets (`urlstrictcolons`
 * in https://go.dev/doc/godebug).
 */
export function parseUrl(text: string, strict = false): ParsedUrl {
  if (/[\u0000-\u001f\u007f]/.test(text)) return { fault: 'invalid control character in URL' }
  const [address, fragment] = splitOnce(text, '#')
  if (badEscape.test(fragment)) return { fault: 'invalid URL escape' }
  if (address.startsWith(':')) return { fault: 'missing protocol scheme' }
  const prefix = schemed.exec(address)?.[0] ?? ''
  const scheme = prefix.slice(0, -1).toLowerCase()
  const [rest] = splitOnce(address.slice(prefix.length), '?')
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { scheme, host: '', path: '' }
    if (splitOnce(rest, '/')[0].includes(':'))
      return { fault: 'first path segment in URL cannot contain colon' }
  }
  const hosted = rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'))
  const [authority, path] = hosted ? splitHost(rest.slice(2)) : ['', rest]
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  const fault = userFault(authority.slice(0, -host.length - 1)) ?? hostFault(host, strict)
  if (fault !== undefined) return { fault }
  if (badEscape.test(path)) return { fault: 'invalid URL escape' }
  return { scheme, host: unescaped(host), path: unescaped(path) }
}

function splitOnce(text: string, at: string): readonly [string, string] {
  const found = text.indexOf(at)
  return found < 0 ? [text, ''] : [text.slice(0, found), text.slice(found + 1)]
}

function splitHost(text: string): readonly [host: string, path: string] {
  const found = text.indexOf('/')
  return found < 0 ? [text, ''] : [text.slice(0, found), text.slice(found)]
}

/** parseAuthority. */
function userFault(user: string): string | undefined {
  const isBad = /[^\w\-.:~!$&'()*+,;=%@]/.test(user) || badEscape.test(user)
  return isBad ? 'invalid userinfo' : undefined
}

/** parseHost. */
function hostFault(host: string, strict: boolean): string | undefined {
  // Of what is escaped, a host takes only what is no ASCII, and the percent sign.
  if (/%(?!25|[89A-Fa-f][\dA-Fa-f])/.test(host)) return 'invalid URL escape'
  const opens = host.lastIndexOf('[')
  if (opens > 0) return 'invalid IP-literal'
  if (opens === 0) return literalFault(host)
  const colon = strict ? host.indexOf(':') : host.lastIndexOf(':')
  const port = colon < 0 ? '' : host.slice(colon)
  if (!isOptionalPort(port)) return `invalid port ${JSON.stringify(port)} after host`
  return /[^\w\-.~!$&'()*+,;=:[\]<>"%\u0080-\uffff]/.test(host)
    ? 'invalid character in host name'
    : undefined
}

const isOptionalPort = (port: string) => /^(?::\d*)?$/.test(port)

/** In brackets stands an IPv6 address, perhaps with a zone: Go 1.25.8 and 1.26.1 are as strict. */
function literalFault(host: string): string | undefined {
  const end = host.lastIndexOf(']')
  if (end < 0) return "missing ']' in host"
  const port = host.slice(end + 1)
  if (!isOptionalPort(port)) return `invalid port ${JSON.stringify(port)} after host`
  return isIPv6(host.slice(1, end).replace(/%25.*$/, '')) ? undefined : 'invalid host'
}

function unescaped(path: string): string {
  return path.replace(/(?:%[\dA-Fa-f]{2})+/g, (escapes) => decodeBytes(escapes))
}

function decodeBytes(escapes: string): string {
  const bytes = escapes.match(/[\dA-Fa-f]{2}/g) ?? []
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)))
}

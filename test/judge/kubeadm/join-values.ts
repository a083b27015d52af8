// Values of a JoinConfiguration: kubeadm, apis/kubeadm/validation/validation.go, ValidateJoinConfiguration.
import path from 'node:path'
import { isList, isObject, valueAt, type Json, type JsonObject } from '../../../src/model/json.ts'
import { refused, warned, type Finding } from '../finding.ts'
import { parseAddress } from '../go/ip.ts'
import { isSubdomain } from '../go/names.ts'
import { parseUrl } from '../../../src/go/url.ts'
import { isBefore } from '../minors.ts'
import { textOf } from '../go/scalar.ts'

/** Of a path on the node, in full, from its drive on. */
export type Exists = (path: string) => boolean

type Get = (path: string) => Json | undefined

export function judgeJoinValues(
  document: JsonObject,
  version: string,
  exists: Exists,
): readonly Finding[] {
  const get: Get = (at) => valueAt(document, at.split('.')) ?? undefined
  const text = (at: string) => textOf(get(at))
  const certificate = text('caCertPath')
  return [
    ...judgeDiscovery(get, text, exists),
    ...judgeNode(get, text, version),
    ...judgeControlPlane(get, text),
    // Empty, it becomes /etc/kubernetes/pki/ca.crt.
    ...(certificate !== '' && !(isAbsolute(certificate) && certificate.endsWith('.crt'))
      ? [refused(`caCertPath: "${certificate}": the ca certificate path must be an absolute path`)]
      : []),
  ]
}

function isAbsolute(text: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:[\\/])/.test(text)
}

function judgeDiscovery(
  get: Get,
  text: (at: string) => string,
  exists: Exists,
): readonly Finding[] {
  const byToken = get('discovery.bootstrapToken') !== undefined
  const byFile = get('discovery.file') !== undefined
  const token = text('discovery.bootstrapToken.token')
  // Absent, it is the token of the discovery.
  const own = text('discovery.tlsBootstrapToken') || (byToken ? token : '')
  return [
    ...(byToken === byFile
      ? [
          refused(
            byToken
              ? 'bootstrapToken and file cannot both be set'
              : 'bootstrapToken or file must be set',
          ),
        ]
      : []),
    ...(byToken ? [...judgeTokenDiscovery(get, text), ...judgeToken(token)] : []),
    ...(byFile ? judgeFile(text('discovery.file.kubeConfigPath'), exists) : []),
    ...(own !== '' || byToken ? judgeToken(own) : []),
  ]
}

function judgeTokenDiscovery(get: Get, text: (at: string) => string): readonly Finding[] {
  const hashes = get('discovery.bootstrapToken.caCertHashes')
  const unsafe = get('discovery.bootstrapToken.unsafeSkipCAVerification') === true
  const fault = hostPortFault(text('discovery.bootstrapToken.apiServerEndpoint'))
  return [
    ...(!unsafe && (!isList(hashes) || hashes.length === 0)
      ? [refused('using token-based discovery without caCertHashes can be unsafe')]
      : []),
    ...(fault === undefined
      ? []
      : [refused(`discovery.bootstrapToken.apiServerEndpoint: Invalid value: ${fault}`)]),
  ]
}

function judgeToken(token: string): readonly Finding[] {
  const right = /^[a-z0-9]{6}\.[a-z0-9]{16}$/.test(token)
  return right ? [] : [refused('the bootstrap token is invalid')]
}

/** A drive is a scheme to it; SetDefaults_FileDiscovery has taken file: off before. */
function judgeFile(given: string, exists: Exists): readonly Finding[] {
  const first = parseUrl(given)
  const location = 'scheme' in first && first.scheme === 'file' ? first.path : given
  const url = parseUrl(location)
  const none = refused(
    `discovery.file.kubeConfigPath: not a valid HTTPS URL or a file on disk: ${location}`,
  )
  if ('fault' in url) return [none]
  if (url.scheme === '') return exists(onDisk(location)) ? [] : [none]
  return url.scheme === 'https'
    ? []
    : [refused('discovery.file.kubeConfigPath: if a URL is used, the scheme must be https')]
}

function onDisk(location: string): string {
  if (location === '') return ''
  return path.win32.resolve('C:\\', location.replace(/^\\\\\?\\/, ''))
}

function judgeNode(get: Get, text: (at: string) => string, version: string): readonly Finding[] {
  const given = text('nodeRegistration.name')
  // Absent, it is the machine's; spaces around it are removed, and capitals become lower case.
  const name = given.trim().toLowerCase()
  const policy = text('nodeRegistration.imagePullPolicy')
  const extra = get('nodeRegistration.kubeletExtraArgs')
  const args = isList(extra)
    ? extra
    : Object.keys(isObject(extra) ? extra : {}).map((key) => ({ name: key }))
  return [
    ...(given !== '' && !isSubdomain(name)
      ? [refused(`nodeRegistration.name: "${name}": a lowercase RFC 1123 subdomain`)]
      : []),
    ...judgeSocket(text('nodeRegistration.criSocket')),
    // https://github.com/kubernetes/kubernetes/pull/119156
    ...(!isBefore(version, '1.29') &&
    args.some((arg) => !isObject(arg) || textOf(arg['name']) === '')
      ? [refused('nodeRegistration.kubeletExtraArgs: argument has no name')]
      : []),
    ...(!isBefore(version, '1.30') && !['', 'Always', 'IfNotPresent', 'Never'].includes(policy)
      ? [refused(`nodeRegistration.imagePullPolicy: "${policy}": invalid pull policy`)]
      : []),
  ]
}

/** Absent, it is detected; npipe is put in front of any value that does not begin with it. */
function judgeSocket(given: string): readonly Finding[] {
  if (given === '') return []
  const bare = !given.startsWith('npipe')
  const url = parseUrl(bare ? `npipe://${given}` : given)
  return [
    ...(bare
      ? [
          warned(
            'Usage of CRI endpoints without URL scheme is deprecated and can cause kubelet errors',
          ),
        ]
      : []),
    ...('fault' in url
      ? [refused(`nodeRegistration.criSocket: URL parsing error: ${url.fault}`)]
      : []),
    ...('scheme' in url && url.scheme !== 'npipe'
      ? [
          refused(
            `nodeRegistration.criSocket: only URL scheme "npipe" is supported, got "${url.scheme}"`,
          ),
        ]
      : []),
  ]
}

function judgeControlPlane(get: Get, text: (at: string) => string): readonly Finding[] {
  if (get('controlPlane') === undefined) return []
  const address = text('controlPlane.localAPIEndpoint.advertiseAddress')
  const port = Number(get('controlPlane.localAPIEndpoint.bindPort') ?? 0) || 6443
  const key = text('controlPlane.certificateKey')
  return [
    ...(address !== '' && !parseAddress(address, true)
      ? [refused(`couldn't use "${address}" as "apiserver-advertise-address"`)]
      : []),
    ...(port < 1 || port > 65_535 ? [refused('bindPort: port number is not valid')] : []),
    ...(key !== '' && !/^[\dA-Fa-f]{64}$/.test(key) ? [refused('certificateKey: invalid')] : []),
  ]
}

/** What net.SplitHostPort of Go says against it. */
function hostPortFault(text: string): string | undefined {
  const last = text.lastIndexOf(':')
  if (last < 0) return 'missing port in address'
  if (text.startsWith('[')) {
    const end = text.indexOf(']')
    if (end < 0) return "missing ']' in address"
    if (end + 1 === text.length) return 'missing port in address'
    if (end + 1 !== last) return text[end + 1] === ':' ? tooMany : 'missing port in address'
    if (/[[\]]/.test(text.slice(1, end) + text.slice(end + 1)))
      return 'unexpected bracket in address'
    return undefined
  }
  if (text.slice(0, last).includes(':')) return tooMany
  return /[[\]]/.test(text) ? 'unexpected bracket in address' : undefined
}

const tooMany = 'too many colons in address'

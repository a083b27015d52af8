// Builders for profile fields, and their common value types, each with a description of a valid value.
import * as v from 'valibot'
import { isDay } from './day.ts'
import { durationPattern, parseDuration } from '../go/duration.ts'
import type { Json, JsonObject } from './json.ts'
import { parseAddress, parseCidr } from '../net/cidr.ts'
import { hostPattern, ipv4Pattern, portPattern, urlHostPattern } from '../net/host.ts'
import { nodePathCharacter, nodePathPattern } from './node-path.ts'

/** A value that is often tried here and cannot work. */
export interface RefusedValue {
  /** The rest of a sentence that starts with the value. */
  readonly reason: string
  /** A sentence. */
  readonly instead: string
  readonly see: string
}

/** The texts of a field in the reference, the wizard and the JSON Schema. */
export interface FieldTexts<Value = unknown> {
  /** One sentence that describes the field. */
  readonly what: string
  /** Why to set it, and what happens if it is wrong. */
  readonly why?: string
  /** When the field has an effect, if not always. */
  readonly when?: string
  /** How the default is computed, if it is not a constant. */
  readonly derived?: string
  readonly example?: Value
  /** Values that are not accepted, in lower case. */
  readonly refused?: ReadonlyMap<string, RefusedValue>
}

function describe<const S extends v.GenericSchema>(schema: S, about: FieldTexts<v.InferInput<S>>) {
  return v.pipe(schema, v.metadata({ ...about }))
}

/** An optional field: if absent, winnode computes the value, or the feature is off. */
export function open<const S extends v.GenericSchema>(
  schema: S,
  about: FieldTexts<v.InferInput<S>>,
) {
  return v.optional(describe(schema, about))
}

/** A field with a constant default. */
export function field<const S extends v.GenericSchema>(
  schema: S,
  fallback: v.InferInput<S>,
  about: FieldTexts<v.InferInput<S>>,
) {
  return v.optional(describe(schema, about), fallback)
}

/** A group of fields; absent is the same as empty. */
export function group<const E extends v.ObjectEntries>(entries: E, what: string) {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- every entry is optional, which the compiler cannot see of a generic
  return v.optional(v.pipe(v.strictObject(entries), v.metadata({ what: what })), {} as never)
}

export const text = (pattern: RegExp, right: string) => v.pipe(v.string(), v.regex(pattern, right))

// As in https://semver.org, with bounded numbers and length.
const number = String.raw`(?:0|[1-9]\d{0,8})`
const label = String.raw`(?:${number}|\d*[A-Za-z-][0-9A-Za-z-]*)`
const metadata = String.raw`(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?`
const line = String.raw`v?${number}\.${number}`
const semver = String.raw`(?=.{1,100}$)${line}\.${number}(?:-${label}(?:\.${label})*)?${metadata}`

/** `1.36.5`, or `1.36` for the newest known patch. */
export const version = text(
  new RegExp(`^(?:${semver}|${line})$`),
  'a version such as 1.36.5, or a line such as 1.36',
)
/** A release of a tool: always exact. */
export const exactVersion = text(
  new RegExp(`^${semver}$`),
  'an exact version such as 1.9.1 or 1.9.1-rc.1',
)
export const ipv4 = text(new RegExp(`^${ipv4Pattern}$`), 'an IPv4 address such as 10.0.0.5')
/** A value that the pattern, which editors know too, describes in part. */
const parsed = (pattern: RegExp, parse: (value: string) => unknown, right: string) =>
  v.pipe(
    text(pattern, right),
    v.check((value) => parse(value) !== undefined, right),
  )
export const address = parsed(/^[0-9A-Fa-f.:]+$/, parseAddress, 'an IP address such as 10.96.0.10')
export const cidr = parsed(/^[0-9A-Fa-f.:]+\/\d{1,3}$/, parseCidr, 'a CIDR such as 10.244.0.0/16')
/** A host name or an IP address; IPv6 without brackets. */
export const hostOrAddress = parsed(
  new RegExp(`^(?:${hostPattern}|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*)$`),
  (value) => (value.includes(':') ? parseAddress(value) : value),
  'a host name or an IP address, such as host.example.com or 10.0.0.5',
)
/** Without an IPv6 address in brackets that is none. */
const withHost = (pattern: string, right: string) =>
  parsed(
    new RegExp(`^${pattern}$`),
    (value) => {
      const [, inner] = /^(?:https?:\/\/)?\[([^\]]*)\]/.exec(value) ?? []
      return inner === undefined ? value : parseAddress(inner)
    },
    right,
  )
export const quantity = text(
  /^\+?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,2}|[numkMGTPE]|[KMGTPE]i)?$/,
  'a Kubernetes quantity such as 500m, 2048Mi or 16Gi',
)
export const duration = parsed(
  durationPattern,
  parseDuration,
  'a duration such as 90s or 1m30s, of at most 292 years',
)
const pathCondition = 'without variables, outside of what is Windows’ own'
/** Absolute, on drive C: (Windows containers need it), without characters that NTFS rejects. */
export const nodePath = text(
  nodePathPattern('[Cc]', '\\'),
  `an absolute path on drive C: ${pathCondition}, such as C:\\etc\\kubernetes\\kube-proxy.conf`,
)
/** Like `nodePath`, on any local drive, for files that no container mounts. */
export const drivePath = text(
  nodePathPattern('[A-Z]', '\\'),
  `an absolute path on a local drive ${pathCondition}, such as D:\\containerd`,
)
const authority = `${urlHostPattern}(?::${portPattern})?`
const path = String.raw`(?:\/(?:[^\s?#<>"%{}]|%[\dA-Fa-f]{2})*)?`
/**
 * Without user information, which can contain a token, and without `<`, `>`, braces and quotes, which are never part of a
 * URL and look like a tag or a template in user data (https://www.rfc-editor.org/rfc/rfc3986#appendix-C).
 */
export const httpsURL = withHost(
  `https://${authority}${path}`,
  'an https address without a user and a query, such as https://mirror.example.com/kubernetes',
)
/** Like `httpsURL`, also with http; or `\\HOST\SHARE` with folders below it; or a folder on any drive of the node. */
const mirrorPlaces = [
  `https?://${authority}${path}`,
  String.raw`\\\\${hostPattern}(?:\\[^${nodePathCharacter}]*[^${nodePathCharacter}. ])+\\?`,
  `(?:${nodePathPattern('[A-Za-z]', '\\', 'folder').source})`,
  String.raw`[A-Za-z]:\\`,
]
export const mirrorPlace = withHost(
  `(?:${mirrorPlaces.join('|')})`,
  'an address, a share or a folder on the node, such as https://files.example.com/mirror, \\\\files\\mirror or D:\\mirror',
)
/** Like `nodePath`, with slashes or backslashes. */
export const eitherPath = text(
  nodePathPattern('[Cc]', 'either'),
  `an absolute path on drive C: ${pathCondition}, such as C:\\etc\\kubernetes\\mirror.crt`,
)
/** A folder, with slashes or backslashes, also at the end. */
export const eitherFolder = text(
  nodePathPattern('[Cc]', 'either', 'folder'),
  `an absolute path on drive C: ${pathCondition}, such as C:\\k\\credential-providers`,
)
/** A proxy, which has no path. */
export const proxyURL = withHost(
  `https?://${authority}/?`,
  'a URL without a user name, such as http://proxy.example.com:3128',
)
/**
 * A host with or without a port, a domain with a dot or `*.` before it, an address, a CIDR or `*`, as Go reads NO_PROXY:
 * https://github.com/golang/net/blob/v0.50.0/http/httpproxy/proxy.go
 */
export const noProxyEntry = v.union(
  [
    text(new RegExp(String.raw`^(?:\*|(?:\*?\.)?${hostPattern}(?::${portPattern})?)$`), ''),
    hostOrAddress,
    cidr,
    withHost(`${urlHostPattern}:${portPattern}`, ''),
  ],
  'a host, a domain such as .example.com, an IP address or a CIDR, each in an item of the list',
)
export const hostPort = withHost(
  `${urlHostPattern}:${portPattern}`,
  'host:port with a DNS name or an IP address, such as api.example.com:6443',
)
export const isHostPort = (value: string): boolean => v.is(hostPort, value)
export const sha256 = text(/^[0-9a-f]{64}$/, 'a sha256 digest: 64 lower-case hex digits')
export const labelKey = text(
  /^(?:(?=[^/]{1,253}\/)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*\/)?[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?$/,
  'a label key such as example.com/pool',
)
export const labelValue = text(
  /^(?:[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?)?$/,
  'a label value: at most 63 letters, digits, dashes, dots and underscores',
)
/** The name of an object, such as a namespace, that must be a DNS label. */
export const objectName = (maxLength: number) =>
  v.pipe(
    text(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, 'lower-case letters, digits and dashes'),
    v.maxLength(maxLength, `at most ${maxLength} characters`),
  )
/** The name of an object, such as a Secret, that must be a DNS subdomain. */
export const subdomain = v.pipe(
  text(
    /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/,
    'lower-case letters, digits, dashes and dots',
  ),
  v.maxLength(253, 'at most 253 characters'),
)
/** \p{Cc}, for readers of the JSON Schema whose regular expressions lack it, such as Python's. */
export const controlCharacters = String.raw`\x00-\x1f\x7f-\x9f`
/** With slashes, as the SMB CSI driver has it, and without one at the end, which Windows rejects. */
export const smbShare = text(
  new RegExp(
    String.raw`^//${hostPattern}(?:/(?!\.)[^\\/:*?"<>|${controlCharacters}]*[^\\/:*?"<>|${controlCharacters}. ])+$`,
  ),
  'a share such as //files.example.com/share, without a slash at the end',
)
export const gateName = text(
  /^[A-Z][A-Za-z0-9]*$/,
  'a feature gate such as WindowsGracefulNodeShutdown',
)
export const day = v.pipe(v.string(), v.check(isDay, 'a day such as 2027-06-30'))
/** Any JSON object, passed through. */
export const json: v.GenericSchema<Json> = v.lazy(() =>
  v.union([
    v.string(),
    v.number(),
    v.boolean(),
    v.null(),
    v.array(json),
    v.record(v.string(), json),
  ]),
)
export const passThrough: v.GenericSchema<JsonObject> = v.record(v.string(), json)
export const whole = (from: number, to: number) =>
  v.pipe(
    v.number(),
    v.integer('a whole number'),
    v.minValue(from, `at least ${from}`),
    v.maxValue(to, `at most ${to}`),
  )

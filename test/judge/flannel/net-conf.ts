// What flanneld on Windows says of its net-conf.json: pkg/subnet/config.go, pkg/backend.
// https://github.com/flannel-io/flannel/tree/master/pkg
import { isObject, type Json, type JsonObject } from '../../../src/model/json.ts'
import { ignored, refused, type Finding } from '../finding.ts'
import { holds, parseAddress, parseNetwork, startOf, type Network } from '../go/ip.ts'
import { readPlainJson, type Shape } from '../go/plain-json.ts'
import { textOf } from '../go/scalar.ts'

/** pkg/ip: IP4Net and IP4; IP6Net and IP6, which take both families. */
const network4 = (text: string) =>
  parseNetwork(text)?.bits === 32 ? undefined : `invalid IPv4 CIDR format: ${text}`
const network6 = (text: string) =>
  parseNetwork(text) ? undefined : `invalid CIDR address: ${text}`
const address4 = (text: string) =>
  parseAddress(text)?.bits === 32 ? undefined : `invalid IP ${text}`
const address6 = (text: string) => (parseAddress(text) ? undefined : `invalid IP ${text}`)

const config: Shape = {
  EnableIPv4: 'bool',
  EnableIPv6: 'bool',
  EnableNFTables: 'bool',
  Network: { notNull: network4 },
  IPv6Network: { notNull: network6 },
  SubnetMin: { notNull: address4 },
  SubnetMax: { notNull: address4 },
  // Pointers.
  IPv6SubnetMin: address6,
  IPv6SubnetMax: address6,
  SubnetLen: 'uint',
  IPv6SubnetLen: 'uint',
  Backend: 'anything',
}

/** By the name in lower case; the ones that a Windows build registers. */
const backends: Readonly<Record<string, Shape>> = {
  alloc: {},
  extension: {
    PreStartupCommand: 'string',
    PostStartupCommand: 'string',
    SubnetAddCommand: 'string',
    SubnetRemoveCommand: 'string',
  },
  'host-gw': { Name: 'string', DNSServerList: 'string' },
  vxlan: {
    Name: 'string',
    MacPrefix: 'string',
    VNI: 'int',
    Port: 'int',
    GBP: 'bool',
    DirectRouting: 'bool',
  },
}

export interface NetConf {
  readonly findings: readonly Finding[]
  readonly value: JsonObject
}

export function judgeNetConf(text: string): NetConf {
  try {
    const { value, unknown } = readPlainJson(text, config)
    const document = isObject(value) ? value : {}
    const strangers = unknown.map((key) => ignored(`${key} is no key of it`))
    return { value: document, findings: [...strangers, ...judgeDocument(document)] }
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error)
    return { value: {}, findings: [refused(`error parsing subnet config: ${fault}`)] }
  }
}

function judgeDocument(document: JsonObject): readonly Finding[] {
  const six = document['EnableIPv6'] === true
  const four = document['EnableIPv4'] !== false
  return [
    ...(four || six ? [] : [refused('none defined stack')]),
    // pkg/ip/iface_windows.go finds none, for one stack and for two.
    ...(six ? [refused('failed to find IPv6 address for interface')] : []),
    ...(!six && document['IPv6Network'] !== undefined
      ? [ignored('IPv6Network without EnableIPv6')]
      : []),
    ...judgeBackend(document['Backend']),
  ]
}

function judgeBackend(backend: Json | undefined): readonly Finding[] {
  if (backend === undefined) return [refused('Error fetching backend: unknown backend type: udp')]
  const text = JSON.stringify(backend)
  const { value: named } = readPlainJson(text, { Type: 'string' })
  const given = isObject(named) ? named['Type'] : undefined
  const type = typeof given === 'string' ? given.toLowerCase() : ''
  const shape = Object.hasOwn(backends, type) ? backends[type] : undefined
  if (shape === undefined || typeof shape === 'string' || typeof shape === 'function')
    return [refused(`Error fetching backend: unknown backend type: ${type}`)]
  try {
    const { value, unknown } = readPlainJson(text, { ...shape, Type: 'string' })
    const strangers = unknown.map((key) => ignored(`Backend.${key} is no key of ${type}`))
    return [...strangers, ...(type === 'vxlan' && isObject(value) ? judgeVxlan(value) : [])]
  } catch (error) {
    return [refused(`error decoding backend config: ${String(error)}`)]
  }
}

/** pkg/backend/vxlan/vxlan_windows.go, RegisterNetwork. */
function judgeVxlan(backend: JsonObject): readonly Finding[] {
  const { VNI = 4096, Port = 4789, MacPrefix = '0E-2A', GBP, DirectRouting } = backend
  const faults = [
    ...(Number(VNI) < 4096 ? [`VNI [${textOf(VNI)}] must be greater than or equal to 4096`] : []),
    ...(Port === 4789 ? [] : [`Port [${textOf(Port)}] is not supported on Windows`]),
    ...(DirectRouting === true ? ['DirectRouting is not supported on Windows'] : []),
    ...(GBP === true ? ['GBP is not supported on Windows'] : []),
    ...(/^..-..$/su.test(textOf(MacPrefix)) ? [] : [`MacPrefix [${textOf(MacPrefix)}] is invalid`]),
  ]
  return [
    ...faults.map((fault) => refused(`invalid VXLAN backend config. ${fault}`)),
    // newSubnetAttrs publishes it as an uint16.
    ...(Number(VNI) > 65_535 ? [ignored(`VNI ${textOf(VNI)} is cut to 16 bits in the lease`)] : []),
  ]
}

/** pkg/ip, IP4Net.Empty: all of the Internet is nothing to it. */
function isEmpty(network: Network): boolean {
  return network.length === 0 && startOf(network) === 0n
}

/** pkg/subnet/kube/kube.go, AcquireLease. */
export function judgePodNetworks(
  document: JsonObject,
  podCIDRs: readonly string[],
): readonly Finding[] {
  if (podCIDRs.length === 0) return [refused('pod cidr not assigned')]
  if (podCIDRs.length > 2 || !podCIDRs.every((text) => parseNetwork(text)))
    return [refused('pod cidrs should be IPv4/IPv6 only or dualstack')]
  return (['Network', 'IPv6Network'] as const).flatMap((key) => {
    const [bits, on] =
      key === 'Network'
        ? [32, document['EnableIPv4'] !== false]
        : [128, document['EnableIPv6'] === true]
    const whole = parseNetwork(textOf(document[key]))
    const given = podCIDRs
      .flatMap((text) => parseNetwork(text) ?? [])
      .findLast((one) => one.bits === bits)
    const holding =
      whole &&
      !isEmpty(whole) &&
      holds(whole, given ?? whole) &&
      whole.length <= (given?.length ?? 0)
    if (!on || !given || holding === true) return []
    return [
      refused(
        `subnet "${textOf(document[key])}" specified in the flannel net config doesn't contain the node's PodCIDR`,
      ),
    ]
  })
}

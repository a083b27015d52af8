// What flanneld on Windows says of its net-conf.json: pkg/subnet/config.go, pkg/backend.
// https://github.com/flannel-io/flannel/tree/master/pkg
import { isObject, type Json, type JsonObject } from '../../../src/model/json.ts'
import { ignored, refused, type Finding } from '../finding.ts'
import { holds, parseAddress, parseNetwork } from '../go/ip.ts'
import { readPlainJson, type Shape } from '../go/plain-json.ts'
import { textOf } from '../go/scalar.ts'

/** pkg/ip: IP4Net and IP4, IP6Net and IP6. */
function network(bits: 32 | 128) {
  return (text: string) => {
    const found = parseNetwork(text)
    if (!found) return `invalid CIDR address: ${text}`
    return found.bits === bits ? undefined : `invalid IPv${bits === 32 ? 4 : 6} CIDR format`
  }
}

function address(bits: 32 | 128) {
  return (text: string) => (parseAddress(text)?.bits === bits ? undefined : `invalid IP ${text}`)
}

const config: Shape = {
  EnableIPv4: 'bool',
  EnableIPv6: 'bool',
  EnableNFTables: 'bool',
  Network: network(32),
  IPv6Network: network(128),
  SubnetMin: address(32),
  SubnetMax: address(32),
  IPv6SubnetMin: address(128),
  IPv6SubnetMax: address(128),
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
    ShutdownCommand: 'string',
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
    // newSubnetAttrs tells the cluster an uint16 of it.
    ...(Number(VNI) > 65_535 ? [ignored(`VNI ${textOf(VNI)} is cut to 16 bits in the lease`)] : []),
  ]
}

/** pkg/subnet/kube/kube.go, AcquireLease. */
export function judgePodNetworks(
  document: JsonObject,
  podCIDRs: readonly string[],
): readonly Finding[] {
  return (['Network', 'IPv6Network'] as const).flatMap((key) => {
    const [bits, on] =
      key === 'Network'
        ? [32, document['EnableIPv4'] !== false]
        : [128, document['EnableIPv6'] === true]
    const whole = parseNetwork(textOf(document[key]))
    const given = podCIDRs
      .flatMap((text) => parseNetwork(text) ?? [])
      .find((one) => one.bits === bits)
    if (!on || !given || (whole && holds(whole, given) && given.length >= whole.length)) return []
    return [
      refused(
        `subnet "${textOf(document[key])}" specified in the flannel net config doesn't contain the node's PodCIDR`,
      ),
    ]
  })
}

// What host-local says of its configuration and of CNI_ARGS: backend/allocator/config.go, range.go.
// https://github.com/containernetworking/plugins/tree/main/plugins/ipam/host-local
import { isList, isObject, type Json, type JsonObject } from '../../../src/model/json.ts'
import {
  addressText,
  endOf,
  holds,
  parseAddress,
  parseNetwork,
  startOf,
  type Address,
  type Network,
} from '../go/ip.ts'
import { readPlainJson, type Shape } from '../go/plain-json.ts'
import { textOf } from '../go/scalar.ts'

export interface Range {
  readonly network: Network
  readonly start: bigint
  readonly end: bigint
  /** Of another family it keeps nothing free. */
  readonly gateway: Address
}

export interface HostLocalConf {
  readonly name: string
  readonly dataDir: string
  readonly sets: readonly (readonly Range[])[]
  readonly wished: readonly Address[]
  readonly resolvConf: string
  /** Keys of `ipam` without an effect. */
  readonly unknown: readonly string[]
}

const address = (text: string) =>
  text === '' || parseAddress(text) ? undefined : `invalid IP address: ${text}`
const cidr = (text: string) => (parseNetwork(text) ? undefined : `invalid CIDR address: ${text}`)
const network = { notNull: cidr }
/** pkg/ip, IP.UnmarshalText; what is empty is then understood as no address. */
const addressOrNetwork = (text: string) =>
  parseNetwork(text) || parseAddress(text) ? undefined : `cannot understand ip: ${text}`

const range = { rangeStart: address, rangeEnd: address, subnet: network, gateway: address }
const route: Shape = {
  dst: network,
  gw: address,
  mtu: 'int',
  advmss: 'int',
  priority: 'int',
  table: 'int',
  scope: 'int',
}

const conf: Shape = {
  name: 'string',
  cniVersion: 'string',
  ipam: {
    ...range,
    Name: 'string',
    type: 'string',
    routes: { list: route },
    dataDir: 'string',
    resolvConf: 'string',
    ranges: { list: { list: range } },
  },
  runtimeConfig: { ipRanges: { list: { list: range } }, ips: { list: addressOrNetwork } },
  args: { cni: { ips: { list: addressOrNetwork } } },
}

export const versions = ['', '0.1.0', '0.2.0', '0.3.0', '0.3.1', '0.4.0', '1.0.0', '1.1.0']

/** cni, pkg/skel/skel.go: name and version come before the plugin's own looks. */
export function versionOf(text: string): string {
  const { value } = readPlainJson(text, { name: 'string', cniVersion: 'string' })
  const document = isObject(value) ? value : {}
  const name = textOf(document['name'])
  if (name === '') throw new Error('missing network name')
  if (!/^[A-Za-z0-9][\w.-]*$/.test(name))
    throw new Error(`invalid characters found in network name`)
  const version = textOf(document['cniVersion'])
  if (!versions.includes(version))
    throw new Error(`incompatible CNI versions; config is "${version}"`)
  return version
}

/** Throws a message for what it refuses; what versionOf asks comes before it. */
export function readHostLocalConf(text: string, args: string): HostLocalConf {
  const { value, unknown } = readPlainJson(text, conf)
  const document = isObject(value) ? value : {}
  const name = textOf(document['name'])
  const version = textOf(document['cniVersion'])
  const ipam = document['ipam']
  if (!isObject(ipam)) throw new Error("IPAM config missing 'ipam' key")
  const runtime = objectOf(document['runtimeConfig'])
  const wished = [
    ...wishedByArgs(args),
    ...textsOf(objectOf(objectOf(document['args'])['cni'])['ips']),
    ...textsOf(runtime['ips']),
  ].flatMap((one) => parseAddress(one.replace(/\/.*$/, '')) ?? [])
  const single = ipam['subnet'] === undefined ? [] : [[ipam]]
  const given = [...setsOf(runtime['ipRanges']), ...single, ...setsOf(ipam['ranges'])]
  if (given.length === 0) throw new Error('no IP ranges specified')
  const sets = given.map((ranges, at) => canonicalSet(ranges, at))
  judgeSets(sets, version)
  return {
    name,
    dataDir: textOf(ipam['dataDir']) || '/var/lib/cni/networks',
    sets,
    wished,
    resolvConf: textOf(ipam['resolvConf']),
    unknown: unknown.filter((key) => key.startsWith('ipam.')),
  }
}

function judgeSets(sets: HostLocalConf['sets'], version: string): void {
  for (const bits of [32, 128]) {
    const ofFamily = sets.filter(([first]) => first?.network.bits === bits)
    if (ofFamily.length > 1 && ['', '0.1.0', '0.2.0'].includes(version))
      throw new Error(`CNI version ${version} does not support more than 1 address per family`)
  }
  const ranges = sets.flat()
  const overlap = ranges.some((one, at) =>
    ranges.slice(at + 1).some((other) => overlaps(one, other)),
  )
  if (overlap) throw new Error('range sets overlap')
}

function overlaps(one: Range, other: Range): boolean {
  return one.network.bits === other.network.bits && one.start <= other.end && other.start <= one.end
}

function canonicalSet(ranges: readonly JsonObject[], at: number): readonly Range[] {
  try {
    const set = ranges.map(canonicalRange)
    if (set.length === 0) throw new Error('empty range set')
    if (new Set(set.map((one) => one.network.bits)).size > 1)
      throw new Error('mixed address families')
    return set
  } catch (error) {
    throw new Error(`invalid range set ${at}: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    })
  }
}

function canonicalRange(given: JsonObject): Range {
  const text = textOf(given['subnet'])
  const subnet = parseNetwork(text)
  if (!subnet) throw new Error('IP <nil> not v4 nor v6')
  if (subnet.bits === 32 && text.includes(':'))
    throw new Error('IPNet IP and Mask version mismatch')
  if (subnet.length > subnet.bits - 2) throw new Error(`Network ${text} too small to allocate from`)
  const first = startOf(subnet)
  if (subnet.value !== first)
    throw new Error(`Network has host bits set: ${addressText({ ...subnet, value: first })}`)
  const inside = (key: string): bigint | undefined => {
    const found = parseAddress(textOf(given[key]))
    if (found && !holds(subnet, found)) throw new Error(`${key} not in network ${text}`)
    return found?.value
  }
  const gateway = parseAddress(textOf(given['gateway'])) ?? { ...subnet, value: first + 1n }
  const start = inside('rangeStart') ?? first + 1n
  const last = inside('rangeEnd')
  // Only a given end is held against the start.
  if (last !== undefined && start > last) throw new Error('RangeEnd not in network')
  const end = last ?? endOf(subnet) - (subnet.bits === 32 ? 1n : 0n)
  return { network: subnet, start, end, gateway }
}

/** types.LoadArgs: `IP=10.0.0.5;IgnoreUnknown=1`. */
function wishedByArgs(args: string): readonly string[] {
  if (args === '') return []
  const pairs = args.split(';').map((pair) => {
    const [key = '', value, ...more] = pair.split('=')
    if (value === undefined || more.length > 0) throw new Error(`ARGS: invalid pair ${pair}`)
    return { key, value }
  })
  const wished = pairs.filter(({ key }) => key === 'IP').map(({ value }) => value)
  const bad = wished.find((one) => one !== '' && addressOrNetwork(one) !== undefined)
  if (bad !== undefined) throw new Error(`ARGS: invalid IP address ${bad}`)
  const leniencies = pairs.filter(({ key }) => key === 'IgnoreUnknown').map(({ value }) => value)
  if (!leniencies.every((value) => /^(?:1|0|true|false)$/i.test(value)))
    throw new Error('ARGS: boolean unmarshal error: invalid input')
  const lenient = /^(?:1|true)$/i.test(leniencies.at(-1) ?? '')
  const strangers = pairs.filter(({ key }) => !['IP', 'IgnoreUnknown'].includes(key))
  if (strangers.length > 0 && !lenient) throw new Error('ARGS: unknown args')
  return wished.slice(-1)
}

const objectOf = (value: Json | undefined) => (isObject(value) ? value : {})
const textsOf = (value: Json | undefined) => (isList(value) ? value.map(textOf) : [])

function setsOf(value: Json | undefined): readonly (readonly JsonObject[])[] {
  const sets = isList(value) ? value : []
  return sets.map((set) => (isList(set) ? set : []).map(objectOf))
}

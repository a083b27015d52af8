// Addresses and networks as Go reads them: net, ParseIP and ParseCIDR.
import { isIPv4, isIPv6 } from 'node:net'

export interface Address {
  readonly bits: 32 | 128
  readonly value: bigint
}

export interface Network extends Address {
  readonly length: number
}

/** Leading zeros are refused by ParseIP, and read as decimal by ParseIPSloppy of k8s.io/utils. */
export function parseAddress(text: string, sloppy = false): Address | undefined {
  const plain = sloppy ? text.replace(/(?<=^|\.)0+(?=\d)/g, '') : text
  if (isIPv4(plain)) {
    const value = plain.split('.').reduce((sum, part) => (sum << 8n) + BigInt(part), 0n)
    return { bits: 32, value }
  }
  if (!isIPv6(plain) || plain.includes('%')) return undefined
  const value = valueOfIPv6(plain)
  // An IPv4 address in IPv6's clothes is an IPv4 address.
  return value >> 32n === 0xffffn ? { bits: 32, value: value & 0xffffffffn } : { bits: 128, value }
}

function valueOfIPv6(text: string): bigint {
  const hexadecimal = text.replace(/\d+\.\d+\.\d+\.\d+$/, (last) => {
    const value = parseAddress(last)?.value ?? 0n
    return `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`
  })
  const [head = '', tail] = hexadecimal.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  const groups = tail === undefined ? before : [...before, ...zeros, ...after]
  return groups.reduce((sum, group) => (sum << 16n) + BigInt(`0x${group}`), 0n)
}

/** The address as it stands, host bits included. */
export function parseNetwork(text: string): Network | undefined {
  const [, host = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  const address = parseAddress(host)
  // The length counts in the family in which the text is written.
  if (!address || Number(length) > (host.includes(':') ? 128 : 32)) return undefined
  const shift = host.includes(':') && address.bits === 32 ? 96 : 0
  return { ...address, length: Number(length) - shift }
}

export function startOf({ bits, value, length }: Network): bigint {
  const host = BigInt(bits - length)
  return (value >> host) << host
}

export function endOf(network: Network): bigint {
  return startOf(network) + (1n << BigInt(network.bits - network.length)) - 1n
}

export function holds(network: Network, { bits, value }: Address): boolean {
  return bits === network.bits && value >= startOf(network) && value <= endOf(network)
}

export function addressText({ bits, value }: Address): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((by) => (value >> by) & 255n).join('.')
  const groups = Array.from({ length: 8 }, (_, at) => (value >> BigInt(112 - 16 * at)) & 0xffffn)
  return new URL(`http://[${groups.map((group) => group.toString(16)).join(':')}]`).hostname.slice(
    1,
    -1,
  )
}

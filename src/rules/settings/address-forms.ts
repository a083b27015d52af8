// Addresses, networks and ports as kube-proxy reads them.
import { parseAddress } from '../../net/cidr.ts'
import { hostPortFault } from '../../model/go/url.ts'

/** ParseIPSloppy of k8s.io/utils: leading zeros of IPv4 are decimal. */
export function isSloppyAddress(text: string): boolean {
  const plain = text.includes(':') ? text : text.replace(/(?<=^|\.)0+(?=\d)/g, '')
  return parseAddress(plain) !== undefined
}

/** ParseCIDRSloppy: bits of the host, and leading zeros of the length, are taken. */
export function isSloppyCidr(text: string): boolean {
  const [, address = '', length = ''] = /^([^/]+)\/(\d{1,7})$/.exec(text) ?? []
  return isSloppyAddress(address) && Number(length) <= (address.includes(':') ? 128 : 32)
}

/** strconv.Atoi, as far as ports go. */
function portOf(text: string): number {
  return /^[-+]?\d{1,9}$/.test(text) ? Number(text) : NaN
}

/** The port may be missing behind an address: pkg/proxy/util, AppendPortIfNeeded. */
export function isAddressAndPort(text: string): boolean {
  if (text === '' || isSloppyAddress(text)) return true
  if (hostPortFault(text) !== undefined) return false
  const colon = text.lastIndexOf(':')
  const port = portOf(text.slice(colon + 1))
  return (
    isSloppyAddress(text.slice(0, colon).replace(/^\[(.*)\]$/, '$1')) && port >= 1 && port <= 65_535
  )
}

/** apimachinery, pkg/util/net/port_range.go: `1000-2000`, `1000+50`, `1000`, or nothing. */
export function isPortRange(text: string): boolean {
  const value = text.trim()
  if (value === '') return true
  if (value.includes('-') && value.includes('+')) return false
  const [from = '', sign = '', to = ''] = value.split(/([-+])/)
  const low = portOf(from)
  const high = sign === '' ? low : sign === '+' ? low + portOf(to) : portOf(to)
  return low <= high && high <= 65_535
}

// Addresses, CIDRs and ports as kube-proxy parses them.
import { parseAddress } from '../../net/cidr.ts'

/** ParseIPSloppy of k8s.io/utils/net: an IPv4 part with leading zeros is decimal. */
export function isSloppyAddress(text: string): boolean {
  const plain = text.includes(':') ? text : text.replace(/(?<=^|\.)0+(?=\d)/g, '')
  return parseAddress(plain) !== undefined
}

/** ParseCIDRSloppy of k8s.io/utils/net: host bits, and leading zeros in the prefix length, are allowed. */
export function isSloppyCidr(text: string): boolean {
  const [, address = '', length = ''] = /^([^/]+)\/(\d{1,7})$/.exec(text) ?? []
  return isSloppyAddress(address) && Number(length) <= (address.includes(':') ? 128 : 32)
}

/** strconv.Atoi, for the range that ports need; NaN where it fails. */
function portOf(text: string): number {
  return /^[-+]?\d{1,9}$/.test(text) ? Number(text) : NaN
}

/** net.SplitHostPort: brackets around an address with colons, and one colon before the port. */
const hostAndPort = /^(?:\[([^[\]]*)\]|([^:[\]]*)):([^:[\]]*)$/

/** An IP address with an optional port: AppendPortIfNeeded of pkg/proxy/util. */
export function isAddressAndPort(text: string): boolean {
  if (text === '' || isSloppyAddress(text)) return true
  const [, literal = '', host = literal, digits = ''] = hostAndPort.exec(text) ?? []
  const port = portOf(digits)
  return isSloppyAddress(host) && port >= 1 && port <= 65_535
}

/** `1000-2000`, `1000+50`, `1000` or empty: apimachinery, pkg/util/net/port_range.go. */
export function isPortRange(text: string): boolean {
  const value = text.trim()
  if (value === '') return true
  if (value.includes('-') && value.includes('+')) return false
  const [from = '', sign = '', to = ''] = value.split(/([-+])/)
  const low = portOf(from)
  const high = sign === '' ? low : sign === '+' ? low + portOf(to) : portOf(to)
  return low <= high && high <= 65_535
}

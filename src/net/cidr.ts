// IPv4 and IPv6 addresses and CIDRs: strict parsing, arithmetic, formatting.

type Family = 4 | 6

interface Address {
  readonly family: Family
  readonly value: bigint
}

export interface Cidr {
  readonly family: Family
  readonly prefix: number
  /** The address as written; it can have host bits set (see `isCanonical`). */
  readonly base: bigint
}

const bitsOf = (family: Family) => (family === 4 ? 32 : 128)

/** IPv4 without leading zeros, or IPv6 (RFC 4291) without a zone. */
export function parseAddress(text: string): Address | undefined {
  const value = text.includes(':') ? parse6(text) : parse4(text)
  return value === undefined ? undefined : { family: text.includes(':') ? 6 : 4, value }
}

export function parseCidr(text: string): Cidr | undefined {
  const [address, prefix, ...more] = text.split('/')
  if (more.length > 0 || prefix === undefined || !/^(?:0|[1-9]\d{0,2})$/.test(prefix))
    return undefined
  const parsed = parseAddress(address ?? '')
  if (!parsed || Number(prefix) > bitsOf(parsed.family)) return undefined
  return { family: parsed.family, prefix: Number(prefix), base: parsed.value }
}

function parse4(text: string): bigint | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  let value = 0n
  for (const part of parts) {
    if (!/^(?:0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined
    value = value * 256n + BigInt(part)
  }
  return value
}

function parse6(text: string): bigint | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const [head, tail] = halves.map((half, at) => {
    const groups = half === '' ? [] : half.split(':')
    return at < halves.length - 1 ? groups : expandIPv4Tail(groups)
  })
  if (!head) return undefined
  const missing = 8 - head.length - (tail?.length ?? 0)
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  const groups = [...head, ...Array<string>(tail ? missing : 0).fill('0'), ...(tail ?? [])]
  let value = 0n
  for (const group of groups) {
    if (!/^[0-9A-Fa-f]{1,4}$/.test(group)) return undefined
    value = value * 65_536n + BigInt(`0x${group}`)
  }
  return value
}

/** Replaces a final IPv4 part, as in `::ffff:10.0.0.1`, by its two IPv6 groups. */
function expandIPv4Tail(groups: readonly string[]): readonly string[] {
  const last = groups.at(-1)
  const value = last?.includes('.') ? parse4(last) : undefined
  if (value === undefined) return groups
  return [...groups.slice(0, -1), (value >> 16n).toString(16), (value & 0xffffn).toString(16)]
}

const sizeOf = (cidr: Cidr) => 1n << BigInt(bitsOf(cidr.family) - cidr.prefix)

/** The first address of the block. */
function networkOf(cidr: Cidr): bigint {
  return cidr.base - (cidr.base % sizeOf(cidr))
}

export function isCanonical(cidr: Cidr): boolean {
  return cidr.base === networkOf(cidr)
}

export function overlaps(a: Cidr, b: Cidr): boolean {
  return (
    a.family === b.family &&
    networkOf(a) < networkOf(b) + sizeOf(b) &&
    networkOf(b) < networkOf(a) + sizeOf(a)
  )
}

/**
 * For each CIDR inside others, the smallest enclosing one (for equal ones, the one before it). Two CIDRs are either
 * disjoint or nested, so a stack over the sorted list is enough.
 */
export function enclosingPairs(
  cidrs: readonly Cidr[],
): readonly (readonly [inner: number, outer: number])[] {
  const sorted = Array.from(cidrs, (cidr, index) => ({ cidr, index, first: networkOf(cidr) })).sort(
    (a, b) =>
      a.cidr.family - b.cidr.family ||
      (a.first < b.first ? -1 : a.first > b.first ? 1 : a.cidr.prefix - b.cidr.prefix),
  )
  const open: typeof sorted = []
  return sorted.flatMap((one) => {
    while (open.length > 0 && !open.slice(-1).some(({ cidr }) => overlaps(cidr, one.cidr)))
      open.pop()
    const outer = open.at(-1)
    open.push(one)
    return outer ? [[one.index, outer.index] as const] : []
  })
}

export function contains(cidr: Cidr, address: Address): boolean {
  const first = networkOf(cidr)
  return (
    cidr.family === address.family && address.value >= first && address.value < first + sizeOf(cidr)
  )
}

/** The block's address at an offset; negative counts from the end: -1 is the broadcast address. */
export function addressAt(cidr: Cidr, offset: number): Address {
  const from = offset < 0 ? networkOf(cidr) + sizeOf(cidr) : networkOf(cidr)
  return { family: cidr.family, value: from + BigInt(offset) }
}

export function formatCidr(cidr: Cidr): string {
  return `${formatAddress({ family: cidr.family, value: networkOf(cidr) })}/${cidr.prefix}`
}

/** IPv6 in full groups without leading zeros, its longest run of zeros shortened (RFC 5952). */
export function formatAddress({ family, value }: Address): string {
  const width = family === 4 ? 8n : 16n
  const count = family === 4 ? 4 : 8
  const groups = Array.from({ length: count }, (_, i) =>
    Number((value >> (width * BigInt(count - 1 - i))) & ((1n << width) - 1n)),
  )
  if (family === 4) return groups.join('.')
  const text = groups.map((group) => group.toString(16)).join(':')
  const runs = text.match(/\b0(?::0)+\b/g) ?? []
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '')
  return longest === '' ? text : text.replace(new RegExp(`(?:^|:)${longest}(?::|$)`), '::')
}

// IPv6 addresses as Go reads them: net/netip, ParseAddr, without a zone.
// https://cs.opensource.google/go/go/+/refs/tags/go1.26.0:src/net/netip/netip.go

/** Four decimal parts without leading zeros may stand for the last two groups. */
const tail =
  /(?<=:)(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/

export function isIPv6(text: string): boolean {
  const halves = text.replace(tail, '0:0').split('::')
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const right = halves.length === 1 ? groups.length === 8 : groups.length < 8
  return halves.length <= 2 && right && groups.every((group) => /^[\da-fA-F]{1,4}$/.test(group))
}

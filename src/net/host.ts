// Hosts and ports of endpoints, URLs and shares, as patterns.

const octet = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`

/** Without leading zeros, which Windows reads as octal and Go refuses. */
export const ipv4Pattern = String.raw`${octet}(?:\.${octet}){3}`

/** Underscores are in names of real machines. Go takes them too: validHostname in crypto/x509/verify.go. */
const label = String.raw`[A-Za-z0-9_](?:[\w-]{0,61}\w)?`

/**
 * Programs read a host that ends in a number as an IPv4 address in another notation (1.2.3 is 1.2.0.3), or refuse it:
 * https://url.spec.whatwg.org/#ends-in-a-number-checker
 */
const numeric = String.raw`(?:[\w-]+\.)*(?:\d+|0[xX][\da-fA-F]*)\.?(?![\w.-])`

/** A DNS name of at most 253 characters; a dot at its end makes it absolute. */
const name = String.raw`(?![\w.-]{253}\.?[\w-])(?!${numeric})${label}(?:\.${label})*\.?(?![\w.-])`

/** An IPv4 address or a DNS name. */
export const hostPattern = `(?:${ipv4Pattern}(?![\\w.-])|${name})`

/** The inside of the brackets is checked with `parseAddress`. */
const bracketedPattern = String.raw`\[[\dA-Fa-f]*:[\dA-Fa-f:.]*\]`

/** A host as an endpoint and a URL have it: an IPv6 address is in brackets. */
export const urlHostPattern = `(?:${bracketedPattern}|${hostPattern})`

/** 1 to 65535, without leading zeros. */
export const portPattern =
  '(?:[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d\\d|655[0-2]\\d|6553[0-5])(?!\\d)'

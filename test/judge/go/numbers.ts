// Numbers and flags as Go's strconv reads them: https://pkg.go.dev/strconv

/** ParseInt with base 0: signs, 0x, 0o, 0b, a leading 0 for octal, underscores between digits. */
export function parseInteger(text: string, bits: 31 | 32 | 63 | 64): number | undefined {
  const [, sign = '', digits = ''] = /^([-+]?)(.+)$/.exec(text) ?? []
  if (!/^(?:0x[\da-f_]+|0o?[0-7_]*|0b[01_]+|[1-9][\d_]*)$/i.test(digits)) return undefined
  if (/__|_$/.test(digits)) return undefined
  const plain = digits.replaceAll('_', '').replace(/^0(?=\d)/, '0o')
  const size = BigInt(plain) * (sign === '-' ? -1n : 1n)
  const limit = 1n << BigInt(bits - 1)
  return size >= -limit && size < limit ? Number(size) : undefined
}

/** ParseUint with base 10. */
export function parseUnsigned(text: string, bits: 31 | 32 | 64): number | undefined {
  if (!/^\d+$/.test(text) || BigInt(text) >= 1n << BigInt(bits)) return undefined
  return Number(text)
}

const booleans: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries(['1', 't', 'T', 'TRUE', 'true', 'True'].map((word) => [word, true])),
  ...Object.fromEntries(['0', 'f', 'F', 'FALSE', 'false', 'False'].map((word) => [word, false])),
}

/** ParseBool. */
export function parseBoolean(text: string): boolean | undefined {
  return Object.hasOwn(booleans, text) ? booleans[text] : undefined
}

// Quantities: apimachinery, pkg/api/resource/quantity.go, parseQuantityString and ParseQuantity.

export interface Quantity {
  readonly negative: boolean
  readonly zero: boolean
  /** AsInt64 gives a number: no fraction, no more digits than its fast path takes, within an int64. */
  readonly whole: boolean
  /** The amount without its sign: `digits` times powers of two and of ten. */
  readonly digits: bigint
  readonly twos: number
  readonly tens: number
}

const decimal: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
}
const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

/**
 * `undefined` for what is none. A suffix without a number is zero of it, and so is a sign. One that begins with a digit
 * is part of the number, so that no text is searched twice.
 */
export function parseQuantity(text: string): Quantity | undefined {
  const found = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]+[-+]?\d*)?$/.exec(text)
  if (!found || text === '') return undefined
  const [, sign, digits = '', fraction = '', suffix = ''] = found
  const scale = scaleOf(suffix)
  if (scale === undefined) return undefined
  const number = digits.replace(/^0+/, '') || '0'
  const value = BigInt(number + fraction)
  return {
    negative: sign === '-' && value !== 0n,
    zero: value === 0n,
    whole: isWhole(value, number.length, fraction.length, scale),
    digits: value,
    twos: scale.base === 2 ? scale.exponent : 0,
    tens: (scale.base === 10 ? scale.exponent : 0) - fraction.length,
  }
}

interface Scale {
  readonly base: 2 | 10
  readonly exponent: number
}

function scaleOf(suffix: string): Scale | undefined {
  if (Object.hasOwn(decimal, suffix)) return { base: 10, exponent: decimal[suffix] ?? 0 }
  const power = binary.indexOf(suffix)
  if (power > 0) return { base: 2, exponent: power * 10 }
  const exponent = /^[eE]([+-]?\d+)$/.exec(suffix)?.[1]
  return exponent === undefined ? undefined : { base: 10, exponent: Number(exponent) }
}

/** What is beyond the fast path is kept as a decimal, and AsInt64 has no number for those. */
function isWhole(
  value: bigint,
  digits: number,
  fraction: number,
  { base, exponent }: Scale,
): boolean {
  const limit = 1n << 63n
  if (base === 2) {
    const precision = 15 - digits - Math.trunc((exponent * 3) / 10) - 1
    return fraction === 0 && precision >= 0 && value << BigInt(exponent) < limit
  }
  const scale = exponent - fraction
  if (digits + fraction > 18 || scale < 0) return false
  return value === 0n || (scale <= 18 && value * 10n ** BigInt(scale) < limit)
}

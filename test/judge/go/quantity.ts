// Quantities: apimachinery, pkg/api/resource/quantity.go, ParseQuantity.

export interface Quantity {
  readonly negative: boolean
  readonly zero: boolean
  /** AsInt64 gives a number; a fraction keeps it from that even where it comes to a whole. */
  readonly whole: boolean
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
const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

export const quantityFault =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

/** `undefined` for what is none. */
export function parseQuantity(text: string): Quantity | undefined {
  const found = /^([+-]?)(\d*)(?:\.(\d*))?([A-Za-z]*(?:[-+]?\d+)?)$/.exec(text)
  if (!found) return undefined
  const [, sign, whole = '', fraction = '', suffix = ''] = found
  const digits = whole + fraction
  if (digits === '') return undefined
  const exponent = exponentOf(suffix)
  if (exponent === undefined) return undefined
  const zero = /^0*$/.test(digits)
  const scale = exponent === 'binary' ? (fraction === '' ? 0 : -1) : exponent - fraction.length
  return { negative: sign === '-' && !zero, zero, whole: scale >= 0 }
}

function exponentOf(suffix: string): number | 'binary' | undefined {
  if (binary.includes(suffix)) return 'binary'
  if (Object.hasOwn(decimal, suffix)) return decimal[suffix]
  const exponent = /^[eE]([+-]?\d+)$/.exec(suffix)?.[1]
  return exponent === undefined ? undefined : Number(exponent)
}

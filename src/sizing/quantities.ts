// Kubernetes quantities: parsed exactly, and formatted for the kubelet's configuration.
// https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/

const suffixes: Readonly<Record<string, readonly [numerator: bigint, denominator: bigint]>> = {
  n: [1n, 1_000_000_000n],
  u: [1n, 1_000_000n],
  m: [1n, 1_000n],
  '': [1n, 1n],
  k: [10n ** 3n, 1n],
  M: [10n ** 6n, 1n],
  G: [10n ** 9n, 1n],
  T: [10n ** 12n, 1n],
  P: [10n ** 15n, 1n],
  E: [10n ** 18n, 1n],
  Ki: [2n ** 10n, 1n],
  Mi: [2n ** 20n, 1n],
  Gi: [2n ** 30n, 1n],
  Ti: [2n ** 40n, 1n],
  Pi: [2n ** 50n, 1n],
  Ei: [2n ** 60n, 1n],
}

const pattern = /^\+?(?=\.?\d)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,2})|([numkMGTPE]i?|Ki)?)$/

export type Rounding = 'down' | 'up'

/** A quantity in multiples of a unit, which is a fraction; undefined if the text is no quantity. */
function inUnits(
  text: string,
  [numerator, denominator]: readonly [bigint, bigint],
  rounding: Rounding,
): bigint | undefined {
  const match = pattern.exec(text)
  if (!match) return undefined
  const [, whole = '', fraction = '', exponent = '0', suffix = ''] = match
  const scale = suffixes[suffix]
  if (!scale) return undefined
  const shift = BigInt(Number(exponent) - fraction.length)
  const up = shift > 0n ? 10n ** shift : 1n
  const down = shift < 0n ? 10n ** -shift : 1n
  const amount = BigInt(whole + fraction) * up * scale[0] * denominator
  const unit = down * scale[1] * numerator
  return rounding === 'up' ? (amount + unit - 1n) / unit : amount / unit
}

export function bytes(text: string, rounding: Rounding): bigint | undefined {
  return inUnits(text, [1n, 1n], rounding)
}

export function mebibytes(text: string, rounding: Rounding): number | undefined {
  const amount = inUnits(text, [2n ** 20n, 1n], rounding)
  return amount === undefined ? undefined : Number(amount)
}

export function millicores(text: string, rounding: Rounding): number | undefined {
  const amount = inUnits(text, [1n, 1000n], rounding)
  return amount === undefined ? undefined : Number(amount)
}

/** An eviction threshold in MiB: a quantity, or a percentage of the capacity such as 10%. */
export function thresholdMebibytes(text: string, capacity: number): number | undefined {
  const share = /^\+?(\d+(?:\.\d*)?|\.\d+)%+$/.exec(text)
  if (!share) return mebibytes(text, 'up')
  const part = inUnits(share[1] ?? '', [1n, 1_000_000n], 'up')
  return part === undefined
    ? undefined
    : Number((BigInt(Math.floor(capacity)) * part) / 100_000_000n)
}

export function formatMebibytes(amount: number): string {
  return `${amount}Mi`
}

export function formatMillicores(amount: number): string {
  return `${amount}m`
}

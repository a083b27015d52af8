// Kubernetes quantities as amounts in a unit, and formatted for the kubelet's configuration.
// https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
import { parsePercentage } from '../go/floating.ts'
import { parseQuantity } from '../go/quantity.ts'

type Rounding = 'down' | 'up'

/** Exponents beyond it are no amount of any machine, and would take long to compute. */
const largestExponent = 1000

/** A quantity in multiples of a unit, which is a fraction; undefined if the text is none, or a negative one. */
function inUnits(
  text: string,
  [numerator, denominator]: readonly [bigint, bigint],
  rounding: Rounding,
): bigint | undefined {
  const quantity = parseQuantity(text)
  if (!quantity || quantity.negative || Math.abs(quantity.tens) > largestExponent) return undefined
  const { digits, twos, tens } = quantity
  const amount = digits * 2n ** BigInt(twos) * 10n ** BigInt(Math.max(tens, 0)) * denominator
  const unit = 10n ** BigInt(Math.max(-tens, 0)) * numerator
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

/**
 * The kubelet drops an eviction threshold of 0% or 100%.
 * https://github.com/kubernetes/kubernetes/blob/008b3652959ca58af8be3fb5b6ecfe9ae7638282/pkg/kubelet/eviction/helpers.go (parseThresholdStatement)
 */
export const turnsOff = (threshold: string) => threshold === '0%' || threshold === '100%'

/** An eviction threshold in MiB: a quantity, or a percentage of the capacity such as 10%; 0 if it is off. */
export function thresholdMebibytes(text: string, capacity: number): number | undefined {
  if (turnsOff(text)) return 0
  const share = parsePercentage(text)
  if (share === undefined) return mebibytes(text, 'up')
  if (!(share >= 0 && share <= 100)) return undefined
  const millionths = BigInt(Math.round(share * 1_000_000))
  return Number((BigInt(Math.floor(capacity)) * millionths) / 100_000_000n)
}

export function formatMebibytes(amount: number): string {
  return `${amount}Mi`
}

export function formatMillicores(amount: number): string {
  return `${amount}m`
}

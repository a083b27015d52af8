// Quantities, percentages and durations as the kubelet parses them at start.
import { parseDuration } from '../../go/duration.ts'
import { parsePercentage } from '../../go/floating.ts'
import { parseQuantity } from '../../go/quantity.ts'
import { turnsOff } from '../../sizing/quantities.ts'

/** ParseThresholdConfig of pkg/kubelet/eviction/helpers.go computes shares in float32. */
function fractionOf(text: string): number | undefined {
  const share = parsePercentage(text)
  return share === undefined ? undefined : Math.fround(Math.fround(share) / 100)
}

/** NaN% is neither below 0% nor above 100%, so the kubelet accepts it. */
export function isThreshold(text: string): boolean {
  if (turnsOff(text)) return true
  const fraction = fractionOf(text)
  if (fraction !== undefined) return !(fraction < 0 || fraction > 1)
  const quantity = parseQuantity(text)
  return quantity !== undefined && !quantity.negative && !quantity.zero
}

export function isReclaim(text: string): boolean {
  const fraction = fractionOf(text)
  return fraction === undefined ? parseQuantity(text)?.negative === false : !(fraction <= 0)
}

export const isNumber = (text: string) => !Number.isNaN(parsePercentage(text))

export const isGracePeriod = (text: string) => (parseDuration(text) ?? -1) >= 0

/** parseResourceList of cmd/kubelet/app/server.go. */
export const isReserved = (text: string) => parseQuantity(text)?.negative === false

/** parseMaxSize of pkg/kubelet/logs/container_log_manager.go. */
export const isLogSize = (text: string) => parseQuantity(text)?.whole === true

/** ParseQOSReserved of pkg/kubelet/cm, which trims any number of percent signs. */
export function isShare(text: string): boolean {
  const number = /^([-+]?\d+)%+$/.exec(text)?.[1]
  return number !== undefined && Number(number) >= 0 && Number(number) <= 100
}

// Quantities, percentages and durations as the kubelet parses them at start.
import { parseDuration } from '../../model/go/duration.ts'
import { parseFloating } from '../../model/go/floating.ts'
import { parseQuantity } from '../../model/go/quantity.ts'

/** parsePercentage of pkg/kubelet/eviction/helpers.go, which computes in float32; NaN where it fails. */
function fractionOf(text: string): number {
  const number = parseFloating(text.replace(/%+$/, ''))
  return number === undefined ? NaN : Math.fround(number / 100)
}

export const turnsOff = (threshold: string) => threshold === '0%' || threshold === '100%'

export function isThreshold(text: string): boolean {
  if (turnsOff(text)) return true
  if (text.endsWith('%')) return fractionOf(text) >= 0 && fractionOf(text) <= 1
  const quantity = parseQuantity(text)
  return quantity !== undefined && !quantity.negative && !quantity.zero
}

export function isReclaim(text: string): boolean {
  if (text.endsWith('%')) return fractionOf(text) > 0
  return parseQuantity(text)?.negative === false
}

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

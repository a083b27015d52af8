// Grammars of single values of a KubeletConfiguration.
import { isObject, type Json } from '../../../src/model/json.ts'
import { isLabelValue, isQualifiedName, taintEffects } from '../go/names.ts'
import { parseQuantity } from '../../../src/go/quantity.ts'
import { isBefore } from '../minors.ts'
import type { Config } from './effective.ts'
import { textOf } from '../go/scalar.ts'

/** Absent where the gate is off. */
export function swapsOf(config: Config): readonly string[] | undefined {
  if (!config.on('NodeSwap')) return undefined
  return ['', 'LimitedSwap', isBefore(config.version, '1.30') ? 'UnlimitedSwap' : 'NoSwap']
}

/** k8s.io/utils/cpuset, Parse. */
export function isCpuSet(text: string): boolean {
  return text.split(',').every((range) => {
    const [, from, to] = /^(\+?\d+)(?:-([-+]?\d+))?$/.exec(range) ?? []
    return from !== undefined && (to === undefined || Number(from) <= Number(to))
  })
}

/** CheckTaintValidation of pkg/util/taints: an effect may be missing, and a value. */
export function isTaint(taint: Json): boolean {
  if (!isObject(taint)) return false
  const { key, value, effect, timeAdded } = taint
  return (
    isQualifiedName(textOf(key)) &&
    isLabelValue(textOf(value)) &&
    ['', ...taintEffects].includes(textOf(effect)) &&
    (timeAdded === undefined || timeAdded === null)
  )
}

/** validation_reserved_memory.go */
export function areReservations(list: readonly Json[]): boolean {
  const limits = list.flatMap((item) => {
    const { numaNode, limits: given } = isObject(item) ? item : {}
    const entries = Object.entries(isObject(given) ? given : {})
    return entries.map(([kind, amount]) => ({
      id: `${textOf(numaNode ?? 0)} ${kind}`,
      kind,
      amount,
    }))
  })
  return (
    new Set(limits.map(({ id }) => id)).size === limits.length &&
    limits.every(
      ({ kind, amount }) =>
        (kind === 'memory' || kind.startsWith('hugepages-')) &&
        parseQuantity(textOf(amount ?? '0'))?.zero === false,
    )
  )
}

// Computes the reservations of a machine from a sizing model.
import { hasTrait } from '../matrix/traits.ts'
import type { Amounts } from '../model/facts.ts'
import { evaluate } from './evaluate.ts'
import type { SizingModel, SizingPart, Thresholds } from '../model/tables.ts'

interface Machine {
  readonly os: 'windows' | 'linux'
  /** In cores. */
  readonly cpu: number
  readonly memoryMiB: number
  readonly maxPods: number
  /** Version of the kubelet. */
  readonly kubelet: string
}

interface ComputedReservations {
  readonly kube: Amounts
  readonly system: Amounts
  readonly evictionHard: Thresholds
}

export function computeReservations(model: SizingModel, machine: Machine): ComputedReservations {
  return {
    kube: amountsOf(model.kube, machine),
    system: amountsOf(model.system, machine),
    evictionHard: thresholdsOf(model, machine),
  }
}

function amountsOf(part: SizingPart, { os, cpu, memoryMiB, maxPods }: Machine): Amounts {
  const extra = os === 'windows' ? (part.windowsMemory ?? 0) : 0
  return {
    cpu: part.cpu ? evaluate(part.cpu, { total: Math.round(cpu * 1000), maxPods }) : 0,
    memory: (part.memory ? evaluate(part.memory, { total: memoryMiB, maxPods }) : 0) + extra,
    ephemeralStorage: part.ephemeralStorage ?? 0,
  }
}

function thresholdsOf({ eviction }: SizingModel, { os, kubelet }: Machine): Thresholds {
  if (os === 'linux') return eviction.linux
  const older = hasTrait('kubelet-memory-eviction', kubelet) ? undefined : eviction.windowsBefore131
  return older ?? eviction.windows
}

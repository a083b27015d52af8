// The reservations of a node: amounts of the profile, else of its sizing model.
import { hasTrait } from '../matrix/traits.ts'
import type { Amounts, Reservations } from '../model/facts.ts'
import type { NodeSpec, ResourceAmounts } from '../model/spec.ts'
import type { SizingModel, SizingPart, Thresholds } from '../model/tables.ts'
import { evaluate } from './evaluate.ts'
import { defaultModel, findSizingModel } from './models.ts'
import { mebibytes, millicores, thresholdMebibytes } from './quantities.ts'

/** The inputs of sizing models. */
export interface NodeSize {
  readonly capacity: Amounts
  readonly maxPods: number
  /** Version of the kubelet. */
  readonly kubelet: string
}

/** An unknown model falls back to `winnode`; a rule reports it. */
export function reservationsOf(spec: NodeSpec): Reservations {
  const model = findSizingModel(spec.reserve.model) ?? defaultModel
  return reserve(model, sizeOf(spec), spec.reserve)
}

export function sizeOf({ machine, kubelet, kubernetes }: NodeSpec): NodeSize {
  return {
    capacity: {
      cpu: machine.cpu * 1000,
      memory: mebibytes(machine.memory, 'down') ?? 0,
      ephemeralStorage: mebibytes(machine.disk, 'down') ?? 0,
    },
    maxPods: kubelet.maxPods,
    kubelet: kubernetes.version,
  }
}

const modelOnly = { kube: {}, system: {}, evictionHard: {} }

export function reserve(
  model: SizingModel,
  size: NodeSize,
  amounts: Omit<NodeSpec['reserve'], 'model'> = modelOnly,
): Reservations {
  const { capacity } = size
  const kube = withOverrides(amounts.kube, amountsOf(model.kube, size))
  const system = withOverrides(amounts.system, amountsOf(model.system, size))
  const hasThresholds = Object.keys(amounts.evictionHard).length > 0
  const thresholds = hasThresholds ? amounts.evictionHard : thresholdsOf(model, size.kubelet)
  const eviction = evictionAmounts(thresholds, capacity)
  return {
    model: model.id,
    capacity,
    kube,
    system,
    eviction,
    allocatable: subtract(capacity, [kube, system, eviction]),
  }
}

function amountsOf(part: SizingPart, { capacity, maxPods }: NodeSize): Amounts {
  const { cpu, memory, windowsMemory = 0, ephemeralStorage = 0 } = part
  return {
    cpu: cpu ? evaluate(cpu, { total: Math.round(capacity.cpu), maxPods }) : 0,
    memory: windowsMemory + (memory ? evaluate(memory, { total: capacity.memory, maxPods }) : 0),
    ephemeralStorage,
  }
}

export function thresholdsOf({ eviction }: SizingModel, kubelet: string): Thresholds {
  const older = hasTrait('kubelet-memory-eviction', kubelet) ? undefined : eviction.windowsBefore131
  return older ?? eviction.windows
}

/** An amount of the profile overrides the model, for each resource by itself. */
function withOverrides(amounts: ResourceAmounts, model: Amounts): Amounts {
  return {
    cpu: parsed(amounts.cpu, millicores) ?? model.cpu,
    memory: parsed(amounts.memory, mebibytes) ?? model.memory,
    ephemeralStorage: parsed(amounts.ephemeralStorage, mebibytes) ?? model.ephemeralStorage,
  }
}

function parsed(
  text: string | undefined,
  parse: (text: string, rounding: 'up') => number | undefined,
): number | undefined {
  return text === undefined ? undefined : parse(text, 'up')
}

function evictionAmounts(thresholds: Thresholds, capacity: Amounts): Amounts {
  const amount = (signal: string, of: number) =>
    thresholdMebibytes(thresholds[signal] ?? '0', of) ?? 0
  return {
    cpu: 0,
    memory: amount('memory.available', capacity.memory),
    ephemeralStorage: amount('nodefs.available', capacity.ephemeralStorage),
  }
}

function subtract(from: Amounts, parts: readonly Amounts[]): Amounts {
  const rest = (pick: (amounts: Amounts) => number) =>
    parts.reduce((left, part) => left - pick(part), pick(from))
  return {
    cpu: rest(({ cpu }) => cpu),
    memory: rest(({ memory }) => memory),
    ephemeralStorage: rest(({ ephemeralStorage }) => ephemeralStorage),
  }
}

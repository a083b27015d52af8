// What a node keeps from its pods: the amounts of the profile, the rest by its sizing model.
import type { Amounts, Reservations } from '../model/facts.ts'
import type { NodeSpec, ResourceAmounts } from '../model/spec.ts'
import { computeReservations } from './compute.ts'
import type { Thresholds } from './model.ts'
import { findSizingModel } from './models.ts'
import { winnodeModel } from './models/winnode.ts'
import { mebibytes, millicores, thresholdMebibytes } from './quantities.ts'

/** A model that nobody knows counts as `winnode`, and a rule says so. */
export function reservationsOf(spec: NodeSpec): Reservations {
  const { machine, reserve } = spec
  const model = findSizingModel(reserve.model) ?? winnodeModel
  const capacity: Amounts = {
    cpu: machine.cpu * 1000,
    memory: mebibytes(machine.memory, 'down') ?? 0,
    ephemeralStorage: mebibytes(machine.disk, 'down') ?? 0,
  }
  const kept = computeReservations(model, {
    os: 'windows',
    cpu: machine.cpu,
    memoryMiB: capacity.memory,
    maxPods: spec.kubelet.maxPods,
    kubelet: spec.kubernetes.version,
  })
  const kube = written(reserve.kube, kept.kube)
  const system = written(reserve.system, kept.system)
  const named = Object.keys(reserve.evictionHard).length > 0
  const eviction = evictionAmounts(named ? reserve.evictionHard : kept.evictionHard, capacity)
  return {
    model: model.id,
    capacity,
    kube,
    system,
    eviction,
    allocatable: subtract(capacity, [kube, system, eviction]),
  }
}

/** What the profile names wins, resource by resource. */
function written(amounts: ResourceAmounts, model: Amounts): Amounts {
  return {
    cpu: read(amounts.cpu, millicores) ?? model.cpu,
    memory: read(amounts.memory, mebibytes) ?? model.memory,
    ephemeralStorage: read(amounts.ephemeralStorage, mebibytes) ?? model.ephemeralStorage,
  }
}

function read(
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

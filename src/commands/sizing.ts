// winnode sizing: compares the reservation models, or explains the reservations of a profile.
import * as Flags from '@oclif/core/flags'
import { newestKubernetes } from '../matrix/newest.ts'
import type { Amounts } from '../model/facts.ts'
import { hasErrors } from '../model/finding.ts'
import { reservationTable, compareModels } from '../present/sizing.ts'
import { table } from '../present/table.ts'
import { largestMachine } from '../matrix/windows.ts'
import { defaultModel, sizingModels } from '../sizing/models.ts'
import { mebibytes } from '../sizing/quantities.ts'
import { reserve, sizeOf, type NodeSize } from '../sizing/reservations.ts'
import { BaseCommand } from './base.ts'
import { checkProfile } from './check-profile.ts'
import { exampleProfile, examples } from './examples.ts'
import { Failure } from './failure.ts'
import { profileFlags, type ProfileFlags } from './profile-flags.ts'
import { sizingValues } from './sizing-values.ts'

export default class Sizing extends BaseCommand {
  static override summary = 'Compare resource reservation models, or explain a profile.'
  static override examples = examples({
    'Compare the models for a machine': 'sizing --cpu 8 --memory 32Gi --max-pods 110',
    'Explain the reservations of a profile': `sizing --profile ${exampleProfile}`,
    'Try another model': 'sizing --profile ./node.yaml --set reserve.model=aks',
  })
  static override flags = {
    cpu: Flags.integer({
      min: 1,
      max: 2048,
      helpValue: 'CORES',
      summary: 'Logical processors of the machine.',
    }),
    memory: Flags.custom<number>({
      helpValue: 'QUANTITY',
      summary: 'Memory of the machine, such as 32Gi.',
      parse: (input) => Promise.resolve(memory(input)),
    })(),
    'max-pods': Flags.integer({
      min: 1,
      max: 1000,
      helpValue: 'PODS',
      summary: 'Maximum pods; default 110.',
    }),
    profile: Flags.string({
      helpValue: 'PROFILE',
      exclusive: ['cpu', 'memory', 'max-pods'],
      summary: 'Explain a built-in profile or a YAML file.',
    }),
    layer: profileFlags.layer,
    set: profileFlags.set,
    root: profileFlags.root,
    'allow-newer': profileFlags['allow-newer'],
  }

  async run(): Promise<object> {
    const { flags } = await this.parse(Sizing)
    if (flags.profile !== undefined) return this.explain(flags.profile, flags)
    const { layer, set, root } = flags
    if (layer !== undefined || set !== undefined || root !== undefined || flags['allow-newer'])
      throw new Failure('usage', '--layer, --set, --root and --allow-newer go with --profile')
    if (flags.cpu === undefined || flags.memory === undefined)
      throw new Failure('usage', 'missing flags: --cpu and --memory, or --profile', [
        'see: winnode sizing --help',
      ])
    return this.compare({
      capacity: { cpu: flags.cpu * 1000, memory: flags.memory, ephemeralStorage: 0 },
      maxPods: flags['max-pods'] ?? 110,
      kubelet: newestKubernetes().newestPatch,
    })
  }

  private compare(size: NodeSize): object {
    this.print(compareModels(size, this.screen('stdout')))
    const models = sizingModels.map((model) => {
      const { kube, system, eviction, allocatable } = reserve(model, size)
      const { id, title, note, approximate = false, see } = model
      const amounts = {
        kube: amountsOf(kube),
        system: amountsOf(system),
        eviction: amountsOf(eviction),
        pods: amountsOf(allocatable),
      }
      return { id, title, default: model === defaultModel, ...amounts, note, approximate, see }
    })
    const { maxPods, kubelet } = size
    return { machine: { ...amountsOf(size.capacity), maxPods, kubelet }, models }
  }

  private explain(profile: string, flags: ProfileFlags): object {
    const checked = checkProfile(profile, flags, this.checkContext())
    if (hasErrors(checked.findings)) this.reject(checked)
    const { spec, reservations } = checked.facts
    const values = sizingValues(checked)
    const screen = this.screen('stdout')
    const rows = values.map(({ path, value, origin }) => [path, String(value), origin])
    this.print(`${reservationTable(sizeOf(spec), reservations, screen)}\n`)
    this.print(table(['FIELD', 'VALUE', 'FROM'], rows, screen))
    const { model, capacity, kube, system, eviction, allocatable } = reservations
    return {
      model,
      machine: amountsWithDisk(capacity),
      kube: amountsWithDisk(kube),
      system: amountsWithDisk(system),
      eviction: amountsWithDisk(eviction),
      pods: amountsWithDisk(allocatable),
      values,
    }
  }
}

function memory(input: string): number {
  const amount = mebibytes(input, 'down')
  if (amount === undefined || amount === 0 || amount > largestMachine.memory)
    throw new Error(`"${input}" is not an amount of memory such as 32Gi`)
  return amount
}

function amountsOf({ cpu, memory: memoryMiB }: Amounts): object {
  return { cpuMillicores: cpu, memoryMiB }
}

function amountsWithDisk(amounts: Amounts): object {
  return { ...amountsOf(amounts), diskMiB: amounts.ephemeralStorage }
}

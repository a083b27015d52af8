// Reservation models as a table: what each reserves of a machine, and what remains for pods.
import type { Amounts, Reservations } from '../model/facts.ts'
import { defaultModel, sizingModels, whyDefault } from '../sizing/models.ts'
import { formatMebibytes, formatMillicores } from '../sizing/quantities.ts'
import { reserve, type NodeSize } from '../sizing/reservations.ts'
import type { Screen } from './screen.ts'
import { table } from './table.ts'
import { wrap } from './wrap.ts'

/** All reservation models side by side, with their notes below. */
export function compareModels(size: NodeSize, screen: Screen): string {
  const say = (label: string, text: string) => wrap(label, text, screen.columns)
  const notes = [...new Set(sizingModels.map(({ note }) => note))]
  const rows = sizingModels.map((model) => {
    const { kube, system, eviction, allocatable } = reserve(model, size)
    return [
      `${model === defaultModel ? '*' : ' '} ${model.id}`,
      formatMillicores(kube.cpu + system.cpu),
      formatMebibytes(kube.memory + system.memory),
      formatMebibytes(eviction.memory),
      formatOrNone(formatMillicores, allocatable.cpu),
      formatOrNone(formatMebibytes, allocatable.memory),
      String(notes.indexOf(model.note) + 1),
    ]
  })
  const numbers = ['RESERVED CPU', 'MEMORY', 'EVICTION', 'ALLOC. CPU', 'MEMORY', '#']
  return [
    `${say('', machineWords(size))}\n`,
    table(['  MODEL', ...numbers.map((name) => ({ numbers: name }))], rows, screen),
    '\n',
    say('*  ', `The default of reserve.model. ${whyDefault}`),
    say('   ', eviction),
    ...notes.map((note, index) => say(`${index + 1}`.padEnd(3), note)),
  ].join('')
}

const { 'memory.available': written = '' } = defaultModel.eviction.windows
const eviction = `EVICTION is evictionHard of the model. A bundle uses ${written} with every model, unless reserve.evictionHard is set.`

/** The reservations of one node, item by item. */
export function reservationTable(
  size: NodeSize,
  reservations: Reservations,
  screen: Screen,
): string {
  const { capacity, kube, system, allocatable } = reservations
  const rows = [
    ['  capacity', ...quantities(capacity)],
    ['- kubeReserved', ...quantities(kube)],
    ['- systemReserved', ...quantities(system)],
    ['- evictionHard', ...quantities(reservations.eviction)],
    ['= allocatable', ...quantities(allocatable)],
  ]
  const header = ['', ...['CPU', 'MEMORY', 'DISK'].map((name) => ({ numbers: name }))]
  const head = `${machineWords(size)}, model ${reservations.model}`
  return `${wrap('', head, screen.columns)}\n${table(header, rows, screen)}`
}

function machineWords({ capacity, maxPods, kubelet }: NodeSize): string {
  const { cpu, memory } = capacity
  const amount = memory % 1024 === 0 ? `${memory / 1024}Gi` : formatMebibytes(memory)
  return `${cpu / 1000} CPU, ${amount}, at most ${maxPods} pods, kubelet ${kubelet}`
}

function formatOrNone(format: (amount: number) => string, amount: number): string {
  return amount > 0 ? format(amount) : 'none'
}

function quantities({ cpu, memory, ephemeralStorage }: Amounts): readonly string[] {
  return [formatMillicores(cpu), formatMebibytes(memory), formatMebibytes(ephemeralStorage)]
}

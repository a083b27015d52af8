// The choices of questions, from the tables; the rules say which are valid.
import { cniNames, cniOf } from '../cni/index.ts'
import type { ErrorCheck } from '../check.ts'
import { linesWith } from '../matrix/containerd.ts'
import { minorsWith } from '../matrix/kubernetes.ts'
import { otherNames, windowsWith } from '../matrix/windows.ts'
import type { Amounts } from '../model/facts.ts'
import type { NetworkMode } from '../model/spec.ts'
import { sizingModels } from '../sizing/models.ts'
import { formatMebibytes, formatMillicores } from '../sizing/quantities.ts'
import { reserve, sizeOf } from '../sizing/reservations.ts'
import type { Offer } from './row.ts'

type Offers = (tried: ErrorCheck) => readonly Offer[]

const support = (end: string, today: string) =>
  today <= end ? `supported until ${end}` : `support ended on ${end}`

/** Newest first. */
export const minors: Offers = ({ facts: { today, added } }) =>
  minorsWith(added)
    .toReversed()
    .map(({ minor, endOfLife }) => ({
      value: minor,
      name: minor,
      note: support(endOfLife, today),
    }))

/** Newest first. */
export const lines: Offers = ({ facts: { today, added } }) =>
  linesWith(added)
    .toReversed()
    .map(({ line, endOfLife, status }) => ({
      value: line,
      name: line,
      note: `${support(endOfLife, today)}${status === 'lts' ? ', a long-term line' : ''}`,
    }))

/** Newest first; without releases past extended support. */
export const releases: Offers = ({ facts: { today, added } }) =>
  windowsWith(added)
    .filter(({ extendedEnd }) => today <= extendedEnd)
    .toReversed()
    .map((release) => ({
      value: release.id,
      name: release.name,
      aliases: [release.name.replace('Windows Server ', ''), ...otherNames(release)],
      note:
        today <= release.mainstreamEnd
          ? `mainstream support until ${release.mainstreamEnd}`
          : `security updates until ${release.extendedEnd}`,
    }))

export const joinMethods: Offers = () => [
  { value: 'kubeadm', name: 'kubeadm', note: 'fetches the CA and checks its hash' },
  {
    value: 'bootstrapKubeconfig',
    name: 'TLS bootstrap',
    note: 'a bootstrap kubeconfig, for clusters without kubeadm',
  },
]

export const plugins: Offers = () =>
  cniNames.map((value) => {
    const { title, modes: has, kubeProxy } = cniOf(value)
    const ways = Object.keys(has).join(' or ')
    return {
      value,
      name: title,
      note: `${ways}, ${kubeProxy === false ? 'without' : 'with'} kube-proxy`,
    }
  })

const modeWords: Readonly<Record<NetworkMode, string>> = {
  overlay: 'encapsulated; nodes may be in different subnets',
  l2bridge: 'not encapsulated',
  transparent: 'the network plugin forwards traffic',
}

export const modes: Offers = ({ facts: { spec } }) => {
  const { modes: has } = cniOf(spec.network.cni)
  return Object.entries(modeWords).map(([value, words]) => {
    const { backend, asks } = Object.entries(has).find(([mode]) => mode === value)?.[1] ?? {}
    const note = asks === undefined ? words : `${words}; ${asks}`
    return {
      value,
      name: value,
      ...(backend !== undefined && { aliases: [backend] }),
      note: backend === undefined || backend === value ? note : `${backend}: ${note}`,
    }
  })
}

/** With columns: reserved and allocatable, CPU and memory in each. */
export const models: Offers = ({ facts: { spec } }) => {
  const sums = sizingModels.map((model) => {
    const { kube, system, allocatable } = reserve(model, sizeOf(spec), spec.reserve)
    const reserved = { cpu: kube.cpu + system.cpu, memory: kube.memory + system.memory }
    return { model, pairs: [reserved, allocatable].map(quantities) }
  })
  const cellOf = (pair: Pair, at: number) =>
    ([0, 1] as const)
      .map((part) =>
        pair[part].padStart(Math.max(...sums.map((row) => row.pairs[at]?.[part].length ?? 0))),
      )
      .join(' ')
  return sums.map(({ model: { id, title, note }, pairs }) => ({
    value: id,
    name: title,
    note,
    cells: pairs.map(cellOf),
  }))
}

type Pair = readonly [cpu: string, memory: string]

const quantities = ({ cpu, memory }: Pick<Amounts, 'cpu' | 'memory'>): Pair => [
  cpu > 0 ? formatMillicores(cpu) : 'none',
  memory > 0 ? formatMebibytes(memory) : 'none',
]

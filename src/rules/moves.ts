// The versions that a profile can move to, the smallest change first.
import { containerdLines } from '../matrix/containerd.ts'
import { kubernetesMinors } from '../matrix/kubernetes.ts'
import {
  defaultSandboxRepository,
  findSandboxRepository,
  sandboxRepositories,
} from '../matrix/sandbox-images.ts'
import { isOfLaterMinor, nearestFirst } from '../matrix/standing.ts'
import type { Facts } from '../model/facts.ts'
import type { Movable, Move } from '../model/move.ts'
import type { SandboxRepository } from '../model/rows.ts'
import type { NodeSpec } from '../model/spec.ts'

const minors = kubernetesMinors.map((row) => row.newestPatch)
const lines = containerdLines.map((row) => row.newestPatch)

type Kubernetes = NonNullable<Move['kubernetes']>

/**
 * Nothing on the node may be newer than the API server: where something would be, the cluster goes first. What a
 * profile leaves open follows kubernetes.version and kubernetes.apiServer.
 */
function ofKubernetes(field: keyof Kubernetes, { kubernetes }: NodeSpec): readonly Move[] {
  const beyond = (patch: string) => isOfLaterMinor(patch, kubernetes.apiServer)
  const own = nearestFirst(minors, kubernetes[field])
  const kubelets = nearestFirst(minors, kubernetes.version)
  const node = [
    ...own.map((patch): Kubernetes => ({ [field]: patch })),
    ...kubelets.map((version): Kubernetes => ({ version })),
    ...kubelets.map((version): Kubernetes => ({ kubeadm: version, version })),
    ...kubelets.map((version): Kubernetes => ({ kubeadm: version, version, kubeProxy: version })),
  ].filter((move) => !Object.values(move).some(beyond))
  const cluster = own.filter(beyond).flatMap((patch): readonly Kubernetes[] => [
    { apiServer: patch, version: patch },
    { apiServer: patch, [field]: patch },
    { apiServer: patch, kubeadm: patch, version: patch, kubeProxy: patch },
  ])
  return [...node, ...cluster].map((move) => ({ kubernetes: move }))
}

function ofSandbox({ sandbox }: Facts): readonly Move[] {
  const own = findSandboxRepository(sandbox.registry, sandbox.repository)
  const images = ({ registry, repository, tags }: SandboxRepository) =>
    tags.map(({ tag }) => `${registry}/${repository}:${tag}`)
  const usual = sandboxRepositories.flatMap(images)
  const all = [
    ...(own ? images(own) : []),
    ...usual.filter((one) => one.startsWith(`${defaultSandboxRepository}:`)),
  ]
  return all.map((sandboxImage) => ({ sandboxImage }))
}

const movesOf: Readonly<Record<Movable, (facts: Facts) => readonly Move[]>> = {
  kubelet: ({ spec }) => ofKubernetes('version', spec),
  'kube-apiserver': ({ spec }) =>
    nearestFirst(minors, spec.kubernetes.apiServer).map((apiServer) => ({
      kubernetes: { apiServer },
    })),
  'kube-proxy': ({ spec }) => ofKubernetes('kubeProxy', spec),
  kubeadm: ({ spec }) => ofKubernetes('kubeadm', spec),
  containerd: ({ spec }) =>
    nearestFirst(lines, spec.containerd.version).map((version) => ({ containerd: { version } })),
  sandboxImage: ofSandbox,
}

/** Another version of the cluster is no matter of this profile alone. */
export function isOfCluster({ kubernetes = {} }: Move): boolean {
  return kubernetes.apiServer !== undefined
}

export function movesFor(movable: Movable, facts: Facts): readonly Move[] {
  return movesOf[movable](facts)
}

/** `Set kubernetes.apiServer and kubernetes.version to 1.37.1: the cluster moves first.` */
export function sentenceOf({ kubernetes = {}, containerd, sandboxImage }: Move): string {
  const [fields, value] = containerd
    ? [['containerd.version'], containerd.version]
    : sandboxImage !== undefined
      ? [['sandboxImage'], sandboxImage]
      : [Object.keys(kubernetes).map((key) => `kubernetes.${key}`), Object.values(kubernetes)[0]]
  const first = kubernetes.apiServer === undefined ? '' : ': the cluster moves first'
  const names = [fields.slice(0, -1).join(', '), fields.at(-1)].filter(Boolean).join(' and ')
  return `Set ${names} to ${value}${first}.`
}

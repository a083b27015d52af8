// The versions that a finding's remedy can suggest, the smallest change first.
import { containerdLines } from '../matrix/containerd.ts'
import { kubernetesMinors } from '../matrix/kubernetes.ts'
import {
  defaultSandboxRepository,
  findSandboxRepository,
  sandboxRepositories,
} from '../matrix/sandbox-images.ts'
import { skipsMinors, stopsOfNodes } from '../matrix/skew.ts'
import { isOfLaterMinor, nearestFirst } from '../matrix/standing.ts'
import type { Facts } from '../model/facts.ts'
import type { Upgradable, Upgrade } from '../model/upgrade.ts'
import type { SandboxRepository } from '../model/tables.ts'
import type { NodeSpec } from '../model/spec.ts'

const minors = kubernetesMinors.map((row) => row.newestPatch)
const lines = containerdLines.map((row) => row.newestPatch)

type KubernetesVersions = NonNullable<Upgrade['kubernetes']>

/**
 * No component of a node may be newer than the API server, so a candidate that would be also sets
 * kubernetes.apiServer. Fields that the profile omits follow kubernetes.version and kubernetes.apiServer.
 * https://kubernetes.io/releases/version-skew-policy/
 */
function kubernetesCandidates(
  field: keyof KubernetesVersions,
  { kubernetes }: NodeSpec,
): readonly Upgrade[] {
  const isBeyond = (patch: string) => isOfLaterMinor(patch, kubernetes.apiServer)
  const own = nearestFirst(minors, kubernetes[field])
  const kubelets = nearestFirst(minors, kubernetes.version)
  const node = [
    ...own.map((patch): KubernetesVersions => ({ [field]: patch })),
    ...kubelets.map((version): KubernetesVersions => ({ version })),
    ...kubelets.map((version): KubernetesVersions => ({ kubeadm: version, version })),
    ...kubelets.map((version): KubernetesVersions => ({
      kubeadm: version,
      version,
      kubeProxy: version,
    })),
  ].filter((upgrade) => !Object.values(upgrade).some(isBeyond))
  const cluster = own.filter(isBeyond).flatMap((patch): readonly KubernetesVersions[] => [
    { apiServer: patch, version: patch },
    { apiServer: patch, [field]: patch },
    { apiServer: patch, kubeadm: patch, version: patch, kubeProxy: patch },
  ])
  return [...node, ...cluster].map((upgrade) => ({ kubernetes: upgrade }))
}

function sandboxCandidates({ sandbox }: Facts): readonly Upgrade[] {
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

const candidatesOf: Readonly<Record<Upgradable, (facts: Facts) => readonly Upgrade[]>> = {
  kubelet: ({ spec }) => kubernetesCandidates('version', spec),
  'kube-proxy': ({ spec }) => kubernetesCandidates('kubeProxy', spec),
  kubeadm: ({ spec }) => kubernetesCandidates('kubeadm', spec),
  containerd: ({ spec }) =>
    nearestFirst(lines, spec.containerd.version).map((version) => ({ containerd: { version } })),
  sandboxImage: sandboxCandidates,
}

/** Whether the upgrade affects the whole cluster; others are preferred. */
export function changesApiServer({ kubernetes = {} }: Upgrade): boolean {
  return kubernetes.apiServer !== undefined
}

/** Whether it sets an older minor than the profile has. */
export function goesBack({ kubernetes = {}, containerd }: Upgrade, spec: NodeSpec): boolean {
  const isOlder = (now: string, to: string | undefined) =>
    to !== undefined && isOfLaterMinor(now, to)
  return (
    isOlder(spec.kubernetes.version, kubernetes.version) ||
    isOlder(spec.kubernetes.kubeProxy, kubernetes.kubeProxy) ||
    isOlder(spec.kubernetes.kubeadm, kubernetes.kubeadm) ||
    isOlder(spec.containerd.version, containerd?.version)
  )
}

export function candidatesFor(component: Upgradable, facts: Facts): readonly Upgrade[] {
  return candidatesOf[component](facts)
}

/** `Upgrade the control plane first, then set kubernetes.apiServer and kubernetes.version to 1.37.1.` */
export function sentenceOf(
  { kubernetes = {}, containerd, sandboxImage }: Upgrade,
  { kubernetes: now }: NodeSpec,
): string {
  if (containerd) return `Set containerd.version to ${containerd.version}.`
  if (sandboxImage !== undefined) return `Set sandboxImage to ${sandboxImage}.`
  const { apiServer, ...node } = kubernetes
  if (apiServer === undefined) return `Set ${valueOf(node, Object.values(node)[0] ?? '')}.`
  const stops = stopsOfNodes(minors, apiServer, now)
  const [first = '', ...later] = stops
  const slowly = skipsMinors(now.apiServer, apiServer) ? ', one minor at a time,' : ','
  const through = ([next = '', ...more]: readonly string[]) =>
    `set ${valueOf(kubernetes, next)}${more.length > 0 ? `; repeat for ${more.join(', then ')}` : ''}.`
  return later.length === 0 || isOfLaterMinor(first, now.apiServer)
    ? `Upgrade the control plane first${slowly} then ${through(stops)}`
    : `Upgrade the nodes first: set ${valueOf(node, first)}. Then upgrade the control plane${slowly} and ${through(later)}`
}

function valueOf(fields: KubernetesVersions, value: string): string {
  const names = Object.keys(fields).map((key) => `kubernetes.${key}`)
  return `${[names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ')} to ${value}`
}

/** `containerd 2.1.9 -> 2.3.7`; the kubelet stands for the components that change with it. */
export function changeOf({ kubernetes = {}, containerd, sandboxImage }: Upgrade, spec: NodeSpec) {
  const changes: readonly (readonly [name: string, from: string, to: string | undefined])[] = [
    ['containerd', spec.containerd.version, containerd?.version],
    ['sandbox image', spec.sandboxImage, sandboxImage],
    ['Kubernetes', spec.kubernetes.version, kubernetes.version],
    ['kube-proxy', spec.kubernetes.kubeProxy, kubernetes.kubeProxy],
    ['kubeadm', spec.kubernetes.kubeadm, kubernetes.kubeadm],
    ['API server', spec.kubernetes.apiServer, kubernetes.apiServer],
  ]
  const change = changes.find(([, , to]) => to !== undefined)
  return change ? `${change[0]} ${change[1]} -> ${change[2] ?? ''}` : ''
}

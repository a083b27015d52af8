// Defaults that winnode assumes about the machine and the cluster, and how to check them.
import { valueAt } from '../model/json.ts'
import type { Layer } from '../model/layer.ts'
import type { Path } from '../model/path.ts'
import type { Decision } from '../model/plan.ts'
import type { NodeSpec } from '../model/spec.ts'

interface Assumption {
  readonly subject: string
  readonly path: Path
  readonly value: (spec: NodeSpec) => string
  readonly with: (spec: NodeSpec) => string
}

const settings = 'kubectl -n kube-system get configmap kubeadm-config -o yaml'
const byKubeadm = ({ join }: NodeSpec) => join.method === 'kubeadm'

const assumptions: readonly Assumption[] = [
  {
    subject: 'processors',
    path: ['machine', 'cpu'],
    value: ({ machine }) => String(machine.cpu),
    with: () => 'the smallest machine: $env:NUMBER_OF_PROCESSORS',
  },
  {
    subject: 'memory',
    path: ['machine', 'memory'],
    value: ({ machine }) => machine.memory,
    with: () => 'the smallest machine: Get-CimInstance Win32_ComputerSystem',
  },
  {
    subject: 'disk',
    path: ['machine', 'disk'],
    value: ({ machine }) => machine.disk,
    with: () => 'the smallest machine: Get-Volume -DriveLetter C',
  },
  {
    subject: 'API server',
    path: ['kubernetes', 'apiServer'],
    value: ({ kubernetes }) => kubernetes.apiServer,
    with: () => 'your cluster: kubectl version',
  },
  {
    subject: 'pod CIDR',
    path: ['network', 'podCIDRs'],
    value: ({ network }) => network.podCIDRs.join(', '),
    with: (spec) =>
      `your cluster: ${byKubeadm(spec) ? `podSubnet in ${settings}` : 'kubectl get nodes -o jsonpath={.items[*].spec.podCIDRs}'}`,
  },
  {
    subject: 'service CIDR',
    path: ['network', 'serviceCIDRs'],
    value: ({ network }) => network.serviceCIDRs.join(', '),
    with: (spec) =>
      `your cluster: ${byKubeadm(spec) ? `serviceSubnet in ${settings}` : 'kubectl get service kubernetes (its ClusterIP is the first address)'}`,
  },
  {
    subject: 'cluster DNS',
    path: ['network', 'clusterDNS'],
    value: ({ network }) => network.clusterDNS.join(', '),
    with: () => 'your cluster: kubectl -n kube-system get service kube-dns',
  },
  {
    subject: 'cluster domain',
    path: ['network', 'clusterDomain'],
    value: ({ network }) => network.clusterDomain,
    with: (spec) =>
      `your cluster: ${byKubeadm(spec) ? `dnsDomain in ${settings}` : 'kubectl -n kube-system get configmap coredns -o yaml'}`,
  },
]

/** Values that the profile does not set, and how to check them. */
export interface Assumed {
  readonly path: Path
  readonly subject: string
  readonly value: string
  readonly compare: string
}

/** The values of a built-in profile are assumptions too. */
export function assumptionsOf(
  spec: NodeSpec,
  origin: (path: Path) => Layer | undefined,
): readonly Assumed[] {
  return assumptions
    .filter(({ path }) => !isSaid(origin(path), path))
    .map(({ path, subject, value, with: truth }) => ({
      path,
      subject,
      value: value(spec),
      compare: truth(spec),
    }))
}

/** null removes an inherited value, so it does not count as set. */
function isSaid(layer: Layer | undefined, path: Path): boolean {
  return layer !== undefined && !layer.fixed && (valueAt(layer.patch, path) ?? null) !== null
}

export function assumed(
  spec: NodeSpec,
  origin: (path: Path) => Layer | undefined,
): readonly Decision[] {
  return assumptionsOf(spec, origin).map(({ subject, value, compare }) => ({
    subject,
    value,
    reason: `assumed; compare with ${compare}`,
  }))
}

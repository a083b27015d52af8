// Defaults that winnode assumes about the machine and the cluster, and how to check them.
import { carries, joinsWithKubeadm } from '../cni/index.ts'
import { isList, isObject, toText, valueAt } from '../model/json.ts'
import type { Layer } from '../model/layer.ts'
import type { Path } from '../model/path.ts'
import type { Decision } from '../model/plan.ts'
import type { NodeSpec } from '../model/spec.ts'

/** Prints how kubeadm made the cluster. */
export const kubeadmConfig = '`kubectl -n kube-system get configmap kubeadm-config -o yaml`'

interface Assumption {
  readonly subject: string
  readonly path: Path
  readonly where: 'the smallest machine' | 'your cluster'
  /** What shows the value there; commands are in backticks. */
  readonly compare: string
  /** Where kubeadm made the cluster, the setting in its ConfigMap. */
  readonly kubeadm?: string
}

const assumptions: readonly Assumption[] = [
  {
    subject: 'processors',
    path: ['machine', 'cpu'],
    where: 'the smallest machine',
    compare: '`$env:NUMBER_OF_PROCESSORS`',
  },
  {
    subject: 'memory',
    path: ['machine', 'memory'],
    where: 'the smallest machine',
    compare: '`Get-CimInstance Win32_ComputerSystem`',
  },
  {
    subject: 'disk',
    path: ['machine', 'disk'],
    where: 'the smallest machine',
    compare: '`Get-Volume -DriveLetter C`',
  },
  {
    subject: 'API server',
    path: ['kubernetes', 'apiServer'],
    where: 'your cluster',
    compare: '`kubectl version`',
  },
  {
    subject: 'pod CIDR',
    path: ['network', 'podCIDRs'],
    where: 'your cluster',
    compare: '`kubectl get nodes -o jsonpath={.items[*].spec.podCIDRs}`',
    kubeadm: 'podSubnet',
  },
  {
    subject: 'service CIDR',
    path: ['network', 'serviceCIDRs'],
    where: 'your cluster',
    compare: '`kubectl get service kubernetes` (its ClusterIP is the first address)',
    kubeadm: 'serviceSubnet',
  },
  {
    subject: 'cluster DNS',
    path: ['network', 'clusterDNS'],
    where: 'your cluster',
    compare: '`kubectl -n kube-system get service kube-dns`',
  },
  {
    subject: 'cluster domain',
    path: ['network', 'clusterDomain'],
    where: 'your cluster',
    compare: '`kubectl -n kube-system get configmap coredns -o yaml`',
    kubeadm: 'dnsDomain',
  },
]

/** Values that the profile does not set, and how to check them. */
export interface Assumed extends Omit<Assumption, 'kubeadm'> {
  readonly value: string
}

/** The values of a built-in profile are assumptions too. */
export function assumptionsOf(
  spec: NodeSpec,
  origin: (path: Path) => Layer | undefined,
): readonly Assumed[] {
  return assumptions
    .filter(({ path }) => carries(spec.network.cni, path) && !isSetByUser(origin(path), path))
    .map(({ path, subject, where, compare, kubeadm }) => ({
      path,
      subject,
      value: assumedText(spec, path),
      where,
      compare:
        kubeadm !== undefined && joinsWithKubeadm(spec)
          ? `${kubeadm} in ${kubeadmConfig}`
          : compare,
    }))
}

function assumedText(spec: NodeSpec, path: Path): string {
  const value = isObject(spec) ? valueAt(spec, path) : undefined
  return isList(value) ? value.map(toText).join(', ') : toText(value ?? '')
}

/** Whether a layer of the user sets it: null removes an inherited value, so it does not count as set. */
export function isSetByUser(layer: Layer | undefined, path: Path): boolean {
  return layer !== undefined && !layer.builtIn && (valueAt(layer.patch, path) ?? null) !== null
}

export function assumed(
  spec: NodeSpec,
  origin: (path: Path) => Layer | undefined,
): readonly Decision[] {
  return assumptionsOf(spec, origin).map(({ subject, value, where, compare }) => ({
    subject,
    value,
    reason: `assumed; compare with ${where}: ${compare}`,
  }))
}

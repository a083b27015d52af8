// Values to a NodeSpec: whatever a profile leaves open is decided here, with its reason.
import { kubernetesOf } from '../matrix/kubernetes.ts'
import { defaultSandboxRepository, sandboxTagFor } from '../matrix/sandbox-images.ts'
import { windowsOf } from '../matrix/windows.ts'
import { driveOf, systemDrive } from '../model/layout.ts'
import type { Upgrade } from '../model/upgrade.ts'
import type { Decision } from '../model/plan.ts'
import type { NodeSpec } from '../model/spec.ts'
import { winnodeModel } from '../sizing/models/winnode.ts'
import type { ProfileValues } from './fields/index.ts'
import {
  artifactsOf,
  hostOf,
  joinOf,
  kubeletOf,
  kubeProxyOf,
  machineOf,
  networkOf,
  registryOf,
  targetsOf,
} from './groups.ts'
import { decideVersions } from './versions.ts'

export interface Resolved {
  readonly spec: NodeSpec
  readonly decisions: readonly Decision[]
}

/** The values with the versions of an upgrade. */
export function withUpgrade(values: ProfileValues, upgrade: Upgrade): ProfileValues {
  return {
    ...values,
    kubernetes: { ...values.kubernetes, ...upgrade.kubernetes },
    containerd: { ...values.containerd, ...upgrade.containerd },
    sandboxImage: upgrade.sandboxImage ?? values.sandboxImage,
  }
}

/** `name` is the bundle's where the profile gives none. */
export function resolveProfile(values: ProfileValues, name: string): Resolved {
  const { kubernetes, containerd, decisions } = decideVersions(values)
  const sandbox = sandboxImageOf(values, kubernetes.kubeadm)
  const { reserve } = values
  const spec: NodeSpec = {
    name: values.name ?? name,
    summary: values.summary ?? `A Windows node of Kubernetes ${kubernetes.version}.`,
    windows: { release: values.windows.release, revision: values.windows.revision },
    kubernetes,
    containerd,
    sandboxImage: sandbox.value,
    network: networkOf(values.network),
    kubelet: kubeletOf(values.kubelet),
    kubeProxy: kubeProxyOf(values.kubeProxy),
    reserve: {
      ...reserve,
      evictionHard: { ...thresholds(containerd.root), ...reserve.evictionHard },
    },
    machine: machineOf(values.machine),
    join: joinOf(values.join),
    services: values.services,
    host: hostOf(values.host),
    registry: registryOf(values.registry),
    artifacts: artifactsOf(values.artifacts),
    isolation: values.isolation,
    targets: targetsOf(values.targets),
    ignore: values.ignore,
  }
  return { spec, decisions: [...decisions, { subject: 'sandbox image', ...sandbox }] }
}

/**
 * Of every model and on every minor: a kubelet turns off what its file leaves out. Images on a drive of
 * their own have a signal of their own, with the kubelet's default.
 * https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/apis/config/v1beta1/defaults_windows.go
 */
function thresholds(root: string): Readonly<Record<string, string>> {
  const images = driveOf(root) === systemDrive ? {} : { 'imagefs.available': '15%' }
  return { ...winnodeModel.eviction.windows, ...images }
}

function sandboxImageOf(
  { sandboxImage, windows }: ProfileValues,
  kubeadm: string,
): Omit<Decision, 'subject'> {
  if (sandboxImage !== undefined) return { value: sandboxImage, reason: 'as the profile says' }
  const asked = kubernetesOf(kubeadm).row.sandboxTag
  const { build } = windowsOf(windows.release)
  const tag = sandboxTagFor(build, asked) ?? asked
  return {
    value: `${defaultSandboxRepository}:${tag}`,
    reason:
      tag === asked
        ? 'what kubeadm asks for'
        : `the first after ${asked}, which kubeadm asks for, with an entry for this Windows build`,
  }
}

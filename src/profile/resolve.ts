// From values to a NodeSpec: computes unset fields, with the reason of each.
import { lockedImage } from '../model/locked-image.ts'
import { driveOf, systemDrive } from '../model/layout.ts'
import type { Upgrade } from '../model/upgrade.ts'
import type { Decision } from '../model/plan.ts'
import type { NodeSpec } from '../model/spec.ts'
import { defaultModel } from '../sizing/models.ts'
import type { ProfileValues } from './fields/index.ts'
import {
  approverOf,
  artifactsOf,
  clusterOf,
  joinOf,
  networkOf,
  proxyCredentialsOf,
  registryOf,
} from './computed-values.ts'
import { decideVersions, sandboxImageOf } from './versions.ts'

interface Resolved {
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

/** `name` is the bundle's name if the profile sets none. */
export function resolveProfile(values: ProfileValues, name: string): Resolved {
  const { kubernetes, containerd, decisions } = decideVersions(values)
  const { reserve, kubeProxy } = values
  const spec: NodeSpec = {
    ...values,
    name: values.name ?? name,
    summary: values.summary ?? `A Windows node of Kubernetes ${kubernetes.version}.`,
    kubernetes,
    containerd,
    sandboxImage: lockedImage(sandboxImageOf(values).value, values.artifacts),
    network: networkOf(values),
    kubelet: { ...values.kubelet, servingCertificateApprover: approverOf(values) },
    kubeProxy: { ...kubeProxy, credentials: proxyCredentialsOf(values) },
    reserve: {
      ...reserve,
      evictionHard: { ...thresholds(containerd.root), ...reserve.evictionHard },
    },
    join: joinOf(values.join),
    registry: registryOf(values.registry),
    artifacts: artifactsOf(values.artifacts),
    cluster: clusterOf(values),
  }
  return { spec, decisions }
}

/**
 * For every model and minor, because a kubelet disables signals missing in its file. Images on a
 * separate drive have a separate signal, with the kubelet's default.
 * https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/apis/config/v1beta1/defaults_windows.go
 */
function thresholds(root: string): Readonly<Record<string, string>> {
  const images = driveOf(root) === systemDrive ? {} : { 'imagefs.available': '15%' }
  return { ...defaultModel.eviction.windows, ...images }
}

// The versions that a profile names or leaves open, decided, each with its reason.
import { cniOf } from '../cni/index.ts'
import { containerdOf } from '../matrix/containerd.ts'
import { newestContainerd, newestKubernetes } from '../matrix/newest.ts'
import { kubernetesOf } from '../matrix/kubernetes.ts'
import type { Nearest } from '../matrix/nearest.ts'
import { crictlFor } from '../matrix/tools.ts'
import { hasTrait } from '../matrix/traits.ts'
import { isPartial, parseVersion } from '../matrix/version.ts'
import type { Decision } from '../model/plan.ts'
import type { NodeSpec } from '../model/spec.ts'
import type { ProfileValues } from './fields/index.ts'

interface Decided {
  readonly kubernetes: NodeSpec['kubernetes']
  readonly containerd: NodeSpec['containerd']
  readonly decisions: readonly Decision[]
}

export function decideVersions({ kubernetes, containerd, network }: ProfileValues): Decided {
  const kubelet = kubeletVersion(kubernetes.version)
  const apiServer = versionOr(kubernetes.apiServer, kubelet, 'the version of the kubelet')
  const kubeProxy = versionOr(kubernetes.kubeProxy, kubelet, 'the version of the kubelet')
  const kubeadm = versionOr(kubernetes.kubeadm, apiServer, 'the version of the API server')
  const runtime = containerdVersion(containerd.version, kubelet.value)
  const configVersion =
    containerd.configVersion ?? (hasTrait('containerd-config-v3', runtime.value) ? 3 : 2)
  const crictl = containerd.crictl ?? crictlFor(kubelet.value).version
  return {
    kubernetes: {
      version: kubelet.value,
      apiServer: apiServer.value,
      kubeProxy: kubeProxy.value,
      kubeadm: kubeadm.value,
    },
    containerd: {
      version: runtime.value,
      configVersion,
      crictl: bare(crictl),
      root: containerd.root,
    },
    decisions: [
      { subject: 'kubelet', ...kubelet },
      { subject: 'API server', ...apiServer },
      ...(cniOf(network.cni).kubeProxy ? [{ subject: 'kube-proxy', ...kubeProxy }] : []),
      { subject: 'kubeadm', ...kubeadm },
      { subject: 'containerd', ...runtime },
      {
        subject: 'config.toml',
        value: `version ${configVersion}`,
        reason:
          containerd.configVersion === undefined
            ? 'the format that every containerd of this major reads'
            : asWritten,
      },
      {
        subject: 'crictl',
        value: bare(crictl),
        reason: containerd.crictl === undefined ? 'the release for this kubelet' : asWritten,
      },
    ],
  }
}

type Choice = Omit<Decision, 'subject'>

const asWritten = 'as the profile says'

function kubeletVersion(written: string | undefined): Choice {
  if (written !== undefined) return patchOf(written, kubernetesOf)
  const row = newestKubernetes()
  return {
    value: row.newestPatch,
    reason: `the newest known patch of ${row.minor}, the newest minor without a known advisory`,
  }
}

function containerdVersion(written: string | undefined, kubelet: string): Choice {
  if (written !== undefined) return patchOf(written, containerdOf)
  const tested = kubernetesOf(kubelet).row
  const row = newestContainerd(tested.containerd)
  return {
    value: row.newestPatch,
    reason: `the newest known patch of ${row.line}, the newest line without a known advisory that Kubernetes ${tested.minor} was tested with`,
  }
}

function versionOr(written: string | undefined, other: Choice, reason: string): Choice {
  if (written === undefined) return { value: other.value, reason }
  return patchOf(written, kubernetesOf)
}

/** A line means its newest known patch; of a line that the tables lack, its first. */
function patchOf(
  written: string,
  find: (version: string) => Nearest<{ readonly newestPatch: string }>,
): Choice {
  if (!isPartial(written)) return { value: bare(written), reason: asWritten }
  const { row, exact } = find(written)
  if (!exact) return { value: bare(written), reason: 'the first patch of its line' }
  return { value: row.newestPatch, reason: `the newest known patch of ${bareLine(written)}` }
}

const bare = (version: string) => parseVersion(version)?.text ?? version
const bareLine = (line: string) => line.replace(/^v/, '')

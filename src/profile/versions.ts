// The versions and the sandbox image, set in the profile or computed, each with its reason.
import { cniOf } from '../cni/index.ts'
import { hasKubeProxy } from '../cni/kube-proxy.ts'
import { containerdOf } from '../matrix/containerd.ts'
import { newestContainerd, newestKubernetes } from '../matrix/newest.ts'
import { kubernetesOf } from '../matrix/kubernetes.ts'
import type { Nearest } from '../matrix/nearest.ts'
import { defaultSandboxRepository, sandboxTagFor } from '../matrix/sandbox-images.ts'
import { isPartial, parseVersion } from '../matrix/version.ts'
import { windowsOf } from '../matrix/windows.ts'
import type { Decision } from '../model/plan.ts'
import type { ConfigVersion } from '../model/choices.ts'
import type { NodeSpec } from '../model/spec.ts'
import type { ProfileValues } from './fields/index.ts'

interface Decided {
  readonly kubernetes: NodeSpec['kubernetes']
  readonly containerd: NodeSpec['containerd']
  readonly decisions: readonly Decision[]
}

export function decideVersions(values: ProfileValues): Decided {
  const kubelet = kubeletOf(values)
  const apiServer = apiServerOf(values)
  const kubeProxy = kubeProxyOf(values)
  const kubeadm = kubeadmOf(values)
  const containerd = containerdVersionOf(values)
  const format = configVersionOf(values)
  const crictl = crictlOf(values)
  return {
    kubernetes: {
      version: kubelet.value,
      apiServer: apiServer.value,
      kubeProxy: kubeProxy.value,
      kubeadm: kubeadm.value,
    },
    containerd: {
      version: containerd.value,
      configVersion: format.value,
      crictl: crictl.value,
      root: values.containerd.root,
    },
    decisions: [
      { subject: 'kubelet', ...kubelet },
      { subject: 'API server', ...apiServer },
      ...(hasKubeProxy(values.network.cni, values.kubeProxy.runsAs)
        ? [{ subject: 'kube-proxy', ...kubeProxy }]
        : []),
      ...(cniOf(values.network.cni).image
        ? []
        : [
            { subject: 'kubeadm', ...kubeadm },
            { subject: 'containerd', ...containerd },
            { subject: 'config.toml', value: `version ${format.value}`, reason: format.reason },
            { subject: 'crictl', ...crictl },
            { subject: 'sandbox image', ...sandboxImageOf(values) },
          ]),
    ],
  }
}

interface Choice<Value = string> {
  readonly value: Value
  readonly reason: string
}

const asWritten = 'set in the profile'

export function kubeletOf({ kubernetes }: ProfileValues): Choice {
  const { version, apiServer } = kubernetes
  if (version !== undefined) return patchOf(version, kubernetesOf)
  // A newer kubelet would be refused.
  if (apiServer !== undefined) {
    const { row, exact } = kubernetesOf(apiServer)
    const minor = exact
      ? 'the minor of the API server'
      : 'the known minor nearest to the API server'
    return { value: row.newestPatch, reason: `newest known patch of ${row.minor}, ${minor}` }
  }
  const row = newestKubernetes()
  return {
    value: row.newestPatch,
    reason: `newest known patch of ${row.minor}, the newest minor with no known CVEs`,
  }
}

export function apiServerOf(values: ProfileValues): Choice {
  return writtenOr(values.kubernetes.apiServer, kubeletOf(values), 'the kubelet version')
}

export function kubeProxyOf(values: ProfileValues): Choice {
  return writtenOr(values.kubernetes.kubeProxy, kubeletOf(values), 'the kubelet version')
}

export function kubeadmOf(values: ProfileValues): Choice {
  const apiServer = apiServerOf(values)
  return writtenOr(values.kubernetes.kubeadm, apiServer, 'the API server version')
}

/** A component with the version of another one, unless the profile sets it. */
function writtenOr(written: string | undefined, { value }: Choice, reason: string): Choice {
  return written === undefined ? { value, reason } : patchOf(written, kubernetesOf)
}

export function containerdVersionOf(values: ProfileValues): Choice {
  const { version } = values.containerd
  if (version !== undefined) return patchOf(version, containerdOf)
  const row = newestContainerd(kubernetesOf(kubeletOf(values).value).row.containerd)
  const kind = row.status === 'lts' ? 'the long-term line' : 'the newest supported line'
  return {
    value: row.newestPatch,
    reason: `newest known patch of ${row.line}, ${kind}`,
  }
}

export function configVersionOf(values: ProfileValues): Choice<ConfigVersion> {
  const { configVersion } = values.containerd
  if (configVersion !== undefined) return { value: configVersion, reason: asWritten }
  const { row } = containerdOf(containerdVersionOf(values).value)
  return {
    value: row.maxConfigVersion,
    reason: `newest config format of containerd ${row.line}`,
  }
}

export function crictlOf(values: ProfileValues): Choice {
  const { crictl } = values.containerd
  if (crictl !== undefined) return { value: bare(crictl), reason: asWritten }
  return {
    value: bare(kubernetesOf(kubeletOf(values).value).row.crictl),
    reason: 'the release for this kubelet version',
  }
}

export function sandboxImageOf(values: ProfileValues): Choice {
  const { sandboxImage, windows } = values
  if (sandboxImage !== undefined) return { value: sandboxImage, reason: asWritten }
  const asked = kubernetesOf(kubeadmOf(values).value).row.sandboxTag
  const { build } = windowsOf(windows.release)
  const tag = sandboxTagFor(build, asked) ?? asked
  return {
    value: `${defaultSandboxRepository}:${tag}`,
    reason:
      tag === asked
        ? 'kubeadm’s default'
        : `the first after ${asked} (kubeadm’s default) with a manifest for this Windows build`,
  }
}

/** A line means its newest known patch; for an unknown line, its first patch. */
function patchOf(
  written: string,
  find: (version: string) => Nearest<{ readonly newestPatch: string }>,
): Choice {
  if (!isPartial(written)) return { value: bare(written), reason: asWritten }
  const { row, exact } = find(written)
  if (!exact) return { value: bare(written), reason: 'the first patch of an unknown line' }
  return { value: row.newestPatch, reason: `newest known patch of ${bareLine(written)}` }
}

const bare = (version: string) => parseVersion(version)?.text ?? version
const bareLine = (line: string) => line.replace(/^v/, '')

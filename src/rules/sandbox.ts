// The sandbox (pause) image: a manifest for this Windows build, a fixed tag, and the tag that kubeadm expects.
import { pickBuild } from '../matrix/image-isolation.ts'
import {
  findSandboxRepository,
  findSandboxTag,
  leavesRpcPort,
  sandboxRepositories,
} from '../matrix/sandbox-images.ts'
import { windowsStatus } from '../matrix/windows.ts'
import type { Facts } from '../model/facts.ts'
import { defineRule, when } from '../model/rule.ts'

const see = 'https://github.com/kubernetes/kubernetes/blob/master/build/pause/CHANGELOG.md'
const path = ['sandboxImage'] as const

function knownTag({ sandbox }: Facts) {
  const repository = findSandboxRepository(sandbox.registry, sandbox.repository)
  return repository && sandbox.tag ? findSandboxTag(repository, sandbox.tag) : undefined
}

export const lacksOs = defineRule({
  id: 'pause-image-lacks-os',
  severity: 'error',
  summary: 'The sandbox (pause) image supports this Windows build.',
  remedy: 'Remove sandboxImage, or use a newer tag.',
  upgrades: ['sandboxImage'],
  see,
  check: (facts) => {
    const tag = knownTag(facts)
    const message = `${facts.spec.sandboxImage} has no manifest for ${facts.windows.name} (build ${facts.windows.build})`
    // Of a release that Kubernetes does not support, another rule reports the release.
    const release = windowsStatus(facts.windows, facts.spec.kubernetes.version)
    return when(
      tag !== undefined &&
        release?.status !== 'unsupported' &&
        pickBuild(facts.windows.build, tag.builds) === undefined,
      path,
      message,
    )
  },
})

export const throughStableAbi = defineRule({
  id: 'pause-image-of-older-windows',
  severity: 'warning',
  harm: 'breaks',
  summary: 'The sandbox image has a manifest for exactly this Windows build.',
  remedy: 'Use a newer tag.',
  upgrades: ['sandboxImage'],
  see,
  check: (facts) => {
    const picked = pickBuild(facts.windows.build, knownTag(facts)?.builds ?? [])
    const message = `${facts.spec.sandboxImage} has no manifest for build ${facts.windows.build}; the one for ${picked} is used`
    return when(picked !== undefined && picked !== facts.windows.build, path, message)
  },
})

export const bootsOlderWindows = defineRule({
  id: 'pause-image-boots-older-windows',
  severity: 'error',
  summary: 'With Hyper-V isolation, the utility VM has the same Windows build as container images.',
  remedy: 'Use a newer tag, or set isolation.hyperV to false.',
  upgrades: ['sandboxImage'],
  see: 'https://github.com/kubernetes-sigs/windows-testing/pull/557',
  check: (facts) => {
    const { windows, spec } = facts
    const picked = pickBuild(windows.build, knownTag(facts)?.builds ?? [])
    const older = picked !== undefined && picked !== windows.build && hasOwnEntry(windows.build)
    const message = `${spec.sandboxImage} starts utility VMs of build ${picked ?? 0}; images for ${windows.name} fail in them (HCS_E_IMAGE_MISMATCH)`
    return when(spec.isolation.hyperV && older, path, message)
  },
})

/** Whether any sandbox image has an entry for this build; if none has, other images for it are rare too. */
function hasOwnEntry(build: number): boolean {
  return sandboxRepositories.some(({ tags }) => tags.some(({ builds }) => builds.includes(build)))
}

export const holdsRpcPort = defineRule({
  id: 'pause-image-holds-rpc-port',
  severity: 'warning',
  harm: 'limits',
  summary: 'The sandbox image leaves port 135 to the pod.',
  remedy: 'Use a newer tag.',
  upgrades: ['sandboxImage'],
  see,
  check: (facts) => {
    const { tag } = facts.sandbox
    const message = `${facts.spec.sandboxImage} occupies RPC port 135 in every pod`
    return when(
      knownTag(facts) !== undefined && tag !== undefined && !leavesRpcPort(tag),
      path,
      message,
    )
  },
})

export const frozenRegistry = defineRule({
  id: 'pause-image-from-frozen-registry',
  severity: 'warning',
  harm: 'ages',
  summary: 'The registry of the sandbox image is maintained.',
  remedy: 'Use an image from registry.k8s.io or mcr.microsoft.com.',
  see: 'https://kubernetes.io/blog/2023/02/06/k8s-gcr-io-freeze-announcement/',
  check: ({ sandbox }) =>
    when(
      sandbox.registry === 'k8s.gcr.io',
      path,
      'registry k8s.gcr.io has been frozen since April 2023',
    ),
})

export const movingTag = defineRule({
  id: 'pause-image-tag-moves',
  severity: 'error',
  summary: 'The sandbox image has a fixed tag or a digest.',
  remedy: 'Set a version tag or a digest.',
  see: 'https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/container-base-images',
  check: ({ spec, sandbox }) =>
    when(
      sandbox.digest === undefined && (sandbox.tag === undefined || sandbox.tag === 'latest'),
      path,
      `${spec.sandboxImage} has no fixed tag, so its content can change`,
    ),
})

export const differsFromKubeadm = defineRule({
  id: 'pause-image-differs-from-kubeadm',
  severity: 'info',
  harm: 'limits',
  summary: 'containerd and kubeadm use the same sandbox image.',
  remedy: 'No action needed; kubeadm only prints a warning when the node joins.',
  see: 'https://kubernetes.io/docs/setup/production-environment/container-runtimes/#override-pause-image-containerd',
  check: ({ spec, sandbox, kubernetes }) =>
    when(
      spec.join.method === 'kubeadm' && sandbox.tag !== kubernetes.sandboxTag,
      path,
      `the sandbox image is ${sandbox.tag ?? sandbox.digest ?? ''}; kubeadm expects ${kubernetes.sandboxTag}`,
    ),
})

// The containerd version and its config format: compatible with the Kubernetes version and Windows build.
import { isUnmet, runtimeRequirements } from '../matrix/runtime-requirements.ts'
import { endedBefore, isRecommendedWith } from '../matrix/kubernetes.ts'
import { isOf } from '../matrix/standing.ts'
import { defineRule, when, type Rule } from '../model/rule.ts'

const path = ['containerd', 'version'] as const
const releases = 'https://github.com/containerd/containerd/blob/main/RELEASES.md'

export const runtimeRequirementRules: readonly Rule[] = runtimeRequirements.map((row) =>
  defineRule({
    id: row.id,
    severity: row.severity,
    harm: row.severity === 'error' ? 'breaks' : 'ages',
    summary: `kubelet ${row.range} ${row.severity === 'error' ? 'needs' : 'should have'} containerd ${row.containerd}.`,
    remedy: 'Use a newer containerd.',
    upgrades: ['containerd'],
    see: row.see,
    check: ({ spec }) =>
      when(
        isUnmet(row, spec.kubernetes.version, spec.containerd.version),
        path,
        row.severity === 'error'
          ? `containerd ${spec.containerd.version} does not work with kubelet ${spec.kubernetes.version}: ${row.why}`
          : `containerd ${spec.containerd.version} works with kubelet ${spec.kubernetes.version}, but ${row.why}`,
      ),
  }),
)

export const untestedPair = defineRule({
  id: 'containerd-untested-with-kubernetes',
  untested: true,
  countedAs: 'untested pair',
  severity: 'warning',
  harm: 'ages',
  summary: 'The containerd project recommends this version for this Kubernetes minor.',
  remedy: 'Use a recommended containerd version.',
  upgrades: ['containerd', 'kubelet'],
  see: releases,
  check: ({ spec, kubernetes }) =>
    when(
      !isRecommendedWith(kubernetes, spec.containerd.version),
      path,
      `containerd ${spec.containerd.version} is not recommended for Kubernetes ${kubernetes.minor}; recommended: ${kubernetes.containerd}`,
    ),
})

/** Not `untested`: an upgrade of Kubernetes is the remedy, also by one minor at a time. */
export const newerThanKubernetes = defineRule({
  id: 'containerd-newer-than-kubernetes',
  severity: 'warning',
  harm: 'ages',
  summary: 'The containerd line was released before the end of life of the Kubernetes minor.',
  remedy: 'Move to a supported Kubernetes minor.',
  upgrades: ['containerd', 'kubelet'],
  see: releases,
  check: ({
    spec: {
      containerd: { version },
    },
    kubernetes,
    containerd,
  }) =>
    when(
      isRecommendedWith(kubernetes, version) &&
        isOf(version, containerd.line) &&
        endedBefore(kubernetes, containerd),
      ['kubernetes', 'version'],
      `containerd ${version} was never tested with Kubernetes ${kubernetes.minor}: ${containerd.line} was released on ${containerd.released}, after the minor’s end of life on ${kubernetes.endOfLife}`,
    ),
})

export const configTooNew = defineRule({
  id: 'containerd-config-too-new',
  severity: 'error',
  summary: 'The containerd version supports the config.toml format.',
  remedy: 'Remove containerd.configVersion.',
  see: 'https://github.com/containerd/containerd/blob/main/docs/cri/config.md',
  check: ({ spec, containerd }) =>
    when(
      spec.containerd.configVersion > containerd.maxConfigVersion,
      ['containerd', 'configVersion'],
      `containerd ${containerd.line} rejects config version ${spec.containerd.configVersion}; the highest supported is ${containerd.maxConfigVersion}`,
    ),
})

export const configOld = defineRule({
  id: 'containerd-config-migrated',
  severity: 'warning',
  harm: 'limits',
  summary: 'The config.toml format is current for the containerd major version.',
  remedy: 'Remove containerd.configVersion.',
  see: 'https://github.com/containerd/containerd/blob/main/docs/cri/config.md',
  check: ({ spec, has }) =>
    when(
      spec.containerd.configVersion === 2 && has('containerd-config-v3'),
      ['containerd', 'configVersion'],
      `containerd ${spec.containerd.version} reads config version 2 only through a deprecated migration`,
    ),
})

export const revisionBeforeBuild = defineRule({
  id: 'containerd-picks-image-by-revision',
  severity: 'warning',
  harm: 'breaks',
  summary: 'containerd selects the image manifest that matches the Windows build.',
  remedy: 'Use a newer containerd.',
  upgrades: ['containerd'],
  see: 'https://github.com/containerd/containerd/blob/main/RELEASES.md',
  check: (facts) =>
    when(
      facts.windows.build > 20_348 &&
        facts.has('containerd-stable-abi') &&
        !facts.has('containerd-newest-build-first'),
      path,
      `containerd ${facts.spec.containerd.version} selects the image manifest with the highest revision, which can be for an older Windows than ${facts.windows.name}`,
    ),
})

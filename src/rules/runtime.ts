// The containerd version and its configuration format: compatible with the Kubernetes version and Windows build.
import { isUnmet, runtimeRequirements } from '../matrix/runtime-requirements.ts'
import { isTestedWith } from '../matrix/kubernetes.ts'
import { defineRule, when, type Rule } from '../model/rule.ts'

const path = ['containerd', 'version'] as const
const releases = 'https://github.com/containerd/containerd/blob/main/RELEASES.md'

export const runtimeRequirementRules: readonly Rule[] = runtimeRequirements.map((row) =>
  defineRule({
    id: row.id,
    severity: row.severity,
    harm: row.severity === 'error' ? 'breaks' : 'ages',
    summary: `A kubelet ${row.range} has a containerd ${row.containerd}.`,
    remedy: 'Choose a newer containerd.',
    upgrades: ['containerd'],
    see: row.see,
    check: ({ spec }) =>
      when(
        isUnmet(row, spec.kubernetes.version, spec.containerd.version),
        path,
        `containerd ${spec.containerd.version} does not serve kubelet ${spec.kubernetes.version}: ${row.why}`,
      ),
  }),
)

export const untestedPair = defineRule({
  id: 'containerd-untested-with-kubernetes',
  severity: 'warning',
  harm: 'ages',
  summary: 'containerd’s authors tested this version with this Kubernetes.',
  remedy: 'Choose a version of the listed range.',
  upgrades: ['containerd'],
  see: releases,
  check: ({ spec, kubernetes }) =>
    when(
      !isTestedWith(kubernetes, spec.containerd.version),
      path,
      `containerd ${spec.containerd.version} is outside of what was tested with Kubernetes ${kubernetes.minor}: ${kubernetes.containerd}`,
    ),
})

export const configTooNew = defineRule({
  id: 'containerd-config-too-new',
  severity: 'error',
  summary: 'containerd reads the format of its config.toml.',
  remedy: 'Leave containerd.configVersion out.',
  see: 'https://github.com/containerd/containerd/blob/main/docs/cri/config.md',
  check: ({ spec, containerd }) =>
    when(
      spec.containerd.configVersion > containerd.maxConfigVersion,
      ['containerd', 'configVersion'],
      `containerd ${containerd.line} refuses format ${spec.containerd.configVersion}; it reads up to ${containerd.maxConfigVersion}`,
    ),
})

export const configOld = defineRule({
  id: 'containerd-config-migrated',
  severity: 'warning',
  harm: 'limits',
  summary: 'config.toml has a format of containerd’s own major.',
  remedy: 'Leave containerd.configVersion out.',
  see: 'https://github.com/containerd/containerd/blob/main/docs/cri/config.md',
  check: ({ spec, has }) =>
    when(
      spec.containerd.configVersion === 2 && has('containerd-config-v3'),
      ['containerd', 'configVersion'],
      `containerd ${spec.containerd.version} reads format 2 by migration only, which is deprecated`,
    ),
})

export const revisionBeforeBuild = defineRule({
  id: 'containerd-picks-image-by-revision',
  severity: 'warning',
  harm: 'breaks',
  summary: 'containerd picks the image entry of the newest Windows build that runs.',
  remedy: 'Choose a newer containerd.',
  upgrades: ['containerd'],
  see: 'https://github.com/containerd/containerd/blob/main/RELEASES.md',
  check: (facts) =>
    when(
      facts.windows.build > 20_348 &&
        facts.has('containerd-stable-abi') &&
        !facts.has('containerd-newest-build-first'),
      path,
      `containerd ${facts.spec.containerd.version} takes the entry with the highest revision, which can be one for an older Windows than ${facts.windows.name}`,
    ),
})

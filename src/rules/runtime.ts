// Which containerd goes with which Kubernetes and Windows.
import { runtimeRequirements } from '../matrix/runtime-requirements.ts'
import { inRange } from '../matrix/version.ts'
import { defineRule, when, type Rule } from '../model/rule.ts'

const path = ['containerd', 'version'] as const
const releases = 'https://github.com/containerd/containerd/blob/main/RELEASES.md'

const requirementRefs: Readonly<Record<string, readonly string[]>> = {
  'runtime-lacks-cri-v1': ['k8s-matrix/CTD001'],
  'runtime-lacks-runtime-config': ['k8s-matrix/CTD002'],
  'runtime-is-losing-support': ['k8s-matrix/CTD003'],
}

export const runtimeRequirementRules: readonly Rule[] = runtimeRequirements.map((row) =>
  defineRule({
    id: row.id,
    severity: row.severity,
    summary: `A kubelet ${row.range} has a containerd ${row.containerd}.`,
    remedy: 'Choose a newer containerd.',
    see: row.see,
    refs: requirementRefs[row.id] ?? [],
    check: ({ spec }) =>
      when(
        inRange(spec.kubernetes.version, row.range) &&
          !inRange(spec.containerd.version, row.containerd),
        path,
        `containerd ${spec.containerd.version} does not serve kubelet ${spec.kubernetes.version}: ${row.why}`,
      ),
  }),
)

export const untestedPair = defineRule({
  id: 'containerd-untested-with-kubernetes',
  severity: 'warning',
  summary: 'containerd’s authors tested this version with this Kubernetes.',
  remedy: 'Choose a version of the listed range.',
  see: releases,
  refs: ['k8s-matrix/CTD004', 'sizing/SUP022'],
  check: ({ spec, kubernetes }) =>
    when(
      !inRange(spec.containerd.version, kubernetes.containerd),
      path,
      `containerd ${spec.containerd.version} is outside of what was tested with Kubernetes ${kubernetes.minor}: ${kubernetes.containerd}`,
    ),
})

export const exactBuildMatcher = defineRule({
  id: 'containerd-refuses-older-images',
  severity: 'error',
  summary: 'containerd on a newer Windows takes images of Windows Server 2022.',
  remedy: 'Choose containerd 1.7.6 or newer.',
  see: 'https://github.com/containerd/containerd/pull/8137',
  refs: ['k8s-matrix/CTD008', 'k8s-matrix/PAU004'],
  check: (facts) =>
    when(
      facts.windows.build > 20_348 && !facts.has('containerd-stable-abi'),
      path,
      `containerd ${facts.spec.containerd.version} takes images of exactly build ${facts.windows.build} only`,
    ),
})

export const pathOverwritten = defineRule({
  id: 'containerd-overwrites-path',
  severity: 'warning',
  summary: 'Containers keep the PATH of their image.',
  remedy: 'Choose containerd 1.6.26, 1.7.11 or newer.',
  see: releases,
  refs: ['k8s-matrix/CTD012'],
  check: ({ spec }) =>
    when(
      inRange(spec.containerd.version, '<1.6.26 || >=1.7 <1.7.11'),
      path,
      `containerd ${spec.containerd.version} overwrites the PATH of containers on Windows`,
    ),
})

export const sandboxWithDigest = defineRule({
  id: 'containerd-fails-on-sandbox-digest',
  severity: 'warning',
  summary: 'containerd can use a sandbox image with tag and digest.',
  remedy: 'Choose containerd 2.3.4 or newer, or leave the digest out.',
  see: 'https://github.com/containerd/containerd/pull/13513',
  refs: ['k8s-matrix/CTD010'],
  check: ({ spec, sandbox }) =>
    when(
      inRange(spec.containerd.version, '>=2.3 <2.3.4') &&
        sandbox.tag !== undefined &&
        sandbox.digest !== undefined,
      ['sandboxImage'],
      `containerd ${spec.containerd.version} starts no pod where the sandbox image has a tag and a digest`,
    ),
})

export const configTooNew = defineRule({
  id: 'containerd-config-too-new',
  severity: 'error',
  summary: 'containerd reads the format of its config.toml.',
  remedy: 'Leave containerd.configVersion out.',
  see: 'https://github.com/containerd/containerd/blob/main/docs/cri/config.md',
  refs: ['k8s-matrix/CTD015', 'k8s-matrix/CTD016', 'sizing/HRD025'],
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
  summary: 'config.toml has a format of containerd’s own major.',
  remedy: 'Leave containerd.configVersion out.',
  see: 'https://github.com/containerd/containerd/blob/main/docs/cri/config.md',
  refs: ['k8s-matrix/CTD021'],
  check: ({ spec }) =>
    when(
      spec.containerd.configVersion === 2 && inRange(spec.containerd.version, '>=2'),
      ['containerd', 'configVersion'],
      `containerd ${spec.containerd.version} reads format 2 by migration only, which is deprecated`,
    ),
})

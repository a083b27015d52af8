// Kubernetes and containerd releases at or near their end of life, and outdated patches.
import { longTermLine } from '../matrix/containerd.ts'
import { isBehind, isOf } from '../matrix/standing.ts'
import { defineRule, when } from '../model/rule.ts'

const releases = 'https://kubernetes.io/releases/'
const runtimes = 'https://containerd.io/releases/'
const kubelet = ['kubernetes', 'version'] as const

export const kubernetesEnded = defineRule({
  id: 'kubernetes-end-of-life',
  countedAs: 'end of life',
  severity: 'warning',
  harm: 'ages',
  summary: 'The Kubernetes minor is supported.',
  remedy: 'Upgrade to a supported minor.',
  upgrades: ['kubelet'],
  see: releases,
  check: ({ spec, kubernetes, today }) =>
    when(
      isOf(spec.kubernetes.version, kubernetes.minor) && today > kubernetes.endOfLife,
      kubelet,
      `Kubernetes ${kubernetes.minor} reached its end of life on ${kubernetes.endOfLife}`,
    ),
})

export const kubernetesEnding = defineRule({
  id: 'kubernetes-in-maintenance',
  severity: 'info',
  harm: 'ages',
  summary: 'The Kubernetes minor is not in maintenance.',
  remedy: 'Plan an upgrade to a newer minor.',
  see: releases,
  check: ({ spec, kubernetes, today }) =>
    when(
      isOf(spec.kubernetes.version, kubernetes.minor) &&
        today >= kubernetes.maintenance &&
        today <= kubernetes.endOfLife,
      kubelet,
      `Kubernetes ${kubernetes.minor} is in maintenance; end of life is ${kubernetes.endOfLife}`,
    ),
})

export const patchBehind = defineRule({
  id: 'kubernetes-patch-behind',
  countedAs: 'older patch',
  severity: 'info',
  harm: 'ages',
  summary: 'The kubelet is on the newest known patch.',
  remedy: 'Set kubernetes.version to the newest patch, or to the minor alone.',
  upgrades: ['kubelet'],
  see: releases,
  check: ({ spec, kubernetes }) =>
    when(
      isBehind(spec.kubernetes.version, kubernetes.newestPatch),
      kubelet,
      `kubelet ${spec.kubernetes.version} is outdated; the newest patch is ${kubernetes.newestPatch}`,
    ),
})

export const containerdEnded = defineRule({
  id: 'containerd-end-of-life',
  countedAs: 'end of life',
  severity: 'warning',
  harm: 'ages',
  summary: 'The containerd line is supported.',
  remedy: 'Upgrade to a supported line.',
  upgrades: ['containerd'],
  see: runtimes,
  check: ({ spec, containerd, today }) =>
    when(
      isOf(spec.containerd.version, containerd.line) && today > containerd.endOfLife,
      ['containerd', 'version'],
      `containerd ${containerd.line} reached its end of life on ${containerd.endOfLife}`,
    ),
})

export const containerdLimited = defineRule({
  id: 'containerd-limited-support',
  countedAs: 'short support',
  severity: 'info',
  harm: 'ages',
  summary: 'The containerd line is a long-term support line.',
  remedy: 'Use the long-term line if you rarely upgrade.',
  upgrades: ['containerd'],
  see: runtimes,
  check: ({ spec, containerd, today }) =>
    when(
      isOf(spec.containerd.version, containerd.line) &&
        today <= containerd.endOfLife &&
        ['active', 'lts-limited'].includes(containerd.status),
      ['containerd', 'version'],
      `containerd ${containerd.line} reaches end of life on ${containerd.endOfLife}; the long-term line is ${longTermLine.line}`,
    ),
})

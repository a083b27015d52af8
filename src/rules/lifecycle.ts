// Kubernetes and containerd releases at or near their end of life, and outdated patches.
import { longTermLine } from '../matrix/containerd.ts'
import { isBehind, isOf } from '../matrix/standing.ts'
import { defineRule, when } from '../model/rule.ts'

const releases = 'https://kubernetes.io/releases/'
const runtimes = 'https://containerd.io/releases/'
const kubelet = ['kubernetes', 'version'] as const

export const kubernetesEnded = defineRule({
  id: 'kubernetes-end-of-life',
  severity: 'warning',
  harm: 'ages',
  summary: 'The Kubernetes minor is supported.',
  remedy: 'Move to a supported minor.',
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
  summary: 'The Kubernetes minor gets more than security fixes.',
  remedy: 'Plan the upgrade to a newer minor.',
  see: releases,
  check: ({ spec, kubernetes, today }) =>
    when(
      isOf(spec.kubernetes.version, kubernetes.minor) &&
        today >= kubernetes.maintenance &&
        today <= kubernetes.endOfLife,
      kubelet,
      `Kubernetes ${kubernetes.minor} is in maintenance and ends on ${kubernetes.endOfLife}`,
    ),
})

export const patchBehind = defineRule({
  id: 'kubernetes-patch-behind',
  severity: 'info',
  harm: 'ages',
  summary: 'The kubelet is at the newest known patch.',
  remedy: 'Raise kubernetes.version, or name the minor alone.',
  see: releases,
  check: ({ spec, kubernetes }) =>
    when(
      isBehind(spec.kubernetes.version, kubernetes.newestPatch),
      kubelet,
      `${kubernetes.newestPatch} is out, and the kubelet is ${spec.kubernetes.version}`,
    ),
})

export const containerdEnded = defineRule({
  id: 'containerd-end-of-life',
  severity: 'warning',
  harm: 'ages',
  summary: 'The containerd line is supported.',
  remedy: 'Move to a supported line.',
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
  severity: 'info',
  harm: 'ages',
  summary: 'The containerd line has a long life.',
  remedy: 'Choose the long-term line where upgrades are rare.',
  see: runtimes,
  check: ({ spec, containerd, today }) =>
    when(
      isOf(spec.containerd.version, containerd.line) &&
        today <= containerd.endOfLife &&
        ['active', 'lts-limited'].includes(containerd.status),
      ['containerd', 'version'],
      `containerd ${containerd.line} is not the long-term line, which is ${longTermLine.line}; it ends on ${containerd.endOfLife}`,
    ),
})

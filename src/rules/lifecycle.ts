// What is out of support on the given day, or soon will be, and what is newer than the tables.
import { containerdOf } from '../matrix/containerd.ts'
import { kubernetesOf } from '../matrix/kubernetes.ts'
import { tablesDate } from '../matrix/tables-date.ts'
import { compareVersions, isNewer, minorOf } from '../matrix/version.ts'
import { defineRule, when } from '../model/rule.ts'

const releases = 'https://kubernetes.io/releases/'
const runtimes = 'https://containerd.io/releases/'
const kubelet = ['kubernetes', 'version'] as const

export const kubernetesEnded = defineRule({
  id: 'kubernetes-end-of-life',
  severity: 'warning',
  summary: 'The Kubernetes minor is supported.',
  remedy: 'Move to a supported minor.',
  see: releases,
  refs: ['k8s-matrix/K8S007', 'sizing/SUP021'],
  check: ({ kubernetes, today }) =>
    when(
      today > kubernetes.endOfLife,
      kubelet,
      `Kubernetes ${kubernetes.minor} reached its end of life on ${kubernetes.endOfLife}`,
    ),
})

export const kubernetesEnding = defineRule({
  id: 'kubernetes-in-maintenance',
  severity: 'info',
  summary: 'The Kubernetes minor gets more than security fixes.',
  remedy: 'Plan the upgrade to a newer minor.',
  see: releases,
  refs: ['k8s-matrix/K8S008'],
  check: ({ kubernetes, today }) =>
    when(
      today >= kubernetes.maintenance && today <= kubernetes.endOfLife,
      kubelet,
      `Kubernetes ${kubernetes.minor} is in maintenance and ends on ${kubernetes.endOfLife}`,
    ),
})

export const newerPatch = defineRule({
  id: 'kubernetes-patch-behind',
  severity: 'info',
  summary: 'The kubelet is at the newest known patch.',
  remedy: 'Raise kubernetes.version, or name the minor alone.',
  see: releases,
  refs: ['k8s-matrix/K8S009'],
  check: ({ spec, kubernetes }) =>
    when(
      minorOf(spec.kubernetes.version) === kubernetes.minor &&
        isNewer(kubernetes.newestPatch, spec.kubernetes.version),
      kubelet,
      `${kubernetes.newestPatch} is out, and the kubelet is ${spec.kubernetes.version}`,
    ),
})

export const kubernetesUnknown = defineRule({
  id: 'kubernetes-newer-than-tables',
  severity: 'warning',
  summary: 'The tables know the Kubernetes version.',
  remedy: 'Update winnode; until then the rules of the newest known minor are used.',
  see: releases,
  refs: ['k8s-matrix/K8S010'],
  check: ({ spec, kubernetes }) => {
    const { version } = spec.kubernetes
    const unknown = isNewer(version, kubernetes.newestPatch)
    const message = `kubelet ${version} is newer than the tables of ${tablesDate}, which end at ${kubernetes.newestPatch}`
    return when(unknown, kubelet, message)
  },
})

export const kubernetesTooOld = defineRule({
  id: 'kubernetes-older-than-tables',
  severity: 'error',
  summary: 'The Kubernetes minor is one that winnode knows.',
  remedy: 'Choose 1.25 or newer.',
  see: releases,
  refs: [],
  check: ({ spec }) => {
    const { row } = kubernetesOf(spec.kubernetes.version)
    const older = compareVersions(spec.kubernetes.version, `${row.minor}.0-0`) < 0
    return when(
      older,
      kubelet,
      `kubelet ${spec.kubernetes.version} is older than ${row.minor}, where the tables begin`,
    )
  },
})

export const containerdEnded = defineRule({
  id: 'containerd-end-of-life',
  severity: 'warning',
  summary: 'The containerd line is supported.',
  remedy: 'Move to a supported line; 2.3 is the long-term one.',
  see: runtimes,
  refs: ['k8s-matrix/CTD005', 'sizing/SUP021'],
  check: ({ containerd, today }) =>
    when(
      today > containerd.endOfLife,
      ['containerd', 'version'],
      `containerd ${containerd.line} reached its end of life on ${containerd.endOfLife}`,
    ),
})

export const containerdLimited = defineRule({
  id: 'containerd-limited-support',
  severity: 'info',
  summary: 'The containerd line has a long life.',
  remedy: 'Choose the long-term line 2.3 where upgrades are rare.',
  see: runtimes,
  refs: ['k8s-matrix/CTD006', 'k8s-matrix/CTD007'],
  check: ({ containerd, today }) =>
    when(
      today <= containerd.endOfLife && ['active', 'lts-limited'].includes(containerd.status),
      ['containerd', 'version'],
      `containerd ${containerd.line} is not a long-term line; it ends on ${containerd.endOfLife}`,
    ),
})

export const containerdUnknown = defineRule({
  id: 'containerd-newer-than-tables',
  severity: 'warning',
  summary: 'The tables know the containerd version.',
  remedy: 'Update winnode; until then the rules of the newest known line are used.',
  see: runtimes,
  refs: [],
  check: ({ spec }) => {
    const { row } = containerdOf(spec.containerd.version)
    const message = `containerd ${spec.containerd.version} is newer than the tables of ${tablesDate}, which end at ${row.newestPatch}`
    return when(
      isNewer(spec.containerd.version, row.newestPatch),
      ['containerd', 'version'],
      message,
    )
  },
})

// Resource reservations, and the allocatable resources that they leave.
import { defineRule, when } from '../model/rule.ts'

const see = 'https://kubernetes.io/docs/concepts/configuration/windows-resource-management/'

export const noAllocatable = defineRule({
  id: 'nothing-left-for-pods',
  severity: 'error',
  summary: 'Reservations leave something to pods.',
  remedy: 'Use a larger machine, or smaller reservations.',
  see,
  check: ({ reservations: { allocatable } }) =>
    (['cpu', 'memory', 'ephemeralStorage'] as const).flatMap((resource) =>
      when(
        allocatable[resource] <= 0,
        ['machine', resource === 'ephemeralStorage' ? 'disk' : resource],
        `the reservations leave no ${resource} to pods`,
      ),
    ),
})

/** https://kubernetes.io/docs/concepts/configuration/windows-resource-management/#resource-reservation */
const recommendedMiB = 2048

export const belowRecommendation = defineRule({
  id: 'reservation-below-windows-floor',
  severity: 'warning',
  harm: 'breaks',
  summary: 'Windows and Kubernetes keep at least 2 GiB.',
  remedy: 'Raise reserve.system.memory to 2Gi.',
  see,
  check: ({ reservations: { kube, system } }) =>
    when(
      kube.memory + system.memory < recommendedMiB,
      ['reserve', 'system', 'memory'],
      `${kube.memory + system.memory}Mi kept for Windows and Kubernetes are below the floor of ${recommendedMiB}Mi`,
    ),
})

export const belowWindowsUsage = defineRule({
  id: 'reservation-starves-windows',
  severity: 'error',
  summary: 'What is kept covers Windows itself.',
  remedy: 'Leave reserve.system.memory out, or raise it to 2Gi.',
  see,
  check: ({ spec, reservations: { kube, system } }) =>
    when(
      spec.reserve.system.memory !== undefined && kube.memory + system.memory < recommendedMiB / 2,
      ['reserve', 'system', 'memory'],
      `${kube.memory + system.memory}Mi are less than Windows alone uses`,
    ),
})

export const mostlyOverhead = defineRule({
  id: 'node-mostly-overhead',
  severity: 'warning',
  harm: 'limits',
  summary: 'Pods get at least half of the memory.',
  remedy: 'Use a larger machine.',
  see,
  check: ({ reservations: { allocatable, capacity } }) =>
    when(
      allocatable.memory > 0 && allocatable.memory * 2 < capacity.memory,
      ['machine', 'memory'],
      `pods get ${allocatable.memory}Mi of ${capacity.memory}Mi`,
    ),
})

export const thresholdOff = defineRule({
  id: 'eviction-threshold-off',
  severity: 'warning',
  harm: 'breaks',
  summary: 'No eviction signal is switched off.',
  remedy: 'Leave the signal out, or give it a threshold.',
  see: 'https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/#eviction-thresholds',
  check: ({ spec }) =>
    Object.entries(spec.reserve.evictionHard).flatMap(([signal, value]) =>
      when(
        value === '0%' || value === '100%',
        ['reserve', 'evictionHard', signal],
        `${value} switches ${signal} off`,
      ),
    ),
})

export const manyPods = defineRule({
  id: 'pods-beyond-tested',
  severity: 'warning',
  harm: 'limits',
  summary: 'The node takes no more pods than anybody tested.',
  remedy: 'Use 250 or fewer.',
  see: 'https://learn.microsoft.com/azure/aks/quotas-skus-regions',
  check: ({ spec }) =>
    when(
      spec.kubelet.maxPods > 250,
      ['kubelet', 'maxPods'],
      `maxPods ${spec.kubelet.maxPods} is beyond the 250 that were tested`,
    ),
})

export const linuxModel = defineRule({
  id: 'reservation-model-for-linux',
  severity: 'warning',
  harm: 'limits',
  summary: 'The reservation model is meant for Windows.',
  remedy: 'Use winnode, or another model for Windows.',
  see: 'https://github.com/openshift/machine-config-operator',
  check: ({ spec }) =>
    when(
      /^openshift(?!-wmco)/.test(spec.reserve.model),
      ['reserve', 'model'],
      `${spec.reserve.model} is used on Linux nodes only`,
    ),
})

export const manyProcessors = defineRule({
  id: 'processors-beyond-one-group',
  severity: 'warning',
  harm: 'limits',
  summary: 'Limits reach every processor group.',
  remedy: 'Use a newer Kubernetes, and Windows Server 2022 or newer.',
  upgrades: ['kubelet'],
  see: 'https://github.com/kubernetes/kubernetes/pull/114231',
  check: ({ spec, windows, has }) =>
    when(
      spec.machine.cpu > 64 && (!has('kubelet-all-processor-groups') || windows.build < 20_348),
      ['machine', 'cpu'],
      `of ${spec.machine.cpu} processors only one group of 64 is used`,
    ),
})

export const noPageFile = defineRule({
  id: 'page-file-moves',
  severity: 'warning',
  harm: 'limits',
  summary: 'The page file has a fixed size.',
  remedy: 'Set host.pageFileMiB, such as 8096.',
  see,
  check: ({ spec }) =>
    when(
      spec.host.pageFileMiB === undefined,
      ['host', 'pageFileMiB'],
      'the page file is managed by Windows, so the point of eviction moves with it',
    ),
})

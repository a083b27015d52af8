// Resource reservations, and the allocatable resources that they leave.
import { cniOf } from '../cni/index.ts'
import { defineRule, when } from '../model/rule.ts'
import { findSizingModel } from '../sizing/models.ts'
import { turnsOff } from '../sizing/quantities.ts'

const see = 'https://kubernetes.io/docs/concepts/configuration/windows-resource-management/'

export const noAllocatable = defineRule({
  id: 'nothing-left-for-pods',
  severity: 'error',
  summary:
    'Allocatable resources are above zero, and above the requests of the network plugin’s pods.',
  remedy: 'Use a larger machine, or lower the reservations.',
  see,
  check: ({ spec, reservations: { allocatable } }) => {
    const { title, podRequests } = cniOf(spec.network.cni)
    const requests = { cpu: 0, memory: 0, ephemeralStorage: 0, ...podRequests }
    return (['cpu', 'memory', 'ephemeralStorage'] as const).flatMap((resource) =>
      when(
        allocatable[resource] <= requests[resource],
        ['machine', resource === 'ephemeralStorage' ? 'disk' : resource],
        allocatable[resource] <= 0
          ? `allocatable ${resource} is zero: the reservations use all of it`
          : `allocatable ${resource} is all requested by the pod of ${title}`,
      ),
    )
  },
})

/** https://kubernetes.io/docs/concepts/configuration/windows-resource-management/#resource-reservation */
const recommendedMiB = 2048

export const belowRecommendation = defineRule({
  id: 'reservation-below-windows-floor',
  severity: 'warning',
  harm: 'breaks',
  summary: 'kubeReserved and systemReserved memory is at least 2Gi.',
  remedy: 'Set reserve.system.memory to 2Gi.',
  see,
  check: ({ reservations: { kube, system } }) =>
    when(
      kube.memory + system.memory < recommendedMiB,
      ['reserve', 'system', 'memory'],
      `reserved memory is ${kube.memory + system.memory}Mi, below the recommended minimum of ${recommendedMiB}Mi`,
    ),
})

export const belowWindowsUsage = defineRule({
  id: 'reservation-starves-windows',
  severity: 'error',
  summary: 'Reserved memory covers Windows itself.',
  remedy: 'Remove reserve.system.memory, or set it to 2Gi.',
  see,
  check: ({ spec, reservations: { kube, system } }) =>
    when(
      spec.reserve.system.memory !== undefined && kube.memory + system.memory < recommendedMiB / 2,
      ['reserve', 'system', 'memory'],
      `reserved memory is ${kube.memory + system.memory}Mi, less than Windows itself uses`,
    ),
})

export const mostlyOverhead = defineRule({
  id: 'node-mostly-overhead',
  severity: 'warning',
  harm: 'limits',
  summary: 'At least half of the memory is allocatable.',
  remedy: 'Use a larger machine.',
  see,
  check: ({ reservations: { allocatable, capacity } }) =>
    when(
      allocatable.memory > 0 && allocatable.memory * 2 < capacity.memory,
      ['machine', 'memory'],
      `allocatable memory is ${allocatable.memory}Mi of ${capacity.memory}Mi`,
    ),
})

export const thresholdOff = defineRule({
  id: 'eviction-threshold-off',
  severity: 'warning',
  harm: 'breaks',
  summary: 'No eviction signal is disabled.',
  remedy: 'Remove the signal, or set a threshold.',
  see: 'https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/#eviction-thresholds',
  check: ({ spec }) =>
    Object.entries(spec.reserve.evictionHard).flatMap(([signal, value]) =>
      when(
        // memory-eviction-off says more about this one.
        turnsOff(value) && signal !== 'memory.available',
        ['reserve', 'evictionHard', signal],
        `${value} disables ${signal}`,
      ),
    ),
})

export const manyPods = defineRule({
  id: 'pods-beyond-tested',
  severity: 'warning',
  harm: 'limits',
  summary: 'maxPods is not above the tested maximum.',
  remedy: 'Set kubelet.maxPods to 250 or less.',
  see: 'https://learn.microsoft.com/azure/aks/quotas-skus-regions',
  check: ({ spec }) =>
    when(
      spec.kubelet.maxPods > 250,
      ['kubelet', 'maxPods'],
      `maxPods ${spec.kubelet.maxPods} is above 250, the tested maximum`,
    ),
})

export const linuxModel = defineRule({
  id: 'reservation-model-for-linux',
  severity: 'warning',
  harm: 'limits',
  summary: 'The reservation model is made for Windows.',
  remedy: 'Set reserve.model to winnode or another Windows model.',
  see: 'https://github.com/openshift/machine-config-operator',
  check: ({ spec }) =>
    when(
      /^openshift(?!-wmco)/.test(spec.reserve.model),
      ['reserve', 'model'],
      `the model ${spec.reserve.model} is for Linux nodes only`,
    ),
})

export const approximateModel = defineRule({
  id: 'reservation-model-approximate',
  severity: 'info',
  harm: 'limits',
  summary: 'The amounts of the reservation model are published.',
  remedy: 'Set the amounts of your nodes in reserve.kube and reserve.system, or use another model.',
  see: 'https://cloud.google.com/kubernetes-engine/docs/concepts/cluster-architecture',
  check: ({ spec }) => {
    const model = findSizingModel(spec.reserve.model)
    return when(
      model?.approximate === true,
      ['reserve', 'model'],
      `the amounts of ${spec.reserve.model} are approximate: ${model?.title ?? ''} have no published ones`,
    )
  },
})

export const manyProcessors = defineRule({
  id: 'processors-beyond-one-group',
  severity: 'warning',
  harm: 'limits',
  summary: 'All processor groups can be used.',
  remedy: 'Use a newer Kubernetes version and Windows Server 2022 or newer.',
  upgrades: ['kubelet'],
  see: 'https://github.com/kubernetes/kubernetes/pull/114231',
  check: ({ spec, windows, has }) =>
    when(
      spec.machine.cpu > 64 && (!has('kubelet-all-processor-groups') || windows.build < 20_348),
      ['machine', 'cpu'],
      `only 64 of ${spec.machine.cpu} processors are used (one processor group)`,
    ),
})

export const noPageFile = defineRule({
  id: 'page-file-moves',
  severity: 'warning',
  harm: 'limits',
  summary: 'The page file has a fixed size.',
  remedy: 'Set host.pageFileMiB, for example to 8096.',
  see,
  check: ({ spec }) =>
    when(
      spec.host.pageFileMiB === undefined,
      ['host', 'pageFileMiB'],
      'the page file size is managed by Windows, so the memory at which eviction starts varies',
    ),
})

// Eviction thresholds of the kubelet, and image garbage collection.
import { settingOf } from '../components/config-table.ts'
import { kubelet } from '../components/kubelet.ts'
import { findEvictionSignal } from '../matrix/eviction-signals.ts'
import { parsePercentage } from '../go/floating.ts'
import { isObject } from '../model/json.ts'
import { driveOf, systemDrive } from '../model/layout.ts'
import { defineRule, when } from '../model/rule.ts'
import { turnsOff } from '../sizing/quantities.ts'

const reference = 'https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/'

export const signalUnsupported = defineRule({
  id: 'eviction-signal-dead-on-windows',
  severity: 'warning',
  harm: 'limits',
  summary: 'Eviction signals have an effect on Windows.',
  remedy:
    'Use memory.available and nodefs.available; add imagefs.available if images are on another drive.',
  see: 'https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/#eviction-signals',
  check: (facts) => {
    const soft = settingOf(kubelet, facts, 'evictionSoft')
    return [
      { path: ['reserve', 'evictionHard'], value: facts.spec.reserve.evictionHard },
      { path: soft.path, value: isObject(soft.value) ? soft.value : {} },
    ].flatMap(({ path, value }) =>
      Object.keys(value).flatMap((signal) => {
        const row = findEvictionSignal(signal)
        return when(
          row?.acts === false,
          [...path, signal],
          `${signal} has no effect on Windows: ${row?.why ?? ''}`,
        )
      }),
    )
  },
})

export const memoryEvictionOff = defineRule({
  id: 'memory-eviction-off',
  severity: 'warning',
  harm: 'breaks',
  summary: 'Eviction on memory.available is enabled.',
  remedy: 'Set a threshold for memory.available, such as 500Mi.',
  see: 'https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/',
  check: ({ spec }) => {
    const threshold = spec.reserve.evictionHard['memory.available'] ?? ''
    return when(
      turnsOff(threshold),
      ['reserve', 'evictionHard', 'memory.available'],
      `${threshold} disables eviction on memory.available; Windows has no OOM killer, so a node out of memory fails as a whole`,
    )
  },
})

export const memoryThresholdLow = defineRule({
  id: 'memory-eviction-late',
  severity: 'warning',
  harm: 'breaks',
  summary: 'The threshold of memory.available is at least 500Mi, the Windows default.',
  remedy: 'Use 500Mi or more.',
  see: 'https://github.com/kubernetes/kubernetes/pull/122922',
  check: ({ spec, reservations }) => {
    const threshold = spec.reserve.evictionHard['memory.available']
    return when(
      threshold !== undefined && !turnsOff(threshold) && reservations.eviction.memory < 500,
      ['reserve', 'evictionHard', 'memory.available'],
      `${threshold} is below the Windows default of 500Mi`,
    )
  },
})

export const memoryEvictionUnsupported = defineRule({
  id: 'memory-eviction-not-acted-on',
  severity: 'info',
  harm: 'limits',
  summary: 'The kubelet version evicts pods on memory.available.',
  remedy: 'Set memory limits on pods, or use a newer Kubernetes version.',
  upgrades: ['kubelet'],
  see: 'https://github.com/kubernetes/kubernetes/pull/122922',
  check: ({ spec, has }) =>
    when(
      !has('kubelet-memory-eviction') && 'memory.available' in spec.reserve.evictionHard,
      ['reserve', 'evictionHard', 'memory.available'],
      `kubelet ${spec.kubernetes.version} never evicts on memory.available on Windows, although it is subtracted from allocatable`,
    ),
})

export const evictionBeforeImageCollection = defineRule({
  id: 'eviction-before-image-collection',
  severity: 'warning',
  harm: 'limits',
  summary: 'Image garbage collection starts before disk eviction.',
  remedy: 'Lower imageGCHighThresholdPercent, or the eviction threshold of the drive with images.',
  see: reference,
  check: (facts) => {
    const { spec } = facts
    const { value, path } = settingOf(kubelet, facts, 'imageGCHighThresholdPercent')
    const high = value ?? 85
    const own = driveOf(spec.containerd.root) !== systemDrive
    const signal = own ? 'imagefs.available' : 'nodefs.available'
    const threshold = spec.reserve.evictionHard[signal] ?? ''
    const evictsAt = turnsOff(threshold) ? 100 : 100 - (parsePercentage(threshold) ?? 0)
    return when(
      typeof high === 'number' && high > evictsAt,
      path,
      `image garbage collection starts at ${JSON.stringify(high)}% disk usage, but eviction already at ${evictsAt}%`,
    )
  },
})

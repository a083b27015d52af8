// Eviction thresholds of the kubelet, and image garbage collection.
import { settingOf } from '../components/component.ts'
import { kubelet } from '../components/kubelet.ts'
import { findEvictionSignal } from '../matrix/eviction-signals.ts'
import { parsePercentage } from '../model/go/floating.ts'
import { driveOf, systemDrive } from '../model/layout.ts'
import { defineRule, when } from '../model/rule.ts'

const reference = 'https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/'

export const signalUnsupported = defineRule({
  id: 'eviction-signal-dead-on-windows',
  severity: 'warning',
  harm: 'limits',
  summary: 'Eviction signals are ones that a Windows kubelet observes.',
  remedy:
    'Use memory.available and nodefs.available, and imagefs.available for images on another drive.',
  see: 'https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/#eviction-signals',
  check: ({ spec }) =>
    Object.keys(spec.reserve.evictionHard).flatMap((signal) => {
      const row = findEvictionSignal(signal)
      return when(
        row?.acts === false,
        ['reserve', 'evictionHard', signal],
        `${signal} does nothing on Windows: ${row?.why ?? ''}`,
      )
    }),
})

export const memoryEvictionOff = defineRule({
  id: 'memory-eviction-off',
  severity: 'warning',
  harm: 'breaks',
  summary: 'The kubelet evicts before memory runs out.',
  remedy: 'Give memory.available a threshold, such as 500Mi.',
  see: 'https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/',
  check: ({ spec }) => {
    const threshold = spec.reserve.evictionHard['memory.available'] ?? ''
    return when(
      ['0%', '100%'].includes(threshold),
      ['reserve', 'evictionHard', 'memory.available'],
      `${threshold} turns memory.available off: Windows has no OOM killer, so a full node fails as a whole`,
    )
  },
})

export const memoryThresholdLow = defineRule({
  id: 'memory-eviction-late',
  severity: 'warning',
  harm: 'breaks',
  summary: 'The memory threshold is at least the Windows default of 500Mi.',
  remedy: 'Use 500Mi or more.',
  see: 'https://github.com/kubernetes/kubernetes/pull/122922',
  check: ({ spec, reservations }) =>
    when(
      'memory.available' in spec.reserve.evictionHard && reservations.eviction.memory < 500,
      ['reserve', 'evictionHard', 'memory.available'],
      `${spec.reserve.evictionHard['memory.available']} is below the Windows default of 500Mi`,
    ),
})

export const memoryEvictionUnsupported = defineRule({
  id: 'memory-eviction-not-acted-on',
  severity: 'info',
  harm: 'limits',
  summary: 'The kubelet acts on memory pressure.',
  remedy: 'Set memory limits, or use a newer Kubernetes.',
  upgrades: ['kubelet'],
  see: 'https://github.com/kubernetes/kubernetes/pull/122922',
  check: ({ spec, has }) =>
    when(
      !has('kubelet-memory-eviction') && 'memory.available' in spec.reserve.evictionHard,
      ['reserve', 'evictionHard', 'memory.available'],
      `kubelet ${spec.kubernetes.version} on Windows subtracts memory.available but never evicts for it`,
    ),
})

export const evictionBeforeImageCollection = defineRule({
  id: 'eviction-before-image-collection',
  severity: 'warning',
  harm: 'limits',
  summary: 'Images are collected before pods are evicted for disk.',
  remedy: 'Lower imageGCHighThresholdPercent, or the threshold of the images’ drive.',
  see: reference,
  check: (facts) => {
    const { spec } = facts
    const { value, path } = settingOf(kubelet, facts, 'imageGCHighThresholdPercent')
    const high = value ?? 85
    const own = driveOf(spec.containerd.root) !== systemDrive
    const signal = own ? 'imagefs.available' : 'nodefs.available'
    const evictsAt = 100 - (parsePercentage(spec.reserve.evictionHard[signal] ?? '') ?? 0)
    return when(
      typeof high === 'number' && high > evictsAt,
      path,
      `images are collected from ${JSON.stringify(high)}% of the disk on, and pods are evicted from ${evictsAt}% on`,
    )
  },
})

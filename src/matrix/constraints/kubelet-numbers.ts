// Ranges of numbers and durations in a KubeletConfiguration.
import type { Constraint } from '../../model/constraint.ts'

const see =
  'https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/apis/config/validation/validation.go'
const tracing = 'https://github.com/kubernetes/component-base/blob/master/tracing/api/v1/config.go'

const port = { least: 1, most: 65_535 }
const percent = { least: 0, most: 100 }
const bit = { least: 0, most: 31 }

export const kubeletNumbers = (): readonly Constraint[] => [
  {
    path: 'containerLogMaxFiles',
    range: '>=1.33',
    least: 2,
    see: 'https://github.com/kubernetes/kubernetes/pull/129072',
  },
  { path: 'containerLogMaxWorkers', least: 1, see },
  { path: 'containerLogMonitorInterval', least: '3s', see },
  {
    path: 'cpuCFSQuotaPeriod',
    least: '1ms',
    most: '1s',
    when: { gate: 'CustomCPUCFSQuotaPeriod', on: true },
    see,
  },
  { path: 'crashLoopBackOff.maxContainerRestartPeriod', least: '1s', most: '300s', see },
  { path: 'eventBurst', least: 0, see },
  { path: 'eventRecordQPS', least: 0, see },
  { path: 'healthzPort', ...port, or: 0, see },
  { path: 'imageGCHighThresholdPercent', ...percent, see },
  { path: 'imageGCLowThresholdPercent', ...percent, see },
  { path: 'imageGCLowThresholdPercent', below: 'imageGCHighThresholdPercent', see },
  { path: 'imageMaximumGCAge', least: '0s', see },
  {
    path: 'imageMinimumGCAge',
    range: '>=1.36',
    least: '0s',
    see: 'https://github.com/kubernetes/kubernetes/pull/135997',
  },
  { path: 'iptablesDropBit', ...bit, see },
  { path: 'iptablesMasqueradeBit', ...bit, see },
  { path: 'kubeAPIBurst', least: 0, see },
  { path: 'kubeAPIQPS', least: 0, see },
  { path: 'maxOpenFiles', least: 0, see },
  { path: 'maxParallelImagePulls', least: 1, see },
  { path: 'maxPods', least: 0, see },
  { path: 'memoryThrottlingFactor', above: 0, most: 1, see },
  { path: 'nodeLeaseDurationSeconds', least: 1, see },
  { path: 'nodeStatusMaxImages', least: -1, see },
  { path: 'oomScoreAdj', least: -1000, most: 1000, see },
  { path: 'podsPerCore', least: 0, see },
  { path: 'port', ...port, see },
  { path: 'readOnlyPort', ...port, or: 0, see },
  { path: 'registryBurst', least: 0, see },
  { path: 'registryPullQPS', least: 0, see },
  ...(['shutdownGracePeriod', 'shutdownGracePeriodCriticalPods'] as const).map(
    (path): Constraint => ({
      path,
      least: '1s',
      or: '0s',
      when: { gate: 'GracefulNodeShutdown', on: true },
      see,
    }),
  ),
  { path: 'tracing.samplingRatePerMillion', least: 0, most: 1_000_000, see: tracing },
]

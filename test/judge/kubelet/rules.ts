// What fields of a KubeletConfiguration ask of each other and of feature gates: ValidateKubeletConfiguration.
// https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/apis/config/validation/validation.go
import { refused, type Finding } from '../finding.ts'
import { second } from '../go/duration.ts'
import { isWithin, minorOf } from '../minors.ts'
import type { Config } from './effective.ts'
import { areReservations, isCpuSet, isTaint, swapsOf } from './grammar.ts'
import { isNormalizedPattern, isPattern } from './image-pattern.ts'
import { textOf } from '../go/scalar.ts'
import { windowsRules } from './windows-rules.ts'

export interface Rule {
  readonly minors?: string
  readonly broken: (config: Config) => boolean
  readonly says: string
}

const shutdown = 'shutdownGracePeriod'
const critical = 'shutdownGracePeriodCriticalPods'
const byPriority = 'shutdownGracePeriodByPodPriority'
const restart = 'crashLoopBackOff.maxContainerRestartPeriod'
const verification = 'imagePullCredentialsVerificationPolicy'
const allowlist = 'preloadedImagesVerificationAllowlist'
const verifications = [
  'NeverVerify',
  'NeverVerifyPreloadedImages',
  'NeverVerifyAllowlistedImages',
  'AlwaysVerify',
]

const isShort = (time: number) => time < 0 || (time > 0 && time < second)
const quota = 100e6

const rules: readonly Rule[] = [
  {
    broken: (c) => c.text('systemCgroups') !== '' && c.text('cgroupRoot') === '',
    says: 'systemCgroups was specified and cgroupRoot was not specified',
  },
  {
    broken: (c) => !c.on('CustomCPUCFSQuotaPeriod') && c.time('cpuCFSQuotaPeriod') !== quota,
    says: 'cpuCFSQuotaPeriod requires feature gate CustomCPUCFSQuotaPeriod',
  },
  {
    broken: (c) =>
      c.on('CustomCPUCFSQuotaPeriod') &&
      (c.time('cpuCFSQuotaPeriod') < 1e6 || c.time('cpuCFSQuotaPeriod') > second),
    says: 'cpuCFSQuotaPeriod must be between 1ms and 1sec, inclusive',
  },
  {
    broken: (c) =>
      c.number('imageGCLowThresholdPercent') >= c.number('imageGCHighThresholdPercent'),
    says: 'imageGCLowThresholdPercent must be less than imageGCHighThresholdPercent',
  },
  {
    minors: '1.29-',
    broken: (c) => c.time('imageMaximumGCAge') !== 0 && !c.on('ImageMaximumGCAge'),
    says: 'ImageMaximumGCAge feature gate is required for imageMaximumGCAge',
  },
  {
    broken: (c) =>
      c.time('imageMaximumGCAge') > 0 && c.time('imageMaximumGCAge') <= c.time('imageMinimumGCAge'),
    says: 'imageMaximumGCAge must be greater than imageMinimumGCAge',
  },
  {
    broken: (c) => c.at('serializeImagePulls') === true && c.number('maxParallelImagePulls') > 1,
    says: 'maxParallelImagePulls cannot be larger than 1 unless SerializeImagePulls is set to false',
  },
  {
    broken: (c) => c.at('serverTLSBootstrap') === true && !c.on('RotateKubeletServerCertificate'),
    says: 'serverTLSBootstrap true requires feature gate RotateKubeletServerCertificate',
  },
  {
    // 1.27 locked the gate.
    minors: '-1.26',
    broken: (c) =>
      !c.on('TopologyManager') &&
      (c.text('topologyManagerPolicy') !== 'none' ||
        c.text('topologyManagerScope') !== 'container'),
    says: 'topologyManagerPolicy and topologyManagerScope require feature gate TopologyManager',
  },
  {
    // 1.31 takes it, 1.33 does not; 1.32 was not asked. https://github.com/kubernetes/kubernetes/pull/126336
    minors: '1.33-',
    broken: (c) => c.at('runOnce') === true,
    says: 'runOnce true, Runonce mode has been deprecated and should not be set',
  },
  {
    broken: (c) => c.on('GracefulNodeShutdown') && c.time(critical) > c.time(shutdown),
    says: `${critical} must be <= ${shutdown}`,
  },
  {
    broken: (c) =>
      c.on('GracefulNodeShutdown') && (isShort(c.time(shutdown)) || isShort(c.time(critical))),
    says: `${shutdown} and ${critical} must be either zero or otherwise >= 1 sec`,
  },
  {
    broken: (c) => (c.time(shutdown) > 0 || c.time(critical) > 0) && !c.on('GracefulNodeShutdown'),
    says: `specifying ${shutdown} or ${critical} requires feature gate GracefulNodeShutdown`,
  },
  {
    broken: (c) => c.list(byPriority).length > 0 && (c.time(shutdown) > 0 || c.time(critical) > 0),
    says: `Cannot specify both ${byPriority} and ${shutdown} at the same time`,
  },
  {
    broken: (c) => c.list(byPriority).length > 0 && !c.on('GracefulNodeShutdownBasedOnPodPriority'),
    says: `Specifying ${byPriority} requires feature gate GracefulNodeShutdownBasedOnPodPriority`,
  },
  {
    broken: (c) => c.text('memorySwap.swapBehavior') !== '' && !swapsOf(c),
    says: 'memorySwap.swapBehavior cannot be set when NodeSwap feature flag is disabled',
  },
  {
    broken: (c) => swapsOf(c)?.includes(c.text('memorySwap.swapBehavior')) === false,
    says: 'memorySwap.swapBehavior must be one of what the minor knows',
  },
  {
    broken: (c) => c.has(restart) && !c.on('KubeletCrashLoopBackOffMax'),
    says: `FeatureGate KubeletCrashLoopBackOffMax not enabled, ${restart} must not be set`,
  },
  {
    // In whole milliseconds.
    broken: (c) =>
      c.has(restart) && (c.time(restart) < second || c.time(restart) >= 300.001 * second),
    says: `${restart} must be set between 1s and 300s`,
  },
  {
    broken: (c) =>
      !c.on('KubeletEnsureSecretPulledImages') &&
      (c.text(verification) !== '' || c.list(allowlist).length > 0),
    says: `${verification} and ${allowlist} need feature gate KubeletEnsureSecretPulledImages`,
  },
  {
    broken: (c) => c.text(verification) !== '' && !verifications.includes(c.text(verification)),
    says: `${verification} must be one of: ${verifications.join(', ')}`,
  },
  {
    broken: (c) =>
      c.list(allowlist).length > 0 && c.text(verification) !== 'NeverVerifyAllowlistedImages',
    says: `can't set ${allowlist} if ${verification} is not "NeverVerifyAllowlistedImages"`,
  },
  {
    minors: '-1.35',
    broken: (c) => c.list(allowlist).some((pattern) => !isNormalizedPattern(textOf(pattern))),
    says: `invalid image pattern in ${allowlist}`,
  },
  {
    // https://github.com/kubernetes/kubernetes/pull/137629, in CHANGELOG-1.36.md
    minors: '1.36-',
    broken: (c) => c.list(allowlist).some((pattern) => !isPattern(textOf(pattern))),
    says: `invalid image pattern in ${allowlist}`,
  },
  {
    broken: (c) =>
      c.text('reservedSystemCPUs') !== '' &&
      c.text('systemReservedCgroup') + c.text('kubeReservedCgroup') !== '',
    says: "can't use reservedSystemCPUs with systemReservedCgroup or kubeReservedCgroup",
  },
  {
    broken: (c) => c.text('reservedSystemCPUs') !== '' && !isCpuSet(c.text('reservedSystemCPUs')),
    says: 'unable to parse reservedSystemCPUs',
  },
  {
    broken: (c) => c.list('registerWithTaints').some((taint) => !isTaint(taint)),
    says: 'invalid taint',
  },
  {
    broken: (c) => !areReservations(c.list('reservedMemory')),
    says: 'reserved memory may not be zero, stand twice, or be of another kind than memory and huge pages',
  },
  {
    broken: (c) => {
      const metrics = c.text('showHiddenMetricsForVersion')
      return metrics !== '' && metrics !== `1.${(minorOf(c.version) % 1000) - 1}`
    },
    says: 'showHiddenMetricsForVersion must be omitted or name the previous minor version',
  },
  {
    // A field since then: k8s.io/kubelet, config/v1beta1/types.go at v0.27.0.
    minors: '1.27-',
    broken: (c) => c.text('containerRuntimeEndpoint') === '',
    says: 'the containerRuntimeEndpoint was not specified or empty',
  },
  {
    broken: (c) => c.at('enableSystemLogQuery') === true && !c.on('NodeLogQuery'),
    says: 'NodeLogQuery feature gate is required for enableSystemLogQuery',
  },
  {
    broken: (c) =>
      c.at('enableSystemLogQuery') === true && c.at('enableSystemLogHandler') === false,
    says: 'enableSystemLogHandler is required for enableSystemLogQuery',
  },
  {
    broken: (c) =>
      c.on('MemoryQoS') && !c.has('memoryThrottlingFactor') && !isWithin(c.version, '1.37-'),
    says: 'memoryThrottlingFactor is required when MemoryQoS feature flag is enabled',
  },
  {
    broken: (c) => c.text('memoryReservationPolicy') === 'TieredReservation' && !c.on('MemoryQoS'),
    says: 'memoryReservationPolicy "TieredReservation" requires MemoryQoS feature gate',
  },
]

export function judgeRules(config: Config): readonly Finding[] {
  return [...rules, ...windowsRules]
    .filter(({ minors = '-', broken }) => isWithin(config.version, minors) && broken(config))
    .map(({ says }) => refused(`invalid configuration: ${says}`))
}

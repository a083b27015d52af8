// Words, texts and paths in a KubeletConfiguration.
import type { Constraint } from '../../model/constraint.ts'
import { cipherSuites } from '../cipher-suites.ts'

const source = 'https://github.com/kubernetes/kubernetes/blob/master'
const see = `${source}/pkg/kubelet/apis/config/validation/validation.go`
const windows = `${source}/pkg/kubelet/apis/config/validation/validation_windows.go`
const memory = `${source}/pkg/kubelet/apis/config/validation/validation_reserved_memory.go`
const server = `${source}/cmd/kubelet/app/server.go`
const suites =
  'https://github.com/kubernetes/component-base/blob/master/cli/flag/ciphersuites_flag.go'
const curves = 'https://github.com/kubernetes/component-base/blob/master/cli/flag/curves_flag.go'
const tracing = 'https://github.com/kubernetes/component-base/blob/master/tracing/api/v1/config.go'

const enforced = ['none', 'pods', 'system-reserved', 'kube-reserved']

export const kubeletWords = (): readonly Constraint[] => [
  {
    path: 'authorization.mode',
    oneOf: ['AlwaysAllow', 'Webhook'],
    see: `${source}/cmd/kubelet/app/auth.go`,
  },
  {
    path: 'cgroupsPerQOS',
    range: '<1.31',
    oneOf: [false],
    see: windows,
  },
  {
    path: 'containerLogMaxSize',
    form: 'container log size',
    see: `${source}/pkg/kubelet/logs/container_log_manager.go`,
  },
  { path: 'enforceNodeAllocatable', range: '<1.31', oneOf: [[]], see: windows },
  { path: 'enforceNodeAllocatable[]', range: '>=1.31 <1.32', oneOf: enforced, see },
  {
    path: 'enforceNodeAllocatable[]',
    range: '>=1.32',
    oneOf: [...enforced, 'system-reserved-compressible', 'kube-reserved-compressible'],
    see,
  },
  { path: 'hairpinMode', oneOf: ['none', 'hairpin-veth', 'promiscuous-bridge'], see },
  {
    path: 'imagePullCredentialsVerificationPolicy',
    oneOf: [
      'NeverVerify',
      'NeverVerifyPreloadedImages',
      'NeverVerifyAllowlistedImages',
      'AlwaysVerify',
    ],
    when: { gate: 'KubeletEnsureSecretPulledImages', on: true },
    see,
  },
  {
    path: 'kubeReserved{key}',
    oneOf: ['cpu', 'memory', 'ephemeral-storage', 'pid'],
    see: server,
  },
  { path: 'kubeReserved{}', form: 'reserved quantity', see: server },
  { path: 'memoryReservationPolicy', oneOf: ['None', 'TieredReservation'], see },
  {
    path: 'memorySwap.swapBehavior',
    range: '<1.30',
    oneOf: ['', 'LimitedSwap', 'UnlimitedSwap'],
    when: { gate: 'NodeSwap', on: true },
    see,
  },
  {
    path: 'memorySwap.swapBehavior',
    range: '>=1.30',
    oneOf: ['', 'LimitedSwap', 'NoSwap'],
    when: { gate: 'NodeSwap', on: true },
    see,
  },
  { path: 'podLogsDir', form: 'pod log folder', see },
  {
    path: 'podPidsLimit',
    ignored: 'less than -1 becomes -1, which is no limit',
    when: { path: 'podPidsLimit', below: -1 },
    see: `${source}/pkg/kubelet/apis/config/v1beta1/defaults.go`,
  },
  {
    path: 'preloadedImagesVerificationAllowlist[]',
    form: 'image pattern',
    see: `${source}/pkg/kubelet/images/pullmanager/image_pull_policies.go`,
  },
  {
    path: 'qosReserved{key}',
    oneOf: ['memory'],
    see: `${source}/pkg/kubelet/cm/container_manager.go`,
  },
  {
    path: 'qosReserved{}',
    form: 'share of memory',
    see: `${source}/pkg/kubelet/cm/container_manager.go`,
  },
  { path: 'reservedMemory', form: 'memory reserved once', see: memory },
  { path: 'reservedMemory[].limits{key}', form: 'kind of memory', see: memory },
  { path: 'reservedMemory[].limits{}', form: 'positive quantity', see: memory },
  { path: 'reservedSystemCPUs', form: 'CPU set', see },
  { path: 'showHiddenMetricsForVersion', form: 'previous minor', see },
  {
    path: 'systemReserved{key}',
    oneOf: ['cpu', 'memory', 'ephemeral-storage', 'pid'],
    see: server,
  },
  { path: 'systemReserved{}', form: 'reserved quantity', see: server },
  {
    path: 'tlsCipherSuites[]',
    oneOf: [
      ...cipherSuites.strong,
      ...cipherSuites.aliases,
      ...cipherSuites.fixed,
      ...cipherSuites.weak,
    ],
    see: suites,
  },
  { path: 'tlsCurvePreferences', unique: true, see: curves },
  { path: 'tlsCurvePreferences[]', oneOf: cipherSuites.keyExchanges, see: curves },
  {
    path: 'tlsMinVersion',
    oneOf: ['', 'VersionTLS10', 'VersionTLS11', 'VersionTLS12', 'VersionTLS13'],
    see: suites,
  },
  {
    path: 'topologyManagerPolicy',
    oneOf: ['none', 'best-effort', 'restricted', 'single-numa-node'],
    see,
  },
  { path: 'topologyManagerScope', oneOf: ['container', 'pod'], see },
  { path: 'tracing.endpoint', form: 'endpoint of traces', see: tracing },
]

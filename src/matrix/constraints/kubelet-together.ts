// What fields of a KubeletConfiguration ask of each other and of feature gates.
import type { Constraint } from '../../model/constraint.ts'

const source = 'https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/apis/config'
const see = `${source}/validation/validation.go`
const windows = `${source}/validation/validation_windows.go`

const graces = ['shutdownGracePeriod', 'shutdownGracePeriodCriticalPods']
const verifies = 'KubeletEnsureSecretPulledImages'

export const kubeletTogether = (): readonly Constraint[] => [
  {
    path: 'cgroupsPerQOS',
    range: '>=1.31',
    oneOf: [true],
    when: { path: 'enforceNodeAllocatable', hasOther: 'none' },
    see,
  },
  {
    path: 'cgroupsPerQOS',
    range: '>=1.31',
    ignored: 'Windows has no cgroups',
    when: { path: 'cgroupsPerQOS', is: true },
    see: windows,
  },
  { path: 'cpuCFSQuotaPeriod', gate: 'CustomCPUCFSQuotaPeriod', unless: '100ms', see },
  {
    path: 'crashLoopBackOff.maxContainerRestartPeriod',
    gate: 'KubeletCrashLoopBackOffMax',
    see,
  },
  { path: 'defaultPodSysctls{key}', never: 'Windows has no such settings', see: windows },
  { path: 'enableSystemLogQuery', gate: 'NodeLogQuery', see },
  {
    path: 'enableSystemLogQuery',
    needs: 'enableSystemLogHandler',
    as: true,
    when: { path: 'enableSystemLogQuery', is: true },
    see,
  },
  {
    path: 'enforceNodeAllocatable',
    range: '>=1.32',
    filled: 'the merge with a drop-in folder loses an empty list, and takes pods',
    when: { dropIns: true },
    see: 'https://github.com/kubernetes/kubernetes/pull/127421',
  },
  { path: 'enforceNodeAllocatable', range: '>=1.31', alone: 'none', see },
  { path: 'enforceNodeAllocatable', range: '>=1.31', unique: true, see },
  ...(['system', 'kube'] as const).flatMap((whose): readonly Constraint[] => {
    const [whole, part] = [`${whose}-reserved`, `${whose}-reserved-compressible`]
    return [
      { path: 'enforceNodeAllocatable', range: '>=1.32', apart: [whole, part], see },
      {
        path: 'enforceNodeAllocatable',
        range: '>=1.31',
        needs: `${whose}ReservedCgroup`,
        when: { path: 'enforceNodeAllocatable', has: [whole, part] },
        see,
      },
    ]
  }),
  { path: 'imageMaximumGCAge', gate: 'ImageMaximumGCAge', see },
  { path: 'imageMaximumGCAge', beyond: 'imageMinimumGCAge', see },
  { path: 'imagePullCredentialsVerificationPolicy', gate: verifies, see },
  {
    path: 'maxParallelImagePulls',
    most: 1,
    when: { path: 'serializeImagePulls', is: true, written: true },
    see,
  },
  { path: 'memoryReservationPolicy', gate: 'MemoryQoS', unless: 'None', see },
  { path: 'memorySwap.swapBehavior', gate: 'NodeSwap', see },
  { path: 'preloadedImagesVerificationAllowlist', gate: verifies, see },
  {
    path: 'preloadedImagesVerificationAllowlist',
    needs: 'imagePullCredentialsVerificationPolicy',
    as: 'NeverVerifyAllowlistedImages',
    see,
  },
  {
    path: 'reservedSystemCPUs',
    excludes: ['systemReservedCgroup', 'kubeReservedCgroup'],
    see,
  },
  {
    path: 'runOnce',
    range: '>=1.32',
    oneOf: [false],
    see: 'https://github.com/kubernetes/kubernetes/pull/126336',
  },
  { path: 'serverTLSBootstrap', gate: 'RotateKubeletServerCertificate', see },
  ...graces.map((path): Constraint => ({ path, gate: 'GracefulNodeShutdown', see })),
  {
    path: 'shutdownGracePeriodByPodPriority',
    gate: 'GracefulNodeShutdownBasedOnPodPriority',
    see,
  },
  { path: 'shutdownGracePeriodByPodPriority', excludes: graces, see },
  {
    path: 'shutdownGracePeriodCriticalPods',
    upTo: 'shutdownGracePeriod',
    when: { gate: 'GracefulNodeShutdown', on: true },
    see,
  },
  { path: 'singleProcessOOMKill', never: 'Windows has no cgroups', see: windows },
  { path: 'systemCgroups', needs: 'cgroupRoot', see },
  { path: 'topologyManagerPolicy', range: '<1.27', gate: 'TopologyManager', unless: 'none', see },
  {
    path: 'topologyManagerScope',
    range: '<1.27',
    gate: 'TopologyManager',
    unless: 'container',
    see,
  },
  { path: 'tracing', gate: 'KubeletTracing', see },
  { path: 'userNamespaces', never: 'Windows has no user namespaces', see: windows },
]

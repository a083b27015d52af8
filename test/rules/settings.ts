// Rows of settings and feature gates of the kubelet: what it refuses, ignores and does not know.
import type { JsonObject } from '../../src/model/json.ts'
import { config, containerd, gate, kubernetes, type Row } from './profiles.ts'

const watched = (strategy: string) => ({ configMapAndSecretChangeDetectionStrategy: strategy })

const withAffinity = (fields: JsonObject) => ({
  kubelet: { config: fields, featureGates: { WindowsCPUAndMemoryAffinity: true } },
})

const reserved = (limits: JsonObject) => config({ reservedMemory: [{ numaNode: 0, limits }] })

const curves = { tlsCurvePreferences: [23, 24, 25, 29, 4587, 4588, 4589] }

export const settingsRows: readonly Row[] = [
  ['kubelet-setting-ignored', config({ cgroupsPerQOS: true }), config({ cgroupsPerQOS: false })],
  [
    'kubelet-setting-refused',
    config({ enforceNodeAllocatable: ['pods'] }),
    config({ enforceNodeAllocatable: ['none'] }),
  ],
  [
    'kubelet-setting-refused',
    { kubelet: { dropInDirectory: 'C:\\d', config: { enforceNodeAllocatable: [] } } },
    config({ enforceNodeAllocatable: [] }),
  ],
  ['kubelet-setting-refused', config({ singleProcessOOMKill: false })],
  ['kubelet-setting-refused', { reserve: { evictionHard: { 'disk.available': '10%' } } }],
  ['kubelet-setting-refused', config({ imageGCLowThresholdPercent: 90 })],
  ['kubelet-setting-refused', config({ hairpinMode: '0' }), config({ hairpinMode: 'none' })],
  [
    'kubelet-setting-refused',
    config({ imageMaximumGCAge: '2m' }),
    config({ imageMaximumGCAge: '2m1s' }),
  ],
  ['kubelet-setting-refused', config({ topologyManagerScope: '0' })],
  [
    'kubelet-setting-refused',
    config({ showHiddenMetricsForVersion: '0.1' }),
    config({ showHiddenMetricsForVersion: '' }),
  ],
  [
    'kubelet-setting-refused',
    config({ systemCgroups: '-5s' }),
    config({ systemCgroups: '0', cgroupRoot: '/' }),
  ],
  ['kubelet-setting-ignored', config({ syncFrequency: '0' }), config({ staticPodURL: '0' })],
  ['kubelet-setting-ends-start', config({ address: 'localhost' }), config({ address: '::' })],
  [
    'kubelet-setting-ends-start',
    config({ address: '0.0.0.256' }),
    config({ address: 'localhost', enableServer: false }),
  ],
  ['kubelet-setting-ends-start', config(watched('watch')), config(watched('Watch'))],
  ['kubelet-setting-ends-start', config(watched('TTL')), config(watched(''))],
  ...['cpuManagerPolicyOptions', 'topologyManagerPolicyOptions'].map((name): Row => [
    'resource-manager-without-effect',
    config({ [name]: { 'full-pcpus-only': 'true' } }),
    config({ [name]: {} }),
  ]),
  ['kubelet-setting-ends-start', withAffinity({ cpuManagerPolicy: 'Static' })],
  [
    'kubelet-setting-ends-start',
    config({ reservedSystemCPUs: '0-1' }),
    withAffinity({ reservedSystemCPUs: '0-1' }),
  ],
  [
    'kubelet-setting-ends-start',
    { ...kubernetes('1.31.14'), ...config({ reservedSystemCPUs: '0' }) },
    config({ reservedSystemCPUs: '' }),
  ],
  [
    'kubelet-setting-ends-start',
    withAffinity({ memoryManagerPolicy: 'BestEffort' }),
    withAffinity({
      cpuManagerPolicy: 'static',
      memoryManagerPolicy: 'BestEffort',
      reservedMemory: [{ numaNode: 0, limits: { memory: '1Gi' } }],
    }),
  ],
  [
    'kubelet-setting-refused',
    config({ defaultPodSysctls: { 'net.ipv4.ip_forward': '1' } }),
    config({ defaultPodSysctls: {} }),
  ],
  ['kubelet-setting-refused', config({ tlsCurvePreferences: [22] }), config(curves)],
  ['kubelet-setting-refused', config({ tlsCurvePreferences: [26] }), config(curves)],
  ['kubelet-setting-refused', config({ tlsCurvePreferences: [4586] })],
  ['kubelet-setting-refused', config({ tlsCurvePreferences: [4590] })],
  [
    'kubelet-setting-refused',
    config({ logging: { vmodule: [{ verbosity: 3 }] } }),
    config({ logging: { vmodule: [{ filePattern: 'a*', verbosity: 3 }] } }),
  ],
  ['kubelet-setting-refused', config({ imageGCHighThresholdPercent: 79 })],
  [
    'kubelet-setting-refused',
    config({ reservedSystemCPUs: '3-1' }),
    config({ reservedSystemCPUs: '0-1,3' }),
  ],
  ['kubelet-setting-refused', config({ reservedSystemCPUs: '0,' })],
  [
    'kubelet-setting-refused',
    config({ reservedSystemCPUs: '0', kubeReservedCgroup: '/k' }),
    config({ reservedSystemCPUs: '', kubeReservedCgroup: '/k' }),
  ],
  [
    'kubelet-setting-refused',
    config({ tracing: { endpoint: 'https://collector:4317' } }),
    config({ tracing: { endpoint: 'collector:4317' } }),
  ],
  [
    'kubelet-setting-refused',
    config({ podLogsDir: 'C:\\logs\\..\\pods' }),
    config({ podLogsDir: 'C:\\logs\\..pods' }),
  ],
  [
    'kubelet-setting-refused',
    config({ podLogsDir: '\\\\server\\share\\l\u00f6gs' }),
    config({ podLogsDir: '\\\\server\\share\\logs' }),
  ],
  [
    'kubelet-setting-refused',
    config({ qosReserved: { memory: '101%' } }),
    config({ qosReserved: { memory: '50%' } }),
  ],
  [
    'kubelet-setting-refused',
    reserved({ memory: '1Gi', 'hugepages-2Mi': 0 }),
    reserved({ memory: '1Gi', 'hugepages-2Mi': 2_097_152 }),
  ],
  ['kubelet-setting-refused', reserved({ memory: '1Gi', cpu: '1' })],
  [
    'kubelet-setting-refused',
    config({ logging: { options: { text: { infoBufferSize: '1' } } } }),
    config({ logging: { options: { text: { infoBufferSize: '0' } } } }),
  ],
  [
    'kubelet-setting-mistyped',
    config({ memoryThrottlingFactor: '0.5' }),
    config({ memoryThrottlingFactor: 0.5 }),
  ],
  [
    'kubelet-setting-mistyped',
    config({ shutdownGracePeriodByPodPriority: [5] }),
    config({ shutdownGracePeriodByPodPriority: [null] }),
  ],
  [
    'kubelet-setting-mistyped',
    config({ registerWithTaints: [{ key: 'a', effect: 'NoSchedule', timeAdded: 'today' }] }),
    config({ registerWithTaints: [{ key: 'a', timeAdded: '2026-01-31T12:00:00Z' }] }),
  ],
  [
    'kubelet-field-unknown',
    config({ maxParallelImagePull: 5 }),
    config({ maxParallelImagePulls: 5 }),
  ],
  [
    'kubelet-field-unknown',
    { ...kubernetes('1.31.14'), ...config({ crashLoopBackOff: {} }) },
    config({ crashLoopBackOff: {} }),
  ],
  ['kubelet-field-linux-only', config({ podPidsLimit: 10, cgroupDriver: 'systemd' })],
  ['kubelet-gate-unknown', { kubelet: { featureGates: { NoSuchGate: true } } }],
  [
    'kubelet-setting-refused',
    { kubelet: { shutdownGracePeriod: '60s', featureGates: { GracefulNodeShutdown: false } } },
    { kubelet: { featureGates: { GracefulNodeShutdown: false } } },
  ],
  [
    'kubelet-setting-refused',
    { kubelet: { shutdownGracePeriod: '1m', shutdownGracePeriodCriticalPods: '61s' } },
    { kubelet: { shutdownGracePeriod: '1m', shutdownGracePeriodCriticalPods: '60s' } },
  ],
  [
    'kubelet-setting-mistyped',
    { ...kubernetes('1.27.16'), ...config({ logging: { flushFrequency: '5s' } }) },
    { ...kubernetes('1.28.0-rc.1'), ...config({ logging: { flushFrequency: '5s' } }) },
  ],
  [
    'kubelet-setting-mistyped',
    { ...kubernetes('1.25.0'), ...config({ logging: { flushFrequency: '5s' } }) },
    { ...kubernetes('1.27.16'), ...config({ logging: { flushFrequency: 5_000_000_000 } }) },
  ],
  [
    'kubelet-setting-refused',
    config({ tlsCipherSuites: ['ECDHE-RSA-AES128-GCM-SHA256'] }),
    config({ tlsCipherSuites: ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'] }),
  ],
  [
    'kubelet-cipher-suite-weak',
    config({ tlsCipherSuites: ['TLS_RSA_WITH_AES_128_CBC_SHA'] }),
    config({ tlsCipherSuites: ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'] }),
  ],
  [
    'kubelet-path-lacks-drive',
    config({ staticPodPath: '/etc/kubernetes/manifests' }),
    config({ staticPodPath: 'C:\\etc\\kubernetes\\manifests' }),
  ],
  [
    'kubelet-path-lacks-drive',
    config({ authentication: { x509: { clientCAFile: '/etc/kubernetes/pki/ca.crt' } } }),
    config({ staticPodPath: '' }),
  ],
  [
    'kubelet-setting-refused',
    {
      kubelet: {
        servingCertificateApprover: 'a',
        featureGates: { RotateKubeletServerCertificate: false },
      },
    },
    { kubelet: { servingCertificateApprover: 'a' } },
  ],
  [
    'kubelet-taints-without-registration',
    config({ registerNode: false }),
    { kubelet: { config: { registerNode: false }, taints: [] } },
  ],
  [
    'keys-differ-only-in-case',
    config({ staticPodURLHeader: { Token: ['a'], token: ['b'] } }),
    config({ staticPodURLHeader: { Token: ['a'] } }),
  ],
  ['setting-has-field-of-its-own', config({ maxPods: 50 }), { kubelet: { maxPods: 50 } }],
  ['setting-has-field-of-its-own', config({ evictionHard: {} })],
  [
    'setting-has-field-of-its-own',
    { kubeProxy: { config: { clientConnection: { kubeconfig: 'C:\\a' } } } },
  ],
  ['kubelet-field-fixed', config({ containerRuntimeEndpoint: 'unix:///run/c.sock' })],
  ['kubelet-field-unknown', config({ MaxPods: 5 }), {}],
  [
    'kubelet-field-unknown',
    config({ logging: { vmodule: [{ filePattern: 'a', level: 1 }] } }),
    config({ logging: { vmodule: [{ filePattern: 'a', verbosity: 1 }] } }),
  ],
  [
    'kubelet-setting-refused',
    { ...kubernetes('1.35.9'), ...config({ enableSystemLogQuery: true }) },
    { ...kubernetes('1.36.0-rc.1'), ...config({ enableSystemLogQuery: true }) },
  ],
  [
    'kubelet-setting-refused',
    config({ enableSystemLogQuery: true, enableSystemLogHandler: false }),
    config({ enableSystemLogQuery: true }),
  ],
  ['kubelet-gate-locked', { kubelet: { featureGates: { NodeLogQuery: false } } }],
  ['kubelet-gate-needless', { kubelet: { featureGates: { NodeLogQuery: true } } }],
  [
    'kubelet-gate-needless',
    { ...kubernetes('1.35.9'), kubelet: { featureGates: { WindowsHostNetwork: true } } },
  ],
  [
    'cpu-affinity-needs-newer-containerd',
    { ...containerd('2.1.9'), kubelet: { featureGates: { WindowsCPUAndMemoryAffinity: true } } },
  ],
  ['resource-manager-without-effect', config({ cpuManagerPolicy: 'static' })],
  ['kubelet-setting-refused', { reserve: { evictionHard: { 'nodefs.available': '101%' } } }],
  ['kubelet-gate-lacks-others', gate('NodeDeclaredFeatures', false), gate('AllAlpha', false)],
  [
    'kubelet-gate-lacks-others',
    { ...kubernetes('1.37.1'), ...gate('AllAlpha', true) },
    { ...kubernetes('1.37.1'), ...gate('AllBeta', true) },
  ],
  [
    'kubelet-gate-lacks-others',
    { ...kubernetes('1.36.5'), ...gate('GangScheduling', true) },
    {
      ...kubernetes('1.36.5'),
      kubelet: { featureGates: { GangScheduling: true, GenericWorkload: true } },
    },
  ],
]

// Every rule fires where it must, and is silent where nothing is wrong.
import { join } from 'node:path'
import t from 'tap'
import { compile, judge as judgeWhole, tryOut } from '../src/compile.ts'
import { containerdLines } from '../src/matrix/containerd.ts'
import { kubernetesMinors } from '../src/matrix/kubernetes.ts'
import type { Finding } from '../src/model/finding.ts'
import { isObject, type JsonObject } from '../src/model/json.ts'
import type { Rule } from '../src/model/rule.ts'
import { rules } from '../src/rules/index.ts'
import { settingTurns } from './fixtures/setting-turns.ts'
import { filesBelow } from './tools/checked-in.ts'
import { root as project } from './tools/run.ts'

const today = '2026-11-20'
const hash = `sha256:${'a'.repeat(64)}`

function idsOf(patch: JsonObject, day = today): readonly string[] {
  const layer = { name: 'test', patch, place: () => undefined }
  return compile([layer], 'test', day).findings.map(({ id }) => id)
}

/** `[what holds a secret, what reads like it and holds none]` */
const secrets: readonly (readonly [string, string])[] = [
  ['http://u:p@h', 'http://u@h:80/a:b@c'],
  ['http://:p@h', 'http://h:80/@'],
  ['http://u:@h', 'http://[fd00::1]:80/'],
  ['-http://u:p@h', 'a.b-c://h'],
  [`https://ghp_${'a1'.repeat(18)}@host`, 'ghp_short'],
  ['AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI', 'AWS_SECRET_ACCESS_KEY'],
  ['--password=abc', '--password-file=abc'],
  ['Authorization: Basic dXNlcjpwYXNz', 'basic authentication of users'],
  ['-----BEGIN PGP PRIVATE KEY BLOCK-----', '-----BEGIN PGP PUBLIC KEY BLOCK-----'],
  [`x-eyJ${'a'.repeat(12)}.eyJ${'b'.repeat(12)}.${'c'.repeat(12)}`, 'eyJ.eyJ.a'],
]

/** `[rule, a profile that breaks it, one that does not, the day]`; silent is the default profile. */
type Row = readonly [id: string, fires: JsonObject, silent?: JsonObject, day?: string]

const kubernetes = (version: string, more: JsonObject = {}) => ({
  kubernetes: { version, ...more },
})
const containerd = (version: string, more: JsonObject = {}) => ({
  containerd: { version, ...more },
})
const windows = (release: string, revision?: number) => ({ windows: { release, revision } })
const network = (fields: JsonObject) => ({ network: fields })
const config = (fields: JsonObject) => ({ kubelet: { config: fields } })
const macs = (macPrefix: string) => ({ flannel: { macPrefix } })
const mac = (macPrefix: string) => network(macs(macPrefix))
const watched = (strategy: string) => ({ configMapAndSecretChangeDetectionStrategy: strategy })
const withAffinity = (fields: JsonObject) => ({
  kubelet: { config: fields, featureGates: { WindowsCPUAndMemoryAffinity: true } },
})
const curves = { tlsCurvePreferences: [23, 24, 25, 29, 4587, 4588, 4589] }

const antrea = (fields: JsonObject = {}, more: JsonObject = {}) => ({
  network: { cni: 'antrea', mode: 'transparent', antrea: { ovsDriver: 'signed' }, ...fields },
  join: { endpoint: 'api.example.com:6443', caCertHashes: [hash] },
  host: { features: ['Containers', 'Hyper-V', 'Hyper-V-PowerShell'] },
  ...more,
})

const ca = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
const bootstrap = (fields: JsonObject = {}) => ({
  join: { method: 'bootstrapKubeconfig', endpoint: 'api.example.com:6443', ca, ...fields },
})
const provider = (fields: JsonObject) => ({
  registry: { credentialProvider: { binDirectory: 'C:\\k\\providers', ...fields } },
})
const acr = { name: 'acr', matchImages: ['*.azurecr.io'] }

const dualStack = network({ podCIDRs: ['10.244.0.0/16', 'fd00::/64'] })
/** The last version of each line that runs the commands of a log query, and the first that does not. */
const exploitable: readonly (readonly [string, string])[] = [
  ['1.29.12', '1.29.13'],
  ['1.30.8', '1.30.9'],
  ['1.30.0-rc.1', '1.30.14'],
  ['1.31.4', '1.31.5'],
  ['1.32.0', '1.32.1'],
]

const withCa = {
  registry: {
    mirrors: { 'registry.k8s.io': [{ url: 'https://m.example.com', ca: 'C:\\k\\ca.pem' }] },
  },
}
const mirrors = (...urls: readonly string[]) => ({
  registry: { mirrors: { 'registry.k8s.io': urls.map((url) => ({ url })) } },
})
const mirrored = (...registries: readonly string[]) => ({
  registry: {
    mirrors: Object.fromEntries(
      registries.map((name) => [name, [{ url: 'https://m.example.com' }]]),
    ),
  },
})
const taints = (...effects: readonly string[]) => ({
  kubelet: { taints: effects.map((effect) => ({ key: 'os', value: 'windows', effect })) },
})
const nodeName = (name: string) => ({ kubelet: { nodeName: name } })
const fileNamed = { kubelet: { nodeName: { file: 'C:\\cloud\\name' } } }
const root = (path: string) => ({ containerd: { root: path } })
const hyperV = { isolation: { hyperV: true }, host: { features: ['Containers', 'Hyper-V'] } }
const metrics = (metricsBindAddress: string) => ({ kubeProxy: { metricsBindAddress } })
const gate = (name: string, value: boolean) => ({ kubelet: { featureGates: { [name]: value } } })
const proxyGate = (name: string, value: boolean) => ({
  kubeProxy: { featureGates: { [name]: value } },
})

const rows: readonly Row[] = [
  [
    'kubelet-with-api-server',
    kubernetes('1.36.5', { apiServer: '1.35.9' }),
    kubernetes('1.36.5', { apiServer: '1.37.1' }),
  ],
  [
    'kubelet-with-api-server',
    kubernetes('1.33.13', { apiServer: '1.37.1' }),
    kubernetes('1.34.12', { apiServer: '1.37.1' }),
  ],
  [
    'kube-proxy-with-api-server',
    kubernetes('1.36.5', { kubeProxy: '1.37.1', apiServer: '1.36.5' }),
  ],
  ['kube-proxy-with-kubelet', kubernetes('1.37.1', { kubeProxy: '1.33.13' })],
  ['kubelet-with-kubeadm', kubernetes('1.37.1', { kubeadm: '1.36.5' })],
  [
    'kubelet-blocks-upgrade',
    kubernetes('1.34.12', { apiServer: '1.37.1' }),
    kubernetes('1.35.9', { apiServer: '1.37.1' }),
  ],
  ['kubernetes-end-of-life', kubernetes('1.34.12'), kubernetes('1.35.9')],
  ['kubernetes-in-maintenance', kubernetes('1.35.9'), kubernetes('1.35.9'), '2027-01-15'],
  ['kubernetes-patch-behind', kubernetes('1.36.4')],
  ['kubernetes-newer-than-tables', kubernetes('1.38.0'), kubernetes('1.37.1')],
  ['kubernetes-older-than-tables', kubernetes('1.24.17'), kubernetes('1.25.16')],
  ['containerd-end-of-life', containerd('1.6'), containerd('2.3')],
  ['containerd-limited-support', containerd('2.4'), containerd('2.3')],
  ['containerd-newer-than-tables', containerd('2.9.0'), containerd('2.4.9')],
  ['containerd-line-unknown', containerd('1.8.0'), containerd('2.9.0')],
  ['containerd-line-unknown', containerd('1.3.9'), containerd('1.4.13')],
  ['patch-newer-than-tables', kubernetes('1.36.99'), kubernetes('1.36.5')],
  ['patch-newer-than-tables', containerd('2.3.99'), containerd('2.9.0')],
  ['program-newer-than-tables', containerd('2.3.6', { crictl: '1.99.0' })],
  [
    'program-newer-than-tables',
    network({ cniPlugins: '1.99.0' }),
    antrea({ cniPlugins: '1.99.0' }),
  ],
  ['kubernetes-newer-than-tables', kubernetes('1.37.1', { apiServer: '1.38.0' })],
  ['windows-release-unsupported', windows('ws2016')],
  ['windows-release-unlisted', windows('ws2019')],
  ['windows-in-extended-support', windows('ws2022'), windows('ws2025')],
  ['windows-end-of-life', windows('ws23h2')],
  ['windows-revision-breaks-network', windows('ws2022', 2600), windows('ws2022', 2762)],
  ['windows-revision-breaks-network', windows('ws2019', 1432), windows('ws2019', 1518)],
  [
    'windows-revision-breaks-network',
    { ...windows('ws2019', 1517), ...network({ mode: 'l2bridge' }) },
    { ...windows('ws2019', 1431), ...network({ mode: 'l2bridge' }) },
  ],
  ['overlay-needs-patch-level', windows('ws2025'), windows('ws2025', 6899)],
  [
    'overlay-needs-patch-level',
    windows('ws2025', 6898),
    { ...windows('ws2025'), ...network({ mode: 'l2bridge' }) },
  ],
  ['overlay-needs-patch-level', windows('ws2019', 378), windows('ws2019', 379)],
  ['machine-below-minimum', { machine: { cpu: 2 } }],
  ['hyper-v-not-documented', { isolation: { hyperV: true } }],
  ['hyper-v-needs-larger-machine', { isolation: { hyperV: true }, machine: { cpu: 1 } }],
  [
    'hyper-v-feature-missing',
    { isolation: { hyperV: true } },
    { isolation: { hyperV: true }, host: { features: ['Containers', 'Hyper-V'] } },
  ],
  ['runtime-lacks-cri-v1', containerd('1.5.18')],
  ['runtime-lacks-runtime-config', { ...kubernetes('1.38.0'), ...containerd('1.7.36') }],
  [
    'runtime-is-losing-support',
    { ...kubernetes('1.35.9'), ...containerd('1.7.36') },
    { ...kubernetes('1.33.13'), ...containerd('1.7.36') },
  ],
  ['containerd-untested-with-kubernetes', containerd('2.2.9'), containerd('2.3.6')],
  [
    'containerd-exact-build',
    { ...windows('ws2025'), ...containerd('1.7.5') },
    { ...windows('ws2025'), ...containerd('1.7.6') },
  ],
  ['containerd-path', containerd('1.7.10'), containerd('1.7.11')],
  [
    'containerd-host-process-directory',
    antrea({}, containerd('1.7.15')),
    antrea({}, containerd('1.7.16')),
  ],
  [
    'containerd-sandbox-digest',
    { ...containerd('2.3.3'), sandboxImage: `registry.k8s.io/pause:3.10.2@${hash}` },
    { ...containerd('2.3.4'), sandboxImage: `registry.k8s.io/pause:3.10.2@${hash}` },
  ],
  [
    'containerd-config-too-new',
    containerd('2.2.9', { configVersion: 4 }),
    containerd('2.3.6', { configVersion: 4 }),
  ],
  [
    'containerd-config-migrated',
    containerd('2.3.6', { configVersion: 2 }),
    containerd('1.7.36', { configVersion: 2 }),
  ],
  ['pause-image-lacks-os', { sandboxImage: 'registry.k8s.io/pause:3.5' }],
  [
    'pause-image-lacks-os',
    { sandboxImage: 'k8s.gcr.io/pause:3.2' },
    { sandboxImage: 'k8s.gcr.io/pause:3.6' },
  ],
  ['pause-image-lacks-os', { ...windows('ws2019'), sandboxImage: 'k8s.gcr.io/pause:3.2' }],
  ...['k8s/core/pause:1.2.0', 'oss/kubernetes/pause:1.3.0', 'oss/kubernetes/pause:1.4.0'].map(
    (image): Row => [
      'pause-image-lacks-os',
      { sandboxImage: `mcr.microsoft.com/${image}` },
      { ...windows('ws2019'), sandboxImage: `mcr.microsoft.com/${image}` },
    ],
  ),
  [
    'pause-image-boots-older-windows',
    { ...windows('ws2025'), ...hyperV, sandboxImage: 'registry.k8s.io/pause:3.10.1' },
    { ...windows('ws2025'), ...hyperV },
  ],
  [
    'pause-image-boots-older-windows',
    {
      ...windows('ws2025'),
      ...hyperV,
      sandboxImage: 'mcr.microsoft.com/oss/kubernetes/pause:3.10',
    },
    { ...windows('ws2022'), ...hyperV, sandboxImage: 'registry.k8s.io/pause:3.10.1' },
  ],
  [
    'pause-image-of-older-windows',
    { ...windows('ws2025'), sandboxImage: 'registry.k8s.io/pause:3.10.1' },
    { ...windows('ws2025'), sandboxImage: 'registry.k8s.io/pause:3.10.2' },
  ],
  [
    'pause-image-holds-rpc-port',
    { sandboxImage: 'registry.k8s.io/pause:3.6' },
    { sandboxImage: 'registry.k8s.io/pause:3.8' },
  ],
  ['pause-image-from-frozen-registry', { sandboxImage: 'k8s.gcr.io/pause:3.9' }],
  [
    'pause-image-tag-moves',
    { sandboxImage: 'registry.k8s.io/pause:latest' },
    { sandboxImage: `registry.k8s.io/pause@${hash}` },
  ],
  ['pause-image-differs-from-kubeadm', { sandboxImage: 'registry.k8s.io/pause:3.9' }],
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
  [
    'kubelet-resolv-conf',
    config({ resolvConf: '/etc/resolv.conf' }),
    config({ resolvConf: 'Host' }),
  ],
  ['kubelet-setting-refused', config({ singleProcessOOMKill: false })],
  ['kubelet-api-open', config({ readOnlyPort: 10255 }), config({ readOnlyPort: 0 })],
  ['kubelet-api-open', config({ authentication: { anonymous: { enabled: true } } })],
  ['kubelet-api-open', config({ authorization: { mode: 'AlwaysAllow' } })],
  [
    'kubelet-tls-too-old',
    config({ tlsMinVersion: 'VersionTLS11' }),
    config({ tlsMinVersion: 'VersionTLS13' }),
  ],
  ['kubelet-certificate-not-rotated', config({ rotateCertificates: false })],
  ['kubelet-serves-self-signed', {}, { kubelet: { servingCertificateApprover: 'approver' } }],
  [
    'kubelet-may-not-set-label',
    { kubelet: { labels: { 'node-role.kubernetes.io/worker': '' } } },
    { kubelet: { labels: { 'example.com/pool': 'a' } } },
  ],
  ['eviction-signal-dead-on-windows', { reserve: { evictionHard: { 'pid.available': '10%' } } }],
  ['kubelet-setting-refused', { reserve: { evictionHard: { 'disk.available': '10%' } } }],
  [
    'memory-eviction-off',
    { reserve: { evictionHard: { 'memory.available': '0%' } } },
    { reserve: { evictionHard: { 'nodefs.available': '15%' } } },
  ],
  ['memory-eviction-late', { reserve: { evictionHard: { 'memory.available': '100Mi' } } }],
  ['memory-eviction-not-acted-on', { ...kubernetes('1.30.14'), ...containerd('1.7.36') }],
  [
    'shutdown-grace-without-effect',
    { ...kubernetes('1.31.14'), kubelet: { shutdownGracePeriod: '60s' } },
    { ...kubernetes('1.32.13'), kubelet: { shutdownGracePeriod: '60s' } },
  ],
  [
    'shutdown-grace-without-effect',
    {
      kubelet: {
        shutdownGracePeriod: '60s',
        featureGates: { WindowsGracefulNodeShutdown: false },
      },
    },
    { kubelet: { shutdownGracePeriod: '60s' } },
  ],
  ['kubelet-priority-low', { kubelet: { priorityClass: 'NORMAL_PRIORITY_CLASS' } }],
  ['log-level-shows-tokens', { kubelet: { verbosity: 9 } }, { kubelet: { verbosity: 8 } }],
  ['kubelet-events-unbounded', config({ eventRecordQPS: 0 })],
  [
    'eviction-before-image-collection',
    { ...config({ imageGCHighThresholdPercent: 95 }) },
    { ...config({ imageGCHighThresholdPercent: 90 }) },
  ],
  [
    'kubelet-runs-static-pods',
    config({ staticPodPath: 'C:\\manifests' }),
    config({ staticPodPath: '' }),
  ],
  [
    'kubelet-shares-pulled-images',
    config({ imagePullCredentialsVerificationPolicy: 'NeverVerify' }),
    config({ imagePullCredentialsVerificationPolicy: 'AlwaysVerify' }),
  ],
  [
    'l2bridge-in-cloud',
    { network: { mode: 'l2bridge' }, kubelet: { cloudProvider: 'external' } },
    { kubelet: { cloudProvider: 'external' } },
  ],
  ['kubelet-setting-refused', config({ imageGCLowThresholdPercent: 90 })],
  ['kubelet-setting-refused', config({ hairpinMode: '0' }), config({ hairpinMode: 'none' })],
  ['kubelet-setting-refused', config({ topologyManagerScope: '0' })],
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
  ['kubelet-setting-ends-start', withAffinity({ cpuManagerPolicy: 'Static' })],
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
  ['kubelet-log-query-on', config({ enableSystemLogQuery: true })],
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
  ['containerd-hyper-v', { isolation: { hyperV: true } }],
  ['containerd-host-process-drivers', antrea()],
  [
    'containerd-sandbox-digest',
    { ...containerd('2.3.3'), sandboxImage: `registry.k8s.io/pause:3.10.2@${hash}` },
    containerd('2.3.3'),
  ],
  ['proxy-dual-stack', { ...kubernetes('1.35.0'), ...dualStack }, kubernetes('1.35.0')],
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
  ...exploitable.map(([fires, silent]): Row => [
    'kubelet-log-query-exploitable',
    { ...kubernetes(fires), ...config({ enableSystemLogQuery: true }) },
    { ...kubernetes(silent), ...config({ enableSystemLogQuery: true }) },
  ]),
  [
    'kube-proxy-gate-off',
    { ...kubernetes('1.32.13'), kubeProxy: { featureGates: { WinDSR: false } } },
    {
      ...kubernetes('1.32.13'),
      network: { dsr: false },
      kubeProxy: { featureGates: { WinDSR: false } },
    },
  ],
  [
    'kube-proxy-gate-off',
    { ...kubernetes('1.33.13'), kubeProxy: { featureGates: { WinOverlay: false } } },
    {
      ...kubernetes('1.33.13'),
      network: { mode: 'l2bridge' },
      kubeProxy: { featureGates: { WinOverlay: false } },
    },
  ],
  [
    'kube-proxy-gate-without-dsr',
    {
      ...kubernetes('1.32.13'),
      network: { dsr: false },
      kubeProxy: { featureGates: { WinDSR: true } },
    },
    { ...kubernetes('1.32.13'), kubeProxy: { featureGates: { WinDSR: true } } },
  ],
  [
    'host-gw-spans-subnets',
    network({ mode: 'l2bridge', nodeCIDRs: ['10.0.0.0/24', '10.0.1.0/24'] }),
    network({ mode: 'l2bridge', nodeCIDRs: ['10.0.0.0/23'] }),
  ],
  ['kubelet-gate-locked', { kubelet: { featureGates: { NodeLogQuery: false } } }],
  ['kubelet-gate-needless', { kubelet: { featureGates: { NodeLogQuery: true } } }],
  ['kube-proxy-field-unknown', { kubeProxy: { config: { udpIdleTimeout: '1s' } } }],
  ['kube-proxy-field-linux-only', { kubeProxy: { config: { iptables: {} } } }],
  ['kube-proxy-gate-unknown', { kubeProxy: { featureGates: { IPv6DualStack: true } } }],
  ['kube-proxy-gate-locked', { kubeProxy: { featureGates: { WinDSR: false } } }],
  ['kube-proxy-gate-needless', { kubeProxy: { featureGates: { WinDSR: true } } }],
  [
    'cpu-affinity-needs-newer-containerd',
    { ...containerd('2.1.9'), kubelet: { featureGates: { WindowsCPUAndMemoryAffinity: true } } },
  ],
  ['resource-manager-without-effect', config({ cpuManagerPolicy: 'static' })],
  ['network-mode-not-of-plugin', network({ mode: 'transparent' })],
  [
    'flannel-vni-out-of-range',
    network({ flannel: { vni: 4095 } }),
    network({ flannel: { vni: 4096 } }),
  ],
  [
    'flannel-vni-out-of-range',
    network({ flannel: { vni: 65_536 } }),
    network({ flannel: { vni: 65_535 } }),
  ],
  ['flannel-port-not-4789', network({ flannel: { port: 8472 } })],
  ['flannel-linux-defaults-differ', {}, network({ mode: 'l2bridge' })],
  ['overlay-single-stack', network({ podCIDRs: ['10.244.0.0/16', 'fd00::/64'] })],
  [
    'flannel-has-one-network',
    network({ mode: 'l2bridge', podCIDRs: ['10.244.0.0/16', 'fd00::/64'] }),
    antrea({ podCIDRs: ['10.244.0.0/16', 'fd00::/64'] }),
  ],
  ['flannel-has-one-network', network({ podCIDRs: ['10.244.0.0/16', '10.245.0.0/16'] })],
  ['flannel-mac-prefix-of-group', mac('0F-2A'), mac('0e-2B')],
  ['flannel-mac-prefix-of-group', mac('01-00'), mac('00-FF')],
  [
    'flannel-mac-prefix-of-group',
    mac('FF-00'),
    { network: { mode: 'l2bridge', ...macs('FF-00') } },
  ],
  ['network-named-as-device', network({ name: 'con' }), network({ name: 'con1' })],
  ['network-named-as-device', network({ name: 'NUL.x' }), network({ name: 'x.nul' })],
  ['network-named-as-device', network({ name: 'lpt1' }), antrea({ name: 'lpt1' })],
  [
    'flannel-has-one-network',
    network({ mode: 'l2bridge', serviceCIDRs: ['10.96.0.0/12', 'fd01::/112'] }),
    network({ mode: 'l2bridge' }),
  ],
  [
    'dual-stack-needs-newer-windows',
    { ...windows('ws2019'), ...network({ podCIDRs: ['10.244.0.0/16', 'fd00::/64'] }) },
  ],
  ['antrea-driver-not-chosen', antrea({ antrea: { ovsDriver: null } }), antrea()],
  [
    'antrea-driver-refused-by-secure-boot',
    antrea({ antrea: { ovsDriver: 'testSigned' } }, { machine: { secureBoot: true } }),
    antrea({}, { machine: { secureBoot: true } }),
  ],
  ['antrea-driver-test-signed', antrea({ antrea: { ovsDriver: 'testSigned' } }), antrea()],
  ['ovs-driver-without-antrea', network({ antrea: { ovsDriver: 'signed' } }), antrea()],
  ['antrea-needs-hyper-v-features', antrea({}, { host: { features: ['Containers'] } }), antrea()],
  [
    'antrea-needs-host-process',
    antrea({}, kubernetes('1.25.16')),
    antrea({}, kubernetes('1.26.0')),
  ],
  ['antrea-needs-host-process', antrea({}, containerd('1.6.17')), antrea({}, containerd('1.6.18'))],
  ['antrea-untested-on-windows-release', antrea({}, windows('ws2025')), antrea()],
  ['antrea-network-gone-after-restart', antrea()],
  [
    'kube-proxy-settings-unused',
    antrea({}, { kubeProxy: { config: { healthzBindAddress: '' } } }),
    { kubeProxy: { config: { healthzBindAddress: '' } } },
  ],
  ['network-mode-not-of-plugin', antrea({ mode: 'overlay' }), antrea()],
  ['dsr-needs-patch-level', windows('ws2019'), antrea({}, windows('ws2019'))],
  [
    'kube-proxy-with-kubelet',
    kubernetes('1.37.1', { kubeProxy: '1.33.13' }),
    antrea({}, kubernetes('1.37.1', { kubeProxy: '1.33.13' })),
  ],
  ['bundle-for-one-machine', { kubelet: { nodeName: 'win-1' } }, fileNamed],
  ['containerd-root-refused', root('C:\\ProgramData\\containerd\\state'), root('D:\\k')],
  ['containerd-root-refused', root('C:\\PROGRAM FILES\\containerd\\data'), root('C:\\layers')],
  ['containerd-root-refused', root('C:\\var\\lib')],
  ['containerd-root-refused', root('C:\\Users\\images'), root('D:\\Users\\images')],
  ['containerd-root-refused', root('E:\\CONFIG.MSI\\images'), root('E:\\bin')],
  ['containerd-root-refused', root(`D:\\${'a'.repeat(256)}`), root(`D:\\${'a'.repeat(255)}`)],
  [
    'eviction-before-image-collection',
    { ...root('D:\\containerd'), reserve: { evictionHard: { 'imagefs.available': '20%' } } },
    { ...root('D:\\containerd'), reserve: { evictionHard: { 'nodefs.available': '20%' } } },
  ],
  [
    'node-name-unknown-to-cloud',
    { kubelet: { cloudProvider: 'external' } },
    { kubelet: { cloudProvider: 'external', ...fileNamed.kubelet } },
  ],
  [
    'node-name-unknown-to-cloud',
    { kubelet: { cloudProvider: 'external' } },
    { kubelet: { cloudProvider: 'external', providerID: { file: 'C:\\id' } } },
  ],
  [
    'provider-id-shared',
    { kubelet: { providerID: 'gce://project/zone/win-1' }, ...network({ mode: 'l2bridge' }) },
    { kubelet: { providerID: 'gce://project/zone/win-1', nodeName: 'win-1' } },
  ],
  [
    'provider-id-shared',
    { kubelet: { providerID: 'aws:///eu-west-1a/i-1', ...fileNamed.kubelet } },
    { kubelet: { providerID: { file: 'C:\\id' } } },
  ],
  ['dsr-off', network({ dsr: false })],
  ['dsr-needs-patch-level', windows('ws2019', 1431), windows('ws2019', 1432)],
  ['kube-proxy-mode-not-kernelspace', { kubeProxy: { config: { mode: 'iptables' } } }],
  ['kube-proxy-late-value-overridden', { kubeProxy: { config: { hostnameOverride: 'x' } } }],
  ['kube-proxy-metrics-open', { kubeProxy: { metricsBindAddress: '0.0.0.0:10249' } }],
  ['cidr-malformed', network({ podCIDRs: ['10.0.0.256/24'] })],
  ['cidr-has-host-bits', network({ podCIDRs: ['10.244.0.1/16'] })],
  ['cidrs-overlap', network({ podCIDRs: ['10.96.0.0/16'] })],
  ['cidr-used-by-helper-network', network({ nodeCIDRs: ['192.168.0.0/16'] })],
  ['network-lacks-ipv4', network({ podCIDRs: ['fd00::/64'] })],
  [
    'cluster-dns-outside-services',
    network({ clusterDNS: ['10.0.0.10'] }),
    network({ clusterDNS: ['10.96.0.53'] }),
  ],
  [
    'source-vip-unusable',
    network({ sourceVip: '10.96.0.0' }),
    network({ sourceVip: '10.244.3.9' }),
  ],
  ['source-vip-unusable', network({ sourceVip: '10.244.3.1' })],
  ['source-vip-without-overlay', network({ mode: 'l2bridge', sourceVip: '10.244.3.9' })],
  ['node-subnet-larger-than-network', network({ podCIDRs: ['10.244.0.0/25'] })],
  ['pods-exceed-addresses', network({ nodeCIDRMaskSize: 26 })],
  [
    'untranslated-without-l2bridge',
    network({ untranslated: ['10.0.0.0/24'] }),
    network({ mode: 'l2bridge', untranslated: ['10.0.0.0/24'] }),
  ],
  ['untranslated-without-l2bridge', antrea({ untranslated: ['10.0.0.0/24'] }), antrea()],
  [
    'untranslated-needs-routes',
    network({ mode: 'l2bridge', untranslated: ['10.0.0.0/24'] }),
    network({ mode: 'l2bridge', nodeCIDRs: ['10.0.0.0/24'] }),
  ],
  ['cidr-has-host-bits', network({ mode: 'l2bridge', untranslated: ['10.0.0.7/24'] })],
  [
    'nat-exceptions-collide',
    { ...windows('ws2019'), ...network({ mode: 'l2bridge', untranslated: ['10.244.0.0/24'] }) },
  ],
  ['nothing-left-for-pods', { machine: { memory: '2Gi' } }],
  [
    'reservation-below-windows-floor',
    { reserve: { kube: { memory: '0' }, system: { memory: '2047Mi' } } },
  ],
  [
    'reservation-starves-windows',
    { reserve: { kube: { memory: '0' }, system: { memory: '100Mi' } } },
  ],
  ['node-mostly-overhead', { machine: { memory: '6Gi' } }],
  ['kubelet-setting-refused', { reserve: { evictionHard: { 'nodefs.available': '101%' } } }],
  ['eviction-threshold-off', { reserve: { evictionHard: { 'nodefs.available': '100%' } } }],
  ['pods-beyond-tested', { kubelet: { maxPods: 251 } }, { kubelet: { maxPods: 250 } }],
  [
    'reservation-model-for-linux',
    { reserve: { model: 'openshift' } },
    { reserve: { model: 'openshift-wmco' } },
  ],
  ['processors-beyond-one-group', { ...windows('ws2019'), machine: { cpu: 65 } }],
  ['page-file-moves', {}, { host: { pageFileMiB: 8096 } }],
  ['secret-in-profile', { kubelet: { labels: { token: 'abcdef.0123456789abcdef' } } }],
  ...secrets.map(([holds, harmless]): Row => [
    'secret-in-profile',
    config({ a: { [holds]: 1, b: 1 } }),
    config({ a: { [harmless]: 1, b: [harmless] } }),
  ]),
  ...secrets.map(([holds]): Row => ['secret-in-profile', config({ a: [holds] })]),
  [
    'join-trusts-anybody',
    { join: { endpoint: 'api.example.com:6443' } },
    { join: { endpoint: 'api.example.com:6443', caCertHashes: [hash] } },
  ],
  ['join-lacks-ca', { join: { method: 'bootstrapKubeconfig' } }],
  ['credentials-need-endpoint', { kubeProxy: { credentials: { tokenFile: 'C:\\k\\token' } } }],
  [
    'join-discovers-twice',
    {
      join: { endpoint: 'api.example.com:6443', discoveryFile: 'C:\\d.conf', caCertHashes: [hash] },
    },
  ],
  ['join-does-not-know-api-server', bootstrap({ endpoint: null }), bootstrap()],
  ['join-fields-of-kubeadm-unread', bootstrap({ caCertHashes: [hash] }), bootstrap()],
  ['join-fields-of-kubeadm-unread', bootstrap({ tokenFile: 'C:\\t' }), bootstrap()],
  ['join-ca-unread', { join: { ca } }, bootstrap()],
  ['antrea-needs-api-server-address', antrea({}, { join: {} }), antrea()],
  ['antrea-needs-api-server-address', antrea({}, { join: {} }), bootstrap({ endpoint: null })],
  [
    'kubelet-health-port-not-kubeadms',
    config({ healthzPort: 10_249 }),
    { ...bootstrap(), ...config({ healthzPort: 10_249 }) },
  ],
  [
    'kubelet-health-port-not-kubeadms',
    config({ healthzBindAddress: '10.0.0.5' }),
    config({ healthzBindAddress: '0.0.0.0', healthzPort: 10_248 }),
  ],
  [
    'credential-provider-configured-otherwise',
    provider({ config: 'C:\\k\\providers.yaml', providers: [acr] }),
    provider({ config: 'C:\\k\\providers.yaml' }),
  ],
  ['credential-provider-configured-otherwise', provider({}), provider({ providers: [acr] })],
  [
    'credential-provider-name-lacks-exe',
    { ...kubernetes('1.29.15'), ...provider({ providers: [acr] }) },
    { ...kubernetes('1.30.14'), ...provider({ providers: [acr] }) },
  ],
  [
    'credential-provider-named-twice',
    provider({ providers: [acr, { ...acr, name: 'ACR' }] }),
    provider({ providers: [acr] }),
  ],
  [
    'kubelet-drop-ins-too-early',
    { ...kubernetes('1.29.15'), kubelet: { dropInDirectory: 'C:\\k\\d' } },
    { ...kubernetes('1.30.14'), kubelet: { dropInDirectory: 'C:\\k\\d' } },
  ],
  [
    'bundle-for-one-machine',
    { kubelet: { providerID: 'aws:///eu-west-1a/i-1' } },
    { kubelet: { providerID: { file: 'C:\\id' } } },
  ],
  ['download-without-digest', network({ flannel: { version: '0.28.2' } })],
  [
    'download-digest-from-publisher',
    {},
    {
      artifacts: {
        sha256: Object.fromEntries(
          'containerd crictl kubelet kube-log-runner kubeadm kube-proxy flannel-cni cni-plugins'
            .split(' ')
            .map((name) => [name, 'a'.repeat(64)]),
        ),
      },
    },
  ],
  ...[{ configSyncPeriod: 5 }, { clientConnection: [] }].map((settings): Row => [
    'kube-proxy-setting-mistyped',
    { kubeProxy: { config: settings } },
    { kubeProxy: { config: { configSyncPeriod: '10m' } } },
  ]),
  [
    'kube-proxy-setting-ignored',
    { kubeProxy: { config: { configSyncPeriod: '0s' } } },
    { kubeProxy: { config: { configSyncPeriod: '10m' } } },
  ],
  [
    'digest-pinned-for-nothing',
    { artifacts: { sha256: { calico: 'a'.repeat(64) } } },
    { artifacts: { sha256: { kubelet: 'a'.repeat(64) } } },
  ],
  [
    'download-from-retired-host',
    { artifacts: { baseURLs: { kubernetes: 'https://x.azureedge.net/k' } } },
  ],
  [
    'registry-ca-replaces-roots',
    { ...withCa, ...containerd('2.2.9') },
    { ...withCa, ...containerd('2.3.0-rc.1') },
  ],
  [
    'registries-share-a-folder',
    mirrored('A.example.com', 'a.example.com'),
    mirrored('a.example.com'),
  ],
  ['registries-share-a-folder', mirrored('R:5000', 'r:5000'), mirrored('r:5000', 'r:5001')],
  ['mirror-given-twice', mirrors('https://m.example.com', 'https://m.example.com'), withCa],
  ['mirror-given-twice', mirrors('m.example.com', 'https://M.example.com:443/')],
  [
    'mirror-given-twice',
    mirrors('http://m.io:80', 'http://m.io'),
    mirrors('http://m.io', 'https://m.io'),
  ],
  ['mirror-unreadable', mirrors('https://m.io:port'), mirrors('https://m.io:5000')],
  ['mirror-unreadable', mirrors('https://m.io/%zz'), mirrors('https://m.io/%20')],
  ['mirror-unreadable', mirrors('https://[fd00::1'), mirrors('https://[fd00::1]:5000')],
  ['mirror-unreadable', mirrors('https://[fd00:::1]'), mirrors('https://[::ffff:10.0.0.1]')],
  ['mirror-unreadable', mirrors('https://[10.0.0.1]'), mirrors('https://[fe80::1%25e]')],
  ['mirror-unreadable', mirrors('https://m[fd00::1]'), mirrors('[fd00::1]:5000')],
  ['mirror-names-no-host', mirrors(''), mirrors('m.io')],
  ['mirror-names-no-host', mirrors('//m.io'), mirrors('https://m.io//a')],
  ['mirror-names-no-host', mirrors('https://:5000'), mirrors('https://m:5000')],
  ['mirror-asks-elsewhere', mirrors('https://fd00::1'), mirrors('https://m.io:5000/a:b')],
  ['mirror-over-http', mirrors('http://m.io'), mirrors('m.io:5000')],
  ['mirror-asks-elsewhere', mirrors('https://m.io/'), mirrors('https://m.io/proxy/')],
  ['mirror-asks-elsewhere', mirrors('https://m.io/v2/proxy'), mirrors('https://m.io/v2/')],
  ['mirror-asks-elsewhere', mirrors('https://u:p@m.io'), mirrors('https://m.io/a@b')],
  ['mirror-asks-elsewhere', mirrors('https://m.io?ns=a'), mirrors('https://m.io')],
  ['mirror-asks-elsewhere', mirrors('HTTPS://m.io'), mirrors('m.io')],
  ['mirror-asks-elsewhere', mirrors('https://m.io/#a'), mirrors('https://m.io/a')],
  ['mirror-asks-elsewhere', mirrors('httpbin.io'), mirrors('https://httpbin.io')],
  ['registry-never-asked', mirrored('my-registry'), mirrored('my-registry:443')],
  ['registry-never-asked', mirrored('index.docker.io'), mirrored('docker.io')],
  ['registry-never-asked', mirrored('con'), mirrored('localhost')],
  [
    'label-is-of-the-kubelet',
    { kubelet: { labels: { 'node.kubernetes.io/windows-build': '10.0.1' } } },
    { kubelet: { labels: { 'node.kubernetes.io/pool': 'a' } } },
  ],
  [
    'credential-provider-refused',
    provider({ providers: [{ ...acr, name: 'a.exe', matchImages: ['a b.io'] }] }),
    provider({
      providers: [{ ...acr, name: 'a.exe', matchImages: ['*.io:5000/a', 'https://b.io'] }],
    }),
  ],
  [
    'credential-provider-refused',
    provider({ providers: [{ ...acr, defaultCacheDuration: '-1h' }] }),
    provider({ providers: [{ ...acr, defaultCacheDuration: '0' }] }),
  ],
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
  ['kube-proxy-gate-lacks-others', proxyGate('AtomicFIFO', false), proxyGate('WinDSR', true)],
  [
    'kube-proxy-gate-unknown',
    { ...kubernetes('1.26.15'), ...proxyGate('LoggingAlphaOptions', true) },
    { ...kubernetes('1.28.15'), ...proxyGate('LoggingAlphaOptions', true) },
  ],
  ...[
    ['https://m.example.com', 'https://M.example.com/'],
    ['https://m.example.com:443/v2', 'https://m.example.com/v2/'],
    ['https://one.example.com', 'https://m.example.com', 'https://m.example.com:0443'],
  ].map((urls): Row => [
    'mirror-given-twice',
    mirrors(...urls),
    mirrors(urls[0] ?? '', 'https://x.y'),
  ]),
  [
    'mirror-given-twice',
    mirrors('https://m.example.com/a', 'https://m.example.com/a'),
    mirrors('https://m.example.com/a', 'https://m.example.com/A'),
  ],
  ...['con', 'CON.example.com', 'nul'].map((name): Row => [
    'registry-name-refused-by-windows',
    mirrored(name),
    mirrored(`x${name}`),
  ]),
  ...['..', '.', 'a.', 'a.example.com.', 'my_registry:5000', '-x.io'].map((name): Row => [
    'bad-key',
    mirrored(name),
    mirrored('registry:5000'),
  ]),
  ...['COM1', 'aux.io', 'x'.repeat(256)].map((name): Row => [
    'registry-name-refused-by-windows',
    mirrored(name),
    mirrored('registry:5000'),
  ]),
  [
    'feature-listed-twice',
    { host: { features: ['Containers', 'containers'] } },
    { host: { features: ['Containers', 'Hyper-V'] } },
  ],
  ['taint-given-twice', taints('NoSchedule', 'NoSchedule'), taints('NoSchedule', 'NoExecute')],
  ['node-name-malformed', nodeName('WIN_1'), nodeName('win-1.example.com')],
  ['node-name-malformed', nodeName('-win'), nodeName('1')],
  ['node-name-malformed', nodeName('a'.repeat(64)), nodeName('a'.repeat(63))],
  ['node-name-malformed', nodeName(`${'a'.repeat(31)}.${'a'.repeat(32)}`), fileNamed],
  [
    'node-name-beyond-netbios',
    nodeName('sixteen-letters-'),
    nodeName('fifteen-letter1.example.com'),
  ],
  ['kube-proxy-setting-refused', metrics('127.0.0.1:'), metrics('127.0.0.1:10249')],
  ['kube-proxy-setting-refused', metrics('localhost:10249'), metrics('[::1]:10249')],
  ['kube-proxy-setting-refused', metrics('127.0.0.1:65536'), metrics('0.0.0.0:1')],
  ['kube-proxy-metrics-open', metrics('[::]:10249'), metrics('')],
  [
    'join-endpoint-port-malformed',
    { join: { endpoint: 'api.example.com:65536', caCertHashes: [hash] } },
    { join: { endpoint: '[fd00::1]:6443', caCertHashes: [hash] } },
  ],
  [
    'registry-mirrors-ignored',
    {
      ...kubernetes('1.25.16'),
      ...containerd('1.4.13'),
      registry: { mirrors: { _default: [{ url: 'https://m.example.com' }] } },
    },
    {
      ...kubernetes('1.25.16'),
      ...containerd('1.5.18'),
      registry: { mirrors: { _default: [{ url: 'https://m.example.com' }] } },
    },
  ],
  ['containers-feature-missing', { host: { features: [] } }],
  ['kubelet-port-open-to-all', {}, { host: { firewall: { kubeletFrom: ['10.0.0.0/24'] } } }],
  ['node-port-range-malformed', { host: { firewall: { nodePortRange: '32767-30000' } } }],
  [
    'tunnel-port-open-to-all',
    network({ nodeCIDRs: ['10.0.0.0/24'] }),
    { host: { firewall: { networkFrom: ['10.0.0.0/24'] } } },
  ],
  ['defender-does-not-scan-programs', { host: { defenderExclusions: true } }],
  ['proxy-misses-updates', { host: { proxy: { url: 'http://proxy.example.com:3128' } } }],
  [
    'proxy-over-tls',
    { host: { proxy: { url: 'https://proxy.example.com:3128' } } },
    { host: { proxy: { url: 'http://proxy.example.com:3128' } } },
  ],
  ['version-has-advisory', kubernetes('1.37.0')],
]

for (const [id, fires, silent = {}, day] of rows) {
  const alwaysFires = JSON.stringify(fires) === '{}' && JSON.stringify(silent) === '{}'
  t.test(`${id}: ${JSON.stringify(fires).slice(0, 90)}`, async (t) => {
    t.ok(idsOf(fires, day).includes(id), 'fires')
    if (!alwaysFires) t.notOk(idsOf(silent).includes(id), 'is silent')
    const [tried, judged] = [tryOut, judgeWhole].map((ask) => errorsBy(ask, fires))
    t.strictSame(tried, judged, 'errors alone are the same errors')
  })
}

function errorsBy(ask: typeof tryOut, patch: JsonObject): readonly Finding[] {
  const layer = { name: 'test', patch, place: () => undefined }
  const { findings } = ask([layer], 'test', { today, allowNewer: false })
  return findings.filter(({ severity }) => severity === 'error')
}

/** `[rule, the component whose version turns it, the rest of the profile, fires at, silent at]` */
type Turn = readonly [string, 'kubelet' | 'proxy' | 'containerd', JsonObject, string, string]

const antreaHost = antrea()
const turns: readonly Turn[] = [
  ...settingTurns,
  ['mirror-unreadable', 'containerd', mirrors('https://[fd00::1]:5000'), '1.6.39 1.7.36', '2.0.0'],
  ['mirror-unreadable', 'containerd', mirrors('https://m.io/a[b'), '1.6.39 1.7.36', '2.0.0'],
  ['image-name-too-new', 'containerd', mirrored('[fd00::1]:5000'), '1.6.39', '1.7.0 2.4.1'],
  ['image-name-too-new', 'containerd', mirrored('Registry'), '1.6.39', '1.7.0 2.4.1'],
  ['image-name-too-new', 'containerd', { sandboxImage: 'X/pause:3.9' }, '1.6.39', '1.7.0 2.4.1'],
  [
    'image-name-too-new',
    'containerd',
    { sandboxImage: `registry.example.com/${'n'.repeat(255)}:1` },
    '1.6.39',
    '1.7.0-rc.1 2.4.1',
  ],
  [
    'windows-release-unsupported',
    'kubelet',
    windows('ws2025'),
    '1.25.0 1.30.14',
    '1.31.0 1.31.0-rc.1 1.37.1',
  ],
  [
    'windows-release-unlisted',
    'kubelet',
    windows('ws2025'),
    '1.31.0 1.31.0-rc.1 1.34.12',
    '1.30.14 1.35.0 1.35.0-rc.1',
  ],
  [
    'windows-release-unlisted',
    'kubelet',
    windows('ws2019'),
    '1.35.0 1.35.0-rc.0 1.37.1',
    '1.25.0 1.34.12',
  ],
  ['kubernetes-older-than-tables', 'kubelet', {}, '1.20.0 1.24.17', '1.25.0 1.25.0-rc.1 1.37.1'],
  [
    'kubernetes-newer-than-tables',
    'kubelet',
    {},
    '1.38.0-rc.1 1.38.0 1.99.0 2.0.0',
    '1.37.2 1.37.1 1.37.0-rc.1',
  ],
  ['runtime-lacks-cri-v1', 'kubelet', containerd('1.5.18'), '1.26.0 1.26.0-rc.1 1.37.1', '1.25.16'],
  ['runtime-lacks-cri-v1', 'containerd', {}, '1.4.13 1.5.18', '1.6.0 1.6.0-rc.1 2.4.1'],
  [
    'runtime-lacks-runtime-config',
    'kubelet',
    containerd('1.7.36'),
    '1.38.0 1.38.0-rc.1',
    '1.37.1 1.25.16',
  ],
  [
    'runtime-lacks-runtime-config',
    'containerd',
    kubernetes('1.38.0'),
    '1.7.36 1.6.39',
    '2.0.0 2.0.0-rc.1 2.4.1',
  ],
  [
    'runtime-is-losing-support',
    'kubelet',
    containerd('1.7.36'),
    '1.34.0 1.34.0-rc.1 1.37.1',
    '1.33.13 1.38.0',
  ],
  [
    'containerd-config-too-new',
    'containerd',
    { containerd: { configVersion: 3 } },
    '1.6.39 1.7.36',
    '2.0.0 2.0.0-rc.1 2.4.1',
  ],
  [
    'containerd-config-too-new',
    'containerd',
    { containerd: { configVersion: 4 } },
    '1.7.36 2.2.9',
    '2.3.0 2.3.0-rc.1 2.4.1',
  ],
  [
    'containerd-config-migrated',
    'containerd',
    { containerd: { configVersion: 2 } },
    '2.0.0 2.0.0-rc.1 2.4.1',
    '1.6.39 1.7.36',
  ],
  ['containerd-path', 'containerd', {}, '1.6.25 1.7.0 1.7.10 1.7.11-rc.1', '1.6.26 1.7.11 2.0.0'],
  [
    'containerd-exact-build',
    'containerd',
    windows('ws2025'),
    '1.6.22 1.7.0 1.7.5',
    '1.6.23 1.7.6 2.0.0-rc.1',
  ],
  [
    'containerd-picks-image-by-revision',
    'containerd',
    windows('ws2025'),
    '1.6.23 1.7.6 1.7.36 2.1.5',
    '1.7.5 2.1.6 2.2.0-rc.1',
  ],
  [
    'antrea-needs-host-process',
    'kubelet',
    antreaHost,
    '1.25.0 1.25.16',
    '1.26.0 1.26.0-rc.1 1.37.1',
  ],
  [
    'antrea-needs-host-process',
    'containerd',
    antreaHost,
    '1.6.0 1.6.17 1.6.18-rc.1',
    '1.6.18 1.7.0 2.4.1',
  ],
  ['kubelet-sockets', 'kubelet', {}, '1.31.0 1.31.0-rc.1', '1.30.14 1.31.1 1.32.0'],
  [
    'kubelet-wmic',
    'kubelet',
    windows('ws2025'),
    '1.25.0 1.28.12 1.29.0 1.29.7 1.30.0-rc.1 1.30.3',
    '1.28.13 1.29.8 1.30.4 1.31.0',
  ],
  ['kubelet-subpath-handles', 'kubelet', {}, '1.25.0 1.36.5', '1.37.0 1.37.0-rc.1'],
  [
    'proxy-hns-15-4',
    'proxy',
    windows('ws2025'),
    '1.31.0 1.31.0-rc.1 1.32.5 1.33.0 1.33.1',
    '1.30.14 1.32.6 1.33.2 1.34.0',
  ],
  ['proxy-hns-restart', 'proxy', {}, '1.30.14 1.36.5', '1.37.0 1.37.0-rc.1'],
  [
    'proxy-stale-endpoints',
    'proxy',
    network({ mode: 'l2bridge', nodeCIDRs: ['10.0.0.0/24'] }),
    '1.30.14 1.34.7 1.35.0-rc.1 1.35.4 1.36.0',
    '1.34.8 1.35.5 1.36.1 1.37.0',
  ],
  ['containerd-pod-transitions', 'containerd', {}, '1.7.0-rc.1 1.7.13', '1.6.39 1.7.14 2.0.0'],
  [
    'containerd-terminal-stderr',
    'containerd',
    {},
    '1.6.34 1.7.0 1.7.20',
    '1.6.35 1.7.21 2.0.0 2.0.0-rc.1',
  ],
  ['containerd-shim-pipe', 'containerd', {}, '1.7.36 2.2.9', '2.3.0 2.3.0-rc.1'],
  ['containerd-shim-log', 'containerd', {}, '2.3.0-rc.1 2.3.0 2.3.1', '2.2.9 2.3.2'],
  ['containerd-system-temp', 'containerd', {}, '1.7.36 2.3.2', '2.3.3 2.4.1'],
  ['kubelet-memory-leak', 'kubelet', {}, '1.36.0 1.36.0-rc.1 1.36.2', '1.35.9 1.36.3 1.37.0'],
  [
    'kubelet-resolv-conf',
    'kubelet',
    config({ resolvConf: 'Host' }),
    '1.25.0 1.26.15',
    '1.27.0 1.27.0-rc.1 1.37.1',
  ],
  [
    'kubelet-setting-refused',
    'kubelet',
    config({ singleProcessOOMKill: false }),
    '1.32.0 1.32.0-rc.1 1.37.1',
    '1.31.14',
  ],
  [
    'kubelet-setting-refused',
    'kubelet',
    config({ userNamespaces: {} }),
    '1.33.0 1.33.0-rc.1 1.37.1',
    '1.32.13',
  ],
  [
    'kubelet-field-unknown',
    'kubelet',
    config({ crashLoopBackOff: {} }),
    '1.25.0 1.31.14',
    '1.32.0 1.32.0-rc.1 1.37.1',
  ],
  [
    'kubelet-field-unknown',
    'kubelet',
    config({ enableSystemLogQuery: false }),
    '1.26.15',
    '1.27.0 1.27.0-rc.1',
  ],
  [
    'kube-proxy-field-unknown',
    'proxy',
    { kubeProxy: { config: { udpIdleTimeout: '1s' } } },
    '1.26.0 1.26.0-rc.1 1.37.1',
    '1.25.16',
  ],
  [
    'kube-proxy-field-unknown',
    'proxy',
    { kubeProxy: { config: { windowsRunAsService: true } } },
    '1.30.14',
    '1.31.0 1.31.0-rc.1',
  ],
  [
    'kubelet-gate-unknown',
    'kubelet',
    gate('WindowsHostProcessContainers', true),
    '1.28.0 1.28.0-rc.1 1.36.5',
    '1.25.0 1.27.16',
  ],
  [
    'kubelet-gate-unknown',
    'kubelet',
    gate('DynamicKubeletConfig', false),
    '1.26.0 1.26.0-rc.1',
    '1.25.16',
  ],
  ['kubelet-gate-unknown', 'kubelet', gate('IdentifyPodOS', true), '1.27.0 1.27.0-rc.1', '1.26.15'],
  [
    'kubelet-gate-unknown',
    'kubelet',
    gate('WindowsGracefulNodeShutdown', true),
    '1.25.0 1.31.14',
    '1.32.0 1.32.0-rc.1',
  ],
  [
    'kubelet-gate-locked',
    'kubelet',
    gate('NodeLogQuery', false),
    '1.36.0 1.36.0-rc.1 1.37.1',
    '1.30.14 1.35.9',
  ],
  [
    'kube-proxy-gate-locked',
    'proxy',
    proxyGate('WinDSR', false),
    '1.34.0 1.34.0-rc.1 1.37.1',
    '1.25.0 1.33.13',
  ],
  [
    'kube-proxy-gate-needless',
    'proxy',
    proxyGate('WinDSR', true),
    '1.34.0 1.34.0-rc.1 1.37.1',
    '1.32.13 1.33.13',
  ],
  [
    'kube-proxy-gate-off',
    'proxy',
    proxyGate('WinDSR', false),
    '1.25.0 1.32.13',
    '1.33.0 1.33.0-rc.1',
  ],
  [
    'kube-proxy-gate-off',
    'proxy',
    proxyGate('WinOverlay', false),
    '1.25.0 1.33.13',
    '1.34.0 1.34.0-rc.1',
  ],
  [
    'proxy-hns-endpoint',
    'proxy',
    {},
    '1.31.0 1.31.0-rc.1 1.31.8 1.32.4 1.33.0',
    '1.30.14 1.31.9 1.32.5 1.33.1',
  ],
  [
    'proxy-local-traffic',
    'proxy',
    {},
    '1.25.0 1.32.9 1.33.5 1.34.1',
    '1.32.10 1.33.6 1.34.2 1.35.0',
  ],
  ['proxy-resync', 'proxy', {}, '1.34.0 1.34.3 1.35.0', '1.33.13 1.34.4 1.35.1'],
  [
    'shutdown-grace-without-effect',
    'kubelet',
    { kubelet: { shutdownGracePeriod: '60s' } },
    '1.25.0 1.31.14',
    '1.32.0 1.32.0-rc.1 1.37.1',
  ],
  ['memory-eviction-not-acted-on', 'kubelet', {}, '1.25.0 1.30.14', '1.31.0 1.31.0-rc.1 1.37.1'],
  [
    'kubelet-drop-ins-too-early',
    'kubelet',
    { kubelet: { dropInDirectory: 'C:\\d' } },
    '1.25.0 1.27.16 1.28.15 1.29.15',
    '1.30.0 1.30.0-rc.1 1.37.1',
  ],
  [
    'kubelet-setting-refused',
    'kubelet',
    config({ enforceNodeAllocatable: ['none'] }),
    '1.25.0 1.30.14',
    '1.31.0 1.31.0-rc.1 1.37.1',
  ],
  [
    'credential-provider-name-lacks-exe',
    'kubelet',
    provider({ providers: [acr] }),
    '1.25.0 1.29.15',
    '1.30.0 1.30.0-rc.1 1.37.1',
  ],
  [
    'kubelet-setting-mistyped',
    'kubelet',
    config({ logging: { flushFrequency: '5s' } }),
    '1.25.0 1.27.16',
    '1.28.0 1.28.0-rc.1',
  ],
]

const turned = (of: Turn[1], version: string, rest: JsonObject): JsonObject => {
  const kept = isObject(rest['containerd']) ? rest['containerd'] : {}
  if (of === 'containerd') return { ...rest, containerd: { ...kept, version } }
  return { ...rest, ...kubernetes(version) }
}

t.test(
  'version rules turn where they say: below, at both ends, above, and at a candidate',
  async (t) => {
    for (const [id, of, rest, fires, silent] of turns) {
      for (const version of fires.split(' '))
        t.ok(idsOf(turned(of, version, rest)).includes(id), `${id} fires at ${of} ${version}`)
      for (const version of silent.split(' ').filter((word) => word !== ''))
        t.notOk(
          idsOf(turned(of, version, rest)).includes(id),
          `${id} is silent at ${of} ${version}`,
        )
    }
  },
)

/** Dots of addresses aside. */
const versionIn = /(?<![\d.])\d+\.\d+(?:\.\d+)?(?!\.?\d)/
const sets = /Set ([\w.]+(?:(?:, | and )[\w.]+)*) to (\S+?)(?:: the cluster moves first)?\.$/

t.test('a remedy that names a version was tried, and breaks nothing', async (t) => {
  for (const { id, remedy } of rules)
    t.notMatch(remedy, versionIn, `${id}: its remedy is the same everywhere`)
  const supported = kubernetesMinors.filter(({ endOfLife }) => today <= endOfLife)
  const lines = containerdLines.filter(({ endOfLife }) => today <= endOfLife)
  const clusters: readonly JsonObject[] = [
    {},
    ...supported.flatMap(({ newestPatch: apiServer }) => [
      { kubernetes: { apiServer } },
      { kubernetes: { apiServer, kubeadm: supported[0]?.newestPatch ?? apiServer } },
    ]),
    ...lines.map(({ newestPatch: version }) => ({ containerd: { version } })),
  ]
  const judge = (...patches: readonly JsonObject[]) =>
    compile(
      patches.map((patch) => ({ name: 'test', patch, place: () => undefined })),
      'test',
      today,
    ).findings
  const keyOf = ({ id, path, see }: Finding) => JSON.stringify([id, path, see])
  const tried = new Set<string>()
  const movable = new Set(rules.flatMap(({ id, moves = [] }) => (moves.length > 0 ? [id] : [])))
  const firing = rows.flatMap(([id, patch]) => (movable.has(id) ? [{ id, patch }] : []))
  const fired = new Set(firing.map(({ id }) => id))
  const turning = turns.flatMap(([id, of, rest, fires]) =>
    movable.has(id) && !fired.has(id)
      ? [{ id, patch: turned(of, fires.split(' ')[0] ?? '', rest) }]
      : [],
  )
  for (const { id, patch } of [...firing, ...turning])
    for (const cluster of clusters) {
      const before = judge(cluster, patch)
      const known = new Set(before.map(keyOf))
      for (const finding of before.filter((one) => one.id === id)) {
        const [sentence, fields = '', value = ''] = sets.exec(finding.remedy ?? '') ?? []
        if (sentence === undefined || !versionIn.test(value)) continue
        tried.add(id)
        const moves = fields.split(/, | and /).map((field) => layerPatch(field.split('.'), value))
        const after = judge(cluster, patch, ...moves)
        const worse = after.filter((one) => one.severity === 'error' && !known.has(keyOf(one)))
        if (worse.length > 0 || after.some((one) => keyOf(one) === keyOf(finding)))
          t.fail(`${id}: ${sentence}`, { cluster, patch, worse: worse.map(keyOf) })
      }
    }
  t.ok(tried.size > 25, `${tried.size} rules name a version somewhere`)
})

const layerPatch = (path: readonly string[], value: string): JsonObject =>
  path.reduceRight<JsonObject | string>((inner, key) => ({ [key]: inner }), value) as JsonObject

t.test('what a rule says depends on the case', async (t) => {
  const said = (patch: JsonObject, id: string) =>
    compile([{ name: 'test', patch, place: () => undefined }], 'test', today).findings.find(
      (finding) => finding.id === id,
    )
  const share = (size: number) =>
    said(
      { ...network({ nodeCIDRMaskSize: size }), kubelet: { maxPods: 200 } },
      'pods-exceed-addresses',
    )
  t.equal(share(30)?.severity, 'error', 'no pod gets an address')
  t.equal(share(29)?.severity, 'warning', 'four of them do')
  t.equal(share(24), undefined)
  const unknown = (version: string) =>
    said(
      { ...kubernetes(version), kubelet: { featureGates: { NoSuchGate: true } } },
      'kubelet-gate-unknown',
    )
  t.equal(unknown('1.24.17')?.severity, 'warning', 'below the tables')
  t.equal(unknown('1.25.0')?.severity, 'error', 'first inside')
  t.equal(unknown('1.37.0-rc.1')?.severity, 'error', 'the last that was asked')
  t.equal(unknown('1.38.0')?.severity, 'warning', 'above the tables')
  t.equal(said(config({ MaxPods: 5 }), 'kubelet-field-unknown')?.remedy, 'Did you mean maxPods?')
  t.equal(said(config({ maxPodz: 5 }), 'kubelet-field-unknown')?.remedy, 'Did you mean maxPods?')
  t.equal(said(windows('ws2019', 1431), 'dsr-needs-patch-level')?.severity, 'error')
  t.equal(said(windows('ws2019'), 'dsr-needs-patch-level')?.severity, 'warning')
  t.equal(said(windows('ws2025', 1), 'overlay-needs-patch-level')?.severity, 'error')
  t.equal(said(windows('ws2025'), 'overlay-needs-patch-level')?.severity, 'warning')
})

t.test('what the tables lack is refused, unless it is asked for', async (t) => {
  const judge = (patch: JsonObject, allowNewer: boolean) =>
    compile([{ name: 'test', patch, place: () => undefined }], 'test', today, allowNewer)
  const newer: readonly (readonly [string, JsonObject])[] = [
    ['kubernetes-newer-than-tables', kubernetes('1.99.0')],
    ['containerd-newer-than-tables', containerd('2.9.0')],
    ['program-newer-than-tables', containerd('2.3.6', { crictl: '1.99.0' })],
  ]
  for (const [id, patch] of newer) {
    const [refused, ...again] = judge(patch, false).findings.filter((one) => one.id === id)
    t.equal(refused?.severity, 'error', `${id}: ${refused?.message ?? ''}`)
    t.strictSame(again, [], 'once, although other versions follow')
    const { findings, plan } = judge(patch, true)
    const allowed = findings.find((one) => one.id === id)
    t.equal(allowed?.severity, 'warning')
    t.match(allowed?.message, / taken from there$/)
    t.ok(plan, `${id}: it renders`)
    t.notOk(
      findings.some((one) => /kubernetes-(end|in-main)/.test(one.id)),
      'the days of another minor say nothing of this one',
    )
  }
  for (const patch of [containerd('1.8.0'), kubernetes('1.24.17')])
    t.notOk(judge(patch, true).plan, 'nothing newer about it')
})

/** Modules that hold rules: what they export of them, a rule or a list. */
async function declared(): Promise<readonly (readonly [place: string, rule: Rule])[]> {
  const names = ['src/rules', 'src/cni'].flatMap((folder) =>
    filesBelow(join(project, folder)).map((name) => `${folder}/${name}`),
  )
  const found = names.map(async (name) => {
    const values: unknown[] = Object.values(await import(join(project, name)))
    return values
      .flat()
      .flatMap((one) => (isRule(one) ? [[`${name}: ${one.id}`, one] as const] : []))
  })
  return (await Promise.all(found)).flat()
}

const isRule = (one: unknown): one is Rule =>
  typeof one === 'object' && one !== null && 'check' in one && 'remedy' in one && 'id' in one

t.test('every rule is asked, fires in a row and is silent in one', async (t) => {
  const all = await declared()
  t.ok(all.length > 200)
  const idle = all.filter(([, rule]) => !rules.includes(rule)).map(([place]) => place)
  t.strictSame(idle, [], 'each is in src/rules/index.ts')
  const fired = new Set([...rows, ...turns].map(([id]) => id))
  const silent = new Set([
    ...rows.flatMap(([id, fires, quiet]) => (isEmpty(fires) && !quiet ? [] : [id])),
    ...turns.flatMap(([id, , , , quiet]) => (quiet === '' ? [] : [id])),
  ])
  const lacks = rules.flatMap(({ id }) => [
    ...(fired.has(id) ? [] : [`${id}: no row of test/rules.test.ts where it fires`]),
    ...(silent.has(id) ? [] : [`${id}: no row of test/rules.test.ts where it is silent`]),
  ])
  t.strictSame(lacks, [])
})

const isEmpty = (patch: JsonObject): boolean => Object.keys(patch).length === 0

t.test('catalogue', async (t) => {
  const ids = rules.map(({ id }) => id)
  t.strictSame(
    ids.filter((id, at) => ids.indexOf(id) !== at),
    [],
    'ids are unique',
  )
  for (const rule of rules) {
    t.match(rule.id, /^[a-z0-9]+(?:-[a-z0-9.]+)*$/)
    t.match(rule.summary, /\.$/, `${rule.id}: the summary is a sentence`)
    t.match(rule.remedy, /\.$/, `${rule.id}: the remedy is a sentence`)
    t.match(rule.see, /^https:\/\//, `${rule.id} has a source`)
  }
})

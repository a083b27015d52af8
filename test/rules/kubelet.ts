// Rows of the kubelet: what it lets in, evicts, labels and serves.
import { config, containerd, fileNamed, kubernetes, network, root, type Row } from './profiles.ts'

/** The last version of each line that runs the commands of a log query, and the first that does not. */
const exploitable: readonly (readonly [string, string])[] = [
  ['1.29.12', '1.29.13'],
  ['1.30.8', '1.30.9'],
  ['1.30.0-rc.1', '1.30.14'],
  ['1.31.4', '1.31.5'],
  ['1.32.0', '1.32.1'],
]

const taints = (...effects: readonly string[]) => ({
  kubelet: { taints: effects.map((effect) => ({ key: 'os', value: 'windows', effect })) },
})

export const kubeletRows: readonly Row[] = [
  [
    'kubelet-resolv-conf',
    config({ resolvConf: '/etc/resolv.conf' }),
    config({ resolvConf: 'Host' }),
  ],
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
  [
    'kubelet-api-open',
    config({ authentication: { x509: { clientCAFile: '' } } }),
    config({ authentication: { x509: { clientCAFile: 'C:\\ca.crt' } } }),
  ],
  ['kubelet-setting-ignored', config({ streamingConnectionIdleTimeout: '1h' })],
  [
    'kubelet-setting-ignored',
    config({ tlsCipherSuites: ['TLS_AES_128_GCM_SHA256'], tlsMinVersion: 'VersionTLS13' }),
    config({ tlsCipherSuites: ['TLS_AES_128_GCM_SHA256'] }),
  ],
  ['kubelet-field-linux-only', config({ podPidsLimit: 100 })],
  [
    'eviction-signal-dead-on-windows',
    config({
      evictionSoft: { 'pid.available': '10%' },
      evictionSoftGracePeriod: { 'pid.available': '1m' },
    }),
    config({
      evictionSoft: { 'memory.available': '2Gi' },
      evictionSoftGracePeriod: { 'memory.available': '1m' },
    }),
  ],
  ['eviction-signal-dead-on-windows', { reserve: { evictionHard: { 'pid.available': '10%' } } }],
  [
    'memory-eviction-off',
    { reserve: { evictionHard: { 'memory.available': '0%' } } },
    { reserve: { evictionHard: { 'nodefs.available': '15%' } } },
  ],
  [
    'memory-eviction-late',
    { reserve: { evictionHard: { 'memory.available': '100Mi' } } },
    { reserve: { evictionHard: { 'memory.available': '100%' } } },
  ],
  [
    'memory-eviction-late',
    { reserve: { evictionHard: { 'memory.available': '499Mi' } } },
    { reserve: { evictionHard: { 'memory.available': '500Mi' } } },
  ],
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
  ['log-level-shows-tokens', { kubelet: { verbosity: 8 } }, { kubelet: { verbosity: 7 } }],
  ['log-level-shows-tokens', { kubeProxy: { verbosity: 9 } }, { kubeProxy: { verbosity: 8 } }],
  ['kubelet-events-unbounded', config({ eventRecordQPS: 0 })],
  [
    'eviction-before-image-collection',
    { ...config({ imageGCHighThresholdPercent: 95 }) },
    { ...config({ imageGCHighThresholdPercent: 90 }) },
  ],
  [
    'eviction-before-image-collection',
    { reserve: { evictionHard: { 'nodefs.available': '99%' } } },
    { reserve: { evictionHard: { 'nodefs.available': '100%' } } },
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
  ['kubelet-log-query-on', config({ enableSystemLogQuery: true })],
  ...exploitable.map(([fires, silent]): Row => [
    'kubelet-log-query-exploitable',
    { ...kubernetes(fires), ...config({ enableSystemLogQuery: true }) },
    { ...kubernetes(silent), ...config({ enableSystemLogQuery: true }) },
  ]),
  [
    'eviction-before-image-collection',
    { ...root('D:\\containerd'), reserve: { evictionHard: { 'imagefs.available': '20%' } } },
    { ...root('D:\\containerd'), reserve: { evictionHard: { 'nodefs.available': '20%' } } },
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
  [
    'label-is-of-the-kubelet',
    { kubelet: { labels: { 'node.kubernetes.io/windows-build': '10.0.1' } } },
    { kubelet: { labels: { 'node.kubernetes.io/pool': 'a' } } },
  ],
  ['taint-given-twice', taints('NoSchedule', 'NoSchedule'), taints('NoSchedule', 'NoExecute')],
]

// Rows of kube-proxy: its settings, gates and modes.
import { antrea, kubernetes, network, proxyGate, type Row, windows } from './profiles.ts'

const dualStack = network({ podCIDRs: ['10.244.0.0/16', 'fd00::/64'] })

const metrics = (metricsBindAddress: string) => ({ kubeProxy: { metricsBindAddress } })

export const kubeProxyRows: readonly Row[] = [
  ['proxy-dual-stack', { ...kubernetes('1.35.0'), ...dualStack }, kubernetes('1.35.0')],
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
  ['kube-proxy-field-unknown', { kubeProxy: { config: { udpIdleTimeout: '1s' } } }],
  ['kube-proxy-field-linux-only', { kubeProxy: { config: { iptables: {} } } }],
  // kube-proxy on Windows gets neither: createProxier in cmd/kube-proxy/app/server_windows.go.
  ...[
    { nodePortAddresses: ['10.0.0.0/8'] },
    { detectLocalMode: 'NodeCIDR' },
    { detectLocal: { interfaceNamePrefix: 'veth' } },
  ].map((settings): Row => [
    'kube-proxy-field-linux-only',
    { kubeProxy: { config: settings } },
    { kubeProxy: { config: { configSyncPeriod: '10m' } } },
  ]),
  ['kube-proxy-gate-unknown', { kubeProxy: { featureGates: { IPv6DualStack: true } } }],
  ['kube-proxy-gate-locked', { kubeProxy: { featureGates: { WinDSR: false } } }],
  ['kube-proxy-gate-needless', { kubeProxy: { featureGates: { WinDSR: true } } }],
  ['dsr-needs-patch-level', windows('ws2019'), antrea({}, windows('ws2019'))],
  ['dsr-off', network({ dsr: false })],
  ['dsr-needs-patch-level', windows('ws2019', 1431), windows('ws2019', 1432)],
  ['kube-proxy-mode-not-kernelspace', { kubeProxy: { config: { mode: 'iptables' } } }],
  ['kube-proxy-late-value-overridden', { kubeProxy: { config: { hostnameOverride: 'x' } } }],
  ['kube-proxy-metrics-open', { kubeProxy: { metricsBindAddress: '0.0.0.0:10249' } }],
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
  ['kube-proxy-gate-lacks-others', proxyGate('AtomicFIFO', false), proxyGate('WinDSR', true)],
  [
    'kube-proxy-gate-unknown',
    { ...kubernetes('1.26.15'), ...proxyGate('LoggingAlphaOptions', true) },
    { ...kubernetes('1.28.15'), ...proxyGate('LoggingAlphaOptions', true) },
  ],
  [
    'kube-proxy-setting-refused',
    { kubeProxy: { config: { nodePortAddresses: ['primary', 'primary'] } } },
    { kubeProxy: { config: { nodePortAddresses: ['10.0.0.0/8', '10.0.0.0/8'] } } },
  ],
  ['kube-proxy-setting-refused', metrics('127.0.0.1:'), metrics('127.0.0.1:10249')],
  ['kube-proxy-setting-refused', metrics('localhost:10249'), metrics('[::1]:10249')],
  ['kube-proxy-setting-refused', metrics('127.0.0.1:65536'), metrics('0.0.0.0:1')],
  ['kube-proxy-metrics-open', metrics('[::]:10249'), metrics('')],
  ['kube-proxy-metrics-open', metrics('[::12]:10249'), metrics('[::1]:10249')],
  ['kube-proxy-metrics-open', metrics('12.7.0.1:10249'), metrics('127.0.0.2:10249')],
]

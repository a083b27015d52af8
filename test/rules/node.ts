// Rows of the machine: its size, host, disks, names, secrets and how it joins.
import { mergeJson, type JsonObject } from '../../src/model/json.ts'
import {
  antrea,
  bootstrap,
  ca,
  calico,
  config,
  fileNamed,
  hash,
  kubernetes,
  network,
  root,
  type Row,
  windows,
} from './profiles.ts'

const policies = (fields: JsonObject) => ({ cluster: { policies: fields } })
const exporter = (more: JsonObject) =>
  mergeJson({ cluster: { windowsExporter: { enabled: true } } }, more)
const exporterImage = (image: string) => exporter({ cluster: { windowsExporter: { image } } })

const csrApprover = (fields: JsonObject, more: JsonObject = {}) =>
  mergeJson({ cluster: { csrApprover: { enabled: true, ...fields } } }, more)
const inNodes = { nodeCIDRs: ['10.0.0.0/24'] }

const fluentBit = (more: JsonObject): JsonObject => ({
  cluster: { fluentBit: { enabled: true, ...more } },
})
const imagePull = (...images: readonly string[]): JsonObject => ({
  cluster: { imagePull: { images } },
})
const forward = (host: string): JsonObject => ({ plugin: 'forward', host, port: 24224 })

/** Each with another Secret. */
const smb = (...shares: readonly string[]): JsonObject => ({
  cluster: {
    smbCsi: {
      enabled: true,
      sources: shares.map((source, at) => ({
        name: `share-${at}`,
        source,
        secret: `secret-${at}`,
        secretNamespace: 'default',
      })),
    },
  },
})

const gmsa = (...specs: readonly JsonObject[]): JsonObject => ({
  cluster: {
    gmsa: {
      credentialSpecs: specs.map((fields) => ({
        name: 'webapp1',
        machineAccountName: 'WebApp1',
        dnsName: 'corp.example.com',
        netBiosName: 'CORP',
        guid: '244818ae-87ac-4fcd-92ec-e79e5252348a',
        sid: 'S-1-5-21-2126449477-2524075714-3094792973',
        serviceAccounts: [{ namespace: 'web', name: 'webapp' }],
        ...fields,
      })),
    },
  },
})
const plugin = (pluginInput: string): JsonObject => ({
  hostAccountConfig: { pluginGUID: '{CCC2A336-D7F3-4818-A213-272B7924213E}', pluginInput },
})

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
  [`glpat-${'a1'.repeat(10)}`, 'glpat-short'],
  [`xoxb-${'12'.repeat(6)}-abc`, 'xoxb-team'],
  [`npm_${'a1'.repeat(18)}`, 'npm_config_registry'],
  [`sk_live_${'a1'.repeat(12)}`, 'sk_live_'],
  [`AKIA${'A1'.repeat(8)}`, 'AKIA'],
  [`AccountName=a;AccountKey=${'a1'.repeat(20)}==`, 'AccountKey'],
  ['https://a.blob.core.windows.net/b?sv=1&sig=a%2Bb%3D', 'https://a.example.com/?sign=1'],
  [`https://b.s3.amazonaws.com/c?X-Amz-Signature=${'a1'.repeat(32)}`, 'X-Amz-Signature'],
  ['--password abc', '--password --stdin'],
]

const nodeName = (name: string) => ({ kubelet: { nodeName: name } })

const host = (values: JsonObject) => ({ host: values })
const tcp = (ports: string) => ({ protocol: 'TCP', ports })
const excluded = (ports: string, protocol: string) => host({ excludedPorts: [{ protocol, ports }] })
/** Dynamic ports from this one on, without NodePorts. */
const dynamicFrom = (first: number) =>
  host({ dynamicPorts: `${first}-65535`, excludedPorts: [tcp('30000-32767')] })

const registry = (...entries: JsonObject[]) => ({
  host: {
    registry: entries.map((entry) => ({ path: 'HKLM\\SOFTWARE\\Example', name: 'Flag', ...entry })),
  },
})

const tcpip6 = (entry: JsonObject) =>
  registry({
    path: 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\Tcpip6\\Parameters',
    name: 'DisabledComponents',
    ...entry,
  })

export const nodeRows: readonly Row[] = [
  [
    'hyper-v-feature-missing',
    { isolation: { hyperV: true } },
    { isolation: { hyperV: true }, host: { features: ['Containers', 'hyper-v'] } },
  ],
  ['containerd-root-refused', root('C:\\ProgramData\\containerd\\state'), root('D:\\k')],
  ['containerd-root-refused', root('C:\\PROGRAM FILES\\containerd\\data'), root('C:\\layers')],
  ['containerd-root-refused', root('C:\\var\\lib')],
  ['containerd-root-refused', root('C:\\Users\\images'), root('D:\\Users\\images')],
  ['containerd-root-refused', root('E:\\CONFIG.MSI\\images'), root('E:\\bin')],
  ['containerd-root-refused', root(`D:\\${'a'.repeat(256)}`), root(`D:\\${'a'.repeat(255)}`)],
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
    'node-name-unknown-to-cloud',
    { kubelet: { cloudProvider: 'external' } },
    { kubelet: { cloudProvider: 'external' }, targets: { capi: { provider: 'vsphere' } } },
  ],
  [
    'nothing-left-for-pods',
    { reserve: { evictionHard: { 'memory.available': '99%' } } },
    { reserve: { evictionHard: { 'memory.available': '100%', 'nodefs.available': '100%' } } },
  ],
  ['nothing-left-for-pods', { machine: { memory: '2Gi' } }],
  ['nothing-left-for-pods', { machine: { disk: '2Gi' } }],
  // Antrea’s pod requests 400m.
  [
    'nothing-left-for-pods',
    antrea({}, { reserve: { system: { cpu: '3.6' } } }),
    { reserve: { system: { cpu: '3.6' } } },
  ],
  [
    'reservation-below-windows-floor',
    { reserve: { kube: { memory: '0' }, system: { memory: '2047Mi' } } },
  ],
  [
    'reservation-starves-windows',
    { reserve: { kube: { memory: '0' }, system: { memory: '100Mi' } } },
  ],
  ['node-mostly-overhead', { machine: { memory: '6Gi' } }],
  [
    'eviction-threshold-off',
    { reserve: { evictionHard: { 'nodefs.available': '100%' } } },
    { reserve: { evictionHard: { 'memory.available': '0%' } } },
  ],
  ['pods-beyond-tested', { kubelet: { maxPods: 251 } }, { kubelet: { maxPods: 250 } }],
  [
    'reservation-model-for-linux',
    { reserve: { model: 'openshift' } },
    { reserve: { model: 'openshift-wmco' } },
  ],
  [
    'reservation-model-approximate',
    { reserve: { model: 'gke-windows-approx' } },
    { reserve: { model: 'gke' } },
  ],
  ['ipv6-disabled', tcpip6({ value: 255 }), tcpip6({ value: 32 })],
  ['ipv6-disabled', tcpip6({ value: 0x11 }), registry({ value: 255 })],
  ['processors-beyond-one-group', { ...windows('ws2019'), machine: { cpu: 65 } }],
  ['registry-value-unfit', registry({ value: 'on' }), registry({ value: 4_294_967_295 })],
  ['registry-value-unfit', registry({ value: 4_294_967_296 }), registry({})],
  ['registry-value-unfit', registry({ value: -1 }), registry({ type: 'String', value: '-1' })],
  [
    'registry-value-unfit',
    registry({ type: 'ExpandString', value: 1 }),
    registry({ type: 'ExpandString', value: '%TEMP%' }),
  ],
  [
    'registry-value-unfit',
    registry({ type: 'MultiString', value: 'one' }),
    registry({ type: 'MultiString', value: ['one', 'two'] }),
  ],
  [
    'registry-value-named-twice',
    registry(
      { value: 1 },
      { path: 'hkey_local_machine\\software\\example', name: 'FLAG', value: 2 },
    ),
    registry({ value: 1, builds: [20_348] }, { value: 2, builds: [26_100] }),
  ],
  [
    'registry-build-unknown',
    registry({ value: 1, builds: [20_349] }),
    registry({ value: 1, builds: [20_348] }),
  ],
  ['dynamic-ports-refused', host({ dynamicPorts: '1024-65535' }), dynamicFrom(1025)],
  ['dynamic-ports-refused', host({ dynamicPorts: '34000-34253' }), dynamicFrom(65_281)],
  ['dynamic-ports-refused', host({ dynamicPorts: '65535-34000' })],
  ['dynamic-ports-refused', host({ dynamicPorts: '34000-65536' })],
  ['excluded-ports-malformed', excluded('0', 'UDP'), excluded('1', 'UDP')],
  ['excluded-ports-malformed', excluded('65536', 'TCP'), excluded('65535', 'TCP')],
  ['excluded-ports-malformed', excluded('20-10', 'TCP'), excluded('10-20', 'TCP')],
  [
    'excluded-ports-overlap',
    host({ excludedPorts: [tcp('30000-32767'), tcp('32767')] }),
    host({
      excludedPorts: [tcp('30000-32767'), tcp('32768'), { protocol: 'UDP', ports: '30000' }],
    }),
  ],
  [
    'node-ports-are-dynamic',
    host({ dynamicPorts: '32767-65535' }),
    host({ dynamicPorts: '32768-65535' }),
  ],
  ['node-ports-are-dynamic', host({ dynamicPorts: '16385-65535' }), dynamicFrom(16_385)],
  [
    'node-ports-are-dynamic',
    host({ dynamicPorts: '16385-65535', excludedPorts: [tcp('30000-32766')] }),
  ],
  [
    'node-ports-are-dynamic',
    host({ firewall: { nodePortRange: '50000-51000' }, excludedPorts: [tcp('50000-51000')] }),
  ],
  ['page-file-moves', {}, { host: { pageFileMiB: 8096 } }],
  ['secret-in-profile', { kubelet: { labels: { token: 'abcdef.0123456789abcdef' } } }],
  ...secrets.map(([holds, harmless]): Row => [
    'secret-in-profile',
    config({ a: { [holds]: 1, b: 1 } }),
    config({ a: { [harmless]: 1, b: [harmless] } }),
  ]),
  ...secrets.map(([holds]): Row => ['secret-in-profile', config({ a: [holds] })]),
  ...['settings', 'blocks'].map((of): Row => [
    'secret-in-profile',
    { targets: { packer: { [of]: { own: { client_secret: 'abc' } } } } },
    { targets: { packer: { [of]: { own: { client_id: 'abc' } } } } },
  ]),
  [
    'secret-in-profile',
    config({ args: ['--password', 'abc'] }),
    config({ args: ['--password', '--stdin'] }),
  ],
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
  [
    'join-does-not-know-api-server',
    bootstrap({ endpoint: null }),
    bootstrap({ endpoint: null, discoveryFile: 'C:\\etc\\kubernetes\\discovery.conf' }),
  ],
  ['join-fields-of-kubeadm-unread', bootstrap({ caCertHashes: [hash] }), bootstrap()],
  ['join-fields-of-kubeadm-unread', bootstrap({ tokenFile: 'C:\\t' }), bootstrap()],
  ['join-ca-unread', { join: { ca } }, bootstrap()],
  ...[
    'C:\\etc\\kubernetes\\kubelet.conf',
    'c:\\k\\KUBELET.exe',
    'C:\\k',
    'C:\\var\\lib',
    'C:\\pagefile.sys',
    'C:\\bootmgr',
  ].map((tokenFile): Row => [
    'token-file-in-use',
    { join: { tokenFile } },
    { join: { tokenFile: 'C:\\etc\\kubernetes\\bootstrap-token' } },
  ]),
  [
    'token-file-in-use',
    {
      join: { tokenFile: 'C:\\secrets\\proxy' },
      kubeProxy: { credentials: { kubeconfig: 'C:\\secrets\\proxy' } },
    },
  ],
  [
    'token-file-in-use',
    { join: { tokenFile: 'C:\\plugins\\token' }, ...config({ volumePluginDir: 'C:/plugins' }) },
    { join: { tokenFile: 'C:\\secrets\\token' }, ...config({ volumePluginDir: 'C:/plugins' }) },
  ],
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
    'kubelet-health-port-not-kubeadms',
    config({ healthzBindAddress: '::1' }),
    config({ healthzBindAddress: '::' }),
  ],
  [
    'feature-listed-twice',
    { host: { features: ['Containers', 'containers'] } },
    { host: { features: ['Containers', 'Hyper-V'] } },
  ],
  [
    'feature-unknown',
    { host: { features: ['Containers', 'NotAFeature'] } },
    { host: { features: ['containers', 'Hyper-V-PowerShell', 'System-Insights'] } },
  ],
  ['node-name-malformed', nodeName('WIN_1'), nodeName('win-1.example.com')],
  ['node-name-malformed', nodeName('-win'), nodeName('1')],
  ['node-name-malformed', nodeName('a'.repeat(64)), nodeName('a'.repeat(63))],
  ['node-name-malformed', nodeName(`${'a'.repeat(31)}.${'a'.repeat(32)}`), fileNamed],
  [
    'node-name-beyond-netbios',
    nodeName('sixteen-letters-'),
    nodeName('fifteen-letter1.example.com'),
  ],
  [
    'containers-feature-missing',
    { host: { features: [] } },
    { host: { features: ['containers'] } },
  ],
  ['kubelet-port-open-to-all', {}, { host: { firewall: { kubeletFrom: ['10.0.0.0/24'] } } }],
  ['kubelet-port-open-to-all', config({ port: 10_251 }), config({ enableServer: false })],
  ['kubelet-port-open-to-all', config({ address: '0.0.0.0' }), config({ address: '127.0.0.1' })],
  ['kubelet-api-unreachable', config({ enableServer: false }), config({ enableServer: true })],
  ['kubelet-api-unreachable', config({ address: '127.0.0.1' }), config({ address: '0.0.0.0' })],
  ['kubelet-api-unreachable', config({ address: '::1' }), config({ address: '::' })],
  ...['0.0.0.0:10250', '127.0.0.1:10249', '0.0.0.0:10249', '[::]:10248'].map((address): Row => [
    'port-used-twice',
    { kubeProxy: { config: { healthzBindAddress: address } } },
    { kubeProxy: { config: { healthzBindAddress: '0.0.0.0:10300' } } },
  ]),
  ...[10_256, 10_248, 10_249].map((port): Row => [
    'port-used-twice',
    config({ port }),
    config({ port: 0 }),
  ]),
  ...['0.0.0.0:10250', '127.0.0.1:10256'].map((metricsBindAddress): Row => [
    'port-used-twice',
    { kubeProxy: { metricsBindAddress } },
    { kubeProxy: { metricsBindAddress: '127.0.0.1:10300' } },
  ]),
  [
    'port-used-twice',
    { cluster: { windowsExporter: { enabled: true } }, ...config({ port: 9182 }) },
    config({ port: 9182 }),
  ],
  ['port-used-twice', config({ readOnlyPort: 10_250 }), config({ readOnlyPort: 0 })],
  ['port-used-twice', config({ port: 10_256 }), config({ port: 10_256, enableServer: false })],
  ['port-in-used-range', config({ port: 31_000 }), config({ port: 29_999 })],
  [
    'port-in-used-range',
    config({ port: 40_000 }),
    { host: { excludedPorts: [{ protocol: 'TCP', ports: '40000' }] }, ...config({ port: 40_000 }) },
  ],
  [
    'port-in-used-range',
    { host: { excludedPorts: [{ protocol: 'UDP', ports: '40000' }] }, ...config({ port: 40_000 }) },
  ],
  ['node-port-range-malformed', { host: { firewall: { nodePortRange: '32767-30000' } } }],
  [
    'tunnel-port-open-to-all',
    network({ nodeCIDRs: ['10.0.0.0/24'] }),
    { host: { firewall: { networkFrom: ['10.0.0.0/24'] } } },
  ],
  ['tunnel-port-open-to-all', {}, network({ mode: 'l2bridge' })],
  [
    'tunnel-port-open-to-all',
    calico({ mode: 'l2bridge', backend: 'bgp' }),
    calico({ mode: 'l2bridge', backend: 'none' }),
  ],
  ['tunnel-port-open-to-all', antrea({}), network({ cni: 'none' })],
  [
    'tunnel-port-open-to-all',
    network({ cni: 'none', none: { openPorts: [{ protocol: 'UDP', ports: '8472' }] } }),
    network({ cni: 'win-bridge', mode: 'l2bridge' }),
  ],
  ['defender-does-not-scan-programs', {}, { host: { defenderExclusions: false } }],
  ['proxy-misses-updates', { host: { proxy: { url: 'http://proxy.example.com:3128' } } }],
  [
    'proxy-over-tls',
    { host: { proxy: { url: 'https://proxy.example.com:3128' } } },
    { host: { proxy: { url: 'http://proxy.example.com:3128' } } },
  ],
  [
    'admission-policies-unsupported',
    { ...kubernetes('1.29', { apiServer: '1.29.14' }), ...policies({ nodeSelector: true }) },
    { ...kubernetes('1.29', { apiServer: '1.30.14' }), ...policies({ nodeSelector: true }) },
  ],
  [
    'admission-policies-unsupported',
    {
      ...kubernetes('1.29', { apiServer: '1.29.14' }),
      ...policies({ hostProcessNamespaces: ['kube-system'] }),
    },
    kubernetes('1.29', { apiServer: '1.29.14' }),
  ],
  [
    'csr-approver-without-node-cidrs',
    csrApprover({}),
    csrApprover({}, network({ nodeCIDRs: ['10.0.0.0/24'] })),
  ],
  [
    'csr-approver-without-node-cidrs',
    csrApprover({ nodeCIDRs: ['10.0.0.0/24', '0.0.0.0/0'] }),
    csrApprover({ nodeCIDRs: ['10.0.0.0/24', 'fd00::/64'] }),
  ],
  [
    'csr-approver-rejects-node',
    csrApprover({ ...inNodes, nodeNames: ['win-*'] }, nodeName('lin-1')),
    csrApprover({ ...inNodes, nodeNames: ['win-*'] }, nodeName('win-1')),
  ],
  [
    'csr-approver-rejects-node',
    csrApprover(inNodes, network({ nodeIP: '10.0.1.5' })),
    csrApprover(inNodes, network({ nodeIP: '10.0.0.5' })),
  ],
  [
    'csr-approver-rejects-node',
    csrApprover({ ...inNodes, nodeNames: ['win'] }, nodeName('win-1')),
    nodeName('win-1'),
  ],
  ['gmsa-spec-given-twice', gmsa({}, {}), gmsa({}, { name: 'two' })],
  [
    'gmsa-plugin-input-has-password',
    gmsa(plugin('corp.example.com:gmsaccg:p4ss')),
    gmsa(plugin('rancher:gmsa')),
  ],
  [
    'host-process-policy-stops-network',
    calico({}, policies({ hostProcessNamespaces: ['kube-system'] })),
    calico({}, policies({ hostProcessNamespaces: ['kube-system', 'calico-system'] })),
  ],
  [
    'host-process-policy-stops-network',
    { kubeProxy: { runsAs: 'hostProcess' }, ...policies({ hostProcessNamespaces: [] }) },
    policies({ hostProcessNamespaces: [] }),
  ],
  [
    'host-process-policy-stops-addon',
    exporter(policies({ hostProcessNamespaces: ['monitoring'] })),
    exporter(policies({ hostProcessNamespaces: ['kube-system'] })),
  ],
  [
    'host-process-policy-stops-addon',
    exporter(policies({ hostProcessNamespaces: [] })),
    exporter(policies({ hostProcessNamespaces: [], action: 'Warn' })),
  ],
  // Fluent Bit reads logs of containers without HostProcess.
  [
    'host-process-policy-stops-addon',
    mergeJson(fluentBit({ eventLogs: ['System'] }), policies({ hostProcessNamespaces: [] })),
    mergeJson(fluentBit({}), policies({ hostProcessNamespaces: [] })),
  ],
  [
    'smb-server-in-cluster-domain',
    smb('//samba.files.svc.cluster.local/share'),
    smb('//files.example.com/share'),
  ],
  [
    'smb-server-with-two-secrets',
    smb('//files.example.com/share', '//FILES.example.com/other'),
    smb('//files.example.com/share', '//other.example.com/share'),
  ],
  [
    'prometheus-rule-without-metrics',
    exporter({ cluster: { windowsExporter: { prometheusRule: {} } } }),
    exporter({
      cluster: { windowsExporter: { prometheusRule: {} } },
      host: { publishStatus: true },
    }),
  ],
  [
    'smb-source-within-another',
    smb('//files.example.com/share/Web', '//FILES.example.com/share'),
    smb('//files.example.com/share', '//files.example.com/shared', '//files.example.com/share'),
  ],
  [
    'fluent-bit-without-image',
    mergeJson(fluentBit({ output: forward('10.0.0.40') }), { windows: { release: 'ws2019' } }),
    fluentBit({ output: forward('10.0.0.40') }),
  ],
  ...['windows-2019-5.1.1', 'windows-2025-5.1.1'].map((tag): Row => [
    'addon-image-of-another-build',
    fluentBit({ output: forward('10.0.0.40'), image: `registry.example.com/fluent-bit:${tag}` }),
    fluentBit({
      output: forward('10.0.0.40'),
      image: 'registry.example.com/fluent-bit:windows-2022-5.1.1',
    }),
  ]),
  [
    'addon-image-of-unknown-builds',
    fluentBit({ output: forward('10.0.0.40'), image: 'registry.example.com/fluent-bit:5.1.1' }),
    fluentBit({
      output: forward('10.0.0.40'),
      image: 'registry.example.com/fluent-bit:5.1.1-ltsc2022',
    }),
  ],
  [
    'addon-image-of-another-build',
    imagePull('registry.example.com/web:1.4.2', 'registry.example.com/web:1.4.2-ltsc2025'),
    // What their tags do not name is unknown.
    imagePull('registry.example.com/web:1.4.2', 'mcr.microsoft.com/windows/nanoserver:ltsc2022'),
  ],
  [
    'addon-image-of-another-build',
    imagePull('mcr.microsoft.com/windows/nanoserver:ltsc2019'),
    mergeJson(imagePull('mcr.microsoft.com/windows/nanoserver:ltsc2019'), {
      isolation: { hyperV: true },
    }),
  ],
  [
    'fluent-bit-needs-one-output',
    fluentBit({}),
    fluentBit({ outputSecretName: 'fluent-bit-output' }),
  ],
  [
    'fluent-bit-needs-one-output',
    fluentBit({ output: forward('fluentd'), outputSecretName: 'fluent-bit-output' }),
    fluentBit({ output: forward('fluentd') }),
  ],
  [
    'fluent-bit-output-not-resolved',
    fluentBit({ output: forward('fluentd.logging.svc') }),
    fluentBit({ output: forward('fluentd.logging.svc.cluster.local') }),
  ],
  [
    'metrics-port-open-to-all',
    exporter({}),
    exporter({ host: { firewall: { metricsFrom: ['10.0.0.0/24'] } } }),
  ],
  [
    'windows-exporter-tag-unpublished',
    exporterImage('docker.io/prometheuscommunity/windows-exporter:v0.31.8'),
    exporterImage('prometheuscommunity/windows-exporter:0.31.8'),
  ],
  [
    'windows-exporter-tag-unpublished',
    exporterImage('prometheuscommunity/windows-exporter:v0.31.8'),
    exporterImage('registry.example.com/prometheuscommunity/windows-exporter:v0.31.8'),
  ],
  [
    'windows-exporter-tag-unpublished',
    exporterImage('ghcr.io/prometheus-community/windows-exporter:v0.31.8'),
    exporterImage(`ghcr.io/prometheus-community/windows-exporter:v0.31.8@sha256:${'a'.repeat(64)}`),
  ],
  ['addon-needs-host-process', exporter(kubernetes('1.25')), exporter(kubernetes('1.26'))],
  [
    'host-process-policy-stops-network',
    antrea({}, policies({ hostProcessNamespaces: [] })),
    antrea({}, policies({ hostProcessNamespaces: [], action: 'Warn' })),
  ],
]

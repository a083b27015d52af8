// The cases in which every branch of the rendered files shows at least once.
import type { JsonObject } from '../../src/model/json.ts'
import { builtinNames } from '../../src/io/profiles/builtins.ts'
import { requiredFieldsOf } from '../tools/bundle.ts'
import { root } from '../tools/run.ts'
import { rendered, type Rendered } from './rendered.ts'

const hash = `sha256:${'a'.repeat(64)}`
const ca = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
const files = 'C:\\etc\\kubernetes'

/** Every key and file that no default adds; test/judge reads it with each minor and containerd, too. */
export const everything: JsonObject = {
  kubelet: {
    providerID: 'aws:///a/i-1',
    nodeName: 'win-1',
    cloudProvider: 'external',
    labels: { 'example.com/pool': 'a' },
    shutdownGracePeriod: '60s',
    shutdownGracePeriodCriticalPods: '20s',
    featureGates: { WindowsCPUAndMemoryAffinity: true },
    servingCertificateApprover: 'approver',
  },
  reserve: { kube: { pid: '1000' }, system: { pid: '500' } },
  registry: {
    mirrors: {
      'registry.k8s.io': [{ url: 'https://mirror.example.com', ca: `${files}\\mirror.crt` }],
      'registry.example.com:5000': [
        { url: 'https://mirror.example.com/all/v2', overridePath: true },
      ],
    },
    credentialProvider: {
      binDirectory: 'C:\\k\\p',
      providers: [{ name: 'p.exe', matchImages: ['*.example.com'], args: ['a'], env: { A: 'b' } }],
    },
  },
  network: { blockWireserver: true, external: true },
  host: {
    proxy: { url: 'http://proxy.example.com:3128' },
    processDumps: 'D:\\dumps',
    tls: 'strict',
  },
  join: { endpoint: 'api.example.com:6443', caCertHashes: [hash] },
}

/** Objects for the cluster, which need an API server of 1.30. */
export const around: JsonObject = {
  smoke: { image: 'registry.example.com/e2e-test-images/agnhost:2.66.1' },
  cluster: {
    policies: { nodeSelector: true, hostProcessNamespaces: ['kube-system'] },
    imagePull: { images: ['registry.example.com/web:1.4.2'], secrets: ['registry-example'] },
    smbCsi: {
      enabled: true,
      inlineVolumes: true,
      sources: [
        {
          name: 'files',
          source: '//files.example.com/share',
          secret: 'smb-files',
          secretNamespace: 'default',
        },
        {
          name: 'folders',
          kind: 'StorageClass',
          source: '//files.example.com/folders',
          secret: 'smb-files',
          secretNamespace: 'default',
        },
      ],
    },
    fluentBit: {
      enabled: true,
      eventLogs: ['System', 'Application'],
      output: { plugin: 'forward', host: '10.0.0.40', port: 24224 },
    },
    windowsExporter: {
      enabled: true,
      serviceMonitor: { labels: { release: 'prometheus' } },
      prometheusRule: { labels: { release: 'prometheus' } },
    },
    csrApprover: { enabled: true, nodeCIDRs: ['10.0.0.0/24'] },
    drift: { image: 'registry.example.com/winnode:0.1.0', selector: { pool: 'web' } },
    gmsa: {
      credentialSpecs: [
        {
          name: 'webapp1',
          machineAccountName: 'WebApp1',
          dnsName: 'corp.example.com',
          netBiosName: 'CORP',
          guid: '244818ae-87ac-4fcd-92ec-e79e5252348a',
          sid: 'S-1-5-21-2126449477-2524075714-3094792973',
          hostAccountConfig: {
            pluginGUID: '{CCC2A336-D7F3-4818-A213-272B7924213E}',
            pluginInput: 'ObjectId=1;SecretUri=https://example.vault.azure.net/secrets/gmsa',
          },
          serviceAccounts: [{ namespace: 'web', name: 'webapp' }],
        },
      ],
    },
  },
  host: { publishStatus: true },
}

const patches: readonly (readonly [name: string, profile: string, patch: JsonObject])[] = [
  [
    'containerd 1.7',
    'ws2022-flannel-overlay',
    { kubernetes: { version: '1.28' }, containerd: { version: '1.7' } },
  ],
  [
    'containerd 2.0, with one CNI folder',
    'ws2022-flannel-overlay',
    { kubernetes: { version: '1.33' }, containerd: { version: '2.0' } },
  ],
  [
    'config version 4',
    'ws2022-flannel-overlay',
    { containerd: { version: '2.3', configVersion: 4 } },
  ],
  [
    'an old format for a new containerd',
    'ws2022-flannel-overlay',
    { containerd: { version: '2.3', configVersion: 2 } },
  ],
  ...[2, 3, 4].map(
    (configVersion) =>
      [
        `Hyper-V in config version ${configVersion}`,
        'ws2022-flannel-overlay',
        {
          ...(configVersion === 2 && { kubernetes: { version: '1.28' } }),
          containerd: { version: configVersion === 2 ? '1.7' : '2.3', configVersion },
          isolation: { hyperV: true },
          host: { features: ['Containers', 'Hyper-V'] },
        },
      ] as const,
  ),
  [
    'the endpoint as a flag',
    'ws2022-flannel-overlay',
    { kubernetes: { version: '1.26' }, containerd: { version: '1.7' } },
  ],
  [
    'drop-ins of the first minor that merges them',
    'ws2022-flannel-overlay',
    {
      kubernetes: { version: '1.30' },
      containerd: { version: '1.7' },
      kubelet: { dropInDirectory: `${files}\\kubelet.conf.d` },
    },
  ],
  ['everything that a profile may add', 'ws2022-flannel-overlay', everything],
  ['objects around the node', 'ws2022-flannel-overlay', around],
  [
    'Fluent Bit with a Secret',
    'ws2022-flannel-overlay',
    { cluster: { fluentBit: { enabled: true, outputSecretName: 'fluent-bit-output' } } },
  ],
  ['SMB CSI alone', 'ws2022-flannel-overlay', { cluster: { smbCsi: { enabled: true } } }],
  [
    'policies that warn, and no namespace for HostProcess pods',
    'ws2022-flannel-overlay',
    { cluster: { policies: { nodeSelector: true, hostProcessNamespaces: [], action: 'Warn' } } },
  ],
  [
    'Antrea with another tunnel port',
    'ws2022-antrea',
    {
      network: { antrea: { tunnelPort: 8472 } },
      join: { endpoint: 'api.example.com:6443', caCertHashes: [`sha256:${'a'.repeat(64)}`] },
    },
  ],
  [
    'EKS with every setting',
    'ws2022-eks',
    {
      network: {
        eks: {
          clusterName: 'prod',
          prefixDelegation: true,
          warmIPTarget: 5,
          minimumIPTarget: 10,
          warmPrefixTarget: 1,
        },
      },
    },
  ],
  [
    'win-bridge on Azure',
    'ws2022-win-bridge',
    { network: { blockWireserver: true, routes: 'fabric' } },
  ],
  [
    'a join without kubeadm, with a token and a certificate',
    'ws2022-flannel-l2bridge',
    {
      join: { method: 'bootstrapKubeconfig', endpoint: 'api.example.com:6443', ca },
      kubeProxy: { credentials: { kubeconfig: null, tokenFile: `${files}\\token` } },
      network: {
        nodeCIDRs: ['10.0.0.0/24'],
        flannel: {
          credentials: {
            kubeconfig: null,
            certificate: `${files}\\a.crt`,
            key: `${files}\\a.key`,
          },
        },
      },
    },
  ],
  [
    'calico on an adapter',
    'ws2022-calico',
    {
      network: { adapter: 'Ethernet 2' },
      join: { endpoint: 'api.example.com:6443', caCertHashes: [hash] },
    },
  ],
]

export async function allCases(): Promise<readonly Rendered[]> {
  const named = builtinNames(root).map((name) => [name, name, requiredFieldsOf(name)] as const)
  return Promise.all([...named, ...patches].map((each) => rendered(...each)))
}

// A small node.json with a step of every kind, and stand-ins for all programs.
import type { Step as PlannedStep } from '../../src/model/step.ts'
import { foreignAgents } from '../../src/matrix/foreign-agents.ts'
import { sha256, type NodeDocument, type Step } from './bundle.ts'

/** Files of the bundle by their paths in it. */
export const bundleFiles: Readonly<Record<string, string>> = {
  'files/containerd/config.toml': 'version = 3\n',
  'files/node.json': '{"name": "", "addresses": [""], "at": "2026-01-02T03:04:05Z"}\n',
  'files/kube-proxy/config.json': JSON.stringify({
    bindAddress: '',
    clientConnection: { kubeconfig: 'C:\\etc\\kubernetes\\kube-proxy.conf' },
    hostnameOverride: '',
    winkernel: { networkName: 'flannel.4096', sourceVip: '' },
  }),
  'files/flannel/net-conf.json': JSON.stringify({
    Network: '10.244.0.0/16',
    Backend: { Name: 'flannel.4096', Type: 'vxlan', VNI: 4096 },
  }),
  'files/kubelet/config.yaml': JSON.stringify({
    kind: 'KubeletConfiguration',
    registerWithTaints: [{ key: 'os', value: 'windows', effect: 'NoSchedule' }],
  }),
  'files/10-flannel.conflist': '{"name": "flannel.4096"}\n',
  'files/ca.crt': '-----BEGIN CERTIFICATE-----\nca\n-----END CERTIFICATE-----\n',
  'files/kubeadm/join.json': JSON.stringify({
    discovery: {
      file: { kubeConfigPath: '/etc/kubernetes/discovery.conf' },
      tlsBootstrapToken: '',
    },
    nodeRegistration: { name: '' },
  }),
}

const protectedList = 'D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)'
const recovery = { restartDelays: [5000, 10_000, 60_000], resetAfter: 900 }

/** Each URL names a version, so that a test can move to the next one. */
export interface Versions {
  readonly kubelet: string
  readonly containerd: string
}

/** Where programs write that we start. */
const folders = [
  'C:\\etc\\kubernetes',
  'C:\\etc\\kubernetes\\pki',
  'C:\\run\\flannel',
  'C:\\var\\lib\\cni',
  'C:\\var\\lib\\kubelet',
  'C:\\var\\log\\containerd',
  'C:\\var\\log\\containers',
  'C:\\var\\log\\pods',
  'C:\\var\\log\\flanneld',
]

type Draft = PlannedStep extends infer S
  ? S extends PlannedStep
    ? Omit<S, 'after' | 'restart' | 'phase'> & { readonly restart?: 'maybe' }
    : never
  : never

function image({ kubelet, containerd }: Versions): readonly Draft[] {
  return [
    { kind: 'windowsFeature', id: 'feature', restart: 'maybe', name: 'Containers' },
    { kind: 'pageFile', id: 'page-file', restart: 'maybe', path: 'C:\\pagefile.sys', sizeMiB: 512 },
    {
      kind: 'bootSetting',
      id: 'test-signing',
      restart: 'maybe',
      name: 'testsigning',
      value: 'on',
    },
    { kind: 'directory', id: 'folder', path: 'C:\\k', sddl: protectedList },
    {
      kind: 'directory',
      id: 'readable-folder',
      path: 'C:\\var\\lib\\pods',
      sddl: `${protectedList}(A;OICI;0x1200a9;;;BU)`,
    },
    ...folders.map((path) => ({
      kind: 'directory' as const,
      id: path.slice('C:\\'.length).replaceAll('\\', '-'),
      path,
    })),
    {
      kind: 'registryValue',
      id: 'dword',
      key: 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\hns\\State',
      name: 'HNSControlFlag',
      type: 'DWord',
      value: 4_294_967_295,
    },
    {
      kind: 'registryValue',
      id: 'list',
      key: 'HKLM\\SOFTWARE\\winnode-test',
      name: 'List',
      type: 'MultiString',
      value: ['one', 'two; three'],
    },
    {
      kind: 'registryValue',
      id: 'policy',
      key: 'HKLM\\SOFTWARE\\Policies\\Microsoft\\Windows\\WindowsUpdate\\AU',
      name: 'NoAutoUpdate',
      type: 'DWord',
      value: 1,
    },
    {
      kind: 'registryValue',
      id: 'event-source',
      key: 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\EventLog\\Application\\winnode',
      name: 'EventMessageFile',
      type: 'ExpandString',
      value: '%SystemRoot%\\Microsoft.NET\\Framework64\\v4.0.30319\\EventLogMessages.dll',
    },
    { kind: 'dynamicPorts', id: 'dynamic-ports', ports: '34000-65535' },
    { kind: 'excludedPorts', id: 'excluded-node-ports', protocol: 'TCP', ports: '30000-32767' },
    { kind: 'excludedPorts', id: 'excluded-port', protocol: 'UDP', ports: '65330' },
    {
      kind: 'vmwareTools',
      id: 'vmware',
      path: 'C:\\ProgramData\\VMware\\VMware Tools\\tools.conf',
      excludeNics: 'vEthernet (*_ep)',
    },
    { kind: 'systemVolume', id: 'volume', drive: 'C:' },
    { kind: 'powerPlan', id: 'power', guid: '8c5e7fda-e8bf-4a96-9a85-a6e23a8c635c' },
    { kind: 'timeService', id: 'time', servers: ['time.example.com', 'other.example.com'] },
    {
      kind: 'firewallRule',
      id: 'firewall',
      name: 'winnode-kubelet',
      displayName: 'winnode: kubelet API',
      group: 'winnode',
      protocol: 'TCP',
      ports: '10250,10255',
      from: ['192.0.2.0/24', '198.51.100.7/32'],
    },
    { kind: 'defenderExclusion', id: 'defender', of: 'process', path: 'C:\\k\\kubelet.exe' },
    { kind: 'defenderExclusion', id: 'defender-folder', of: 'folder', path: 'C:\\layers' },
    { kind: 'pathEntry', id: 'path', path: 'C:\\k' },
    {
      kind: 'archive',
      id: 'containerd-archive',
      url: `https://example.com/containerd-${containerd}.tar.gz`,
      checksum: {
        kind: 'published',
        url: `https://example.com/containerd-${containerd}.tar.gz.sha256sum`,
        shape: 'named',
        name: `containerd-${containerd}.tar.gz`,
      },
      format: 'tar.gz',
      members: [
        {
          member: 'bin/containerd.exe',
          path: 'C:\\Program Files\\containerd\\bin\\containerd.exe',
        },
        { member: './crictl.exe', path: 'C:\\k\\crictl.exe' },
        { member: './host-local.exe', path: 'C:\\opt\\cni\\bin\\host-local.exe' },
      ],
    },
    {
      kind: 'archive',
      id: 'nssm-archive',
      url: 'https://example.com/nssm.zip',
      checksum: { kind: 'pinned', sha256: '' },
      format: 'zip',
      members: [{ member: 'nssm/win64/nssm.exe', path: 'C:\\k\\nssm.exe' }],
    },
    ...['kubelet', 'kubeadm', 'kubectl', 'kube-proxy'].map((name) => ({
      kind: 'download' as const,
      id: `${name}-program`,
      path: `C:\\k\\${name}.exe`,
      url: `https://example.com/${kubelet}/${name}.exe`,
      checksum: {
        kind: 'published' as const,
        url: `https://example.com/${kubelet}/${name}.exe.sha256`,
        shape: 'bare' as const,
        name: `${name}.exe`,
      },
    })),
    {
      kind: 'download',
      id: 'flanneld-program',
      path: 'C:\\k\\flanneld.exe',
      url: 'https://example.com/flanneld.exe',
      checksum: { kind: 'pinned', sha256: '' },
    },
    {
      kind: 'download',
      id: 'hns-module',
      path: 'C:\\k\\hns.psm1',
      url: 'https://example.com/hns.psm1',
      checksum: { kind: 'pinned', sha256: '' },
    },
    file(
      'containerd-config',
      'C:\\Program Files\\containerd\\config.toml',
      'files/containerd/config.toml',
    ),
    file('net-conf', 'C:\\etc\\kube-flannel\\net-conf.json', 'files/flannel/net-conf.json'),
    {
      ...file('facts-file', 'C:\\etc\\node.json', 'files/node.json'),
      kind: 'derivedFile',
      derive: [
        { pointer: '/name', value: [{ text: 'node ', fact: 'nodeName' }] },
        { pointer: '/addresses/0', value: [{ text: '', fact: 'nodeIP' }] },
      ],
    },
    {
      kind: 'service',
      id: 'containerd-service',
      name: 'containerd',
      displayName: 'containerd',
      description: 'Runs containers.',
      scm: 'native',
      command: [
        { text: 'C:\\Program Files\\containerd\\bin\\containerd.exe' },
        { text: '--config' },
        { text: 'C:\\Program Files\\containerd\\config.toml' },
      ],
      start: 'auto',
      dependsOn: [],
      environment: [{ name: 'HTTPS_PROXY', value: { text: 'http://proxy.example.com:3128' } }],
      ...recovery,
    },
    {
      kind: 'logRotation',
      id: 'log',
      path: 'C:\\var\\log\\containerd\\containerd.log',
      maxSizeMiB: 1,
      maxFiles: 2,
    },
    { kind: 'serviceRunning', id: 'containerd-runs', name: 'containerd', timeout: 60 },
    {
      kind: 'imagePull',
      id: 'image',
      image: 'registry.example.com/pause:3.10',
      crictl: 'C:\\k\\crictl.exe',
    },
  ]
}

/** The steps of a join. */
export type Way = keyof typeof ways
const ways = {
  kubeadm: [
    {
      kind: 'kubeadmJoin',
      id: 'joined',
      kubeadm: 'C:\\k\\kubeadm.exe',
      source: 'files/kubeadm/join.json',
      sha256: sha256(bundleFiles['files/kubeadm/join.json'] ?? ''),
      derive: [{ pointer: '/nodeRegistration/name', value: [{ text: '', fact: 'nodeName' }] }],
      tokenPointer: '/discovery/tlsBootstrapToken',
      path: 'C:\\etc\\kubernetes\\join.json',
      kubeconfig: 'C:\\etc\\kubernetes\\kubelet.conf',
      bootstrapKubeconfig: 'C:\\etc\\kubernetes\\bootstrap-kubelet.conf',
      certificates: 'C:\\var\\lib\\kubelet\\pki',
      tokenFile: 'C:\\etc\\kubernetes\\token',
      discoveryFile: 'C:\\etc\\kubernetes\\discovery.conf',
    },
  ],
  kubelet: [
    {
      kind: 'bootstrapJoin',
      id: 'joined',
      kubeconfig: 'C:\\etc\\kubernetes\\kubelet.conf',
      bootstrapKubeconfig: 'C:\\etc\\kubernetes\\bootstrap-kubelet.conf',
      certificates: 'C:\\var\\lib\\kubelet\\pki',
      ca: 'C:\\etc\\kubernetes\\pki\\ca.crt',
    },
  ],
} satisfies Readonly<Record<string, readonly Draft[]>>

const beforeJoin = (way: Way): readonly Draft[] => [
  {
    kind: 'service',
    id: 'kubelet-service',
    name: 'kubelet',
    displayName: 'kubelet',
    description: 'Runs pods.',
    scm: 'native',
    command: [
      { text: 'C:\\k\\kubelet.exe' },
      { text: '--config=C:\\var\\lib\\kubelet\\config.json' },
      { text: '--bootstrap-kubeconfig=C:\\etc\\kubernetes\\bootstrap-kubelet.conf' },
      { text: '--kubeconfig=C:\\etc\\kubernetes\\kubelet.conf' },
      { text: '--cert-dir=C:\\var\\lib\\kubelet\\pki' },
      { text: '--node-labels=pool=windows' },
      { text: '--hostname-override=', fact: 'nodeName' },
    ],
    start: 'demand',
    dependsOn: ['containerd'],
    environment: [],
    ...recovery,
  },
  {
    kind: 'service',
    id: 'kube-proxy-service',
    name: 'kube-proxy',
    displayName: 'kube-proxy',
    description: 'Serves services.',
    scm: 'native',
    command: [
      { text: 'C:\\k\\kube-proxy.exe' },
      { text: '--config=C:\\var\\lib\\kube-proxy\\config.json' },
    ],
    start: 'demand',
    dependsOn: [],
    environment: [],
    ...recovery,
  },
  {
    kind: 'service',
    id: 'flanneld-service',
    name: 'flanneld',
    displayName: 'flanneld',
    description: 'Makes the network.',
    scm: 'wrapped',
    wrapper: 'C:\\k\\nssm.exe',
    command: [
      { text: 'C:\\k\\flanneld.exe' },
      { text: '--kube-subnet-mgr' },
      { text: '--kubeconfig-file=C:\\etc\\kubernetes\\flannel.conf' },
      { text: '--net-config-path=C:\\etc\\kube-flannel\\net-conf.json' },
      { text: '--subnet-file=C:\\run\\flannel\\subnet.env' },
      { text: '--iface=', fact: 'nodeIP' },
    ],
    start: 'demand',
    dependsOn: [],
    environment: [{ name: 'NODE_NAME', value: { text: '', fact: 'nodeName' } }],
    log: { path: 'C:\\var\\log\\flanneld\\flanneld.log', maxSizeMiB: 50, maxFiles: 2 },
    ...recovery,
  },
  ...(way === 'kubelet' ? [file('ca', 'C:\\etc\\kubernetes\\pki\\ca.crt', 'files/ca.crt')] : []),
  file('kubelet-config', 'C:\\var\\lib\\kubelet\\config.json', 'files/kubelet/config.yaml'),
]

const afterJoin: readonly Draft[] = [
  { kind: 'serviceStart', id: 'kubelet-start', name: 'kubelet', start: 'auto' },
  {
    kind: 'bootTask',
    id: 'boot-task',
    name: 'winnode-boot',
    description: 'Starts the network.',
    path: 'C:\\ProgramData\\winnode\\bundle',
  },
]

const conflist = 'C:\\etc\\cni\\net.d\\10-flannel.conflist'

const metadata = '169.254.169.254/32'

const boot: readonly Draft[] = [
  {
    kind: 'pluginFile',
    id: 'plugin-file',
    path: 'C:\\etc\\cni\\net.d\\plugin-kubeconfig',
    eachBoot: true,
  },
  {
    kind: 'pluginNetwork',
    id: 'plugin-network',
    network: 'Plugin',
    dataDirectory: 'C:\\var\\lib\\cni\\networks',
    containerId: 'winnode-plugin',
  },
  {
    kind: 'openVSwitch',
    id: 'open-vswitch',
    network: 'Plugin',
    folder: 'C:\\openvswitch',
    conf: 'C:\\etc\\cni\\net.d\\plugin-kubeconfig',
    nats: 'plugin-nat*',
    rules: 'Plugin: *',
    testSigned: true,
  },
  { kind: 'serviceRunning', id: 'kubelet-runs', name: 'kubelet', timeout: 60 },
  { kind: 'route', id: 'route', prefix: metadata },
  {
    kind: 'externalNetwork',
    id: 'external',
    name: 'External',
    type: 'Overlay',
    subnet: '192.168.255.0/30',
    gateway: '192.168.255.1',
    vsid: 9999,
    module: 'C:\\k\\hns.psm1',
  },
  {
    kind: 'serviceRunning',
    id: 'flanneld-runs',
    name: 'flanneld',
    timeout: 60,
    reads: ['C:\\etc\\kubernetes\\flannel.conf'],
    clears: ['C:\\run\\flannel\\subnet.env', conflist],
  },
  {
    kind: 'hnsNetwork',
    id: 'network',
    name: 'flannel.4096',
    type: 'Overlay',
    service: 'flanneld',
    subnetFile: 'C:\\run\\flannel\\subnet.env',
    timeout: 180,
  },
  { kind: 'route', id: 'route-again', prefix: metadata },
  {
    kind: 'addressReservation',
    id: 'source-vip',
    network: 'flannel.4096',
    fact: 'sourceVip',
    hostLocal: 'C:\\opt\\cni\\bin\\host-local.exe',
    dataDirectory: 'C:\\var\\lib\\cni\\networks',
    containerId: 'winnode-source-vip',
  },
  {
    kind: 'addressReservation',
    id: 'given-address',
    network: 'flannel.4096',
    fact: 'sourceVip',
    address: '10.244.3.77',
    hostLocal: 'C:\\opt\\cni\\bin\\host-local.exe',
    dataDirectory: 'C:\\var\\lib\\cni\\networks',
    containerId: 'winnode-given-address',
  },
  {
    kind: 'hostEndpoint',
    id: 'host-address',
    network: 'flannel.4096',
    dataDirectory: 'C:\\var\\lib\\cni\\networks',
    offset: 200,
    containerId: 'winnode-host',
  },
  {
    ...file(
      'kube-proxy-config',
      'C:\\var\\lib\\kube-proxy\\config.json',
      'files/kube-proxy/config.json',
    ),
    kind: 'derivedFile',
    derive: [
      { pointer: '/hostnameOverride', value: [{ text: '', fact: 'nodeName' }] },
      { pointer: '/winkernel/sourceVip', value: [{ text: '', fact: 'sourceVip' }] },
    ],
  },
  {
    kind: 'serviceRunning',
    id: 'kube-proxy-runs',
    name: 'kube-proxy',
    timeout: 60,
    network: 'flannel.4096',
    reads: ['C:\\etc\\kubernetes\\kube-proxy.conf'],
    policyLists: true,
  },
  file('cni-conf', conflist, 'files/10-flannel.conflist'),
]

/** What a step waits for when it needs a restart first. */
const after: Readonly<Record<string, readonly string[]>> = {
  'containerd-service': ['feature'],
  'containerd-runs': ['containerd-service'],
  image: ['containerd-runs'],
}

export function everyKind(
  versions: Versions = { kubelet: 'v1.36.0', containerd: '2.3.0' },
  way: Way = 'kubeadm',
): NodeDocument {
  const phases = {
    image: image(versions),
    beforeJoin: beforeJoin(way),
    join: ways[way],
    afterJoin,
    boot,
  }
  return nodeDocument(
    Object.entries(phases).flatMap(([phase, steps]) =>
      steps.map((step): Step => ({
        restart: 'never',
        ...step,
        phase,
        after: after[step.id] ?? [],
      })),
    ),
    credentials[way],
  )
}

/** A document around steps, with every check that needs no network. */
export function nodeDocument(
  steps: readonly Step[],
  brought: readonly string[] = credentials.kubeadm,
): NodeDocument {
  return {
    apiVersion: 'winnode/v1',
    kind: 'NodeDocument',
    name: 'every-kind',
    paths: { log: 'C:\\var\\log\\winnode', state: 'C:\\ProgramData\\winnode' },
    podLogs: ['C:\\var\\log\\pods\\kube-system_winnode-flannel-*'],
    facts: [
      { name: 'nodeName' },
      { name: 'adapter' },
      { name: 'nodeIP' },
      { name: 'podSubnet', with: [{ name: 'network', value: 'flannel.4096' }] },
      { name: 'sourceVip', with: [{ name: 'network', value: 'flannel.4096' }] },
    ],
    preflight: [
      check('administrator'),
      check('windowsServer'),
      check('windowsBuild', { build: 20348, name: 'Windows Server 2022' }),
      {
        ...check('revisionNotBetween', bad),
        phases: ['any', 'boot'],
      },
      check('systemDrive'),
      check('freeDisk', { gib: 10 }, 'image'),
      check('otherEngines', { services: foreignAgents.map(({ service }) => service) }, 'image'),
      { ...check('pendingRestart'), verdict: 'restart' },
      { ...check('pendingRename'), verdict: 'warn' },
      check('nodeName', { warnAbove: 15 }, 'beforeJoin'),
      check('filePresent', { paths: brought }, 'beforeJoin'),
      check(
        'cluster',
        {
          discoveryFile: discovery,
          podCIDRs: ['10.244.0.0/16'],
          serviceCIDRs: ['10.96.0.0/12'],
          clusterDNS: ['10.96.0.10'],
          clusterDomain: 'cluster.local',
          kubelet: '1.36.0',
          maxOlder: 3,
          kubeadm: '1.36.0',
          kubeadmMaxNewer: 1,
          readsHealthzPort: true,
          healthzPort: 10248,
          flannelBackend: 'vxlan',
          flannelVNI: 4096,
          flannelKubeconfig: plugins[0],
          kubeProxyKubeconfig: plugins[1],
        },
        'beforeJoin',
      ),
    ],
    steps,
    files: [],
  }
}

/** With the health checks of a node that has joined, as a rendered bundle has them. */
export const withHealth = (document: NodeDocument, byDaemonSet = false): NodeDocument => ({
  ...document,
  health: Object.entries({
    ...needs,
    network: { ...needs.network, byDaemonSet },
    sandboxes: { byDaemonSet },
  }).map(([kind, need]) => ({
    id: kind,
    kind,
    with: Object.entries(need).map(([name, value]) => ({ name, value })),
  })),
})

const needs = {
  kubelet: { address: '127.0.0.1', port: 10_248 },
  certificate: {},
  node: { kubelet: '1.36.0', labels: ['pool=windows'], taints: ['os=windows:NoSchedule'] },
  network: { network: 'flannel.4096', type: 'Overlay' },
  sandboxes: {},
  endpoints: {},
  proxy: { address: '127.0.0.1', port: 10_256, network: 'flannel.4096' },
  services: {},
  image: { image: 'registry.example.com/pause:3.10', crictl: 'C:\\k\\crictl.exe' },
  clock: { seconds: 300 },
  disk: { drive: 'C:', percent: 10 },
  ports: { ports: ['10250 kubelet', '10248 kubelet', '10256 kube-proxy'], dynamic: '34000-65535' },
}

const bad = { from: 2582, below: 2762, effect: 'no network', fix: 'update' }

/** Files that are provided before Join. */
const discovery = 'C:\\etc\\kubernetes\\discovery.conf'
/** What stays needed if another program runs kubeadm. */
export const plugins = ['C:\\etc\\kubernetes\\flannel.conf', 'C:\\etc\\kubernetes\\kube-proxy.conf']
export const credentials: Readonly<Record<Way, readonly string[]>> = {
  kubeadm: [...plugins, discovery],
  kubelet: [...plugins, 'C:\\etc\\kubernetes\\bootstrap-kubelet.conf'],
}

function check(
  kind: string,
  need: Readonly<Record<string, unknown>> = {},
  phase = 'any',
): { readonly id: string; readonly verdict: string } {
  const pairs = Object.entries(need).map(([name, value]) => ({ name, value }))
  const id = kind.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return { id, verdict: 'fail', ...{ kind, phases: [phase], with: pairs } }
}

function file(id: string, path: string, source: string) {
  return { kind: 'file' as const, id, path, source, sha256: sha256(bundleFiles[source] ?? '') }
}

// The files of bundles: in every version, each key is one that the program of that version knows.
import t from 'tap'
import { containerdLines, containerdOf } from '../../src/matrix/containerd.ts'
import { isRecommendedWith, kubernetesMinors } from '../../src/matrix/kubernetes.ts'
import { inRange } from '../../src/matrix/version.ts'
import { builtinNames } from '../../src/io/profiles/builtins.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { View } from '../../src/model/plan.ts'
import { around, everything } from '../docs/cases.ts'
import { renderFile } from '../../src/render/render-file.ts'
import { loadTemplate } from '../../src/render/templates.ts'
import { packer } from '../../src/targets/packer.ts'
import { singleFile } from '../../src/targets/single-file.ts'
import type { Input } from '../../src/targets/target.ts'
import { userdata } from '../../src/targets/userdata.ts'
import { judgeHostLocal, type HostLocalRequest } from './cni/host-local.ts'
import { verdictOf, type Verdict } from './finding.ts'
import { judgeFlanneld } from './flannel/flanneld.ts'
import { judgeBundle, type Versions } from './judge.ts'
import { judgeJoin } from './kubeadm/join.ts'
import { judgeKubelet } from './kubelet/kubelet.ts'
import {
  compileBuiltin,
  errorsOf,
  requiredFieldsOf,
  readStatic,
  recordingLoader,
  renderCompiled,
  textsOf,
  versionsOf,
} from '../tools/bundle.ts'
import { root } from '../tools/run.ts'

const hash = `sha256:${'a'.repeat(64)}`
const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'

/** Each plugin and mode, as the built-in profile that sets it up. */
const networks = ['ws2022-flannel-overlay', 'ws2022-flannel-l2bridge', 'ws2022-antrea'] as const

const joins: Readonly<Record<string, JsonObject>> = {
  'kubeadm and a discovery file': {},
  'kubeadm and an endpoint': { join: { endpoint: 'api.example.com:6443', caCertHashes: [hash] } },
  'a bootstrap kubeconfig': {
    join: { method: 'bootstrapKubeconfig', endpoint: 'api.example.com:6443', ca: certificate },
  },
}

/** What a profile can ask for beyond the defaults. */
const extras: Readonly<Record<string, JsonObject>> = {
  nothing: {},
  'everything that adds files or keys': {
    kubelet: {
      labels: { 'example.com/pool': 'a', 'example.com/zone': 'b' },
      taints: [],
      cloudProvider: 'external',
      providerID: 'aws:///eu-west-1a/i-0123456789abcdef0',
      servingCertificateApprover: 'approver',
      config: { containerLogMaxSize: '50Mi' },
    },
    registry: {
      mirrors: {
        _default: [{ url: 'https://mirror.example.com' }],
        'docker.io': [{ url: 'https://mirror.example.com/hub' }],
        'registry.example.com:5000': [
          { url: 'https://mirror.example.com', ca: 'C:\\etc\\mirror.crt' },
          { url: 'https://second.example.com' },
        ],
        '[fd00::1]:5000': [{ url: 'https://[fd00::2]:5000' }],
      },
      credentialProvider: {
        binDirectory: 'C:\\k\\providers',
        providers: [
          {
            name: 'acr-credential-provider.exe',
            matchImages: ['*.azurecr.io'],
            args: ['C:\\k\\azure.json'],
            env: { LOG: 'debug' },
          },
        ],
      },
    },
    host: { proxy: { url: 'http://proxy.example.com:3128' }, timeServers: ['time.windows.com'] },
  },
}

/** Files that show only with a join that names the API server. */
const ownCredentials: JsonObject = {
  network: { flannel: { credentials: { tokenFile: 'C:\\etc\\kubernetes\\flannel.token' } } },
  kubeProxy: { credentials: { certificate: 'C:\\k\\proxy.crt', key: 'C:\\k\\proxy.key' } },
}

const recorder = recordingLoader()

async function faultsOf(profile: string, ...over: readonly JsonObject[]): Promise<string[]> {
  const compiled = compileBuiltin(profile, ...over)
  if (!compiled.plan) return [`refused: ${errorsOf(compiled).join(', ')}`]
  const files = textsOf(await renderCompiled(compiled, recorder.load))
  return judgeBundle(files, versionsOf(compiled))
}

t.test('every minor, network and join renders what its programs read', async (t) => {
  for (const { minor } of kubernetesMinors)
    for (const profile of networks)
      for (const [join, joining] of Object.entries(joins))
        for (const [extra, more] of Object.entries(extras)) {
          const faults = await faultsOf(profile, { kubernetes: { version: minor } }, joining, more)
          const antrea = profile === 'ws2022-antrea'
          const refusals = [
            ...(antrea && join === 'kubeadm and a discovery file'
              ? ['antrea-needs-api-server-address']
              : []),
            ...(antrea && minor === '1.25' ? ['antrea-needs-host-process'] : []),
          ]
          t.strictSame(
            faults,
            refusals.length > 0 ? [`refused: ${refusals.join(', ')}`] : [],
            `${minor}, ${profile}, ${join}, ${extra}`,
          )
        }
})

t.test('objects around the node, in every minor that has them', async (t) => {
  for (const { minor } of kubernetesMinors.filter((one) => inRange(one.minor, '>=1.30'))) {
    const faults = await faultsOf('ws2022-flannel-overlay', around, {
      kubernetes: { version: minor },
    })
    t.strictSame(faults, [], minor)
  }
})

t.test('every containerd and format of its configuration', async (t) => {
  const rows: readonly [containerd: string, formats: readonly number[]][] = [
    ['1.6', [2]],
    ['1.7', [2]],
    ['2.0', [2, 3]],
    ['2.1', [2, 3]],
    ['2.2', [2, 3]],
    ['2.3', [2, 3, 4]],
    ['2.4', [2, 3, 4]],
  ]
  const judged = new Set(rows.map(([line]) => line))
  // Those before do not speak CRI v1, and a rule refuses them.
  const speaking = containerdLines.filter(({ line }) => inRange(line, '>=1.6'))
  t.strictSame(
    speaking.flatMap(({ line }) =>
      judged.has(line) ? [] : [`test/judge/judge.test.ts lacks the formats of containerd ${line}`],
    ),
    [],
  )
  for (const [version, formats] of rows)
    for (const configVersion of formats)
      for (const [extra, more] of Object.entries({ ...extras, everything }))
        for (const hyperV of [false, true].slice(0, version === '1.6' ? 1 : 2)) {
          const over = {
            kubernetes: { version: newestWith(version) },
            containerd: { version, configVersion },
            isolation: { hyperV },
            host: { features: ['Containers', 'Hyper-V'] },
            // containerd 1.x ignores a hosts.toml with an IPv6 address.
            ...(version.startsWith('1.') && {
              registry: { mirrors: { '[fd00::1]:5000': null } },
            }),
          }
          const faults = await faultsOf('ws2022-flannel-overlay', more, over)
          const sentence = `${version} with format ${configVersion}, Hyper-V ${hyperV ? 'on' : 'off'}, ${extra}`
          t.strictSame(faults, [], sentence)
        }
})

/** The newest minor that was tested with a line: the last of all asks more of its runtime than old ones give. */
function newestWith(line: string): string {
  const { newestPatch } = containerdOf(line).row
  return kubernetesMinors.findLast((row) => isRecommendedWith(row, newestPatch))?.minor ?? line
}

t.test('what only some minors have', async (t) => {
  const rows: readonly [minor: string, profile: JsonObject, faults: readonly string[]][] = [
    ['1.27', { dropInDirectory: 'C:\\k\\conf.d' }, ['refused: kubelet-drop-ins-too-early']],
    ['1.29', { dropInDirectory: 'C:\\k\\conf.d' }, ['refused: kubelet-drop-ins-too-early']],
    ['1.30', { dropInDirectory: 'C:\\k\\conf.d' }, []],
    ['1.37', { dropInDirectory: 'C:\\k\\conf.d' }, []],
    ['1.31', { shutdownGracePeriod: '60s' }, []],
    ['1.32', { shutdownGracePeriod: '60s', shutdownGracePeriodCriticalPods: '20s' }, []],
    ['1.34', { shutdownGracePeriod: '60s' }, []],
    ['1.32', { featureGates: { WindowsCPUAndMemoryAffinity: true } }, []],
    [
      '1.31',
      { featureGates: { WindowsCPUAndMemoryAffinity: true } },
      ['refused: kubelet-gate-unknown'],
    ],
  ]
  for (const [minor, kubelet, wanted] of rows) {
    const faults = await faultsOf('ws2022-flannel-overlay', {
      kubernetes: { version: minor },
      kubelet,
    })
    t.strictSame(faults, wanted, `${minor} with ${JSON.stringify(kubelet)}`)
  }
})

t.test('every field that writes a key, in each minor', async (t) => {
  // Unknown gates are refused by another rule.
  const ofMinor = (minor: string) => ({
    kubernetes: { version: minor },
    kubelet: { featureGates: null },
  })
  for (const { minor } of kubernetesMinors)
    t.strictSame(
      await faultsOf('ws2022-flannel-overlay', everything, ofMinor(minor)),
      [],
      `${minor} and what test/docs/cases.ts sets`,
    )
})

t.test('components of different minors', async (t) => {
  for (const [at, { minor }] of kubernetesMinors.entries()) {
    const apiServer = kubernetesMinors[at + 1]?.minor ?? minor
    const kubernetes = { version: minor, kubeProxy: minor, apiServer }
    const faults = await faultsOf('ws2022-flannel-overlay', { kubernetes })
    t.strictSame(faults, [], `kubelet ${minor} below an API server ${apiServer}`)
  }
})

t.test('every built-in profile, with every kind of credentials', async (t) => {
  const over = joins['kubeadm and an endpoint'] ?? {}
  for (const profile of builtinNames(root)) {
    t.strictSame(await faultsOf(profile, requiredFieldsOf(profile)), [], profile)
    // Only a service of the node has credentials.
    if (!/antrea|calico|eks|none/.test(profile)) {
      t.strictSame(await faultsOf(profile, over, ownCredentials), [], `${profile}, own credentials`)
      const pods = { kubeProxy: { runsAs: 'hostProcess' } }
      t.strictSame(await faultsOf(profile, over, pods), [], `${profile}, kube-proxy in pods`)
    }
    if (profile.includes('-none'))
      for (const mode of ['overlay', 'l2bridge'])
        t.strictSame(
          await faultsOf(profile, over, {
            network: { mode, name: 'Plugin' },
            kubeProxy: { runsAs: 'hostProcess' },
          }),
          [],
          `${profile}, kube-proxy in pods on ${mode}`,
        )
    if (profile.includes('-flannel-')) {
      const image = `registry.example.com/flannel:1@sha256:${'0'.repeat(64)}`
      const network = { flannel: { runsAs: 'hostProcess', image } }
      t.strictSame(await faultsOf(profile, over, { network }), [], `${profile}, flannel in pods`)
    }
  }
})

t.test('every target that has templates', async (t) => {
  const carried = { channels: ['gce'] }
  const fetched = { channels: ['ec2launch-v2'], bundleURL: 'https://files.example.com/node.zip' }
  const stored = {
    channels: ['gce'],
    bundleURL: 'C:\\winnode\\node.zip',
    before: ['own.ps1'],
    after: ['end.ps1'],
  }
  const image = {
    builder: 'azure-arm',
    cloudbaseInit: { version: '1.1.8', sha256: '0'.repeat(64) },
    windowsUpdates: { kbs: ['KB5044281'] },
  }
  for (const settings of [carried, fetched, stored]) {
    const targets = { userdata: settings, packer: image }
    const compiled = compileBuiltin('ws2022-flannel-overlay', { targets })
    const { plan, facts } = compiled
    if (!plan) throw new Error(errorsOf(compiled).join())
    const bundle = await renderCompiled(compiled)
    const render: Input['render'] = (file) =>
      renderFile(file, { readStatic, loadTemplate: recorder.load })
    for (const target of [singleFile, userdata, packer]) {
      const read = () => Buffer.from('exit 0')
      const made = await target.make({ plan, facts, isSet: () => false, bundle, read, render })
      t.equal(made.kind, 'made', target.name)
    }
  }
})

t.test('every template is rendered, and every key of its view is read', async (t) => {
  const { loaders } = await import('#templates')
  t.strictSame(recorder.used(), Object.keys(loaders).sort(), 'by the tests above')
  t.strictSame(recorder.unread(), [])
})

t.test('a view without one of its keys does not render', async (t) => {
  const compiled = compileBuiltin(
    'ws2022-flannel-overlay',
    joins['kubeadm and an endpoint'] ?? {},
    extras['everything that adds files or keys'] ?? {},
    { isolation: { hyperV: true }, host: { features: ['Containers', 'Hyper-V'] } },
    { kubelet: { taints: [{ key: 'os', effect: 'NoSchedule' }] } },
    around,
  )
  t.strictSame(errorsOf(compiled), [])
  const survivors: string[] = []
  for (const { body, path } of compiled.plan?.files ?? []) {
    if (body.kind !== 'template') continue
    const render = await loadTemplate(body.template)
    for (const key of Object.keys(body.view)) {
      const view: View = Object.fromEntries(
        Object.entries(body.view).filter(([name]) => name !== key),
      )
      if (doesNotThrow(() => render(view))) survivors.push(`${path}: ${key}`)
    }
  }
  t.strictSame(survivors, [])
})

function doesNotThrow(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

t.test('ids of steps and files do not depend on values', async (t) => {
  const idsOf = (...over: readonly JsonObject[]) => {
    const { plan } = compileBuiltin('ws2022-flannel-overlay', ...over)
    const all = [...(plan?.steps ?? []), ...(plan?.files ?? [])].map(({ id }) => id)
    // Each release has its own default registry values.
    return all.filter((id) => !id.startsWith('registry-'))
  }
  const ids = idsOf()
  t.ok(ids.length > 60)
  const rows: readonly [name: string, profile: JsonObject][] = [
    ['another name', { name: 'other' }],
    [
      'another pod network',
      { network: { podCIDRs: ['10.200.0.0/16'], nodeCIDRs: ['10.0.0.0/24'] } },
    ],
    ['another VNI', { network: { flannel: { vni: 5000 } } }],
    ['another release', { windows: { release: 'ws2025', revision: 6899 } }],
    ['another minor', { kubernetes: { version: '1.36' } }],
    ['labels and pods', { kubelet: { labels: { a: 'b' }, maxPods: 20 } }],
    ['another machine', { machine: { cpu: 64, memory: '256Gi' } }],
  ]
  for (const [name, profile] of rows) t.strictSame(idsOf(profile), ids, name)
})

/** What the judge must find: a file, a mistake in it, and the fault. */
const spoils: readonly [
  name: string,
  path: string,
  spoil: (text: string) => string,
  fault: RegExp,
  versions?: Partial<Versions>,
][] = [
  [
    'a key that no version has',
    'files/kubelet/config.json',
    (text) => text.replace('"maxPods"', '"maxPod"'),
    /unknown field "maxPod"/,
  ],
  [
    'a key of a later version',
    'files/kubelet/config.json',
    (text) => text,
    /unknown field "containerRuntimeEndpoint"/,
    { kubelet: '1.26.15' },
  ],
  [
    'a value of another kind',
    'files/kubelet/config.json',
    (text) => text.replace('"maxPods": 110', '"maxPods": "110"'),
    /cannot unmarshal string into Go struct field maxPods of type int32/,
  ],
  [
    'a number out of its range',
    'files/kubelet/config.json',
    (text) => text.replace('"maxPods": 110', '"maxPods": -1'),
    /maxPods -1 must be at least 0/,
  ],
  [
    'a time without a unit',
    'files/kubelet/config.json',
    (text) => text.replace('"maxPods": 110', '"maxPods": 110, "syncFrequency": "60"'),
    /invalid duration "60"/,
  ],
  [
    'a zero that becomes the default',
    'files/kubelet/config.json',
    (text) => text.replace('"maxPods": 110', '"maxPods": 0'),
    /ignored: maxPods is zero, and becomes 110/,
  ],
  [
    'a quantity that is none',
    'files/kubelet/config.json',
    (text) => text.replace('"memory.available": "500Mi"', '"memory.available": "500MB"'),
    /quantities must match/,
  ],
  [
    'a word that only the running kubelet looks at',
    'files/kubelet/config.json',
    (text) => text.replace('"maxPods": 110', '"maxPods": 110, "cpuManagerPolicy": "dynamic"'),
    /cpuManagerPolicy cannot be "dynamic"/,
  ],
  [
    'a gate that another one needs',
    'files/kubelet/config.json',
    (text) =>
      text.replace(
        '"maxPods": 110',
        '"maxPods": 110, "featureGates": {"DRAPartitionableDevicesType": true}',
      ),
    /depends on features that are disabled: \[DRAResourcePoolStatus\]/,
    { kubelet: '1.37.1' },
  ],
  [
    'a key for Linux',
    'files/kubelet/config.json',
    (text) => text.replace('"maxPods": 110', '"cgroupDriver": "systemd"'),
    /cgroupDriver has no effect/,
  ],
  [
    'a list that a drop-in folder would lose',
    'files/kubelet/config.json',
    (text) => text.replace(/\[\s*"none"\s*\]/, '[]'),
    /enforceNodeAllocatable is not \["none"\]/,
  ],
  [
    'an entry that older validation refuses',
    'files/kubelet/config.json',
    (text) => text,
    /EnforceNodeAllocatable none is not supported on Windows/,
    { kubelet: '1.30.14' },
  ],
  [
    'a setting that is left to the cluster',
    'files/kubelet/config.json',
    (text) => text.replace('"clusterDomain": "cluster.local",', ''),
    /clusterDomain is missing/,
  ],
  [
    'a choice that is none',
    'files/kubelet/config.json',
    (text) => text.replace('VersionTLS12', 'TLS12'),
    /tlsMinVersion "TLS12" must be one of/,
  ],
  [
    'a gate that is gone',
    'files/kube-proxy/config.json',
    (text) => text.replace('"mode"', '"featureGates": {"WinSpin": true},\n"mode"'),
    /unrecognized feature gate: WinSpin/,
  ],
  [
    'DSR without its gate',
    'files/kube-proxy/config.json',
    (text) => text,
    /enableDSR without the gate WinDSR/,
    { kubeProxy: '1.32.13' },
  ],
  [
    'another proxy mode',
    'files/kube-proxy/config.json',
    (text) => text.replace('kernelspace', 'iptables'),
    /mode is not kernelspace/,
  ],
  [
    'a format that kubeadm lacks',
    'files/kubeadm/join.json',
    (text) => text,
    /kubeadm 1\.30\.14 does not read/,
    { kubeadm: '1.30.14' },
  ],
  [
    'a key of another object',
    'files/kubeadm/join.json',
    (text) => text.replace('"criSocket"', '"cri"'),
    /unknown field "nodeRegistration\.cri"/,
  ],
  [
    'a name that is none',
    'files/kubeadm/join.json',
    (text) => text.replace('npipe:////', 'unix:////'),
    /warned: Usage of CRI endpoints without URL scheme is deprecated/,
  ],
  [
    'arguments of an older format',
    'files/kubeadm/join.json',
    (text) => text.replace('"taints": []', '"kubeletExtraArgs": {"v": "2"}'),
    /nodeRegistration\.kubeletExtraArgs of type a list/,
  ],
  [
    'a VNI that Windows lacks',
    'files/flannel/net-conf.json',
    (text) => text.replace('"VNI": 4096', '"VNI": 1'),
    /VNI \[1\] must be greater than or equal to 4096/,
  ],
  [
    'a label of another program',
    'node.json',
    (text) => text.replace('"--v=2"', '"--node-labels=kubernetes.io/pool=win"'),
    /unknown 'kubernetes\.io' or 'k8s\.io' labels/,
  ],
  [
    'a flag of Go that never was',
    'node.json',
    (text) => text.replace('"--net-config-path=', '"--net-conf='),
    /flanneld: refused: flag provided but not defined: -net-conf/,
  ],
  [
    'a discovery file with a drive',
    'files/kubeadm/join.json',
    (text) => text.replace('"/etc/kubernetes', String.raw`"C:\\etc\\kubernetes`),
    /if a URL is used, the scheme must be https/,
  ],
  [
    'a format that containerd lacks',
    'files/containerd/config.toml',
    (text) => text,
    /containerd 1\.7\.36 refuses version 4/,
    { containerd: '1.7.36' },
  ],
  [
    'a list before its version',
    'files/containerd/config.toml',
    (text) => text,
    /bin_dirs came with 2\.1/,
    { containerd: '2.0.12' },
  ],
  [
    'a plugin of another format',
    'files/containerd/config.toml',
    (text) => text.replace(/cri\.v1\.images/g, 'cri.v2.images'),
    /cri\.v2\.images does not exist/,
  ],
  [
    'an option of no shim',
    'files/containerd/config.toml',
    (text) => text.replace('ScrubLogs', 'scrubLogs'),
    /options\.scrubLogs does not exist/,
  ],
  [
    'TOML that is none',
    'files/containerd/config.toml',
    (text) => text.replace('version = 4', 'version 4'),
    /cannot be parsed/,
  ],
  [
    'JSON that is none',
    'files/cni/10-flannel.conflist',
    (text) => text.slice(1),
    /cannot be parsed/,
  ],
  ['YAML that is none', 'files/crictl/crictl.yaml', (text) => `${text}\ta: b\n`, /tab|Tab/],
  [
    'a result that libcni of containerd 1.5 cannot read',
    'files/cni/10-flannel.conflist',
    (text) => text,
    /unsupported CNI result version "1\.0\.0"/,
    { containerd: '1.5.18' },
  ],
  [
    'a delegate with a name',
    'files/cni/10-flannel.conflist',
    (text) => text.replace('"apiVersion": 2', '"apiVersion": 2, "name": "x"'),
    /delegate\.name does not exist/,
  ],
  [
    'a manifest of another kind',
    'cluster/10-kube-proxy.yaml',
    (text) => text.replace('kind: ServiceAccount', 'kind: Pod'),
    /v1 Pod is not expected/,
  ],
  [
    'a flag that is gone',
    'node.json',
    (text) => text.replace('--node-ip=', '--pod-infra-container-image='),
    /unknown flag: --pod-infra-container-image/,
  ],
  [
    'a flag that never was',
    'node.json',
    (text) => text.replace('--cert-dir=', '--cert-directory='),
    /unknown flag: --cert-directory/,
  ],
  [
    'a step that names a later one',
    'node.json',
    (text) => text.replace('"after": []', '"after": ["join-cluster"]'),
    /comes before join-cluster/,
  ],
  [
    'a step twice',
    'node.json',
    (text) => text.replace('"id": "directory-pki"', '"id": "directory-kubernetes"'),
    /directory-kubernetes stands twice/,
  ],
  [
    'a fact in an image',
    'node.json',
    (text) => text.replace('"text": "--run-service"', '"text": "", "fact": "nodeIP"'),
    /asks for a node fact in an image/,
  ],
  ['an unknown file', 'files/new.json', () => '{}', /no judge for this file/],
]

t.test('the judge finds mistakes', async (t) => {
  const compiled = compileBuiltin('ws2022-flannel-overlay')
  const files = textsOf(await renderCompiled(compiled))
  const versions = versionsOf(compiled)
  t.strictSame(judgeBundle(files, versions), [])
  for (const [name, path, spoil, fault, others] of spoils) {
    const spoiled = new Map(files).set(path, spoil(files.get(path) ?? ''))
    const faults = judgeBundle(spoiled, { ...versions, ...others })
    t.match(faults.join('\n'), fault, name)
  }
})

/** By their sources: each was once answered otherwise. */
const kubeletValues: readonly (readonly [minor: string, config: JsonObject, verdict: Verdict])[] = [
  ['1.30', { podPidsLimit: -1 }, 'accepted'],
  ['1.30', { podPidsLimit: -2 }, 'ignored'],
  ['1.37', { crashLoopBackOff: { maxContainerRestartPeriod: '300.0005s' } }, 'accepted'],
  ['1.37', { crashLoopBackOff: { maxContainerRestartPeriod: '301s' } }, 'refused'],
  ['1.25', { topologyManagerScope: 'pod', featureGates: { TopologyManager: false } }, 'refused'],
  ['1.31', { reservedMemory: [{ numaNode: 0, limits: { memory: ' 1Gi ' } }] }, 'accepted'],
  ['1.31', { kubeReserved: { memory: 'Gi' } }, 'accepted'],
  ['1.31', { kubeReserved: { memory: '1 Gi' } }, 'refused'],
  ['1.31', { evictionHard: { 'memory.available': 'Mi' } }, 'refused'],
  ['1.31', { evictionHard: { 'memory.available': '5%%' } }, 'accepted'],
  ['1.31', { evictionHard: { 'memory.available': 'NaN%' } }, 'accepted'],
  ['1.31', { qosReserved: { memory: '50%%' } }, 'accepted'],
  ['1.31', { containerLogMaxSize: '10Gi' }, 'accepted'],
  ['1.31', { containerLogMaxSize: '1Pi' }, 'refused'],
  ['1.31', { containerLogMaxSize: '99999999Mi' }, 'accepted'],
  ['1.31', { containerLogMaxSize: '999999999Mi' }, 'refused'],
  ['1.31', { logging: { format: 'json' } }, 'accepted'],
  ['1.31', { logging: { format: 'json' }, featureGates: { LoggingBetaOptions: false } }, 'refused'],
]

/** Entries of preloadedImagesVerificationAllowlist. */
const imagePatterns: readonly (readonly [pattern: string, before136: Verdict, later: Verdict])[] = [
  ['nginx', 'refused', 'accepted'],
  ['team/app', 'refused', 'accepted'],
  ['docker.io/nginx', 'refused', 'accepted'],
  ['registry.example.com', 'refused', 'accepted'],
  ['docker.io/library/nginx', 'accepted', 'accepted'],
  ['localhost/app', 'accepted', 'accepted'],
  ['registry.example.com:5000/app', 'accepted', 'accepted'],
  ['https://registry.example.com/*', 'accepted', 'accepted'],
  ['registry.example.com/*/app', 'refused', 'refused'],
  ['nginx:1.29', 'refused', 'refused'],
  ['nginx@sha256:' + '0'.repeat(64), 'refused', 'refused'],
  ['registry.example.com/', 'refused', 'refused'],
  ['nginx ', 'refused', 'refused'],
  ['/*', 'refused', 'refused'],
  ['*', 'refused', 'refused'],
  ['', 'refused', 'refused'],
]

const kubeletTexts: readonly (readonly [text: string, verdict: Verdict])[] = [
  ['Kind: KubeletConfiguration\napiVersion: kubelet.config.k8s.io/v1beta1\n', 'ignored'],
  [
    'kind: KubeletConfiguration\napiVersion: &a kubelet.config.k8s.io/v1beta1\nmaxPods: *a\n',
    'refused',
  ],
]

const kubeletFlagValues: readonly (readonly [flags: readonly string[], verdict: Verdict])[] = [
  [['--v=2147483647'], 'accepted'],
  [['--v=2147483648'], 'refused'],
  [['--register-with-taints=a-'], 'warned'],
  [['--register-with-taints=a b-'], 'refused'],
  [['--address= 10.0.0.1'], 'refused'],
  [['--reserved-memory=0:memory=1Gi;1:memory=1Gi'], 'warned'],
  [['--reserved-memory=0:memory=1Gi', '--reserved-memory=0:memory=1Gi'], 'refused'],
]

const joinText = JSON.stringify({
  apiVersion: 'kubeadm.k8s.io/v1beta4',
  kind: 'JoinConfiguration',
  discovery: { file: { kubeConfigPath: 'https://example.com/discovery.conf' } },
})

const joinTexts: readonly (readonly [text: string, verdict: Verdict])[] = [
  [`--- # the join\n${joinText}\n---\n`, 'accepted'],
  [`${joinText}\n--- join\n`, 'refused'],
  [`\n---\n${joinText}\n`, 'refused'],
  [`${joinText}\n---\napiVersion: v1\nkind: Secret\n`, 'refused'],
  [joinText.replace('kind', 'Kind'), 'ignored'],
]

const subnet = '10.244.3.0/24'
const hostLocalRequests: readonly (readonly [
  request: Partial<HostLocalRequest> & { readonly ipam?: JsonObject; readonly version?: string },
  verdict: Verdict,
])[] = [
  [{ ipam: { subnet, gateway: '10.1.1.1' } }, 'accepted'],
  [{ ipam: { subnet, rangeStart: '10.244.3.255' } }, 'accepted'],
  [{ ipam: { subnet, resolvConf: 'C:\\none' } }, 'refused'],
  [{ ipam: { subnet: null, ranges: [[{ subnet }]] } }, 'refused'],
  [{ args: 'IP=10.244.3.5/24' }, 'accepted'],
  [{ args: 'IP=10.9.9.9;IP=10.244.3.5' }, 'accepted'],
  [{ args: 'IgnoreUnknown=yes' }, 'refused'],
  [{ command: 'CHECK', version: '0.3.1', store: { '10.244.3.4': 'aaaa' } }, 'refused'],
  [{ command: 'CHECK', version: '0.4.0', store: { '10.244.3.4': 'aaaa' } }, 'accepted'],
  [{ command: 'STATUS', version: '1.0.0' }, 'refused'],
  [{ command: 'STATUS', version: '1.1.0' }, 'accepted'],
]

const flanneldRuns: readonly (readonly [
  flag: string,
  netConf: JsonObject,
  podCIDRs: readonly string[],
  verdict: Verdict,
])[] = [
  ['--v=-1', {}, [subnet], 'accepted'],
  ['--vmodule=a', {}, [subnet], 'refused'],
  ['--public-ip=x', {}, [subnet], 'refused'],
  ['--kube-annotation-prefix=flannel', {}, [subnet], 'refused'],
  ['--healthz-port=70000', {}, [subnet], 'refused'],
  ['---v=2', {}, [subnet], 'refused'],
  ['--v=2', {}, [], 'refused'],
  ['--v=2', { Network: '0.0.0.0/0' }, [subnet], 'refused'],
  ['--v=2', { SubnetMin: null }, [subnet], 'refused'],
  ['--v=2', { EnableIPv6: true }, [subnet], 'refused'],
  ['--v=2', { IPv6Network: '10.1.0.0/16' }, [subnet], 'ignored'],
]

const kubeletConfiguration = {
  kind: 'KubeletConfiguration',
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  cgroupsPerQOS: false,
  enforceNodeAllocatable: [],
}

t.test('the judge agrees with the programs about single values', (t) => {
  const ofConfig = (config: JsonObject, minor: string, flags: readonly string[] = []) =>
    verdictOf(
      judgeKubelet(
        { flags, config: JSON.stringify({ ...kubeletConfiguration, ...config }) },
        minor,
      ),
    )
  for (const [minor, config, verdict] of kubeletValues)
    t.equal(ofConfig(config, minor), verdict, `${minor} ${JSON.stringify(config)}`)
  for (const [pattern, before136, later] of imagePatterns) {
    const list = {
      imagePullCredentialsVerificationPolicy: 'NeverVerifyAllowlistedImages',
      preloadedImagesVerificationAllowlist: [pattern],
    }
    t.equal(ofConfig(list, '1.35'), before136, `1.35 ${pattern}`)
    t.equal(ofConfig(list, '1.36'), later, `1.36 ${pattern}`)
  }
  for (const [config, verdict] of kubeletTexts)
    t.equal(verdictOf(judgeKubelet({ flags: [], config }, '1.37')), verdict, config)
  for (const [flags, verdict] of kubeletFlagValues)
    t.equal(ofConfig({}, '1.37', flags), verdict, flags.join(' '))
  for (const [text, verdict] of joinTexts)
    t.equal(verdictOf(judgeJoin(text, '1.37', () => false)), verdict, text)
  for (const [{ ipam = { subnet }, version = '1.0.0', ...request }, verdict] of hostLocalRequests) {
    const conf = JSON.stringify({ cniVersion: version, name: 'flannel', ipam })
    const whole = {
      command: 'ADD',
      containerId: 'aaaa',
      ifName: 'eth0',
      store: {},
      conf,
      ...request,
    }
    t.equal(
      verdictOf(judgeHostLocal(whole)),
      verdict,
      JSON.stringify({ ipam, version, ...request }),
    )
  }
  for (const [flag, over, podCIDRs, verdict] of flanneldRuns) {
    const netConf = { Network: '10.244.0.0/16', Backend: { Type: 'vxlan' }, ...over }
    const run = {
      flags: ['--kube-subnet-mgr', '--kubeconfig-file=C:\\flannel.conf', flag],
      netConf: JSON.stringify(netConf),
      podCIDRs,
      exists: () => true,
    }
    t.equal(
      verdictOf(judgeFlanneld(run)),
      verdict,
      `${flag} ${JSON.stringify(over)} ${podCIDRs[0]}`,
    )
  }
  t.end()
})

t.test('gates of the file and of the flag are one', (t) => {
  const rows: readonly [minor: string, gates: JsonObject, flag: string, verdict: Verdict][] = [
    ['1.30', { CloudDualStackNodeIPs: false }, 'CloudDualStackNodeIPs=true', 'warned'],
    [
      '1.36',
      { GracefulNodeShutdown: false },
      'GracefulNodeShutdownBasedOnPodPriority=false,WindowsGracefulNodeShutdown=false',
      'warned',
    ],
    ['1.36', { GracefulNodeShutdown: false }, 'GracefulNodeShutdown=true', 'refused'],
  ]
  for (const [minor, featureGates, flag, verdict] of rows) {
    const config = JSON.stringify({ ...kubeletConfiguration, featureGates })
    const findings = judgeKubelet({ flags: [`--feature-gates=${flag}`], config }, minor)
    t.equal(verdictOf(findings), verdict, flag)
  }
  t.end()
})

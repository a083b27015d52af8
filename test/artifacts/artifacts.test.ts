// The files of a bundle: what stands in them by version, mode and way of joining.
import t from 'tap'
import { registryFolder } from '../../src/matrix/registry-folder.ts'
import { compile } from '../../src/compile.ts'
import { valueAt, type Json, type JsonObject } from '../../src/model/json.ts'
import type { DraftStep, Plan, PlannedFile } from '../../src/model/plan.ts'
import { inProcess } from '../tools/run.ts'

const ca = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'

function planOf(patch: JsonObject): Plan {
  const layer = { name: 'test', patch, place: () => undefined }
  const { plan, findings } = compile([layer], 'test', { today: '2026-11-20' })
  const errors = findings.filter(({ severity }) => severity === 'error')
  if (!plan) throw new Error(errors.map(({ id, message }) => `${id}: ${message}`).join('\n'))
  return plan
}

function fileOf(plan: Plan, id: string): PlannedFile | undefined {
  return plan.files.find((file) => file.id === id)
}

function documentOf(plan: Plan, id: string): Json | undefined {
  const body = fileOf(plan, id)?.body
  return body?.kind === 'json' ? body.value : undefined
}

function stepOf(plan: Plan, id: string): DraftStep | undefined {
  return plan.steps.find((step) => step.id === id)
}

function commandOf(plan: Plan, id: string): readonly string[] {
  const step = stepOf(plan, id)
  if (step?.kind !== 'service') return []
  return step.command.map(({ text, fact }) => (fact === undefined ? text : `${text}<${fact}>`))
}

const kubernetes = (version: string, more: JsonObject = {}) => {
  const runtime = /^1\.(2\d|3[01])\./.test(version) ? { containerd: { version: '1.7' } } : {}
  return { kubernetes: { version }, ...runtime, ...more }
}
const l2bridge = { network: { mode: 'l2bridge' } }
const bootstrap = { join: { method: 'bootstrapKubeconfig', endpoint: 'api.example.com:6443', ca } }
const shutdown = { kubelet: { shutdownGracePeriod: '60s' } }

/** `[what it says, the profile, the file, the path in it, the value there]` */
type Row = readonly [string, JsonObject, string, string, Json | undefined]

const endpoint = 'npipe:////./pipe/containerd-containerd'
const forwarded = 'winkernel.forwardHealthCheckVip'
const enforced = 'enforceNodeAllocatable'
const graceful = 'featureGates.WindowsGracefulNodeShutdown'
const rows: readonly Row[] = [
  [
    '1.26 has no endpoint in its file',
    kubernetes('1.26.15'),
    'kubelet-config',
    'containerRuntimeEndpoint',
    undefined,
  ],
  ['1.27 has it', kubernetes('1.27.16'), 'kubelet-config', 'containerRuntimeEndpoint', endpoint],
  ['1.25 keeps cgroups off', kubernetes('1.25.16'), 'kubelet-config', 'cgroupsPerQOS', false],
  ['and so does 1.37', kubernetes('1.37.1'), 'kubelet-config', 'cgroupsPerQOS', false],
  ['1.30 stops at any entry', kubernetes('1.30.14'), 'kubelet-config', enforced, []],
  ['1.31 knows none', kubernetes('1.31.14'), 'kubelet-config', enforced, ['none']],
  ['and so does 1.37 when it enforces', kubernetes('1.37.1'), 'kubelet-config', enforced, ['none']],
  ['1.31 waits for no pod', kubernetes('1.32.13'), 'kubelet-config', 'featureGates', undefined],
  ['1.32 waits behind a gate', kubernetes('1.32.13', shutdown), 'kubelet-config', graceful, true],
  ['1.33 too', kubernetes('1.33.13', shutdown), 'kubelet-config', graceful, true],
  [
    'in 1.34 the gate is on',
    kubernetes('1.34.12', shutdown),
    'kubelet-config',
    graceful,
    undefined,
  ],
  [
    'a gate that the profile sets is kept',
    kubernetes('1.33.13', { kubelet: { featureGates: { NodeLogQuery: false } } }),
    'kubelet-config',
    'featureGates',
    { NodeLogQuery: false },
  ],
  [
    'images on a separate drive have a threshold',
    { containerd: { root: 'D:\\images' } },
    'kubelet-config',
    'evictionHard',
    { 'memory.available': '500Mi', 'nodefs.available': '10%', 'imagefs.available': '15%' },
  ],
  [
    'images on the kubelet’s drive have none',
    { containerd: { root: 'C:\\images' } },
    'kubelet-config',
    'evictionHard',
    { 'memory.available': '500Mi', 'nodefs.available': '10%' },
  ],
  [
    'a provider id',
    { kubelet: { providerID: 'aws:///a/i-1' } },
    'kubelet-config',
    'providerID',
    'aws:///a/i-1',
  ],
  [
    'one of the node',
    { kubelet: { providerID: { file: 'C:\\id' } } },
    'kubelet-config',
    'providerID',
    '',
  ],
  [
    '1.32 needs the gate of DSR',
    kubernetes('1.32.13'),
    'kube-proxy-config',
    'featureGates',
    { WinDSR: true },
  ],
  ['1.33 does not', kubernetes('1.33.13'), 'kube-proxy-config', 'featureGates', undefined],
  [
    '1.32 without DSR needs none',
    kubernetes('1.32.13', { network: { dsr: false } }),
    'kube-proxy-config',
    'featureGates',
    undefined,
  ],
  ['overlay: network', {}, 'kube-proxy-config', 'winkernel.networkName', 'flannel.4096'],
  ['overlay: the source VIP comes late', {}, 'kube-proxy-config', 'winkernel.sourceVip', ''],
  [
    'overlay: no root endpoint',
    {},
    'kube-proxy-config',
    'winkernel.rootHnsEndpointName',
    undefined,
  ],
  ['l2bridge: network', l2bridge, 'kube-proxy-config', 'winkernel.networkName', 'cbr0'],
  ['l2bridge: no source VIP', l2bridge, 'kube-proxy-config', 'winkernel.sourceVip', undefined],
  [
    'l2bridge: root endpoint',
    l2bridge,
    'kube-proxy-config',
    'winkernel.rootHnsEndpointName',
    'cbr0_ep',
  ],
  [
    'libcni of containerd 1.5 reads no result of CNI 1.0.0',
    { kubernetes: { version: '1.25.16' }, containerd: { version: '1.5.18' } },
    'cni-conf',
    'cniVersion',
    '0.4.0',
  ],
  [
    'that of containerd 1.6 does',
    { kubernetes: { version: '1.25.16' }, containerd: { version: '1.6.39' } },
    'cni-conf',
    'cniVersion',
    '1.0.0',
  ],
  [
    'l2bridge: health checks of load balancers are forwarded',
    l2bridge,
    'kube-proxy-config',
    forwarded,
    true,
  ],
  [
    'but not on Windows Server 2019, where HNS refuses their port',
    { ...l2bridge, windows: { release: 'ws2019', revision: 1518 }, ...kubernetes('1.33.13') },
    'kube-proxy-config',
    forwarded,
    false,
  ],
  ['kernelspace is written', {}, 'kube-proxy-config', 'mode', 'kernelspace'],
  [
    'kubeadm 1.30 reads v1beta3',
    kubernetes('1.30.14'),
    'kubeadm-join',
    'apiVersion',
    'kubeadm.k8s.io/v1beta3',
  ],
  [
    'kubeadm 1.31 reads v1beta4',
    kubernetes('1.31.14'),
    'kubeadm-join',
    'apiVersion',
    'kubeadm.k8s.io/v1beta4',
  ],
  [
    'kubeadm’s own version decides, not the kubelet’s',
    { kubernetes: { version: '1.30.14', apiServer: '1.31.14' }, containerd: { version: '1.7' } },
    'kubeadm-join',
    'apiVersion',
    'kubeadm.k8s.io/v1beta4',
  ],
  [
    'kubeadm takes a drive for the scheme of a URL, so its path has none',
    {},
    'kubeadm-join',
    'discovery.file.kubeConfigPath',
    '/etc/kubernetes/discovery.conf',
  ],
  [
    'and so has one that the profile gives',
    { join: { discoveryFile: 'c:\\k\\my cluster\\d.conf' } },
    'kubeadm-join',
    'discovery.file.kubeConfigPath',
    '/k/my cluster/d.conf',
  ],
  ['kubeadm gives no taint', {}, 'kubeadm-join', 'nodeRegistration.taints', []],
  ['and merges no file of the bundle', {}, 'kubeadm-join', 'patches', undefined],
]

t.test('what stands in a file', async (t) => {
  for (const [title, patch, id, path, value] of rows)
    t.strictSame(valueAt(documentOf(planOf(patch), id), path.split('.')), value, title)
})

t.test('logs of the shim hold no environment variables, where it can leave them out', async (t) => {
  const scrubs = (version: string) => {
    const config = { kubernetes: { version: '1.33.13' }, containerd: { version } }
    const body = fileOf(planOf(config), 'containerd-config')?.body
    return body?.kind === 'toml' && JSON.stringify(body.value).includes('"ScrubLogs":true')
  }
  for (const version of ['1.7.36', '2.0.12', '2.1.9', '2.2.6', '2.3.3', '2.3.6'])
    t.equal(scrubs(version), true, version)
  t.equal(scrubs('1.6.39'), false, 'the shim of 1.6 does not know the option')
})

t.test('where the kubelet’s configuration goes', async (t) => {
  const joined = planOf(bootstrap)
  t.equal(fileOf(planOf({}), 'kubelet-config')?.install?.path, 'C:\\var\\lib\\kubelet\\config.json')
  t.strictSame(
    documentOf(planOf({}), 'kubelet-config'),
    documentOf(joined, 'kubelet-config'),
    'the same with kubeadm and without',
  )
  t.equal(fileOf(joined, 'kubelet-config')?.install?.path, 'C:\\var\\lib\\kubelet\\config.json')
  t.equal(fileOf(joined, 'kubeadm-join'), undefined, 'kubeadm has no part in it')
  t.equal(fileOf(joined, 'cluster-ca')?.install?.path, 'C:\\etc\\kubernetes\\pki\\ca.crt')
  t.notOk(joined.steps.some(({ id }) => id === 'download-kubeadm'))
  const late = fileOf(planOf({ kubelet: { providerID: { file: 'C:\\id' } } }), 'kubelet-config')
  t.equal(late?.install?.phase, 'beforeJoin', 'an image knows no machine')
  t.strictSame(late?.install?.derive, [
    { pointer: '/providerID', value: [{ text: '', fact: 'providerID' }] },
  ])
})

t.test('a kubeconfig of the user is not written', async (t) => {
  const join = { endpoint: 'api.example.com:6443', caCertHashes: [`sha256:${'a'.repeat(64)}`] }
  const credentials = { kubeconfig: 'C:\\k\\own.conf' }
  const own = { join, kubeProxy: { credentials }, network: { flannel: { credentials } } }
  for (const id of ['kube-proxy-kubeconfig', 'flannel-kubeconfig']) {
    t.ok(fileOf(planOf({ join }), id), id)
    t.notOk(fileOf(planOf(own), id), id)
  }
})

t.test('free space is checked against the eviction thresholds that the kubelet uses', async (t) => {
  const checked = (threshold: string) => {
    const reserve = { evictionHard: { 'nodefs.available': threshold } }
    return planOf({ reserve }).health.flatMap((one) => (one.kind === 'disk' ? [one.with] : []))
  }
  t.strictSame(checked('10%'), [{ drive: 'C:', percent: 10 }])
  t.strictSame(checked('5G'), [{ drive: 'C:', mib: 4769 }])
  for (const off of ['0%', '100%', 'NaN%']) t.strictSame(checked(off), [], off)
  const apart = planOf({
    containerd: { root: 'D:\\containerd' },
    reserve: { evictionHard: { 'nodefs.available': '10%', 'imagefs.available': '15%' } },
  })
  t.match(
    apart.health.filter(({ kind }) => kind === 'disk'),
    [{ with: { drive: 'C:', percent: 10 } }, { with: { drive: 'D:', percent: 15 } }],
    'images on a separate drive have a separate threshold',
  )
})

t.test('the command line of the kubelet', async (t) => {
  const provider = {
    binDirectory: 'C:\\k\\p',
    providers: [{ name: 'acr.exe', matchImages: ['*.azurecr.io'] }],
  }
  const table: readonly (readonly [string, JsonObject, string, boolean])[] = [
    [
      '1.26 has the endpoint as a flag',
      kubernetes('1.26.15'),
      `--container-runtime-endpoint=${endpoint}`,
      true,
    ],
    ['1.27 does not', kubernetes('1.27.16'), `--container-runtime-endpoint=${endpoint}`, false],
    ['it reads our file', {}, '--config=C:\\var\\lib\\kubelet\\config.json', true],
    ['without kubeadm too', bootstrap, '--config=C:\\var\\lib\\kubelet\\config.json', true],
    [
      'it joins by itself',
      bootstrap,
      '--bootstrap-kubeconfig=C:\\etc\\kubernetes\\bootstrap-kubelet.conf',
      true,
    ],
    ['its name is the node’s', {}, '--hostname-override=<nodeName>', true],
    ['no cloud', {}, '--cloud-provider=external', false],
    ['a cloud', { kubelet: { cloudProvider: 'external' } }, '--cloud-provider=external', true],
    [
      'a folder of drop-ins',
      { kubelet: { dropInDirectory: 'C:\\k\\d' } },
      '--config-dir=C:\\k\\d',
      true,
    ],
    ['no folder of drop-ins', {}, '--config-dir=C:\\k\\d', false],
    [
      'programs',
      { registry: { credentialProvider: provider } },
      '--image-credential-provider-bin-dir=C:\\k\\p',
      true,
    ],
    [
      'and what says which',
      { registry: { credentialProvider: provider } },
      '--image-credential-provider-config=C:\\etc\\kubernetes\\credential-providers.json',
      true,
    ],
    [
      'or a file of another program',
      { registry: { credentialProvider: { binDirectory: 'C:\\k\\p', config: 'C:\\k\\p.yaml' } } },
      '--image-credential-provider-config=C:\\k\\p.yaml',
      true,
    ],
  ]
  for (const [title, patch, flag, there] of table)
    t.equal(commandOf(planOf(patch), 'service-kubelet').includes(flag), there, title)
})

t.test('credential providers', async (t) => {
  const providers = [
    { name: 'acr.exe', matchImages: ['*.azurecr.io'], args: ['C:\\k\\azure.json'] },
    { name: 'ecr.exe', matchImages: ['*.dkr.ecr.*.amazonaws.com'], env: { AWS_PROFILE: 'node' } },
  ]
  const patch = { registry: { credentialProvider: { binDirectory: 'C:\\k\\p', providers } } }
  t.strictSame(documentOf(planOf(patch), 'credential-providers'), {
    apiVersion: 'kubelet.config.k8s.io/v1',
    kind: 'CredentialProviderConfig',
    providers: [
      {
        name: 'acr.exe',
        apiVersion: 'credentialprovider.kubelet.k8s.io/v1',
        matchImages: ['*.azurecr.io'],
        defaultCacheDuration: '12h',
        args: ['C:\\k\\azure.json'],
      },
      {
        name: 'ecr.exe',
        apiVersion: 'credentialprovider.kubelet.k8s.io/v1',
        matchImages: ['*.dkr.ecr.*.amazonaws.com'],
        defaultCacheDuration: '12h',
        env: [{ name: 'AWS_PROFILE', value: 'node' }],
      },
    ],
  })
  const oldest = documentOf(planOf({ ...kubernetes('1.25.16'), ...patch }), 'credential-providers')
  t.equal(valueAt(oldest, ['apiVersion']), 'kubelet.config.k8s.io/v1beta1')
  t.equal(
    valueAt(oldest, ['providers', 0, 'apiVersion']),
    'credentialprovider.kubelet.k8s.io/v1beta1',
  )
})

t.test('Defender leaves whole paths alone, of the plugin too', async (t) => {
  const excluded = (patch: JsonObject, of = 'process') =>
    planOf(patch).steps.flatMap((step) =>
      step.kind === 'defenderExclusion' && step.of === of ? [step.path] : [],
    )
  t.strictSame(excluded({ containerd: { root: 'D:\\images' } }, 'folder'), [
    'D:\\images\\io.containerd.snapshotter.v1.windows\\snapshots',
  ])
  const flannel = excluded({})
  for (const name of [
    'k\\flanneld',
    'opt\\cni\\bin\\flannel',
    'opt\\cni\\bin\\host-local',
    'k\\kubelet',
  ])
    t.ok(flannel.includes(`C:\\${name}.exe`), name)
  t.notMatch(flannel.join('\n'), 'nssm')
  for (const path of flannel) t.match(path, /^C:\\.+\\[\w-]+\.exe$/)
  t.equal(new Set(flannel).size, flannel.length)
})

t.test('facts are those that something uses', async (t) => {
  const names = (patch: JsonObject) => planOf(patch).facts.map(({ name }) => name)
  t.strictSame(names({}), ['nodeName', 'nodeIP', 'podSubnet', 'sourceVip'])
  t.strictSame(names(l2bridge), ['nodeName', 'nodeIP', 'podSubnet'])
  t.strictSame(names({ network: { adapter: 'Ethernet 2' } }).slice(0, 3), [
    'nodeName',
    'adapter',
    'nodeIP',
  ])
  const late = planOf({
    kubelet: { providerID: { file: 'C:\\id' }, nodeName: { file: 'C:\\name' } },
  })
  const apart = planOf({ containerd: { root: 'D:\\images' } })
  t.match(fileOf(apart, 'containerd-config')?.body, { value: { root: 'D:\\images' } })
  t.match(
    apart.steps.find(({ id }) => id === 'directory-containerd-root'),
    {
      path: 'D:\\images',
      sddl: 'D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)',
      layers: true,
    },
  )
  t.match(
    apart.preflight.filter(({ id }) => id.includes('data-disk')),
    [
      { kind: 'volume', phases: ['any', 'boot'], with: { drive: 'D:' } },
      { kind: 'freeDisk', phases: ['image'], with: { drive: 'D:' } },
    ],
  )
  const encrypted = planOf({ containerd: { root: 'D:\\images' }, host: { encryption: 'check' } })
  t.match(
    encrypted.preflight.find(({ id }) => id === 'encryption'),
    { with: { drive: 'C:' } },
    'the drive of the kubelet, which has the Secrets',
  )
  const beside = planOf({ containerd: { root: 'C:\\images' } })
  t.ok(beside.steps.some(({ id }) => id === 'directory-containerd-root'))
  t.notOk(beside.preflight.some(({ kind }) => kind === 'volume'))
  t.match(late.facts[0], { name: 'nodeName', with: { file: 'C:\\name' } })
  t.match(
    late.preflight.find(({ id }) => id === 'required-files'),
    {
      with: {
        paths: [
          'C:\\etc\\kubernetes\\kube-proxy.conf',
          'C:\\etc\\kubernetes\\flannel.conf',
          'C:\\name',
          'C:\\id',
        ],
      },
    },
  )
  t.ok(late.preflight.some(({ kind }) => kind === 'providerID'))
  t.strictSame(
    late.facts.find(({ name }) => name === 'providerID'),
    { name: 'providerID', with: { file: 'C:\\id' } },
  )
  const check = late.preflight.find(({ kind }) => kind === 'filePresent')
  t.ok(String(check?.with['paths']).includes('C:\\id'), 'Join refuses without the file')
})

t.test('what pods reach without translation', async (t) => {
  const exceptions = (network: JsonObject) => {
    const path = ['plugins', 0, 'delegate', 'policies', 0, 'value', 'Settings', 'Exceptions']
    return valueAt(documentOf(planOf({ network }), 'cni-conf'), path)
  }
  const nodes = { nodeCIDRs: ['10.0.0.0/24'] }
  const cluster = ['10.244.0.0/16', '10.96.0.0/12']
  t.strictSame(exceptions(nodes), cluster, 'never a node, on overlay')
  t.strictSame(exceptions({ mode: 'l2bridge', ...nodes }), cluster, 'nor on l2bridge by itself')
  const open = { mode: 'l2bridge', untranslated: ['10.0.0.0/24'] }
  t.strictSame(exceptions(open), [...cluster, '10.0.0.0/24'], 'but where the profile says so')
})

t.test('addresses that may reach the ports of the plugin', async (t) => {
  const from = (patch: JsonObject, id: string) => {
    const step = stepOf(planOf(patch), id)
    return step?.kind === 'firewallRule' ? step.from : undefined
  }
  const given = { host: { firewall: { networkFrom: ['10.0.0.0/24'] } } }
  t.strictSame(from(given, 'firewall-vxlan'), ['10.0.0.0/24'])
  t.strictSame(from({ network: { nodeCIDRs: ['10.0.0.0/24'] } }, 'firewall-vxlan'), [])
})

const calico = (fields: JsonObject) => ({
  network: { cni: 'calico', mode: 'overlay', ...fields },
  kubernetes: { version: '1.35' },
  join: { endpoint: 'api.example.com:6443', caCertHashes: [`sha256:${'a'.repeat(64)}`] },
})

t.test(
  'the rule for VXLAN has the name of Calico’s own, which Calico then does not create',
  (t) => {
    const nameOf = (patch: JsonObject) => {
      const step = stepOf(planOf(patch), 'firewall-vxlan')
      return step?.kind === 'firewallRule' ? step.name : undefined
    }
    t.equal(nameOf(calico({})), 'OverlayTraffic4789UDP')
    t.equal(nameOf({}), 'winnode-vxlan')
    t.end()
  },
)

t.test('Calico creates its VXLAN network on the adapter of the profile', (t) => {
  const adapterIn = (fields: JsonObject) =>
    valueAt(documentOf(planOf(calico(fields)), 'cluster-calico-installation'), [
      'spec',
      'windowsNodes',
    ])
  t.strictSame(adapterIn({ adapter: 'Ethernet 2' }), { vxlanAdapter: 'Ethernet 2' })
  t.equal(adapterIn({}), undefined)
  t.end()
})

t.test('the way to a cloud is kept', async (t) => {
  const routes = (patch: JsonObject) =>
    planOf(patch)
      .steps.filter(({ kind, id }) => kind === 'route' || id === 'running-flanneld')
      .map(({ id }) => id)
  t.strictSame(routes({}), ['route-metadata', 'running-flanneld', 'route-metadata-again'])
})

t.test('addresses that may read the health of kube-proxy', async (t) => {
  const rule = (patch: JsonObject) => {
    const step = stepOf(planOf(patch), 'firewall-proxy-health')
    return step?.kind === 'firewallRule' ? `${step.ports} ${step.from.join()}` : ''
  }
  const bound = (address: string) =>
    rule({ kubeProxy: { config: { healthzBindAddress: address } } })
  t.equal(rule({ host: { firewall: { healthFrom: ['10.0.0.0/24'] } } }), '10256 10.0.0.0/24')
  for (const open of ['', '0.0.0.0', '::', '192.0.2.1:10256', '[::]:10256'])
    t.equal(bound(open), '10256 ', `${open}: the default port`)
  t.equal(bound('0.0.0.0:10300'), '10300 ')
  t.equal(bound('[2001:db8::1]:10300'), '10300 ')
  for (const closed of ['127.0.0.1:10256', '127.0.0.2', '::1', '[::1]:10256'])
    t.equal(bound(closed), '', `${closed}: no other address reaches it`)
})

t.test('the port of the kubelet decides the firewall and the check of ports', async (t) => {
  const of = (config: JsonObject) => {
    const { steps, health } = planOf({ kubelet: { config } })
    const rule = steps.find(({ id }) => id === 'firewall-kubelet')
    const check = health.find(({ kind }) => kind === 'ports')
    return {
      open: rule?.kind === 'firewallRule' ? rule.ports : undefined,
      checked: JSON.stringify(check?.with),
    }
  }
  t.match(of({}), { open: '10250', checked: '"10250 kubelet"' })
  t.match(of({ port: 10_251 }), { open: '10251', checked: '"10251 kubelet"' })
  t.notMatch(of({ port: 10_251 }).checked, '10250')
  const local = of({ address: '127.0.0.1' })
  t.equal(local.open, undefined, 'no other address reaches it')
  t.match(local.checked, '"10250 kubelet"')
  const off = of({ enableServer: false })
  t.equal(off.open, undefined)
  t.notMatch(off.checked, '10250')
})

t.test('each registry value of one name is a separate step', async (t) => {
  const registry = ['A', 'B', 'C'].map((key) => ({
    path: `HKLM\\SOFTWARE\\${key}`,
    name: key === 'C' ? 'x' : 'X',
    value: 1,
  }))
  const { steps } = planOf({ host: { registry } })
  const ids = steps.flatMap(({ id, ...step }) =>
    step.kind === 'registryValue' && /^x$/i.test(step.name) ? [id] : [],
  )
  t.strictSame(ids, ['registry-x', 'registry-x-2', 'registry-x-3'])
})

t.test(
  'the README gives the reason of a registry value that winnode knows, and of no other',
  async (t) => {
    const line = async (value: number) => {
      const path = 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\hns\\State'
      const set = `host.registry=${JSON.stringify([{ path, name: 'EnableCompartmentNamespace', value }])}`
      const { stdout } = await inProcess([
        ...['render', 'ws2022-flannel-overlay', '--set', set, '--out', '-', '--only', 'README.md'],
      ])
      return stdout.split('\n').find((one) => one.includes('EnableCompartmentNamespace'))
    }
    t.match(await line(1), / \(containers resolve the names of SMB shares/)
    t.match(await line(0), /EnableCompartmentNamespace`$/, 'another value has another reason')
  },
)

t.test(
  'the README asks for no folder that Install makes, in whatever case it is written',
  async (t) => {
    const asks = async (tokenFile: string) => {
      const { stdout } = await inProcess([
        ...['render', 'ws2022-flannel-overlay', '--set', `join.tokenFile='${tokenFile}'`],
        ...['--out', '-', '--only', 'README.md'],
      ])
      return stdout.includes('Install does not create these folders')
    }
    t.ok(await asks('C:\\secrets\\token'))
    for (const made of ['C:\\etc\\kubernetes\\token', 'c:\\ETC\\Kubernetes\\token'])
      t.notOk(await asks(made), made)
  },
)

t.test('addresses that the health checks ask', async (t) => {
  const asked = (id: string, patch: JsonObject) => {
    const { address, port } = planOf(patch).health.find((one) => one.id === id)?.with ?? {}
    return [address, port]
  }
  const proxy = (address: string) =>
    asked('proxy', { kubeProxy: { config: { healthzBindAddress: address } } })
  for (const all of ['', '0.0.0.0', '0.0.0.0:10256'])
    t.strictSame(proxy(all), ['127.0.0.1', 10_256], all)
  for (const all of ['::', '[::]:10256']) t.strictSame(proxy(all), ['::1', 10_256], all)
  t.strictSame(proxy('192.0.2.1:10300'), ['192.0.2.1', 10_300])
  t.strictSame(proxy('[2001:db8::1]:10300'), ['2001:db8::1', 10_300])
  t.strictSame(proxy('2001:db8::1'), ['2001:db8::1', 10_256])
  const kubelet = (config: JsonObject) => asked('kubelet', { kubelet: { config } })
  t.strictSame(kubelet({}), ['127.0.0.1', 10_248])
  t.strictSame(kubelet({ healthzBindAddress: '0.0.0.0' }), ['127.0.0.1', 10_248])
  t.strictSame(kubelet({ healthzBindAddress: '::' }), ['::1', 10_248])
})

t.test('accounts that may open each folder', async (t) => {
  const listOf = (id: string, patch: JsonObject = {}) => {
    const step = stepOf(planOf(patch), id)
    return step?.kind === 'directory' ? step.sddl?.match(/\([^)]*\)/g) : undefined
  }
  const full = ['(A;OICI;FA;;;SY)', '(A;OICI;FA;;;BA)']
  t.strictSame(listOf('directory-kubelet'), full)
  const logs = (version: string) =>
    ['directory-pod-logs', 'directory-container-logs'].map((id) => listOf(id, kubernetes(version)))
  t.strictSame(logs('1.25.16'), [full, full], 'no other program protects logs')
  t.strictSame(logs('1.29.6'), [full, full])
  t.strictSame(logs('1.29.15'), [full, undefined], 'the kubelet does, except for older logs')
  t.strictSame(logs('1.30.14'), [undefined, undefined], 'the kubelet does')
  t.strictSame(
    listOf('directory-pods'),
    [...full, '(A;OICI;0x1200a9;;;BU)', '(A;CI;0x6;;;BU)', '(A;OICIIO;FA;;;CO)'],
    'ContainerUser reads its token, and writes to an emptyDir',
  )
})

t.test('the node and the rule say the same of a revision', async (t) => {
  const verdict = (release: string, mode: string) => {
    const { preflight } = planOf({ windows: { release, revision: 9999 }, network: { mode } })
    return preflight.find(({ kind }) => kind === 'revisionNotBetween')?.verdict
  }
  t.equal(verdict('ws2022', 'overlay'), 'fail')
  t.equal(verdict('ws2022', 'l2bridge'), 'warn', 'known of overlay only')
  t.equal(verdict('ws2019', 'l2bridge'), 'fail', 'known of every mode')
  const finding = (revision: number, mode: string) => {
    const patch = { windows: { release: 'ws2022', revision }, network: { mode } }
    const layer = { name: 'test', patch, place: () => undefined }
    const { findings } = compile([layer], 'test', { today: '2026-11-20' })
    return findings.find(({ id }) => id === 'windows-revision-breaks-network')?.severity
  }
  t.equal(finding(2600, 'overlay'), 'error')
  t.equal(finding(2600, 'l2bridge'), 'warning')
  t.equal(finding(2762, 'l2bridge'), undefined)
})

t.test('a source VIP of the profile is reserved', async (t) => {
  const kept = (patch: JsonObject) => {
    const step = stepOf(planOf(patch), 'source-vip')
    return step?.kind === 'addressReservation' ? step.address : 'no reservation'
  }
  t.equal(kept({}), undefined, 'whichever is free')
  t.equal(kept({ network: { sourceVip: '10.244.3.9' } }), '10.244.3.9')
  t.equal(kept(l2bridge), 'no reservation')
})

t.test('folders of registries', async (t) => {
  // As in https://github.com/containerd/containerd/blob/main/core/remotes/docker/config/config_windows.go
  const table: readonly (readonly [string, string])[] = [
    ['registry.k8s.io', 'registry.k8s.io'],
    ['registry:5000', 'registry_5000_'],
    ['10.0.0.5:443', '10.0.0.5_443_'],
    ['[2001:db8::5]:5000', '[2001db85]_5000_'],
    ['[2001:db8::5]', '[2001db8_5]_'],
    ['_default', '_default'],
  ]
  for (const [registry, folder] of table) t.equal(registryFolder(registry), folder, registry)
})

t.test('the file of mirrors for localhost leaves the server to containerd', async (t) => {
  const serverOf = (registry: string) => {
    const mirrors = { [registry]: [{ url: 'https://m.example.com' }] }
    const [file] = planOf({ registry: { mirrors } }).files.filter(({ path }) =>
      path.endsWith('hosts.toml'),
    )
    return file?.body.kind === 'toml' && file.body.value['server']
  }
  for (const registry of ['localhost', 'localhost:5000', '127.0.0.1:5000', '[::1]:5000'])
    t.equal(serverOf(registry), undefined, registry)
  t.equal(serverOf('localhost.example.com:5000'), 'https://localhost.example.com:5000')
  t.equal(serverOf('docker.io'), 'https://registry-1.docker.io')
})

t.test('files that the user must provide', async (t) => {
  const pathsOf = (patch: JsonObject): readonly (readonly [string, unknown])[] =>
    planOf(patch)
      .preflight.filter(({ kind }) => kind === 'filePresent')
      .map((check) => [check.id, check.with['paths']])
  const plugins = ['C:\\etc\\kubernetes\\kube-proxy.conf', 'C:\\etc\\kubernetes\\flannel.conf']
  const mirror = (of: string) => ({ url: `https://${of}.example.com`, ca: `C:\\k\\${of}.pem` })
  const registry = {
    mirrors: { 'registry.k8s.io': [mirror('a'), mirror('b')], 'docker.io': [mirror('a')] },
  }
  t.strictSame(pathsOf({ registry }), [
    ['mirror-files', ['C:\\k\\a.pem', 'C:\\k\\b.pem']],
    ['required-files', [...plugins, 'C:\\etc\\kubernetes\\discovery.conf']],
  ])
  const mirrors = planOf({ registry }).preflight.find(({ id }) => id === 'mirror-files')
  t.strictSame(mirrors?.phases, ['any'], 'an image pulls, too')
})

t.test('containerd reaches the API server without the proxy', async (t) => {
  const endpoints = [
    ['api.example.com:6443', 'api.example.com'],
    // Go's httpproxy takes an address with brackets for a name.
    ['[2001:db8::1]:6443', '2001:db8::1'],
  ] as const
  for (const [written, direct] of endpoints) {
    const plan = planOf({
      host: { proxy: { url: 'http://proxy.example.com:3128', noProxy: ['localhost', '.svc'] } },
      join: { endpoint: written, caCertHashes: [`sha256:${'ab'.repeat(32)}`] },
    })
    const step = stepOf(plan, 'service-containerd')
    const listed = step?.kind === 'service' ? step.environment : undefined
    const { text = '' } = listed?.find(({ name }) => name === 'NO_PROXY')?.value ?? {}
    const hosts = text.split(',')
    t.ok(hosts.includes(direct), text)
    t.strictSame(hosts, [...new Set(hosts)], 'each once')
  }
})

/** `KEY\\NAME` of a registry value, with its type and value. */
function registryOf(patch: JsonObject, below: RegExp): Readonly<Record<string, unknown>> {
  const steps = planOf(patch).steps.flatMap((step) =>
    step.kind === 'registryValue' && below.test(step.key) ? [step] : [],
  )
  return Object.fromEntries(
    steps.map(({ key, name, type, value }) => [
      `${key.replace(below, '')}\\${name}`,
      `${type} ${String(value)}`,
    ]),
  )
}

t.test('host.tls: strict leaves TLS 1.2 and 1.3, with the cipher suites of AKS', async (t) => {
  const protocols = /^HKLM\\SYSTEM\\.*\\SCHANNEL\\Protocols\\/
  const ciphers = /^HKLM\\SOFTWARE\\Policies\\.*\\SSL\\00010002/
  const wanted = ['SSL 2.0', 'SSL 3.0', 'TLS 1.0', 'TLS 1.1', 'TLS 1.2'].flatMap((name) =>
    ['Client', 'Server'].flatMap((side) => [
      [`${name}\\${side}\\Enabled`, `DWord ${name === 'TLS 1.2' ? 1 : 0}`],
      [`${name}\\${side}\\DisabledByDefault`, `DWord ${name === 'TLS 1.2' ? 0 : 1}`],
    ]),
  )
  const suites = [
    'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
    'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
    'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
    'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
    'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384',
    'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256',
    'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384',
    'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256',
  ]
  const of13 = ['TLS_AES_256_GCM_SHA384', 'TLS_AES_128_GCM_SHA256']
  for (const [release, more] of [
    ['ws2019', []],
    ['ws2022', of13],
  ] as const) {
    const patch = { windows: { release }, host: { tls: 'strict' } }
    t.strictSame(registryOf(patch, protocols), Object.fromEntries(wanted), release)
    t.strictSame(
      registryOf(patch, ciphers),
      { '\\Functions': `String ${[...more, ...suites].join(',')}` },
      release,
    )
  }
  t.strictSame(registryOf({}, protocols), {}, 'without it, nothing')
})

t.test('host.processDumps keeps ten small dumps, and host.registry replaces a value', async (t) => {
  const key = 'HKLM\\SOFTWARE\\Microsoft\\Windows\\Windows Error Reporting\\LocalDumps'
  const below = /^HKLM\\SOFTWARE\\.*\\LocalDumps$/
  const processDumps = 'D:\\dumps'
  const wanted = {
    '\\DumpFolder': 'ExpandString D:\\dumps',
    '\\DumpCount': 'DWord 10',
    '\\DumpType': 'DWord 1',
  }
  t.strictSame(registryOf({ host: { processDumps } }, below), wanted)
  const registry = [{ path: key, name: 'DumpCount', value: 3 }]
  t.strictSame(registryOf({ host: { processDumps, registry } }, below), {
    ...wanted,
    '\\DumpCount': 'DWord 3',
  })
  const left = registryOf(
    { host: { processDumps, registry: [{ path: key, name: 'DumpCount' }] } },
    below,
  )
  t.strictSame(Object.keys(left), ['\\DumpFolder', '\\DumpType'], 'without a value, as it is')
  const steps = planOf({ host: { processDumps, registry } }).steps.filter(
    (step) => step.kind === 'registryValue' && step.name === 'DumpCount',
  )
  t.equal(steps.length, 1)
})

t.test('host.expandSystemVolume expands the system volume before the join', async (t) => {
  const step = (host: JsonObject) => stepOf(planOf({ host }), 'system-volume')
  t.match(step({ expandSystemVolume: true }), { phase: 'beforeJoin', drive: 'C:' })
  t.equal(step({}), undefined)
})

// Pipelines: what Cluster API is given, whether it takes it, and what machines make of it.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { t, type Test } from 'tap'
import { parseAllDocuments } from 'yaml'
import { isObject, mergeJson, type Json, type JsonObject } from '../../src/model/json.ts'
import { expression, hclText, type Block, type HclValue } from '../../src/render/hcl-text.ts'
import { hcl } from '../../src/render/quote/hcl.ts'
import { yamlText } from '../../src/render/yaml-text.ts'
import { zipOf } from '../../src/targets/archive.ts'
import { capi as capiTarget } from '../../src/targets/capi.ts'
import { bundleDelivery } from '../../src/targets/capi/delivery.ts'
import { builders } from '../../src/targets/packer/builders.ts'
import type { Variable } from '../../src/targets/packer/variables.ts'
import { hostileText } from '../render/hostile.ts'
import { shownText } from '../render/shown.ts'
import { install } from '../host/course.ts'
import { trouble } from '../host/host.ts'
import { provision, provisionersOf } from '../host/packer.ts'
import { renderedMachine } from '../host/rendered.ts'
import { scenario } from '../host/stage.ts'
import { firstStart, userData, type KubeadmConfig, type Secrets } from '../host/user-data.ts'
import { judgeResource } from '../judge/api-server/custom-resource.ts'
import { textOf } from '../judge/go/scalar.ts'
import { textOfHcl } from '../judge/packer/text.ts'
import { crds, oldestCrds, type PublishedCrd } from '../tools/crds.ts'
import { packer, packerMissing } from './packer.ts'
import { inProcess, root } from '../tools/run.ts'
import { bundleIn, targetInput, withTargets } from '../tools/targets.ts'

const profile = 'ws2022-flannel-overlay'

const set = (...settings: readonly string[]) => settings.flatMap((one) => ['--set', one])

/** What each provider asks for. */
const machines = {
  azure: `{ vmSize: Standard_D4s_v3, image: { id: /subscriptions/0/images/ws2022 } }`,
  vsphere: `{ template: ws2022, network: { devices: [{ networkName: VM Network, dhcp4: true }] } }`,
  aws: `{ instanceType: m5.xlarge, ami: { id: ami-0123456789abcdef0 } }`,
} as const
type Provider = keyof typeof machines

const capi = (provider: Provider, ...more: readonly string[]) =>
  set(
    'kubernetes.version=1.37.1',
    'kubelet.cloudProvider=external',
    'kubeProxy.runsAs=hostProcess',
    'network.flannel.runsAs=service',
    // An instance of Amazon is known by another name than its host name.
    `kubelet.nodeName=${provider === 'aws' ? '{ file: C:\\n }' : 'null'}`,
    `targets.capi.provider=${provider}`,
    'targets.capi.cluster=lab',
    `targets.capi.machine=${machines[provider]}`,
    ...more,
  )

const plain = 'targets.capi.bundleURL=https://files.example.com/node.zip'

async function render(flags: readonly string[]) {
  const argv = ['render', profile, '--as-of', '2026-11-20', '--for', 'capi', '--out', '-']
  return inProcess([...argv, ...flags])
}

async function documents(t: Test, flags: readonly string[]): Promise<readonly JsonObject[]> {
  const { code, stdout, stderr } = await render([...flags, '--only', 'machines.yaml'])
  t.equal(code, 0, stderr)
  return parsed(stdout)
}

const parsed = (text: string): readonly JsonObject[] =>
  parseAllDocuments(text).map((document) => document.toJS())

const at = (value: Json | undefined, ...keys: readonly string[]): Json | undefined =>
  keys.reduce<Json | undefined>((inner, key) => (isObject(inner) ? inner[key] : undefined), value)

const ofKind = (all: readonly JsonObject[], kind: RegExp): JsonObject =>
  all.find((one) => kind.test(textOf(one['kind']))) ?? {}

const nameOf = (document: JsonObject) => at(document, 'metadata', 'name')

/** What an API server refuses or drops of the documents, with today's CRDs or with the oldest ones. */
const faults = (all: readonly JsonObject[]) =>
  all.flatMap((document) =>
    [...judgeResource(document, crds()), ...judgeResource(document, oldestCrds())].filter(
      ({ verdict }) => verdict !== 'warned',
    ),
  )

t.test('Cluster API: an API server takes every document of every version', async (t) => {
  const cases = [
    capi('azure', 'targets.capi.apiVersion=v1beta1'),
    capi('azure'),
    capi('vsphere', 'targets.capi.apiVersion=v1beta1'),
    capi('azure', plain),
    capi('vsphere', plain, 'targets.capi.apiVersion=v1beta1'),
    capi('vsphere', 'targets.capi.machineVersion=v1beta2', 'targets.capi.replicas=3'),
    capi('aws', 'targets.capi.autoscaler={ min: 5, max: 5 }', 'kubelet.nodeName={ file: C:\\n }'),
    capi(
      'aws',
      'kubeProxy.runsAs=service',
      'kubeProxy.credentials={ tokenFile: C:\\a b\\token }',
      'join.endpoint=a:6443',
      `join.caCertHashes=[sha256:${'a'.repeat(64)}]`,
    ),
  ]
  for (const flags of cases) {
    const all = await documents(t, flags)
    t.equal(all.length, 4)
    t.strictSame(faults(all), [], flags.join())
    const spec = at(ofKind(all, /Deployment/), 'spec', 'template', 'spec')
    t.equal(at(spec, 'bootstrap', 'configRef', 'name'), nameOf(ofKind(all, /^Kubeadm/)))
    t.equal(at(spec, 'infrastructureRef', 'name'), nameOf(ofKind(all, /MachineTemplate/)))
    const labels = at(ofKind(all, /Deployment/), 'spec', 'template', 'metadata', 'labels')
    t.strictSame(at(ofKind(all, /Deployment/), 'spec', 'selector', 'matchLabels'), labels)
    t.strictSame(at(ofKind(all, /HealthCheck/), 'spec', 'selector', 'matchLabels'), labels)
  }
})

t.test('Cluster API: the page names the CRDs that the tests compare with', async (t) => {
  const page = readFileSync(path.join(root, 'docs/pipelines/cluster-api.md'), 'utf8')
  const [, versions = ''] = /^## Versions\n([^]*?)^## /m.exec(page) ?? []
  const [, start = ''] = /^\*\*Before you start\*\*:\n([^]*?)^## /m.exec(page) ?? []
  const revisions = (all: readonly PublishedCrd[]) => [
    ...new Set(all.flatMap(({ see }) => /cluster-api[\w-]*\/blob\/([^/]+)/.exec(see)?.[1] ?? [])),
  ]
  const commits = revisions(crds()).map((commit) => commit.slice(0, 8))
  const releases = revisions(oldestCrds()).map((release) => release.slice(1))
  const named = [...versions.matchAll(/`([0-9a-f]{8})`|\b(\d+\.\d+\.\d+)\b/g)]
  const texts = named.map(([, commit, release]) => commit ?? release)
  t.strictSame(texts.toSorted(), [...commits, ...releases].toSorted())
  const needed = [...start.matchAll(/\b1\.\d+\b/g)].map(([minor]) => `${minor}.0`)
  t.ok(needed.length > 0 && needed.every((release) => releases.includes(release)), start)
  const kinds = (all: readonly PublishedCrd[]) =>
    all.flatMap(({ see, kind, version }) =>
      see.includes('/cluster-api') ? [kind, version].join() : [],
    )
  t.strictSame(kinds(oldestCrds()).toSorted(), kinds(crds()).toSorted(), 'each kind and version')
})

t.test('Cluster API: a template has another name as soon as its content is another', async (t) => {
  const names = async (...flags: readonly string[]) => {
    const all = await documents(t, flags)
    return [/^Kubeadm/, /MachineTemplate/].map((kind) => nameOf(ofKind(all, kind)))
  }
  const [bootstrap, machine] = await names(...capi('vsphere'))
  t.match(bootstrap, new RegExp(`^${profile}-[0-9a-f]{8}$`))
  t.strictSame(await names(...capi('vsphere', 'targets.capi.replicas=7')), [bootstrap, machine])
  const [other, same] = await names(...capi('vsphere', 'kubelet.maxPods=30'))
  t.not(other, bootstrap, 'another bundle')
  t.equal(same, machine)
  const [kept, larger] = await names(...capi('vsphere', 'targets.capi.machine.folder=win'))
  t.equal(kept, bootstrap)
  t.not(larger, machine)
})

/** What the health check tolerates: of so many machines, rounded down as Cluster API does it. */
const tolerated = (value: Json | undefined, count: number) =>
  typeof value === 'number'
    ? value
    : Math.floor((Number(textOf(value).replace(/%$/, '')) * count) / 100)

t.test('Cluster API: each credential has its own key in the Secret', async (t) => {
  const [machine] = await documents(
    t,
    capi(
      'vsphere',
      'join.endpoint=api.example.com:6443',
      `join.caCertHashes=[sha256:${'a'.repeat(64)}]`,
      String.raw`kubeProxy={ runsAs: service, credentials: { tokenFile: 'C:\etc\a b' } }`,
      String.raw`network.flannel={ runsAs: service, credentials: { tokenFile: 'C:\etc\a.b' } }`,
      plain,
    ),
  )
  const keys = [...JSON.stringify(machine).matchAll(/"key":"([^"]+)"/g)].map(([, key]) => key)
  t.strictSame(keys, ['etc.a.b', 'etc.a.b-2'])
})

t.test('Cluster API: the health check acts for the first machine too', async (t) => {
  const cases: readonly (readonly [setting: string, count: number, most: number])[] = [
    ['replicas=1', 1, 1],
    ['replicas=2', 2, 1],
    ['replicas=10', 10, 4],
    ['autoscaler={ min: 0, max: 5 }', 1, 2],
  ]
  for (const version of ['v1beta1', 'v1beta2'])
    for (const [setting, count, most] of cases) {
      const flags = [`targets.capi.${setting}`, `targets.capi.apiVersion=${version}`]
      const spec = at(ofKind(await documents(t, capi('vsphere', ...flags)), /HealthCheck/), 'spec')
      const triggers = at(spec, 'remediation', 'triggerIf', 'unhealthyLessThanOrEqualTo')
      t.equal(tolerated(at(spec, 'maxUnhealthy') ?? triggers, count), most, setting)
    }
})

t.test(
  'Cluster API: no user data has credentials of kube-proxy, unless the profile wants a service',
  async (t) => {
    const endpoint = [
      'join.endpoint=api.example.com:6443',
      `join.caCertHashes=[sha256:${'a'.repeat(64)}]`,
    ]
    const rows = [
      ['ws2019-flannel-overlay', ['etc.kubernetes.flannel.conf']],
      ['ws2022-flannel-overlay', ['etc.kubernetes.flannel.conf']],
      ['ws2022-flannel-l2bridge', ['etc.kubernetes.flannel.conf']],
      ['ws2025-flannel-overlay', ['etc.kubernetes.flannel.conf']],
      ['ws2022-win-bridge', []],
      ['ws2022-calico', [], ...endpoint],
      ['ws2022-antrea', [], 'kubeProxy.runsAs=null', ...endpoint],
      ['ws2022-none', [], 'kubeProxy.runsAs=null'],
    ] as const
    const made = async (name: string, more: readonly string[]) => {
      const argv = ['render', name, '--as-of', '2026-11-20', '--for', 'capi', '--out', '-']
      return inProcess([...argv, '--only', 'machines.yaml', ...capi('vsphere', ...more)])
    }
    for (const [name, keys, ...more] of rows) {
      const { code, stdout, stderr } = await made(name, more)
      t.equal(code, 0, `${name}: ${stderr}`)
      const { files = [] } = configOf(parsed(stdout))
      t.strictSame(
        files.flatMap(({ contentFrom }) => contentFrom?.secret.key ?? []),
        keys,
        name,
      )
      t.notMatch(stdout, /kube-proxy/, name)
      t.notMatch(stderr, /kube-proxy\.(conf|token)/, name)
    }
    const service = await made(profile, ['kubeProxy.runsAs=service'])
    t.match(service.stdout, 'key: etc.kubernetes.kube-proxy.conf')
    const out = path.join(t.testdir({}), 'out')
    const argv = ['render', profile, '--as-of', '2026-11-20', '--for', 'capi', '--out', out]
    const written = await inProcess([...argv, ...capi('vsphere', 'kubeProxy.runsAs=service')])
    t.match(written.stderr, /kubectl label .*clusterctl\.cluster\.x-k8s\.io\/move= /)
    t.match(written.stderr, /lists what can read them/)
    const unset = await made(profile, ['kubeProxy.runsAs=null'])
    t.equal(unset.code, 3)
    t.match(unset.stderr, /kubeProxy\.runsAs is not set/)
    const open = await made(profile, ['network.flannel.runsAs=null'])
    t.equal(open.code, 3)
    t.match(open.stderr, /network\.flannel\.runsAs is not set/)
    // Nothing of the two is in user data, and no Secret is needed.
    const image = `registry.example.com/flannel:1@sha256:${'0'.repeat(64)}`
    const pods = [`network.flannel={ runsAs: hostProcess, image: '${image}' }`]
    const none = await made(profile, pods)
    t.equal(none.code, 0, none.stderr)
    t.notMatch(none.stdout, /contentFrom|flannel\.(conf|token)|kube-proxy/)
    t.notMatch(none.stderr, /create secret/)
  },
)

t.test('Cluster API: a provider that only the profile knows', async (t) => {
  const spec = { flavor: 'win.large', image: { filter: { name: 'ws2022' } } }
  const template = {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1',
    kind: 'OpenStackMachineTemplate',
  }
  const other = (machine: object) =>
    set(
      'kubernetes.version=1.37.1',
      'kubelet.cloudProvider=external',
      'kubeProxy.runsAs=hostProcess',
      'network.flannel.runsAs=service',
      'targets.capi.provider=other',
      'targets.capi.cluster=lab',
      `targets.capi.machine=${JSON.stringify(machine)}`,
    )
  const all = await documents(t, other({ ...template, spec }))
  const machine = ofKind(all, /^OpenStackMachineTemplate$/)
  t.match(machine, { ...template, spec: { template: { spec } } })
  const deployment = ofKind(all, /Deployment/)
  t.match(at(deployment, 'spec', 'template', 'spec', 'infrastructureRef'), {
    apiGroup: 'infrastructure.cluster.x-k8s.io',
    kind: template.kind,
    name: nameOf(machine),
  })
  for (const [flags, said] of [
    [other({ kind: 'A', spec }), /the machine of provider other lacks apiVersion/],
    [other({ apiVersion: template.apiVersion, spec }), /the machine of provider other lacks kind/],
    [other(template), /the machine of provider other lacks spec/],
    [other({ ...template, spec: 'x' }), /targets\.capi\.machine\.spec/],
    [other({ ...template, kind: 'OpenStackMachine', spec }), /OpenStackMachine is no template/],
    [
      other({ ...template, spec, flavor: 'x' }),
      /only apiVersion, kind and spec are used, not flav/,
    ],
    [
      other({ ...template, apiVersion: 'v1', spec }),
      /targets\.capi\.machine\.apiVersion is "v1"; it must be GROUP\/VERSION/,
    ],
    [
      [...other({ ...template, spec }), ...set('targets.capi.machineVersion=v1beta1')],
      /is part of targets\.capi\.machine\.apiVersion/,
    ],
  ] as const) {
    const { code, stderr } = await render(flags)
    t.equal(code, 3)
    t.match(stderr.replaceAll(/\s+/g, ' '), said)
  }
})

t.test('Cluster API: a plain image of Azure has no bootstrap extension', async (t) => {
  const disabled = async (...flags: readonly string[]) =>
    at(
      ofKind(await documents(t, capi('azure', ...flags)), /MachineTemplate/),
      ...['spec', 'template', 'spec', 'disableVMBootstrapExtension'],
    )
  t.strictSame([await disabled(), await disabled(plain)], [undefined, true])
})

t.test('Azure: a disk is never smaller than its image', async (t) => {
  const sizes: readonly (readonly [flags: readonly string[], size: number | undefined])[] = [
    [[], undefined],
    [['machine.disk=100Gi'], undefined],
    [['machine.disk=127Gi'], 127],
    [['machine.disk=199.5Gi'], 200],
  ]
  for (const [index, [flags, size]] of sizes.entries()) {
    const all = await documents(t, capi('azure', ...flags))
    const disk = at(ofKind(all, /MachineTemplate/), 'spec', 'template', 'spec', 'osDisk')
    t.equal(at(disk, 'diskSizeGB'), size, flags.join())
    const out = path.join(t.testdir({}), `${index}`)
    await renderPacker(t, out, ['targets.packer.builder=azure-arm', ...flags])
    const source = readFileSync(path.join(out, 'source.pkr.hcl'), 'utf8')
    const [, value] = /variable "os_disk_size_gb" \{[^}]*default += (\d+)/.exec(source) ?? []
    t.equal(value, `${size ?? 0}`, '0 keeps the size of the image')
  }
})

t.test('Cluster API: own fields of the bootstrap data and of the deployment', async (t) => {
  const bootstrap =
    '{ users: [{ name: admin }], verbosity: 5, files: [{ path: C:/a, content: b }],' +
    ' preKubeadmCommands: [first], postKubeadmCommands: [last] }'
  const cases = {
    v1beta1: '{ nodeDrainTimeout: 5m, failureDomain: "1" }',
    v1beta2: '{ deletion: { nodeDrainTimeoutSeconds: 300 }, failureDomain: "1" }',
  }
  for (const [version, fields] of Object.entries(cases)) {
    const base = capi('vsphere', plain, `targets.capi.apiVersion=${version}`)
    const own = set(
      `targets.capi.bootstrap=${bootstrap}`,
      `targets.capi.deployment={ template: { metadata: { labels: { team: web } }, spec: ${fields} } }`,
    )
    const before = await documents(t, base)
    const all = await documents(t, [...base, ...own])
    t.strictSame(faults(all), [])
    const [was, config] = [configOf(before), configOf(all)]
    t.match(config, { users: [{ name: 'admin' }], verbosity: 5, joinConfiguration: {} })
    t.strictSame(config.files, [...(was.files ?? []), { path: 'C:/a', content: 'b' }])
    t.strictSame(config.preKubeadmCommands, ['first', ...was.preKubeadmCommands])
    t.strictSame(config.postKubeadmCommands, [...was.postKubeadmCommands, 'last'])
    t.not(nameOf(ofKind(all, /^Kubeadm/)), nameOf(ofKind(before, /^Kubeadm/)), 'machines roll')
    const { metadata, spec } = at(ofKind(all, /Deployment/), 'spec', 'template') as JsonObject
    t.match(metadata, { labels: { team: 'web', 'cluster.x-k8s.io/cluster-name': 'lab' } })
    t.match(spec, { clusterName: 'lab', failureDomain: '1', version: 'v1.37.1' })
  }
})

const pools = {
  azure: [
    'targets.capi.kind=MachinePool',
    'targets.capi.namePrefix=web',
    'targets.capi.pool={ location: westeurope }',
  ],
  aws: ['targets.capi.kind=MachinePool'],
} as const

t.test('Cluster API: a machine pool of a cloud', async (t) => {
  const named = { azure: 'web', aws: `lab-${profile}` }
  for (const provider of ['azure', 'aws'] as const)
    for (const version of ['v1beta1', 'v1beta2']) {
      const flags = [...pools[provider], `targets.capi.apiVersion=${version}`]
      const all = await documents(t, capi(provider, ...flags, 'targets.capi.replicas=3'))
      t.strictSame(faults(all), [], `${provider} ${version}`)
      t.equal(all.length, 3, 'no health check: nothing would act on it')
      const [config, infrastructure, owner] = [
        ofKind(all, /^KubeadmConfig$/),
        ofKind(all, /^A\w+MachinePool$/),
        ofKind(all, /^MachinePool$/),
      ]
      const spec = at(owner, 'spec', 'template', 'spec')
      t.equal(at(spec, 'bootstrap', 'configRef', 'name'), nameOf(config))
      t.equal(at(spec, 'bootstrap', 'configRef', 'kind'), 'KubeadmConfig')
      t.equal(at(spec, 'infrastructureRef', 'name'), nameOf(infrastructure))
      t.equal(nameOf(infrastructure), named[provider])
      t.equal(at(owner, 'spec', 'replicas'), 3)
      t.match(at(config, 'spec'), { format: 'cloud-config', joinConfiguration: {} })
    }
})

t.test('Cluster API: another bundle rolls a pool as its provider does it', async (t) => {
  const made = async (provider: keyof typeof pools, ...more: readonly string[]) => {
    const all = await documents(t, capi(provider, ...pools[provider], ...more))
    return { config: ofKind(all, /^KubeadmConfig$/), pool: ofKind(all, /^A\w+MachinePool$/) }
  }
  const commands = ({ config }: { readonly config: JsonObject }) =>
    JSON.stringify(at(config, 'spec', 'preKubeadmCommands'))
  const [aws, other] = [await made('aws'), await made('aws', 'kubelet.maxPods=30')]
  t.not(nameOf(other.config), nameOf(aws.config), 'an instance refresh')
  t.strictSame(other.pool, aws.pool, 'changed in place')
  t.match(commands(aws), /-BundleDigest [0-9a-f]{64}/)
  const [azure, another] = [await made('azure'), await made('azure', 'kubelet.maxPods=30')]
  t.strictSame(another, azure, 'only the image rolls')
  t.notMatch(commands(azure), /BundleDigest/)
  const image = await made('azure', 'targets.capi.machine.image.id=/subscriptions/0/images/next')
  t.equal(nameOf(image.pool), nameOf(azure.pool))
  t.equal(at(image.pool, 'spec', 'template', 'image', 'id'), '/subscriptions/0/images/next')
})

t.test('Cluster API: fields of a pool', async (t) => {
  const poolOf = async (...more: readonly string[]) =>
    at(
      ofKind(await documents(t, capi('aws', ...pools.aws, ...more)), /^AWSMachinePool$/),
      'spec',
    ) as JsonObject
  t.match(await poolOf('targets.capi.startMinutes=45', 'targets.capi.replicas=0'), {
    minSize: 0,
    maxSize: 1,
    refreshPreferences: { instanceWarmup: 2700 },
    awsLaunchTemplate: {
      instanceType: 'm5.xlarge',
      instanceMetadataOptions: { httpTokens: 'optional' },
      rootVolume: { size: 100 },
    },
  })
  const own = 'targets.capi.pool={ maxSize: 9, subnets: [{ id: subnet-1 }] }'
  t.match(await poolOf('targets.capi.autoscaler={ min: 1, max: 4 }', own), {
    minSize: 1,
    maxSize: 9,
    subnets: [{ id: 'subnet-1' }],
  })
  const same = 'targets.capi.machine.cloudInit={ insecureSkipSecretsManager: true }'
  t.match(ofKind(await documents(t, capi('aws', same)), /^AWSMachineTemplate$/), {
    spec: { template: { spec: { cloudInit: { insecureSkipSecretsManager: true } } } },
  })
  const azure = await documents(t, capi('azure', ...pools.azure))
  t.match(at(ofKind(azure, /^AzureMachinePool$/), 'spec'), {
    location: 'westeurope',
    template: { osDisk: { osType: 'Windows' } },
  })
})

/** What others own of the objects: an apply adds to it. */
const owned: Readonly<Record<string, Readonly<Record<string, JsonObject>>>> = {
  v1beta1: {
    ClusterClass: {
      controlPlane: { ref: { apiVersion: 'a/v1', kind: 'T', name: 'cp' } },
      infrastructure: { ref: { apiVersion: 'a/v1', kind: 'T', name: 'cp' } },
    },
    Cluster: { topology: { class: 'quick-start', version: 'v1.37.1' } },
  },
  v1beta2: {
    ClusterClass: {
      controlPlane: { templateRef: { apiVersion: 'a/v1', kind: 'T', name: 'cp' } },
      infrastructure: { templateRef: { apiVersion: 'a/v1', kind: 'T', name: 'cp' } },
    },
    Cluster: { topology: { classRef: { name: 'quick-start' }, version: 'v1.37.1' } },
  },
}

const applied = (version: string) => (document: JsonObject) => {
  const spec = owned[version]?.[textOf(document['kind'])]
  return spec ? mergeJson({ spec }, document) : document
}

t.test('Cluster API: a worker class of a ClusterClass', async (t) => {
  const flags = (version: string) => [
    'targets.capi.clusterClass=quick-start',
    'targets.capi.namespace=clusters',
    `targets.capi.apiVersion=${version}`,
  ]
  for (const version of ['v1beta1', 'v1beta2'])
    for (const provider of ['azure', 'vsphere', 'aws'] as const) {
      const all = await documents(
        t,
        capi(
          provider,
          ...flags(version),
          'targets.capi.replicas=3',
          'targets.capi.startMinutes=45',
        ),
      )
      t.equal(all.length, 4)
      t.strictSame(faults(all.map(applied(version))), [], `${provider} ${version}`)
      const classes = ofKind(all, /^ClusterClass$/)
      t.match(classes, { metadata: { name: 'quick-start', namespace: 'clusters' } })
      t.strictSame(Object.keys(at(classes, 'spec') as JsonObject), ['workers'], 'no more than that')
      const [row] = at(classes, 'spec', 'workers', 'machineDeployments') as readonly JsonObject[]
      const text = JSON.stringify(row)
      for (const kind of [/^KubeadmConfigTemplate$/, /MachineTemplate$/])
        t.ok(text.includes(`"${textOf(nameOf(ofKind(all, kind)))}"`))
      t.match(text, version === 'v1beta1' ? /"45m"/ : /"nodeStartupTimeoutSeconds":2700/)
      t.match(text, version === 'v1beta1' ? /"timeout":"15m"/ : /"timeoutSeconds":900/)
      const cluster = ofKind(all, /^Cluster$/)
      t.match(cluster, { metadata: { name: 'lab', namespace: 'clusters' } })
      t.strictSame(at(cluster, 'spec', 'topology'), {
        workers: { machineDeployments: [{ class: profile, name: profile, replicas: 3 }] },
      })
    }
  const own = 'targets.capi.deployment={ deletion: { nodeDrainTimeoutSeconds: 300 } }'
  const bounds = 'targets.capi.autoscaler={ min: 0, max: 5 }'
  const all = await documents(t, capi('vsphere', ...flags('v1beta2'), own, bounds))
  t.strictSame(faults(all.map(applied('v1beta2'))), [])
  const workers = at(ofKind(all, /^ClusterClass$/), 'spec', 'workers', 'machineDeployments')
  t.match(workers, [{ deletion: { nodeDrainTimeoutSeconds: 300 } }])
  const [entry] = at(
    ofKind(all, /^Cluster$/),
    ...['spec', 'topology', 'workers', 'machineDeployments'],
  ) as unknown as readonly JsonObject[]
  t.equal(entry?.['replicas'], undefined, 'the autoscaler sets it')
  t.match(JSON.stringify(entry), /autoscaler-node-group-max-size":"5"/)
  const out = path.join(t.testdir({}), 'out')
  const argv = ['render', profile, '--as-of', '2026-11-20', '--for', 'capi', '--out', out]
  const { stderr } = await inProcess([...argv, ...capi('vsphere', ...flags('v1beta2'))])
  t.match(stderr.replaceAll(/\s+/g, ' '), `--server-side --field-manager winnode-${profile} -f`)
})

t.test('Cluster API: pools of a provider that only the profile knows', async (t) => {
  const other = (kind: string, ...more: readonly string[]) =>
    set(
      'kubernetes.version=1.37.1',
      'kubelet.cloudProvider=external',
      'kubeProxy.runsAs=hostProcess',
      'network.flannel.runsAs=service',
      'targets.capi.provider=other',
      'targets.capi.cluster=lab',
      'targets.capi.kind=MachinePool',
      `targets.capi.machine=${JSON.stringify({ apiVersion, kind, spec })}`,
      ...more,
    )
  const apiVersion = 'infrastructure.cluster.x-k8s.io/v1beta2'
  const spec = { instanceConfiguration: {} }
  const all = await documents(t, other('OCIMachinePool'))
  const metadata = { name: profile, namespace: 'default' }
  t.strictSame(ofKind(all, /^OCIMachinePool$/), {
    apiVersion,
    kind: 'OCIMachinePool',
    metadata,
    spec,
  })
  const template = 'DevMachinePoolTemplate'
  const both = await documents(t, other(template, 'targets.capi.clusterClass=quick-start'))
  const known = both.filter(({ kind }) => kind !== template)
  t.strictSame(faults(known.map(applied('v1beta2'))), [])
  const rows = at(ofKind(both, /^ClusterClass$/), 'spec', 'workers', 'machinePools')
  const [row] = rows as unknown as readonly JsonObject[]
  t.strictSame(Object.keys(row ?? {}), ['class', 'bootstrap', 'infrastructure'])
  const { stderr } = await render(other(template))
  t.match(stderr.replaceAll(/\s+/g, ' '), /DevMachinePoolTemplate is a template/)
})

t.test('Cluster API: names of machines fit Windows', async (t) => {
  for (const prefix of ['win', 'w23456789']) {
    const all = await documents(t, capi('aws', `targets.capi.namePrefix=${prefix}`))
    const template = at(ofKind(all, /Deployment/), 'spec', 'machineNaming', 'template')
    t.ok(textOf(template).replace('{{ .random }}', 'bcdfg').length <= 15, textOf(template))
  }
  const old = await documents(t, capi('aws', 'targets.capi.apiVersion=v1beta1'))
  const spec = at(ofKind(old, /Deployment/), 'spec')
  // Cluster API 1.10 has this name, and refuses the other.
  t.type(at(spec, 'machineNamingStrategy', 'template'), 'string')
  t.equal(at(spec, 'machineNaming'), undefined)
  const { code, stderr } = await render(capi('aws', 'targets.capi.namePrefix=w234567890'))
  t.equal(code, 3, stderr)
  t.match(stderr, 'targets.capi.namePrefix')
})

t.test('Cluster API: the autoscaler knows a node before there is one', async (t) => {
  const bounds = 'targets.capi.autoscaler={ min: 0, max: 5 }'
  const all = await documents(
    t,
    capi('aws', bounds, 'kubelet.labels={ pool: web }', 'kubelet.maxPods=60'),
  )
  const deployment = ofKind(all, /Deployment/)
  t.equal(at(deployment, 'spec', 'replicas'), undefined, 'the number is its own')
  const capacity = 'capacity.cluster-autoscaler.kubernetes.io'
  t.strictSame(at(deployment, 'metadata', 'annotations'), {
    'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size': '0',
    'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size': '5',
    [`${capacity}/cpu`]: '3720m',
    [`${capacity}/memory`]: '12921Mi',
    [`${capacity}/ephemeral-disk`]: '90112Mi',
    [`${capacity}/maxPods`]: '60',
    [`${capacity}/labels`]:
      'pool=web,kubernetes.io/os=windows,kubernetes.io/arch=amd64,node.kubernetes.io/windows-build=10.0.20348',
    [`${capacity}/taints`]: 'os=windows:NoSchedule',
  })
})

t.test('Cluster API: a plain image gets a script that fetches the bundle', async (t) => {
  const two = await render(capi('vsphere', plain))
  t.equal(two.code, 2, 'stdout takes one file')
  t.match(two.stderr, /--out - needs --only FILE: capi makes several files/)
  const { stdout } = await render([...capi('vsphere', plain), '--only', 'machines.yaml'])
  t.match(stdout, /^[\x20-\x7e\n]+$/, 'plain ASCII')
  t.strictSame(parsed(substituted(stdout)), parsed(stdout))
  const { files = [], preKubeadmCommands } = configOf(parsed(stdout))
  const [script] = files
  t.match(script, { path: 'C:/Windows/Receive-WinNode.ps1', encoding: 'gzip+base64' })
  t.match(script?.content, /^[\w+/=]{100,10240}$/, 'nothing that Jinja or YAML would read')
  const text = String(gunzipSync(Buffer.from(script?.content ?? '', 'base64')))
  t.match(text, "DownloadData('https://files.example.com/node.zip')")
  t.match(text, /'Install-WinNode\.ps1'[^]*\$exitCode = 1003\n/)
  t.strictSame(preKubeadmCommands.slice(1, 4), [
    'if errorlevel 1003 if not errorlevel 1004 exit /b 1003',
    'if errorlevel 1 exit /b 20',
    'if not errorlevel 0 exit /b 20',
  ])
  const [adds = '', ...others] = preKubeadmCommands.slice(4)
  t.equal(adds, 'set PATH=C:\\k;%PATH%', 'kubeadm is found without a restart')
  for (const line of [...preKubeadmCommands.slice(0, 4), ...others])
    t.notMatch(line, /[%^&<>"\\]/, 'nothing that cmd.exe reads')
  // With hardly anything to pack, each letter more is one in the document.
  const input = withTargets(await targetInput(profile), {})
  const withAddress = async (length: number) => {
    const noise = Array.from({ length }, (_, index) =>
      createHash('sha256').update(`${index}`).digest('hex'),
    )
    const own = { bundleURL: `https://a.example.com/${noise.join('')}` }
    return bundleDelivery(withTargets(input, { capi: own }))
  }
  t.match(await withAddress(100), { kind: 'delivery' })
  t.match(await withAddress(200), {
    kind: 'refused',
    refusals: [{ message: /has \d+ characters compressed, and Cluster API accepts 10240/ }],
  })
})

/** https://github.com/drone/envsubst/blob/master/parse/scan.go: what clusterctl does to a file. */
function substituted(text: string): string {
  return text.replace(/\$\$|\\\\|\\\/|\$\{[^}]*\}/g, (found) =>
    found.startsWith('${') ? '' : found.slice(1),
  )
}

t.test('Cluster API: nothing on the way changes the documents', async (t) => {
  const { stdout } = await render(
    capi('vsphere', 'targets.capi.machine.folder="C:\\\\new/${HOME}/$$x%"'),
  )
  t.match(stdout, /^[\x20-\x7e\n]+$/, 'plain ASCII')
  t.strictSame(parsed(substituted(stdout)), parsed(stdout))
  t.equal(
    at(ofKind(parsed(stdout), /VSphere/), 'spec', 'template', 'spec', 'folder'),
    'C:\\new/${HOME}/$$x%',
  )
  const config = at(ofKind(parsed(stdout), /^Kubeadm/), 'spec', 'template', 'spec')
  for (const line of [at(config, 'preKubeadmCommands'), at(config, 'postKubeadmCommands')].flat())
    t.match(
      line,
      /^powershell\.exe [^%^&<>|"\\]+ \|\| exit \/b 2[12]$/,
      'nothing that cmd.exe reads',
    )
})

t.test('YAML: every text arrives, also through a substitution of variables', async (t) => {
  const texts = [
    ...[...hostileText, ...shownText].filter((text) => text.length < 1000),
    '${a}$$\\\\\\/',
  ]
  t.ok(shownText.includes('%SystemRoot%\\System32\\cmd.exe /c ver'), 'texts of the verdicts')
  const document = {
    texts,
    map: Object.fromEntries(texts.map((text) => [text, [{ text }, [text]]])),
  }
  const text = yamlText([document, { empty: {}, none: [], nothing: null, no: false, n: 1 }])
  t.match(text, /^[\x20-\x7e\n]+$/)
  const wanted = [document, { empty: {}, none: [], nothing: null, no: false, n: 1 }]
  t.strictSame(parsed(text), wanted)
  t.strictSame(parsed(substituted(text)), wanted)
  t.throws(() => yamlText([{ a: '\0' }]), /NUL/)
})

type Refusal = readonly [what: string, flags: readonly string[], message: RegExp]

const refusals: readonly Refusal[] = [
  [
    'no provider',
    [],
    /capi\.provider is not set .*capi\.cluster is not set .*provider ID, and no field sets it/,
  ],
  [
    'several reasons at once',
    set('targets.capi.provider=vsphere', 'targets.capi.cluster=lab'),
    /provider ID, and no field sets it .*lacks template .*lacks network /,
  ],
  [
    'no image',
    set(
      ...[
        'kubernetes.version=1.37.1',
        'kubelet.cloudProvider=external',
        'targets.capi.provider=azure',
        'targets.capi.cluster=lab',
      ],
    ),
    /provider azure lacks vmSize .*provider azure lacks image /,
  ],
  [
    'no version',
    capi('azure', 'kubernetes.version=null'),
    /kubernetes\.version is not set: .*creates no machine of another minor/,
  ],
  [
    'a kubelet that is older than the control plane',
    capi('azure', 'kubernetes.version=1.36.5', 'kubernetes.apiServer=1.37.1'),
    /another minor than kubernetes\.apiServer: Cluster API creates no machine of it/,
  ],
  [
    'metadata that cloudbase-init cannot read',
    capi('aws', 'targets.capi.machine.instanceMetadataOptions.httpTokens=required'),
    /reads the metadata of EC2 without a token/,
  ],
  ['two names', capi('aws', 'kubelet.nodeName=null'), /Windows has its first part as the name/],
  [
    'no provider id',
    capi('aws', 'kubelet.cloudProvider=null'),
    /provider ID, and no field sets it/,
  ],
  [
    'another system',
    capi('azure', 'targets.capi.machine.osDisk.osType=Linux'),
    /operating system of the machine is not Windows/,
  ],
  [
    'one name for all Nodes',
    capi('azure', 'targets.capi.bootstrap.joinConfiguration.nodeRegistration.name=web'),
    /nodeRegistration\.name gives every machine of the pool the same name/,
  ],
  [
    'one name for all',
    capi('aws', 'kubelet.nodeName=web'),
    /every machine of the deployment the same name/,
  ],
  [
    'without kubeadm',
    capi(
      'aws',
      'join.method=bootstrapKubeconfig',
      'join.endpoint=a:6443',
      'join.ca="-----BEGIN CERTIFICATE-----\\nMIID\\n-----END CERTIFICATE-----\\n"',
    ),
    /joins without it/,
  ],
  ...['a #b', 'a{{x}}', 'a{#x', 'a\u0085b'].map((folder): Refusal => [
    `the path ${folder}`,
    capi('aws', `kubelet.nodeName={ file: "C:\\\\${folder}\\\\name" }`),
    /--set kubelet\.nodeName:\d+:\d+ Cluster API writes the path of a file without quotes/,
  ]),
  [
    'such a path of credentials',
    capi('aws', String.raw`kubeProxy={ runsAs: service, credentials: { kubeconfig: 'C:\a #b' } }`),
    /--set kubeProxy:\d+:\d+ Cluster API writes the path of a file without quotes/,
  ],
  [
    'a version that is not served',
    capi('azure', 'targets.capi.machineVersion=v1beta2'),
    /azure serves no machine template of v1beta2/,
  ],
  [
    'a pool of vSphere',
    capi('vsphere', 'targets.capi.kind=MachinePool'),
    /provider vsphere has no machine pools/,
  ],
  ...(['azure', 'aws'] as const).map((provider): Refusal => [
    `a class of pools of ${provider}`,
    capi(provider, 'targets.capi.kind=MachinePool', 'targets.capi.clusterClass=quick-start'),
    /refers to a template of them, and azure, vsphere and aws have none/,
  ]),
  [
    'a pool of Azure without its own settings',
    capi('azure', 'targets.capi.kind=MachinePool', plain),
    /two pools with one name .*AzureMachinePool lacks location.*another bundle would reach no machine/,
  ],
  [
    'a machine in the pool',
    capi('aws', ...pools.aws, 'targets.capi.pool={ awsLaunchTemplate: { ami: { id: x } } }'),
    /awsLaunchTemplate of the AWSMachinePool has the fields of targets\.capi\.machine/,
  ],
  [
    'metadata of a pool that cloudbase-init cannot read',
    capi('aws', ...pools.aws, 'targets.capi.machine.instanceMetadataOptions.httpTokens=required'),
    /reads the metadata of EC2 without a token/,
  ],
  [
    'a group of AWS with more than it may have',
    capi('aws', ...pools.aws, 'targets.capi.pool={ minSize: 5, maxSize: 3 }'),
    /no group is created/,
  ],
  [
    'a group of AWS with more than its autoscaler allows',
    capi(
      'aws',
      ...pools.aws,
      'targets.capi.autoscaler={ min: 1, max: 4 }',
      'targets.capi.pool={ minSize: 5 }',
    ),
    /no group is created/,
  ],
  [
    'a group of AWS that may have fewer than replicas',
    capi('aws', ...pools.aws, 'targets.capi.replicas=4', 'targets.capi.pool={ maxSize: 3 }'),
    /no group is created/,
  ],
  [
    'a group of AWS that must have more than replicas',
    capi('aws', ...pools.aws, 'targets.capi.pool={ minSize: 3, maxSize: 5 }'),
    /no group is created/,
  ],
  ...[
    'cloudInit={ insecureSkipSecretsManager: false }',
    'cloudInit={ secretCount: 1 }',
    'ignition={ version: "3.4" }',
  ].map((field): Refusal => [
    `user data that cloudbase-init does not run: ${field}`,
    capi('aws', `targets.capi.machine.${field}`),
    /in a form that cloudbase-init does not run/,
  ]),
  [
    'fields that a pool does not have',
    capi('aws', ...pools.aws, 'targets.capi.namePrefix=web'),
    /namePrefix has no effect: a MachinePool of provider aws has no such setting/,
  ],
  [
    'user data of another format',
    capi('azure', 'targets.capi.bootstrap={ format: ignition }'),
    /format ignition is for Linux: cloudbase-init does not run it/,
  ],
  [
    'a start that nothing waits for',
    capi('azure', ...pools.azure, 'targets.capi.startMinutes=45'),
    /startMinutes has no effect: a MachinePool of provider azure/,
  ],
  [
    'fields that a class does not have',
    capi('aws', 'targets.capi.clusterClass=c', 'targets.capi.namePrefix=web'),
    /namePrefix has no effect: a worker class has no such setting/,
  ],
  [
    'a pool that is none',
    capi('aws', 'targets.capi.pool={ maxSize: 3 }'),
    /pool has no effect: a MachineDeployment of provider aws has no such setting/,
  ],
  [
    'bounds the wrong way round',
    capi('aws', 'targets.capi.autoscaler={ min: 5, max: 1 }'),
    /min is more than max/,
  ],
]

t.test('Cluster API: what gives no node is refused', async (t) => {
  for (const [what, flags, message] of refusals) {
    const { code, stdout, stderr } = await render(flags)
    t.equal(code, 3, `${what}: ${stderr}`)
    t.match(stderr.replace(/\s+/g, ' '), message, what)
    t.equal(stdout, '', what)
  }
})

const configOf = (all: readonly JsonObject[]) =>
  at(ofKind(all, /^Kubeadm/), 'spec', 'template', 'spec') as unknown as KubeadmConfig

/** The content of the Secret that the document names. */
function secretsOf({ files = [] }: KubeadmConfig, drive: string): Secrets {
  const brought = files.flatMap(({ contentFrom }) => {
    if (!contentFrom) return []
    const { name, key } = contentFrom.secret
    const file = path.join(`${drive}.provided`, key.replace(/.*kubernetes\./, ''))
    return [[`${name}/${key}`, readFileSync(file, 'utf8')] as const]
  })
  return Object.fromEntries(brought)
}

const join = [
  'Join-WinNode.ps1 -Phase beforeJoin',
  'kubeadm join --config /run/kubeadm/kubeadm-join-config.yaml  && echo success > /run/cluster-api/bootstrap-success.complete',
  'Join-WinNode.ps1 -Phase afterJoin',
]

const ofAmazon = [
  'kubelet.cloudProvider=external',
  'kubelet.nodeName={ file: C:\\ProgramData\\name }',
]

scenario(
  'Cluster API: a machine of our image becomes a node at its first start',
  async (t, { host, artifacts }) => {
    const drive = path.join(t.testdir({}), 'c')
    const settings = [...ofAmazon, 'kubeProxy.runsAs=hostProcess', 'network.flannel.runsAs=service']
    await renderedMachine({ host, artifacts }, profile, drive, settings)
    const made = { Name: 'flannel.4096', Proxy: true }
    await host.ps('Set-HostFact -Name DaemonSet -Value $with.made', { made })
    await install(host)
    const config = configOf(await documents(t, [...capi('aws'), ...set(...settings)]))
    const secrets = secretsOf(config, drive)
    t.equal(Object.keys(secrets).length, 1, 'the account of flannel')
    const rendered = userData(config, secrets)
    // Windows itself is called node-a.
    const start = (text: string) =>
      firstStart(host, drive, text, 'ip-10-0-0-7.eu-west-1.compute.internal')
    // Its downloads come from the server of the test, so the machine's bundle has another digest.
    const node = readFileSync(path.join(drive, 'win-node/node.json'), 'utf8')
    const text = rendered.replace(/(?<=-BundleDigest )\w{64}/g, JSON.parse(node).nodeDigest)

    const other = text.replace(/-BundleDigest [0-9a-f]/g, '-BundleDigest x')
    t.strictSame(await start(other), {
      code: 21,
      ran: ['Join-WinNode.ps1 -Phase beforeJoin'],
      again: false,
      success: false,
    })
    const log = readFileSync(path.join(drive, 'var/log/winnode/winnode.log'), 'utf8')
    t.match(log, /fail bundle preflight .*nodeDigest/, 'where docs/pipelines/cluster-api.md says')
    await host.ps(`Add-HostFault -On 'kubeadm discovery' -Message 'no such token' -Times 1`)
    t.match(await start(text), { code: 22, success: false }, 'kubeadm has failed')
    t.strictSame(await start(text), { code: 0, ran: join, again: false, success: true })
    await host.ps('Start-Sleep -Seconds 30')
    const tested = await host.run('Test')
    t.equal(tested.result.exitCode, 0, trouble(tested.result))
  },
)

scenario(
  'Cluster API: a machine of a plain image becomes a node after its restart',
  async (t, { host, artifacts }) => {
    const drive = path.join(t.testdir({}), 'c')
    await renderedMachine({ host, artifacts }, profile, drive, ofAmazon)
    const folder = path.join(drive, 'win-node')
    const bundle = bundleIn(folder)
    rmSync(folder, { recursive: true })
    const archive = Buffer.from(zipOf(bundle))
    const bundleURL = artifacts.put('https://files/node.zip', archive)
    const { facts } = await targetInput(profile)
    const kubelet = { ...facts.spec.kubelet, cloudProvider: 'external' as const }
    const spec = {
      ...facts.spec,
      kubelet: { ...kubelet, nodeName: { file: 'C:\\ProgramData\\name' } },
    }
    const machine = { instanceType: 'm5.xlarge', ami: { id: 'ami-0123456789abcdef0' } }
    const own = { provider: 'aws', cluster: 'lab', bundleURL, machine } as const
    const input = withTargets(await targetInput(profile), { capi: own })
    const settings = { ...spec, targets: input.facts.spec.targets }
    const made = await capiTarget.make({ ...input, bundle, facts: { ...facts, spec: settings } })
    if (made.kind === 'refused') throw new Error(JSON.stringify(made.refusals))
    const [document, served] = made.files
    t.ok(archive.equals(served?.content ?? Buffer.of()), 'what has to be served')
    const config = configOf(parsed(Buffer.from(document?.content ?? []).toString()))
    const text = userData(config, secretsOf(config, drive))
    const start = () => firstStart(host, drive, text, 'ip-10-0-0-7.eu-west-1', 'C:\\Windows')

    const bring = 'Receive-WinNode.ps1'
    artifacts.put('https://files/node.zip', Buffer.from('another'))
    t.match(await start(), { code: 20, ran: [bring], again: false, success: false })
    artifacts.put('https://files/node.zip', archive)
    t.strictSame(await start(), { code: 1003, ran: [bring], again: true, success: false })
    await host.restart()
    t.strictSame(await start(), { code: 0, ran: [bring, ...join], again: false, success: true })
    const home = String(/C:\/ProgramData\/winnode-bundle-\w+/.exec(text))
    const tested = await host.run('Test', {}, home)
    t.equal(tested.result.exitCode, 0, trouble(tested.result))
  },
)

// ---- The page ----

const kubectlMissing =
  spawnSync('kubectl', ['version', '--client']).status === 0 ? false : 'no kubectl'

/** Of winnode.json and node.json. */
interface Written {
  readonly files: readonly { readonly path: string }[]
}
interface NodeFile {
  readonly paths: { readonly log: string }
}

t.test('docs/pipelines: each walk goes as it is written', async (t) => {
  const page = ['packer', 'ansible', 'cluster-api']
    .map((name) => readFileSync(path.join(root, `docs/pipelines/${name}.md`), 'utf8'))
    .join('\n')
  const blocks = [...page.matchAll(/^ *```(\w+)\n([^]*?)^ *```$/gm)]
  const profiles = blocks.flatMap(([, language, text = '']) => {
    const name = language === 'yaml' ? /^# (\S+)\n/.exec(text)?.[1] : undefined
    return name === undefined ? [] : [[name, text] as const]
  })
  const folder = t.testdir(Object.fromEntries(profiles))
  const lines = blocks.flatMap(([, language, text = '']) =>
    language === 'sh' ? text.split('\n').map((line) => line.trim()) : [],
  )
  const walks = lines.filter((line) =>
    profiles.some(([name]) => line.startsWith(`winnode render ${name} `)),
  )
  t.equal(walks.length, 6, 'an image, a role, machines of that image, of a plain one, and pools')
  const pool = walks.findIndex((line) => line.startsWith('winnode render web.yaml '))
  const said: string[] = []
  for (const [index, line] of walks.entries()) {
    const argv = line
      .replace(/\.\/(?:\w+-)?out/, path.join(folder, `${index}`))
      .split(' ')
      .slice(1)
    const [command = '', name = '', ...flags] = argv
    const strict = [command, path.join(folder, name), ...flags, '--strict']
    const { code, stderr } = await inProcess(strict)
    t.equal(code, 0, `${line}: ${stderr}`)
    said.push(stderr)
  }
  const secret = /kubectl create secret generic (\S+) ([^]*?)\n *```/.exec(page) ?? []
  const keys = [...(secret[2] ?? '').matchAll(/--from-file ([\w.-]+)=/g)].map(([, key]) => key)
  const { files = [] } = configOf(
    parsed(readFileSync(path.join(folder, `${pool}/machines.yaml`), 'utf8')),
  )
  t.strictSame(
    files.map(({ contentFrom }) => contentFrom?.secret),
    keys.map((key) => ({ name: secret[1], key })),
    'the Secret that the page makes',
  )
  const [command = ''] = /kubectl create secret .*$/m.exec(said[pool] ?? '') ?? []
  const wanted = `kubectl create secret generic ${secret[1]} ${secret[2]}`
  t.equal(
    command,
    wanted.replace(/\s*\\?\n\s*/g, ' ').replaceAll('=out/', '='),
    'render prints it for the folder that it wrote',
  )
  const beside = path.join(folder, `${pool}/for-the-nodes`)
  mkdirSync(beside)
  for (const key of keys)
    writeFileSync(path.join(beside, `${key?.replace(/.*kubernetes\./, '')}`), 'x')
  const create = command.replace(/ \| kubectl apply .*/, '')
  t.test('kubectl makes the Secret', { skip: kubectlMissing }, async (t) => {
    const options = { cwd: path.join(folder, `${pool}`), encoding: 'utf8' } as const
    const { stdout, stderr } = spawnSync('sh', ['-c', create], options)
    t.match(stdout, new RegExp(`^kind: Secret$[^]*^  name: ${secret[1]}$`, 'm'), stderr)
    for (const key of keys) t.match(stdout, `  ${key}: eA==`)
    t.match(stdout, '    clusterctl.cluster.x-k8s.io/move: ""', 'clusterctl moves it')
  })
})

t.test(
  'docs/pipelines: a GitOps tool applies the objects of the management cluster alone',
  async (t) => {
    const page = readFileSync(path.join(root, 'docs/pipelines/cluster-api.md'), 'utf8')
    const [, text = ''] = /^ *# kustomization\.yaml, [^\n]*\n([^]*?)^ *```$/m.exec(page) ?? []
    const out = path.join(t.testdir({}), 'out')
    const argv = ['render', profile, '--as-of', '2026-11-20', '--for', 'capi', '--out', out]
    t.equal((await inProcess([...argv, ...capi('vsphere', plain)])).code, 0)
    const kustomization = path.join(out, 'kustomization.yaml')
    writeFileSync(kustomization, text.replace(/^ {2}/gm, ''))
    const written = JSON.parse(readFileSync(path.join(out, 'winnode.json'), 'utf8')) as Written
    const meant = written.files
      .map((file) => file.path)
      .filter((name) => /^[^/]+\.yaml$/.test(name))
    const [{ resources, ...rest } = {}] = parsed(readFileSync(kustomization, 'utf8'))
    t.strictSame(resources, meant)
    t.strictSame(Object.keys(rest), ['apiVersion', 'kind'], 'nothing else is generated or changed')
    const cluster = path.join(out, 'bundle/cluster')
    const [own] = parsed(readFileSync(path.join(cluster, 'kustomization.yaml'), 'utf8'))
    const manifests = readdirSync(cluster).filter((name) => name.endsWith('.yaml'))
    t.strictSame(
      [own?.['resources'], 'kustomization.yaml'].flat().toSorted(),
      manifests.toSorted(),
      'the folder for the workload cluster has its own list',
    )
    const checked = await inProcess([...argv, '--check', ...capi('vsphere', plain)])
    t.equal(checked.code, 0, 'a file of the user is no difference')
    t.test('as kustomize reads it', { skip: kubectlMissing }, async (t) => {
      const { stdout, stderr } = spawnSync('kubectl', ['kustomize', out], { encoding: 'utf8' })
      const sorted = (all: readonly JsonObject[]) =>
        all.toSorted((a, b) => textOf(a['kind']).localeCompare(textOf(b['kind'])))
      const machinesOf = parsed(readFileSync(path.join(out, 'machines.yaml'), 'utf8'))
      t.strictSame(sorted(parsed(stdout)), sorted(machinesOf), stderr)
    })
  },
)

t.test('docs/ci: nothing that a name in a registry could replace is run', async (t) => {
  const folder = path.join(root, 'docs/ci')
  const names = readdirSync(folder)
  t.ok(names.includes('action.yml'))
  // A name that is not published could be registered by others; npm ci takes what the lock file has.
  for (const name of names)
    t.notMatch(
      readFileSync(path.join(folder, name), 'utf8'),
      /\bnpx\b|npm (?:i|install|exec)\b/,
      name,
    )
})

t.test('Cluster API: the README for the cluster lists what machines do without', async (t) => {
  const out = path.join(t.testdir({}), 'out')
  const argv = ['render', profile, '--as-of', '2026-11-20', '--for', 'capi', '--out', out]
  t.equal((await inProcess([...argv, ...capi('vsphere')])).code, 0)
  const readme = readFileSync(path.join(out, 'bundle/cluster/README.md'), 'utf8')
  const section = (title: string) => readme.split(/^## /m).find((text) => text.startsWith(title))
  t.match(section('Credentials'), /Machines of Cluster API need neither\s+this file nor a token/)
  t.match(section('Token'), /With Cluster API, create none/)
})

t.test('docs/pipelines: a token is revoked as the cluster does it', async (t) => {
  const readme = path.join(root, 'templates/cluster/readme/kubeconfigs.md.hbs')
  const revokes =
    /delete the ServiceAccount[^]*Deleting only the Secret is not enough: a new one gets the same token/
  t.match(readFileSync(readme, 'utf8'), revokes)
  for (const name of ['pipelines/cluster-api', 'pipelines/user-data', 'pipelines/ansible']) {
    const page = readFileSync(path.join(root, `docs/${name}.md`), 'utf8')
    t.match(page, /delete (?:the|their) ServiceAccounts/, name)
  }
  const pages = ['user-data-secrets', 'pipelines/cluster-api', 'pipelines/user-data']
  for (const name of pages)
    t.notMatch(
      readFileSync(path.join(root, `docs/${name}.md`), 'utf8'),
      /delete (?:the|their) Secret|until their Secret/,
      `${name}: a new Secret has the same token`,
    )
})

t.test('docs/pipelines: each log is one that is written there', async (t) => {
  const out = path.join(t.testdir({}), 'out')
  const setup = `{ version: 1.1.6, sha256: ${'a'.repeat(64)} }`
  await renderPacker(t, out, [
    'targets.packer.builder=azure-arm',
    `targets.packer.cloudbaseInit=${setup}`,
  ])
  const node = JSON.parse(readFileSync(path.join(out, 'bundle/node.json'), 'utf8')) as NodeFile
  const module = readFileSync(path.join(out, 'bundle/WinNode.psm1'), 'utf8')
  const [, own = ''] = /^function Open-NodeLog [^]*?"\$LiteralPath\\(\S+?)"/m.exec(module) ?? []
  const script = readFileSync(path.join(out, 'scripts/cloudbase-init.ps1'), 'utf8')
  const [, folder = ''] = /logdir=([^'\n]+?)\\?'?$/m.exec(script) ?? []
  const names = [...script.matchAll(/logfile=([\w.-]+)/g)].map(([, name]) => `${folder}\\${name}`)
  t.equal(names.length, 2, script)
  const written = new Set([`${node.paths.log}\\${own}`, ...names])
  const pages = readdirSync(path.join(root, 'docs/pipelines'))
  const found = pages.flatMap((name) =>
    readFileSync(path.join(root, 'docs/pipelines', name), 'utf8')
      .split('\n')
      .flatMap((line) =>
        [...line.matchAll(/`(C:\\[^`]*)`/g)].flatMap(([, file = '']) =>
          /log/i.test(file) ? [{ name, file, line }] : [],
        ),
      ),
  )
  t.ok(found.length >= 10, 'a log on most pages')
  // Beside a log of another program is the page of its vendor.
  const others = found.filter(({ file }) => !written.has(file))
  for (const { name, file, line } of others) t.match(line, /\]\(https:/, `${name}: ${file}`)
  for (const file of [...written].slice(0, 2))
    t.ok(
      found.some((row) => row.file === file),
      `${file} is on a page`,
    )
})

// ---- Packer ----

interface PackerCase {
  readonly id: string
  readonly input: { readonly place?: string; readonly expression?: string }
  readonly answers: readonly {
    readonly verdict: string
    readonly effect?: { readonly arrived?: string }
  }[]
}

/** Where a text stands between quotes, and all of it arrives. */
const quotedPlaces: ReadonlySet<string> = new Set([
  'local, then environment_vars',
  'variable default',
  'variable file (.pkrvars.hcl)',
])

/** What is computed, not quoted: no template contains it. */
const computed = /\{\{|[$%]\{[~ "]|^(?!")/

t.test('HCL: every text arrives as Packer reads it', async (t) => {
  const file = path.join(root, 'test/upstream/verdicts/packer-hcl-strings.json')
  const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { readonly cases: PackerCase[] }
  const judged = cases.filter(
    ({ input: { place = '', expression: text = '' } }) =>
      quotedPlaces.has(place) && !computed.test(text),
  )
  for (const { id, input, answers } of judged)
    t.equal(textOfHcl(input.expression ?? ''), answers[0]?.effect?.arrived, id)
  t.ok(judged.length > 35, `${judged.length} cases`)
  const texts = [...hostileText, ...shownText, '$${a}', '%%{a}', '$', '{', 'C:\\new\\']
  const written = texts.filter((text) => !text.includes('{{'))
  t.strictSame(
    written.filter((text) => textOfHcl(hcl(text)) !== text),
    [],
  )
  t.throws(() => hcl('a{{b'), /Packer takes for a template/)
})

t.test('HCL: Packer itself hands every text on', { skip: packerMissing }, async (t) => {
  // Packer cuts spaces at the end of the last of them.
  const texts = [...hostileText, ...shownText, '$${a}', '%%{a}', '$'].filter(
    (text) => !text.includes('{{') && text.length < 1000,
  )
  const provisioner: Block = {
    type: 'provisioner',
    labels: ['shell-local'],
    attributes: {
      environment_vars: texts.map((text, index) => `TEXT_${index}=${text}`),
      inline: [`env -0 > ${t.testdirName}/out`],
    },
  }
  const folder = t.testdir({
    'a.pkr.hcl': hclText('Every text.', [
      { type: 'source', labels: ['null', 'x'], attributes: { communicator: 'none' } },
      { type: 'build', attributes: { sources: ['source.null.x'] }, blocks: [provisioner] },
    ]),
  })
  const built = packer(['build', '.'], folder)
  t.equal(built.code, 0, built.output)
  t.equal(packer(['fmt', '-check', '.'], folder).code, 0, 'in canonical form')
  const arrived = readFileSync(path.join(folder, 'out'), 'utf8').split('\0')
  t.strictSame(
    texts.filter((text, index) => !arrived.includes(`TEXT_${index}=${text}`)),
    [],
  )
})

async function renderPacker(t: Test, out: string, flags: readonly string[]) {
  const argv = ['render', profile, '--as-of', '2026-11-20', '--for', 'packer', '--out', out]
  const { code, stderr } = await inProcess([...argv, ...set(...flags)])
  t.equal(code, 0, stderr)
}

/** Values for the variables without a default. */
function openVariables(source: string): readonly string[] {
  const open = source.matchAll(/^variable "(\w+)" \{\n(?:(?!^\}|default)[^])*?^\}$/gm)
  return [...open].flatMap(([, name = '']) => [
    '-var',
    `${name}=${name === 'iso_checksum' ? 'none' : 'value'}`,
  ])
}

/** Packer 1.6 knows neither these settings of the plugins nor templatefile. */
const knownToPacker16 = (source: string) =>
  source.replace(/^ {2}(?:floppy|cd)_content = \{\n[^]*?^ {2}\}\n/m, '')

const builderNames = Object.keys(builders) as (keyof typeof builders)[]

/** As a builder declares it, such as `list(string)`; a variable has its own type. */
function typeOfHcl(value: HclValue, variables: readonly Variable[]): string {
  if (Array.isArray(value)) return `list(${typeof value[0]})`
  if (typeof value !== 'object') return typeof value === 'boolean' ? 'bool' : typeof value
  const { expression: text } = value as { readonly expression?: string }
  if (text === undefined) return 'map(string)'
  if (/^[["]/.test(text)) return text.startsWith('[') ? 'list(string)' : 'string'
  const found = variables.find(({ name }) => text === `var.${name}`)
  return typeof found?.fallback === 'number' ? 'number' : found ? 'string' : text
}

t.test('Packer: builders know each attribute that winnode writes', async (t) => {
  const file = path.join(root, 'test/upstream/packer/builders.json')
  const { builders: known } = JSON.parse(readFileSync(file, 'utf8'))
  const input = await targetInput(profile)
  t.strictSame(Object.keys(known), builderNames)
  for (const name of builderNames) {
    const { settings, blocks, variables } = builders[name]
    const { attributes, blocks: blocksOf, required } = known[name]
    const all = variables(input)
    const written = new Map<string, string>()
    for (const [key, value] of Object.entries(settings(input))) {
      t.equal(typeOfHcl(value, all), attributes[key], `${name}: ${key}`)
      written.set(key, key)
    }
    for (const { type, attributes: inner = {} } of blocks?.(input) ?? [])
      for (const [key, value] of Object.entries(inner)) {
        t.equal(typeOfHcl(value, all), blocksOf[type]?.[key], `${name}: ${type}.${key}`)
        written.set(`${type}.${key}`, key)
      }
    for (const key of Object.keys(required)) t.ok(written.has(key), `${name} requires ${key}`)
  }
})

for (const builder of builderNames)
  t.test(`Packer: a template for ${builder}`, async (t) => {
    const out = path.join(t.testdir({}), 'out')
    await renderPacker(t, out, [`targets.packer.builder=${builder}`])
    const source = readFileSync(path.join(out, 'source.pkr.hcl'), 'utf8')
    const { see } = builders[builder]
    t.match(see, /^https:/)
    for (const [, name = '', body = ''] of source.matchAll(/^variable "(\w+)" \{\n([^]*?)^\}$/gm)) {
      t.match(body, /^ {2}type +=/m, `${name} has a type`)
      const secret = /secret|password/.test(name)
      t.equal(/^ {2}sensitive +=/m.test(body), secret, name)
      if (secret) t.notMatch(body, 'default')
    }
    const build = readFileSync(path.join(out, 'winnode.pkr.hcl'), 'utf8')
    t.notMatch(build + source, 'required_plugins', 'which a Packer before 1.7 refuses')
    t.notMatch(build, /inline|<</, 'PowerShell goes as files')
    const { nodeDigest } = JSON.parse(readFileSync(path.join(out, 'bundle/node.json'), 'utf8'))
    t.match(build, `bundle     = "${nodeDigest}"`)
    await t.test('as Packer reads it', { skip: packerMissing }, async (t) => {
      t.equal(packer(['fmt', '-check', '.'], out).code, 0, 'in canonical form')
      rmSync(path.join(out, 'plugins.pkr.hcl'))
      writeFileSync(path.join(out, 'source.pkr.hcl'), knownToPacker16(source))
      const values = openVariables(source)
      const { code, output } = packer(['validate', ...values, '.'], out)
      t.equal(code, 0, output)
      const inspected = packer(['inspect', ...values, '.'], out).output
      const listed = [...inspected.matchAll(/^ +(file|powershell|windows-restart)$/gm)]
      t.strictSame(
        listed.map(([, type]) => type),
        provisionersOf(build).map(({ type }) => type),
        'in this order',
      )
    })
  })

const extras = [
  'targets.packer.cloudbaseInit={ version: 1.1.8, sha256: %s }'.replace('%s', 'a'.repeat(64)),
  'targets.packer.windowsUpdates={ categories: [SecurityUpdates], kbs: [KB5044281] }',
  'targets.packer.provision=[../agent.ps1]',
]

const powershellScripts = (build: string) =>
  provisionersOf(build).flatMap(({ type, settings: { script = '' } }) =>
    type === 'powershell' ? [path.basename(JSON.parse(script))] : [],
  )

t.test('Packer: an image with cloudbase-init, updates and scripts of the user', async (t) => {
  const out = path.join(t.testdir({ 'agent.ps1': 'exit 0\n' }), 'out')
  const services = {
    'azure-arm': 'azureservice.AzureService',
    'amazon-ebs': 'ec2service.EC2Service',
    'vsphere-iso': 'vmwareguestinfoservice.VMwareGuestInfoService',
  } as const
  for (const [builder, service] of Object.entries(services)) {
    await renderPacker(t, out, [`targets.packer.builder=${builder}`, ...extras])
    const build = readFileSync(path.join(out, 'winnode.pkr.hcl'), 'utf8')
    const sysprep = builder === 'amazon-ebs' ? 'sysprep-amazon.ps1' : 'sysprep.ps1'
    t.strictSame(powershellScripts(build), [
      ...['windows-updates.ps1', 'windows-updates.ps1', 'windows-updates.ps1', 'prepare.ps1'],
      ...['install.ps1', 'install.ps1', 'agent.ps1', 'cloudbase-init.ps1', 'verify.ps1'],
      ...['clean-up.ps1', sysprep],
    ])
    const script = readFileSync(path.join(out, 'scripts/cloudbase-init.ps1'), 'utf8')
    t.match(script, '/download/1.1.8/CloudbaseInitSetup_1_1_8_x64.msi')
    t.match(script, 'RUN_SERVICE_AS_LOCAL_SYSTEM=1')
    t.match(script, `'metadata_services=cloudbaseinit.metadata.services.${service}'`)
    t.match(script, /\.SetHostNamePlugin'\n[^)]*\.UserDataPlugin'\n/, 'named before it joins')
    const reports = script.includes('metadata_report_provisioning_completed=true')
    t.equal(reports, builder === 'azure-arm', 'no other program reports to Azure')
    await t.test('as Packer reads it', { skip: packerMissing }, (t) => {
      rmSync(path.join(out, 'plugins.pkr.hcl'))
      const name = path.join(out, 'source.pkr.hcl')
      const source = readFileSync(name, 'utf8')
      writeFileSync(name, knownToPacker16(source))
      const { code, output } = packer(['validate', ...openVariables(source), '.'], out)
      t.equal(code, 0, output)
      t.end()
    })
    rmSync(out, { recursive: true })
  }
})

t.test('Packer: settings of the profile replace what winnode sets', async (t) => {
  const out = path.join(t.testdir({}), 'out')
  const flags = [
    'targets.packer.builder=azure-arm',
    'targets.packer.settings={ use_azure_cli_auth: true, azure_tags: { for: b, expression: var.a, team: "a ${b}", cost-center: c, 1a: d, a.b: e, "f g": h } }',
    'targets.packer.omit=[client_id, client_secret, tenant_id]',
    'targets.packer.blocks={ shared_image_gallery_destination: { gallery_name: images, replication_regions: [westeurope] } }',
  ]
  await renderPacker(t, out, flags)
  const source = readFileSync(path.join(out, 'source.pkr.hcl'), 'utf8')
  t.notMatch(source, /client_|tenant_id/, 'a variable that nothing uses is left out')
  t.match(source, /^ {2}use_azure_cli_auth += true$/m)
  const tags = /azure_tags = \{\n([^]*?)\n {2}\}/.exec(source)?.[1]?.split('\n') ?? []
  t.strictSame(
    tags.map((line) => line.trim().replace(/ +=/, ' =')),
    [
      ...['"for" = "b"', 'expression = "var.a"', 'team = "a $${b}"', 'cost-center = "c"'],
      ...['"1a" = "d"', '"a.b" = "e"', '"f g" = "h"'],
    ],
    'no expression from a profile, and in quotes what is no identifier',
  )
  t.match(source, /shared_image_gallery_destination \{\n {4}gallery_name += "images"/)
  t.match(source, /default += "ws2022-flannel-overlay-[0-9a-f]{8}"/, 'a name for each bundle')
  t.test('as Packer reads it', { skip: packerMissing }, (t) => {
    rmSync(path.join(out, 'plugins.pkr.hcl'))
    // Packer 1.6 does not know use_azure_cli_auth.
    const known = source.replace('use_azure_cli_auth ', 'winrm_use_ntlm     ')
    writeFileSync(path.join(out, 'source.pkr.hcl'), known)
    const { code, output } = packer(
      ['validate', '-syntax-only', ...openVariables(source), '.'],
      out,
    )
    t.equal(code, 0, output)
    t.end()
  })
  const refused = [
    ...['settings={ a: "{{x}}" }', 'settings={ A-b: 1 }'],
    ...['provision=[/etc/a.ps1]', 'provision=["a\\nb.ps1"]'],
  ]
  for (const bad of refused) {
    const argv = ['render', profile, '--for', 'packer', '--out', out]
    const wrong = set('targets.packer.builder=azure-arm', `targets.packer.${bad}`)
    const { code, stderr } = await inProcess([...argv, ...wrong])
    t.equal(code, 3, `${bad}: ${stderr}`)
  }
})

t.test('Packer: a block of the profile replaces the block of its type', async (t) => {
  const out = path.join(t.testdir({}), 'out')
  await renderPacker(t, out, [
    'targets.packer.builder=amazon-ebs',
    'targets.packer.blocks={ launch_block_device_mappings: { device_name: /dev/sda1 } }',
  ])
  const source = readFileSync(path.join(out, 'source.pkr.hcl'), 'utf8')
  const disks = source.match(/launch_block_device_mappings \{[^}]*\}/g)
  const own = 'launch_block_device_mappings {\n    device_name = "/dev/sda1"\n  }'
  t.strictSame(disks, [own], 'one disk')
})

t.test('Packer: a field that changes nothing is refused', async (t) => {
  const rows: readonly (readonly [flags: readonly string[], said: RegExp])[] = [
    [['builder=azure-arm', 'omit=[client_secrets]'], /no effect on client_secrets: winnode does/],
    [['builder=azure-arm', 'omit=[constructor]'], /no effect on constructor: winnode does/],
    [['builder=azure-arm', 'sysprep=none'], /sysprep has no effect: builder azure-arm/],
    [['builder=azure-arm', 'source=qemu.x'], /source has no effect: builder azure-arm/],
    [
      ['builder=other', 'source=qemu.x', 'settings={ vpc_id: x }', 'omit=[a]'],
      /omit has no effect: builder other .*settings has no effect: builder other/,
    ],
    [
      ['builder=other', 'omit=[a]'],
      /packer\.source is not set .*omit has no effect: builder other/,
    ],
  ]
  for (const [flags, said] of rows) {
    const settings = set(...flags.map((flag) => `targets.packer.${flag}`))
    const out = path.join(t.testdir({}), 'out')
    const argv = ['render', profile, '--as-of', '2026-11-20', '--for', 'packer', '--out', out]
    const { code, stderr } = await inProcess([...argv, ...settings])
    t.equal(code, 3)
    t.match(stderr.replaceAll(/\s+/g, ' '), said)
  }
})

t.test('several targets: each next step names its folder', async (t) => {
  const out = path.join(t.testdir({}), 'out')
  const argv = ['render', profile, '--as-of', '2026-11-20', '--for', 'capi,packer', '--out', out]
  const own = set('targets.packer.builder=hyperv-iso')
  const { stderr } = await inProcess([...argv, ...capi('vsphere'), ...own])
  const steps = stderr.split('\n').filter((line) => line.startsWith('next: '))
  t.ok(steps.length > 3, stderr)
  for (const line of steps) t.match(line, /^next: in the folder (?:capi|packer): /)
  t.match(stderr, 'next: in the folder capi: in the management cluster: kubectl apply -f machines')
})

t.test('Packer: an image of a source of the user is generalized too', async (t) => {
  const out = path.join(t.testdir({}), 'out')
  const cases: readonly (readonly [source: string, sysprep: string, last: string])[] = [
    ['azure-arm.x', 'null', 'sysprep.ps1'],
    ['amazon-ebssurrogate.x', 'null', 'sysprep-amazon.ps1'],
    ['vsphere-clone.x', 'null', 'sysprep.ps1'],
    ['hyperv-vmcx.x', 'null', 'sysprep.ps1'],
    ['qemu.x', 'null', 'clean-up.ps1'],
    ['qemu.x', 'windows', 'sysprep.ps1'],
    ['azure-arm.x', 'none', 'clean-up.ps1'],
  ]
  for (const [source, sysprep, last] of cases) {
    await renderPacker(t, out, [
      'targets.packer.builder=other',
      `targets.packer.source=${source}`,
      `targets.packer.sysprep=${sysprep}`,
    ])
    const build = readFileSync(path.join(out, 'winnode.pkr.hcl'), 'utf8')
    t.equal(powershellScripts(build).at(-1), last, `${source}, ${sysprep}`)
    t.ok(existsSync(path.join(out, 'scripts', last)))
  }
  const argv = ['render', profile, '--for', 'packer', '--out', out]
  const own = [
    'targets.packer.builder=other',
    'targets.packer.source=qemu.x',
    ...extras.slice(0, 1),
  ]
  const { code, stderr } = await inProcess([...argv, ...set(...own)])
  t.equal(code, 3)
  t.match(stderr, /no configuration of cloudbase-init is known for qemu\.x/)
})

/** What templatefile of Packer makes of a file: values, and one condition. */
function filled(text: string, values: Readonly<Record<string, string>>): string {
  const chosen = text.replace(
    /^%\{ if (\w+) != "" ~\}\n([^]*?)^%\{ endif ~\}\n/gm,
    (_, name: string, inner: string) => (values[name] === '' ? '' : inner),
  )
  return chosen.replace(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? 'unknown')
}

/** Texts of elements by their paths; throws where the document is not well-formed. */
function elementsOf(xml: string): readonly (readonly [path: string, text: string])[] {
  const open: string[] = []
  const found: (readonly [string, string])[] = []
  const body = xml.replace(/^<\?xml [^?]*\?>\n/, '').replace(/<!--(?:(?!--)[^])*-->/g, '')
  for (const [, end, name = '', rest = '', text = ''] of body.matchAll(
    /<(\/?)([A-Za-z]+)((?: [\w:]+="[^"<&]*")*)>([^<]*)/g,
  )) {
    const pass = /(?:pass|name)="([^"]*)"/.exec(rest)?.[1]
    const place = pass === undefined ? name : `${name}[${pass}]`
    if (end === '') open.push(place)
    else if (open.pop()?.replace(/\[.*/, '') !== name) throw new Error(`</${name}> ends nothing`)
    if (/&(?!amp;|lt;)/.test(text)) throw new Error(`${name} holds a bare &`)
    const value = text.trim().replaceAll('&lt;', '<').replaceAll('&amp;', '&')
    if (end === '' && value !== '') found.push([open.join('/'), value])
  }
  if (open.length > 0) throw new Error(`${open.join('/')} is left open`)
  return found
}

async function checkAnswers(t: Test, builder: keyof typeof builders) {
  const out = path.join(t.testdir({}), builder)
  await renderPacker(t, out, [`targets.packer.builder=${builder}`])
  const text = readFileSync(path.join(out, 'Autounattend.xml.pkrtpl'), 'utf8')
  const source = readFileSync(path.join(out, 'source.pkr.hcl'), 'utf8')
  const names = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name)
  const answers = /^ {2}answers = \{\n([^}]*)\}/m.exec(source)?.[1] ?? ''
  t.strictSame(
    [...answers.matchAll(/^ {4}(\w+) +=/gm)].map(([, name = '']) => name).sort(),
    [...new Set(names)].sort(),
    'each gap has its value',
  )
  t.notMatch(source, /default += "\w*[Pp]assw/)
  const values = {
    windows_image: 'Windows Server 2022 &amp; more',
    password: 'a&lt;b&amp;c"\'>',
    product_key: '',
  }
  const all = elementsOf(filled(text, values))
  const passwords = all.filter(([place]) => place.endsWith('Password/Value'))
  t.strictSame(
    passwords.map(([, value]) => value),
    ['a<b&c"\'>', 'a<b&c"\'>'],
  )
  const passes = all.map(([place]) => /settings\[(\w+)\]/.exec(place)?.[1])
  t.strictSame([...new Set(passes)], ['windowsPE', 'specialize', 'oobeSystem'], 'in their order')
  t.notOk(
    all.some(([place]) => place.endsWith('ProductKey/Key')),
    'none where none is given',
  )
  const keyed = elementsOf(filled(text, { ...values, product_key: 'A-B' }))
  t.ok(keyed.some(([place, value]) => place.endsWith('UserData/ProductKey/Key') && value === 'A-B'))
  const command = all.find(([place]) => place.endsWith('CommandLine'))?.[1] ?? ''
  const [, script = ''] = / -ChildPath (\S+) /.exec(command) ?? []
  t.ok(command.length <= 1024, 'as long as Windows reads')
  const last = shutdownOf(source)?.replace('close-winrm.ps1', script)
  t.equal(command, last, 'the same way to find the drive')
  const listed = /^ {2}(?:floppy|cd)_files += (.*)$/m.exec(source)?.[1] ?? ''
  for (const name of [script, 'winrm.ps1', 'close-winrm.ps1'])
    t.match(listed, `"\${path.root}/scripts/${name}"`, `${name} is on the drive`)
}

/** The command that shuts the machine down, as Packer sends it. */
const shutdownOf = (source: string) =>
  textOfHcl(/^ {2}shutdown_command += (.*)$/m.exec(source)?.[1] ?? '""')

t.test('Packer: answers for the setup of Windows contain no password', async (t) => {
  for (const builder of ['vsphere-iso', 'hyperv-iso'] as const)
    await t.test(builder, (each) => checkAnswers(each, builder))
})

scenario('Packer: scripts are found on the drive that has them', async (t, { host }) => {
  const folder = t.testdir({ empty: {}, cd: { 'close-winrm.ps1': "'from the CD'" } })
  const out = path.join(folder, 'out')
  await host.fresh(path.join(folder, 'c'))
  await renderPacker(t, out, ['targets.packer.builder=hyperv-iso'])
  const source = readFileSync(path.join(out, 'source.pkr.hcl'), 'utf8')
  const [, command = ''] = / -Command "(.*)"$/.exec(shutdownOf(source) ?? '') ?? []
  const said = await host.ps(
    `& {
      $null = New-PSDrive -Name D -PSProvider FileSystem -Root $with.empty
      $null = New-PSDrive -Name E -PSProvider FileSystem -Root $with.cd
      . ([scriptblock]::Create($with.command))
    }`,
    { command, empty: path.join(folder, 'empty'), cd: path.join(folder, 'cd') },
  )
  t.equal(said, 'from the CD')
})

t.test('Packer: a password arrives in XML as it is', { skip: packerMissing }, async (t) => {
  const out = path.join(t.testdir({ build: {} }), 'out')
  const folder = path.join(t.testdirName, 'build')
  await renderPacker(t, out, ['targets.packer.builder=vsphere-iso'])
  const source = readFileSync(path.join(out, 'source.pkr.hcl'), 'utf8')
  const [locals = ''] = /^locals \{\n[^]*?^\}\n/m.exec(source) ?? []
  const passwords = [
    'plain',
    '&<>"\'',
    '&amp;',
    'a]]>b',
    '${a}%{b}$$',
    '%PATH%`$(x)',
    'gr\u00fc\u00dfe',
  ]
  for (const [index, password] of passwords.entries()) {
    const place = path.join(folder, `${index}`)
    mkdirSync(place)
    const names = ['windows_image', 'product_key', 'winrm_password']
    const provisioner: Block = {
      type: 'provisioner',
      labels: ['shell-local'],
      attributes: {
        environment_vars: expression('["ANSWER=${local.answers.password}"]'),
        inline: [`printf %s "$ANSWER" > ${place}/out`],
      },
    }
    const text = hclText('One password.', [
      ...names.map((name) => ({ type: 'variable', labels: [name], attributes: { default: '' } })),
      { type: 'source', labels: ['null', 'x'], attributes: { communicator: 'none' } },
      { type: 'build', attributes: { sources: ['source.null.x'] }, blocks: [provisioner] },
    ])
    writeFileSync(path.join(place, 'a.pkr.hcl'), `${text}\n${locals}`)
    const built = packer(['build', '-var', `winrm_password=${password}`, '.'], place)
    t.equal(built.code, 0, built.output)
    const found = readFileSync(path.join(place, 'out'), 'utf8')
    t.notMatch(found, /[<>]|&(?!amp;|lt;|gt;)/, password)
    const read = found.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
    t.equal(read, password)
  }
})

/** Another program at a path of C:, which records its arguments and returns an exit code. */
function program(drive: string, name: string, code: string): () => string {
  const file = path.join(drive, name)
  const log = `${drive}.calls`
  rmSync(log, { force: true })
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\necho "$*" >> '${log}'\n${code}\n`, { mode: 0o755 })
  return () => (existsSync(log) ? readFileSync(log, 'utf8') : '')
}

scenario('Packer: sysprep says how it ended', async (t, { host }) => {
  const drive = path.join(t.testdir({}), 'c')
  await host.fresh(drive)
  const run = async (name: string) => {
    const text = readFileSync(path.join(root, `templates/packer/${name}`), 'utf8')
    writeFileSync(path.join(drive, 'script.ps1'), text)
    return host.ps<number>(
      `$global:LASTEXITCODE = 0; & 'C:\\script.ps1' *>$null; $global:LASTEXITCODE`,
    )
  }
  const agent = 'Program Files/Amazon/EC2Launch/EC2Launch.exe'
  t.equal(await run('sysprep-amazon.ps1'), 1, 'no agent')
  const amazon = program(drive, agent, 'exit 0')
  t.equal(await run('sysprep-amazon.ps1'), 0)
  t.equal(amazon(), 'reset --block\nsysprep --block\n')
  const failing = program(drive, agent, 'exit 7')
  t.equal(await run('sysprep-amazon.ps1'), 7, 'its exit code')
  t.equal(failing(), 'reset --block\n', 'and nothing after it')

  const key = 'HKLM:\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Setup\\State'
  const sysprep = program(drive, 'Windows/System32/Sysprep/Sysprep.exe', 'exit 0')
  // It goes on by itself: the state changes while the script waits.
  await host.ps(
    `$env:ProgramFiles = 'C:\\Program Files'
    $global:OwnSleep = \${function:global:Start-Sleep}
    $null = New-Item -Path '${key}' -Force
    $null = New-ItemProperty -LiteralPath '${key}' -Name ImageState -PropertyType String -Value IMAGE_STATE_COMPLETE -Force
    function global:Start-Sleep {
      $global:Slept++
      if ($global:Slept -eq $global:Sealed) { $null = New-ItemProperty -LiteralPath '${key}' -Name ImageState -PropertyType String -Value IMAGE_STATE_GENERALIZE_RESEAL_TO_OOBE -Force }
    }
    $global:Slept = 0; $global:Sealed = 0`,
  )
  t.equal(await run('sysprep.ps1'), 1, 'it has not ended')
  t.equal(await host.ps('$global:Slept'), 180)
  t.equal(sysprep(), '/oobe /generalize /quiet /quit /mode:vm\n')
  const answers = path.join(
    drive,
    'Program Files/Cloudbase Solutions/Cloudbase-Init/conf/Unattend.xml',
  )
  const kept = path.join(drive, 'Windows/Panther/unattend.xml')
  for (const file of [answers, kept]) {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, '<unattend/>')
  }
  await host.ps('$global:Slept = 0; $global:Sealed = 3')
  t.equal(await run('sysprep.ps1'), 0)
  t.equal(await host.ps('$global:Slept'), 3)
  t.match(
    sysprep(),
    '/mode:vm /unattend:C:\\Windows\\System32\\Sysprep\\unattend.xml\n',
    'with its answers',
  )
  t.notOk(existsSync(kept), 'and not with the answers of the setup')
  const net = program(drive, 'Windows/System32/net.exe', 'exit 0')
  await host.ps(
    `& {
      function Get-Service { [PSCustomObject]@{} | Add-Member -MemberType ScriptMethod -Name WaitForStatus -Value {} -PassThru }
      function Get-CimInstance { param($ClassName, $Filter) if ($Filter -like '*-500*') { [PSCustomObject]@{ Name = 'renamed' } } }
      . ([scriptblock]::Create($with.text.Substring(0, $with.text.IndexOf('# Windows keeps copies')))) *>$null
    }`,
    { text: readFileSync(path.join(root, 'templates/packer/sysprep.ps1'), 'utf8') },
  )
  t.equal(
    net(),
    'accounts /maxpwage:unlimited\nuser renamed /active:no\n',
    'the built-in Administrator, on Azure only',
  )
  await host.ps('Set-Item -Path Function:\\global:Start-Sleep -Value $global:OwnSleep')
})

scenario('Packer: the last script shuts Packer out', async (t, { host }) => {
  await host.fresh(path.join(t.testdir({}), 'c'))
  const text = readFileSync(path.join(root, 'templates/packer/close-winrm.ps1'), 'utf8')
  const did = await host.ps<readonly string[]>(
    `& {
      $script:did = @()
      function shutdown.exe { $script:did += "shutdown $args" }
      function Remove-NetFirewallRule { param($Name) $script:did += "rule $Name" }
      function Set-Item { param($LiteralPath, $Value, [switch] $Force) $script:did += "$LiteralPath $Value" }
      function Remove-WSManInstance { param($ResourceURI, $SelectorSet) $script:did += "$ResourceURI $($SelectorSet.Transport)" }
      function Get-ChildItem {
        [PSCustomObject]@{ Thumbprint = 'AA'; Subject = 'CN=node' }
        [PSCustomObject]@{ Thumbprint = 'BB'; Subject = 'CN=packer' }
      }
      function Remove-Item { param($LiteralPath, [switch] $DeleteKey) $script:did += "$LiteralPath $DeleteKey" }
      . ([scriptblock]::Create($with.text.Replace('exit 0', '')))
      , $script:did
    }`,
    { text },
  )
  t.strictSame(did, [
    'shutdown /s /t 30',
    'rule packer-winrm',
    'WSMan:\\localhost\\Service\\Auth\\Basic False',
    'winrm/config/Listener HTTPS',
    'Cert:\\LocalMachine\\My\\BB True',
  ])
})

scenario('Packer: updates are installed until none is offered', async (t, { host }) => {
  const folder = t.testdir({ 'agent.ps1': 'exit 0\n' })
  await host.fresh(path.join(folder, 'c'))
  const out = path.join(folder, 'out')
  await renderPacker(t, out, ['targets.packer.builder=azure-arm', ...extras])
  const text = readFileSync(path.join(out, 'scripts/windows-updates.ps1'), 'utf8')
  const run = (offered: string, code: number) =>
    host.ps<readonly (number | string)[]>(
      `& {
        $script:did = @()
        function Update { param($Title, $CategoryID, $KB)
          [PSCustomObject]@{ Title = $Title; Categories = @([PSCustomObject]@{ CategoryID = $CategoryID }); KBArticleIDs = @($KB); EulaAccepted = $true }
        }
        $result = [PSCustomObject]@{ ResultCode = $with.code }
        $installs = [System.Collections.ArrayList]::new()
        $session = [PSCustomObject]@{}
        $offered = @(${offered})
        $found = [PSCustomObject]@{ Updates = $offered }
        $searcher = [PSCustomObject]@{} | Add-Member -MemberType ScriptMethod -Name Search -Value { $found }.GetNewClosure() -PassThru
        $worker = [PSCustomObject]@{ Updates = $null }
        $worker | Add-Member -MemberType ScriptMethod -Name Download -Value { $result }.GetNewClosure()
        $worker | Add-Member -MemberType ScriptMethod -Name Install -Value { $null = $installs.Add('installed'); $result }.GetNewClosure()
        $session | Add-Member -MemberType ScriptMethod -Name CreateUpdateSearcher -Value { $searcher }.GetNewClosure()
        $session | Add-Member -MemberType ScriptMethod -Name CreateUpdateDownloader -Value { $worker }.GetNewClosure()
        $session | Add-Member -MemberType ScriptMethod -Name CreateUpdateInstaller -Value { $worker }.GetNewClosure()
        function New-Object { param($ComObject) if ($ComObject -like '*Session') { $session } else { , [System.Collections.ArrayList]::new() } }
        $said = & ([scriptblock]::Create(($with.text -replace 'exit (\\d+|\\$code)', 'return $1'))) 2>$null
        , (@($said) + @($installs))
      }`,
      { text, code },
    )
  const security = `(Update 'A' '0fa1201d-4330-4fa8-8ae9-b877473b6441' '5000001')`
  const named = `(Update 'B' 'other' '5044281')`
  const driver = `(Update 'C' 'other' '5000002')`
  t.strictSame(await run(driver, 2), [0], 'nothing that the profile names')
  t.strictSame(await run(`${security}, ${named}, ${driver}`, 2), [
    'installing A',
    'installing B',
    3010,
    'installed',
  ])
  t.strictSame(await run(security, 4), ['installing A', 1], 'a failed download ends the build')
})

t.test('Packer: the manifest has the source of the image, and the day', async (t) => {
  const other = (source: string) => [
    `targets.packer.builder=other`,
    `targets.packer.source=${source}`,
  ]
  const rows: readonly [flags: readonly string[], source: string | undefined][] = [
    [['targets.packer.builder=azure-arm'], 'try(build.SourceImageName, "unknown")'],
    [['targets.packer.builder=amazon-ebs'], 'build.SourceAMI'],
    [['targets.packer.builder=vsphere-iso'], 'var.iso_path'],
    [
      ['targets.packer.builder=vsphere-iso', 'targets.packer.settings={ iso_paths: [a] }'],
      undefined,
    ],
    [['targets.packer.builder=vsphere-clone'], 'var.template'],
    [['targets.packer.builder=hyperv-iso'], 'split("?", var.iso_url)[0]'],
    [
      ['targets.packer.builder=vsphere-clone', 'targets.packer.settings={ template: a }'],
      undefined,
    ],
    [other('hyperv-iso.own'), undefined],
    [other('azure-arm.own'), 'try(build.SourceImageName, "unknown")'],
    [other('vsphere-iso.own'), undefined],
    [other('qemu.own'), undefined],
  ]
  for (const [index, [flags, source]] of rows.entries()) {
    const out = path.join(t.testdir({}), `${index}`)
    await renderPacker(t, out, flags)
    const build = readFileSync(path.join(out, 'winnode.pkr.hcl'), 'utf8')
    const [, data = ''] = /custom_data = \{\n([^}]*)\}/.exec(build) ?? []
    t.equal(/^ +source +=(.*)$/m.exec(data)?.[1]?.trim(), source, flags.join())
    t.match(data, /^ +date +=? formatdate\("YYYY-MM-DD", timestamp\(\)\)$/m)
  }
})

t.test('Packer: a template for a builder of the user', async (t) => {
  const out = path.join(t.testdir({}), 'out')
  await renderPacker(t, out, ['targets.packer.builder=other', 'targets.packer.source=qemu.windows'])
  t.match(readFileSync(path.join(out, 'winnode.pkr.hcl'), 'utf8'), '["source.qemu.windows"]')
  t.notOk(existsSync(path.join(out, 'source.pkr.hcl')))
  for (const [flags, message] of [
    [[], /targets\.packer\.builder is not set/],
    [['targets.packer.builder=other'], /targets\.packer\.source is not set/],
  ] as const) {
    const argv = ['render', profile, '--for', 'packer', '--out', out, ...set(...flags)]
    const { code, stderr } = await inProcess(argv)
    t.equal(code, 3)
    t.match(stderr, message)
  }
})

scenario(
  'Packer: the image is as described, and has not joined',
  async (t, { host, artifacts }) => {
    const folder = t.testdir({})
    const out = path.join(folder, 'out')
    const drive = path.join(folder, 'c')
    await renderedMachine({ host, artifacts }, profile, drive)
    await renderPacker(t, out, [
      'targets.packer.builder=other',
      'targets.packer.source=qemu.windows',
    ])
    // Its downloads come from the server of the test.
    rmSync(path.join(out, 'bundle'), { recursive: true })
    renameSync(path.join(drive, 'win-node'), path.join(out, 'bundle'))
    const course = provisionersOf(readFileSync(path.join(out, 'winnode.pkr.hcl'), 'utf8'))
    t.strictSame(await provision(host, drive, out, course), {
      ran: [
        ...['prepare.ps1', 'upload', 'install.ps1', 'restart', 'install.ps1', 'verify.ps1'],
        ...['download result.json', 'download bom.json', 'download state.json', 'clean-up.ps1'],
      ],
      codes: [0, 3010, 0, 0, 0],
      failure: undefined,
    })
    const result = JSON.parse(readFileSync(path.join(out, 'result.json'), 'utf8'))
    t.match(result, { kind: 'NodeSnapshot', exitCode: 0 })
    const state = JSON.parse(readFileSync(path.join(out, 'state.json'), 'utf8'))
    t.match(state.windows.installed, /^20348\.\d+$/, 'build and revision of Windows')
    const checked = result.preflight.filter(({ id }: { id: string }) => id.startsWith('image-'))
    t.equal(checked.length, 5)

    // Whatever belongs to one machine is found, and the build ends there.
    const traces: readonly (readonly [id: string, leave: string])[] = [
      ['image-token', `Set-Content -LiteralPath 'C:\\etc\\kubernetes\\join.json' -Value '{}'`],
      ['image-member', `Set-Content -LiteralPath 'C:\\etc\\kubernetes\\kubelet.conf' -Value '{}'`],
      ['image-network', `Add-HostNetwork -Name flannel.4096 -Type Overlay -Subnet 10.244.3.0/24`],
      ['image-name', `Set-Content -LiteralPath 'C:\\etc\\kubernetes\\x' -Value 'name: NODE-A'`],
      [
        'image-state',
        `Set-Content -LiteralPath 'C:\\ProgramData\\winnode\\state.json' -Value '{"apiVersion":"winnode/v2","kind":"NodeState","joined":true}'`,
      ],
    ]
    for (const [id, leave] of traces) {
      await host.ps(leave)
      const { result: found } = await host.run('Test', { Phase: 'image', Image: true })
      t.equal(found.exitCode, 4, id)
      t.ok(
        found.preflight.some((row) => row.id === id && !row.passed),
        id,
      )
    }
    const again = await provision(host, drive, out, course.slice(5))
    t.equal(again.failure, 'verify.ps1 exited with 4')
  },
)

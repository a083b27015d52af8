// Drift of a cluster: its objects, nodes and kubelets against what is described.
import path from 'node:path'
import t, { type Test } from 'tap'
import { parseAllDocuments } from 'yaml'
import { certificatesIn } from '../../src/cluster/certificate.ts'
import { labelledLists, objectPath } from '../../src/cluster/object-path.ts'
import { cniNames, cniOf } from '../../src/cni/index.ts'
import { fields } from '../../src/drift/cluster-values.ts'
import { straysOn } from '../../src/drift/daemon-sets.ts'
import { deletionOf } from '../../src/drift/object.ts'
import { mergeJson, type Json, type JsonObject } from '../../src/model/json.ts'
import { formatPath } from '../../src/model/path.ts'
import type { Client } from '../../src/cluster/client.ts'
import { configzReader, type KubeletAccess } from '../../src/cluster/kubelets.ts'
import { compareCluster } from '../../src/commands/drift/cluster.ts'
import { exitOf } from '../../src/commands/drift/outcome.ts'
import { exits } from '../../src/commands/exit.ts'
import { fixLines } from '../../src/present/fleet.ts'
import { bundleDigest } from '../../src/render/bundle-digest.ts'
import { withoutIgnoredDrift } from '../../src/drift/accepted.ts'
import {
  ask,
  kubeconfigOf,
  problemOf,
  readsOnly,
  secret,
  start,
  withStandIn,
} from '../cluster/asking.ts'
import { plugin } from '../cluster/exec-plugin.ts'
import {
  base64,
  systemConfigMap,
  nodes,
  daemonSets,
  windowsTaint,
  node,
  flannelSet,
  kubeadmCluster,
} from '../cluster/clusters.ts'
import { authority, type Behaviour, client } from '../cluster/api-server.ts'
import { clusterManifest } from '../../src/artifacts/kustomization.ts'
import { compileBuiltin, renderCompiled, today } from '../tools/bundle.ts'
import { newestPatch } from '../tools/minors.ts'
import { inProcess } from '../tools/run.ts'
import { everything } from '../tools/everything.ts'

const overlay = 'ws2022-flannel-overlay'

/** What a server adds, and kubectl apply. */
const kept = {
  uid: '1',
  resourceVersion: '7',
  creationTimestamp: '2026-01-01T00:00:00Z',
  annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
  managedFields: [{ manager: 'kubectl', operation: 'Apply', fieldsV1: { 'f:data': {} } }],
}

/** The objects of the bundle's manifests, as a server keeps them, with what it adds. */
async function applied(): Promise<Readonly<Record<string, JsonObject>>> {
  const files = await renderCompiled(compileBuiltin(overlay))
  const written = files.filter(({ path: name }) => clusterManifest.test(name))
  const docs = written.flatMap(({ content }) =>
    parseAllDocuments(new TextDecoder().decode(content)).map((one) => one.toJS() as JsonObject),
  )
  return Object.fromEntries(
    docs.flatMap((object) => {
      const place = objectPath(object)
      t.ok(place ?? object['kind'] === 'Secret', 'its kind is known')
      const metadata = { ...(object['metadata'] as JsonObject), ...kept }
      return place === undefined ? [] : [[place, { ...object, metadata }]]
    }),
  )
}

const manifests = applied()

interface Registered {
  readonly labels?: Readonly<Record<string, string>>
  readonly taints?: readonly Json[]
  readonly kernelVersion?: string
  readonly kubeletVersion?: string
  readonly runtime?: string
  readonly memory?: string
  readonly ready?: string
  /** What the reconcile loop publishes: the digest of its bundle, and its condition. */
  readonly bundle?: string
  readonly healthy?: string
  /** When it was written last, and when the Node was created. */
  readonly heartbeat?: string
  readonly created?: string
}

const { facts } = compileBuiltin(overlay)

/** A node as its kubelet registers it, of a machine of 8 CPU and 16 GiB. */
function registered(name: string, over: Registered = {}): JsonObject {
  const { kube, system } = facts.reservations
  const least = 16_384 - kube.memory - system.memory - 500
  const { spec } = facts
  return {
    metadata: {
      name,
      labels: { 'kubernetes.io/os': 'windows', ...over.labels },
      ...(over.created !== undefined && { creationTimestamp: over.created }),
      ...(over.bundle !== undefined && { annotations: { 'winnode/bundle': over.bundle } }),
    },
    spec: {
      taints: over.taints ?? [
        windowsTaint,
        { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' },
      ],
    },
    status: {
      capacity: { cpu: '8', memory: '16Gi', pods: '110' },
      allocatable: {
        cpu: `${8000 - kube.cpu - system.cpu}m`,
        memory: over.memory ?? `${least * 1024}Ki`,
        pods: '110',
      },
      conditions: [
        { type: 'Ready', status: over.ready ?? 'True', message: 'starting' },
        ...(over.healthy === undefined
          ? []
          : [
              {
                ...{ type: 'WinNodeHealthy', status: over.healthy, message: 'check network: none' },
                ...(over.heartbeat !== undefined && { lastHeartbeatTime: over.heartbeat }),
              },
            ]),
      ],
      nodeInfo: {
        operatingSystem: 'windows',
        kernelVersion: over.kernelVersion ?? '10.0.20348.5020',
        kubeletVersion: over.kubeletVersion ?? `v${spec.kubernetes.version}`,
        containerRuntimeVersion: over.runtime ?? `containerd://${spec.containerd.version}`,
      },
    },
  }
}

const flannelConf = '/api/v1/namespaces/kube-flannel/configmaps/kube-flannel-cfg'
const netConf = {
  data: {
    'net-conf.json':
      '{"Network": "10.244.0.0/16", "Backend": {"Type": "vxlan", "VNI": 4096, "Port": 4789}}',
  },
}

/** A cluster in which all is as the profile describes it, and what is changed in it. */
type Objects = NonNullable<Behaviour['objects']>

async function agreeing(over: Objects = {}): Promise<Behaviour & { readonly objects: Objects }> {
  const { objects, ...rest } = kubeadmCluster('1.37.1')
  const linux = node('linux-1', { os: 'linux', taints: [], share: '10.244.0.0/24' })
  const members = ['win-1', 'win-2', 'win-3'].map((name) => registered(name))
  return {
    ...rest,
    objects: {
      ...objects,
      '/version': { gitVersion: `v${newestPatch}` },
      ...(await manifests),
      [nodes]: [linux, ...members],
      [flannelConf]: netConf,
      ...over,
    },
  }
}

const ports = { host: { firewall: { nodePortRange: '30000-31000' } } }
const ownDigest = bundleDigest(await renderCompiled(compileBuiltin(overlay, ports)))

interface Comparing {
  readonly user?: JsonObject
  /** A layer over the profile. */
  readonly over?: JsonObject
  readonly configz?: KubeletAccess
  readonly selector?: string
}

async function drift(
  t: Test,
  behaviour: Behaviour,
  { user, over = {}, configz, selector }: Comparing = {},
) {
  const server = await start(t, behaviour)
  const compiled = compileBuiltin(overlay, ports, over)
  const { plan } = compiled
  if (!plan) throw new Error('the profile is refused')
  const opened = await ask(t, server.port, user && { user })
  const seen = await compareCluster(opened, {
    ...{ facts: compiled.facts, plan, files: await renderCompiled(compiled) },
    ...{ selector, oldest: '2026-01-02T10:00:00.000Z', log: () => undefined },
    kubelets: configz && configzReader(opened, configz),
  })
  const { drifts } = withoutIgnoredDrift(seen.drifts, compiled.facts.spec.ignore, today)
  readsOnly(t, server)
  t.notMatch(
    server.seen.map(({ url }) => url).join('\n'),
    configz?.via === 'proxy' ? /secrets/ : /secrets|proxy\//,
    'no secret is requested',
  )
  return {
    drift: drifts,
    nodes: seen.nodes.length,
    code: exits[exitOf(drifts)].code,
    told: drifts.map(({ id, subject }) => `${id} ${subject}`),
  }
}

t.test('only the nodes with the labels of --selector are compared', async (t) => {
  const [web, other] = [registered('win-1', { labels: { pool: 'web' } }), registered('win-2')]
  const old = registered('win-3', { labels: { pool: 'db' }, kubeletVersion: 'v1.36.5' })
  const cluster = await agreeing({ [nodes]: [web, other, old] })
  t.match(await drift(t, cluster, { selector: 'pool=web' }), { told: [], nodes: 1 })
  t.match((await drift(t, cluster, { selector: 'pool=db' })).told, [
    'version-differs node/versions.kubelet',
  ])
  const none = await drift(t, cluster, { selector: 'pool=none' })
  t.match(none, { nodes: 0, code: 6 })
  t.match(none.drift, [{ message: /: there is no Windows node with pool=none$/ }])
})

t.test('drift compares a cluster with what is described', async (t) => {
  const { told, code, nodes: count } = await drift(t, await agreeing())
  t.strictSame(told, [])
  t.equal(code, 0)
  t.equal(count, 3)
})

const roles = '/apis/rbac.authorization.k8s.io/v1'
const admission = '/apis/admissionregistration.k8s.io/v1'
const policyBinding = `${admission}/validatingadmissionpolicybindings/winnode-flannel`
const runtimeClassList = '/apis/node.k8s.io/v1/runtimeclasses'
const accountList = '/api/v1/namespaces/kube-system/serviceaccounts'

/** One that tolerates everything, on three Windows nodes and one of Linux. */
function exporter(
  pod: JsonObject = {},
  status: JsonObject = {},
  image = 'x/exporter:v1',
): JsonObject {
  const spec = { containers: [{ name: 'x', image }], tolerations: [{ operator: 'Exists' }], ...pod }
  return {
    metadata: { name: 'exporter', namespace: 'monitoring' },
    spec: { template: { spec } },
    status: { desiredNumberScheduled: 4, numberUnavailable: 3, ...status },
  }
}

const os = (operator: string, ...some: readonly string[]) => ({
  key: 'kubernetes.io/os',
  operator,
  values: some,
})
const attracted = (...terms: readonly JsonObject[]) => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms },
    },
  },
})
const tolerating = (...tolerations: readonly JsonObject[]) => ({ tolerations })

t.test('a DaemonSet goes to a node as its controller decides', (t) => {
  const member = registered('win-1', {
    labels: { pool: 'web', cores: '8' },
    taints: [windowsTaint, { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }],
  })
  const web = { key: 'pool', operator: 'In', values: ['web', 'db'] }
  const named = (value: string) => ({
    matchFields: [{ key: 'metadata.name', operator: 'In', values: [value] }],
  })
  const rows: readonly [name: string, pod: JsonObject, placed: boolean][] = [
    ['everything is tolerated', {}, true],
    ['nothing is', tolerating(), false],
    ['the taint itself', tolerating({ ...windowsTaint, operator: 'Equal' }), true],
    ['its key', tolerating({ key: 'os', operator: 'Exists' }), true],
    ['another value', tolerating({ key: 'os', value: 'linux' }), false],
    ['another effect', tolerating({ key: 'os', operator: 'Exists', effect: 'NoExecute' }), false],
    ['an unknown operator', tolerating({ key: 'os', operator: 'Like' }), false],
    ['a selector', { nodeSelector: { pool: 'web' } }, true],
    ['another selector', { nodeSelector: { pool: 'web', zone: 'a' } }, false],
    ['Linux', { nodeSelector: { 'kubernetes.io/os': 'linux' } }, false],
    ['Windows, and so it is meant', { nodeSelector: { 'kubernetes.io/os': 'windows' } }, false],
    ['the same by affinity', attracted({ matchExpressions: [os('In', 'windows')] }), false],
    ['the same by what it is not', attracted({ matchExpressions: [os('NotIn', 'linux')] }), false],
    ['Linux by affinity', attracted({ matchExpressions: [os('In', 'linux')] }), false],
    [
      'one of two terms',
      attracted({ matchExpressions: [os('In', 'linux')] }, { matchExpressions: [web] }),
      true,
    ],
    ['one of two requirements', attracted({ matchExpressions: [web, os('In', 'linux')] }), false],
    ['a term without requirements', attracted({}), false],
    ['no term', attracted(), false],
    ['any system', attracted({ matchExpressions: [os('Exists')] }), true],
    [
      'no label of it',
      attracted({ matchExpressions: [{ key: 'zone', operator: 'DoesNotExist' }] }),
      true,
    ],
    [
      'other values of no label',
      attracted({ matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['a'] }] }),
      true,
    ],
    [
      'more cores',
      attracted({ matchExpressions: [{ key: 'cores', operator: 'Gt', values: ['4'] }] }),
      true,
    ],
    [
      'fewer cores',
      attracted({ matchExpressions: [{ key: 'cores', operator: 'Lt', values: ['8'] }] }),
      false,
    ],
    [
      'a number of what is none',
      attracted({ matchExpressions: [{ key: 'pool', operator: 'Gt', values: ['4'] }] }),
      false,
    ],
    ['its name', attracted(named('win-1')), true],
    ['another name', attracted(named('win-2')), false],
    [
      'a preference only',
      { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } } },
      true,
    ],
    ['it says that it is for Windows', { os: { name: 'windows' } }, false],
    [
      'HostProcess, which only Windows has',
      { securityContext: { windowsOptions: { hostProcess: true } } },
      false,
    ],
  ]
  for (const [name, pod, placed] of rows) {
    const found = straysOn([exporter(pod)], [member])(member)
    t.strictSame(
      found.map(({ id }) => id),
      placed ? ['daemonset-strays'] : [],
      name,
    )
  }
  const untainted = registered('win-1', { taints: [] })
  const linuxOnly = { ...tolerating(), nodeSelector: { 'kubernetes.io/os': 'linux' } }
  t.equal(straysOn([exporter(tolerating())], [untainted])(untainted).length, 1, 'without a taint')
  t.equal(straysOn([exporter(linuxOnly)], [untainted])(untainted).length, 0)
  t.equal(straysOn([exporter()], [member])(registered('linux-1')).length, 0, 'another node')
  const [one] = straysOn([exporter()], [member])(member)
  t.match(one?.message, /^DaemonSet monitoring\/exporter .* 3 of 4 pods are not available$/)

  const runs: readonly [name: string, set: JsonObject, image: string][] = [
    ['all its pods run', exporter({}, { numberUnavailable: 0 }), 'y'],
    ['its image is for Windows', exporter(), 'x/exporter:v1'],
    [
      'the same, with the name in full',
      exporter({}, {}, 'exporter:v1'),
      'docker.io/library/exporter:v1',
    ],
    ['not counted yet', exporter({}, { numberUnavailable: {} }), 'y'],
  ]
  for (const [name, set, image] of runs) {
    const status = { ...(member['status'] as JsonObject), images: [{ names: [image] }] }
    const holder = { ...member, status }
    t.equal(straysOn([set], [holder])(holder).length, 0, name)
  }
  t.end()
})

t.test('one of the CAs of a cluster is enough', (t) => {
  const agree = fields['join.caCertHashes']
  t.equal(agree?.(['sha256:old', 'sha256:new'], ['sha256:new']), true)
  t.equal(agree?.(['sha256:old', 'sha256:new'], ['sha256:other']), false)
  t.end()
})

t.test('every field that a cluster may say exists in the spec, so that a rename is found', (t) => {
  const { spec } = compileBuiltin(overlay).facts
  const exists = (name: string) =>
    name.split('.').reduce<unknown>((at, step) => {
      return typeof at === 'object' && at !== null && step in at
        ? (at as Readonly<Record<string, unknown>>)[step]
        : missing
    }, spec) !== missing
  const missing = Symbol('missing')
  const linux = cniNames.flatMap((name) =>
    (cniOf(name).linuxSide?.(spec) ?? []).flatMap(({ field }) =>
      field ? [formatPath(field)] : [],
    ),
  )
  t.ok(linux.includes('network.flannel.vni'), linux.join(', '))
  for (const name of [...Object.keys(fields), ...linux]) t.ok(exists(name), name)
  t.end()
})

t.test('what flannel says on Linux is compared as flanneld reads it', async (t) => {
  const backend = 'cluster-differs cluster/network.flannel'
  const vni = `${backend}.vni`
  const port = `${backend}.port`
  const mode = 'cluster-differs cluster/network.mode'
  const rows: readonly (readonly [
    name: string,
    conf: string | undefined,
    told: readonly string[],
    severity?: string,
  ])[] = [
    ['as the bundle says', '{"Type": "vxlan", "VNI": 4096, "Port": 4789}', []],
    ['keys and names in another case', '{"type": "VXLAN", "vni": 4096, "port": 4789}', []],
    [
      'a key twice, of which the last counts',
      '{"Type": "udp", "type": "vxlan", "VNI": 1, "vni": 4096, "Port": 4789}',
      [],
    ],
    ['and not the first', '{"Type": "vxlan", "vni": 4096, "VNI": 1, "Port": 4789}', [vni]],
    ['another VNI and port', '{"Type": "vxlan", "VNI": 4097, "Port": 8472}', [vni, port]],
    [
      'another MAC prefix',
      '{"Type": "vxlan", "VNI": 4096, "Port": 4789, "MacPrefix": "0E-2B"}',
      [`${backend}.macPrefix`],
    ],
    ['neither VNI nor port', '{"Type": "vxlan"}', [vni, port]],
    ['no port', '{"Type": "vxlan", "VNI": 4096}', [port]],
    [
      'a way around the tunnel, and group policies',
      '{"Type": "vxlan", "VNI": 4096, "Port": 4789, "DirectRouting": true, "GBP": true}',
      [
        'cluster-differs cluster/network.Backend.DirectRouting',
        'cluster-differs cluster/network.Backend.GBP',
      ],
    ],
    ['host-gw', '{"Type": "host-gw"}', [mode], 'warning'],
    ['a type that Windows lacks', '{"Type": "udp"}', [mode], 'error'],
    ['no backend', undefined, [mode], 'error'],
  ]
  for (const [name, conf, expected, severity] of rows) {
    const text = `{"Network": "10.244.0.0/16"${conf === undefined ? '' : `, "Backend": ${conf}`}}`
    const over = { [flannelConf]: { data: { 'net-conf.json': text } } }
    const answer = await drift(t, await agreeing(over))
    t.strictSame(answer.told, expected, name)
    t.equal(answer.code, expected.length === 0 ? 0 : 4, name)
    if (severity !== undefined) t.equal(answer.drift[0]?.severity, severity, name)
  }
  const own = await drift(
    t,
    await agreeing({
      [flannelConf]: {
        data: {
          'net-conf.json':
            '{"Network": "10.244.0.0/16", "Backend": {"Type": "vxlan", "VNI": 4097, "Port": 4789}}',
        },
      },
    }),
    { over: { network: { flannel: { vni: 4096 } } } },
  )
  t.match(own.drift, [{ message: /Backend\.VNI is 4097, expected 4096/ }])
})

t.test('what flanneld cannot read is an error, and is not compared', async (t) => {
  const conf =
    '{"Network": "10.244.0.0/16", "Backend": {"Type": "vxlan", "VNI": 4096, "Port": 4789}}'
  const rows = {
    'a comma too many': conf.replace('4789}', '4789,}'),
    'a comment': conf.replace('{', '{ # pods\n'),
    YAML: 'Network: 10.244.0.0/16\nBackend: {Type: vxlan, VNI: 4096, Port: 4789}\n',
    'a list': `[${conf}]`,
  }
  for (const [name, text] of Object.entries(rows)) {
    const over = { [flannelConf]: { data: { 'net-conf.json': text } } }
    const { told, code, drift: found } = await drift(t, await agreeing(over))
    const what = 'ConfigMap kube-flannel/kube-flannel-cfg'
    t.strictSame(told, [`cluster-differs cluster/${what}#net-conf.json`], name)
    t.match(found, [{ severity: 'error', message: `${what}, net-conf.json: it is no JSON object` }])
    t.equal(code, 4, name)
  }
  const twice = conf.replace('{', '{"Network": "10.9.0.0/16", "Other": 1,')
  const over = { [flannelConf]: { data: { 'net-conf.json': twice } } }
  t.strictSame((await drift(t, await agreeing(over))).told, [], 'a key twice, and an unknown one')
})

t.test('a network plugin without a ConfigMap is named as not compared', async (t) => {
  const { objects } = await agreeing()
  const left = Object.entries(objects).filter(([place]) => place !== flannelConf)
  const { told, code, drift: found } = await drift(t, { objects: Object.fromEntries(left) })
  t.strictSame(told, ['linux-side-unknown cluster/network.cni'])
  t.match(found, [{ message: /Backend\.Type, Backend\.VNI/ }])
  t.equal(code, 0)
})

function holding(member: JsonObject, ...names: readonly string[]): JsonObject {
  const status = { ...(member['status'] as JsonObject), images: [{ names, sizeBytes: 1 }] }
  return { ...member, status }
}

/** Created by hand; its kubelet has not registered yet. */
function silent(member: JsonObject): JsonObject {
  return { ...member, status: {} }
}

const proxyMap = systemConfigMap('kube-proxy')
const healthz = 'healthzBindAddress: 0.0.0.0:10300'

t.test('each difference of a cluster is named, and nothing else', async (t) => {
  const { objects } = await agreeing()
  const { data } = objects[proxyMap] as { readonly data?: Readonly<Record<string, string>> }
  const proxyConf = data?.['config.conf'] ?? ''
  t.match(proxyConf, 'healthzBindAddress: ""', 'as kubeadm writes it')
  const role =
    (objects as Readonly<Record<string, JsonObject>>)[`${roles}/clusterroles/winnode-flannel`] ?? {}
  const rule = { apiGroups: [''], resources: ['secrets'], verbs: ['get'] }
  const withNode = (over: Registered) => ({
    [nodes]: [registered('win-1'), registered('win-2', over)],
  })
  const label = { kubelet: { labels: { pool: 'web' } } }
  const joinedBy = (caCertHashes: readonly string[]) => ({
    join: { endpoint: '10.0.0.10:6443', caCertHashes },
  })
  const hashes = certificatesIn(authority.cert).map(({ hash }) => hash)
  const rows: readonly [
    name: string,
    over: Objects,
    told: readonly string[],
    code: number,
    layer?: JsonObject,
  ][] = [
    [
      'a label',
      withNode({ labels: { pool: 'web' } }),
      ['label-differs node/labels.pool'],
      4,
      label,
    ],
    ['no taint', withNode({ taints: [] }), ['taint-differs node/taints.os:NoSchedule'], 4],
    [
      'a taint with another value',
      withNode({ taints: [{ ...windowsTaint, value: 'linux' }] }),
      ['taint-differs node/taints.os:NoSchedule'],
      4,
    ],
    [
      'a taint with another effect',
      withNode({ taints: [{ ...windowsTaint, effect: 'PreferNoSchedule' }] }),
      ['taint-differs node/taints.os:NoSchedule'],
      4,
    ],
    [
      'the CA of another cluster',
      {},
      ['cluster-differs cluster/join.caCertHashes'],
      4,
      joinedBy([`sha256:${'a'.repeat(64)}`]),
    ],
    [
      'the CAs of the cluster among others, as while they are rotated',
      {},
      [],
      0,
      joinedBy([`sha256:${'a'.repeat(64)}`, ...hashes]),
    ],
    [
      'another build',
      withNode({ kernelVersion: '10.0.26100.1' }),
      ['windows-differs node/windows.build'],
      4,
    ],
    [
      'an old revision',
      withNode({ kernelVersion: '10.0.20348.3000' }),
      ['windows-differs node/windows.revision'],
      4,
      { windows: { revision: 4297 } },
    ],
    [
      'the least revision itself',
      withNode({ kernelVersion: '10.0.20348.4297' }),
      [],
      0,
      { windows: { revision: 4297 } },
    ],
    [
      'an older kubelet',
      withNode({ kubeletVersion: 'v1.36.0' }),
      ['version-differs node/versions.kubelet'],
      4,
    ],
    [
      'another containerd',
      withNode({ runtime: 'containerd://2.0.0' }),
      ['version-differs node/versions.containerd'],
      4,
    ],
    [
      'more memory for pods',
      withNode({ memory: '16Gi' }),
      ['allocatable-differs node/allocatable.memory'],
      4,
    ],
    [
      'less memory for pods',
      withNode({ memory: '8Gi' }),
      ['allocatable-differs node/allocatable.memory'],
      4,
    ],
    ['it does not work', withNode({ ready: 'Unknown' }), ['node-not-working node/ready'], 7],
    [
      'the loop found what does not work',
      withNode({ healthy: 'False' }),
      ['node-not-working node/healthy'],
      7,
    ],
    ['the loop found nothing', withNode({ healthy: 'True', bundle: ownDigest }), [], 0],
    [
      'a check that could not run',
      withNode({ healthy: 'Unknown' }),
      ['node-unknown node/healthy'],
      6,
    ],
    [
      'another bundle on the node',
      withNode({ bundle: 'e'.repeat(64) }),
      ['bundle-differs node/bundle'],
      4,
    ],
    [
      'a role that may do more',
      {
        [`${roles}/clusterroles/winnode-flannel`]: {
          ...role,
          rules: [...((role['rules'] ?? []) as readonly Json[]), rule],
        },
      },
      ['object-differs cluster/ClusterRole winnode-flannel'],
      4,
    ],
    [
      'other networks',
      {
        [flannelConf]: {
          data: {
            'net-conf.json':
              '{"Network": "10.9.0.0/16", "Backend": {"Type": "vxlan", "VNI": 4096, "Port": 4789}}',
          },
        },
      },
      ['cluster-differs cluster/network.podCIDRs'],
      4,
    ],
    [
      'a RuntimeClass of an earlier bundle, and an account of this one',
      {
        [runtimeClassList]: [labelled('windows-2022'), labelled('windows-2022-hyperv')],
        [accountList]: [labelled('winnode-flannel', 'kube-system')],
      },
      ['object-left cluster/RuntimeClass windows-2022-hyperv'],
      0,
    ],
    [
      'an admission policy that only warns',
      {
        [policyBinding]: {
          ...(await manifests)[policyBinding],
          spec: { policyName: 'winnode-flannel', validationActions: ['Warn'] },
        },
      },
      ['object-differs cluster/ValidatingAdmissionPolicyBinding winnode-flannel'],
      4,
    ],
    [
      'an admission policy that no manifest has',
      { [`${admission}/validatingadmissionpolicies`]: [labelled('winnode-else')] },
      ['object-left cluster/ValidatingAdmissionPolicy winnode-else'],
      0,
    ],
    [
      'add-ons that the profile no longer has',
      Object.fromEntries(
        labelledLists.map(({ kind, path: list }) => [
          list.replace(/\?.*$/, ''),
          [labelled(`winnode-old-${kind.toLowerCase()}`, namespaceOf(kind, list))],
        ]),
      ),
      labelledLists.map(({ kind, path: list }) => {
        const namespace = namespaceOf(kind, list)
        const of = namespace === undefined ? '' : `${namespace}/`
        return `object-left cluster/${kind} ${of}winnode-old-${kind.toLowerCase()}`
      }),
      0,
    ],
    ['no Windows node', { [nodes]: [] }, ['evidence-unreadable nodes'], 6],
    [
      'its own health port',
      {
        [proxyMap]: {
          data: { 'config.conf': proxyConf.replace('healthzBindAddress: ""', healthz) },
        },
      },
      ['cluster-differs cluster/kubeProxy.config.healthzBindAddress'],
      4,
    ],
    [
      'the same health port, written in another way',
      {
        [proxyMap]: {
          data: {
            'config.conf': proxyConf.replace(
              'healthzBindAddress: ""',
              healthz.replace('300', '256'),
            ),
          },
        },
      },
      [],
      0,
    ],
    [
      'a DaemonSet for Linux that asks for no system',
      { [daemonSets]: [flannelSet, exporter()] },
      ['daemonset-strays cluster/DaemonSet monitoring/exporter'],
      0,
    ],
    [
      'the same, with an image that is on its nodes',
      {
        [daemonSets]: [flannelSet, exporter()],
        [nodes]: [holding(registered('win-1'), 'docker.io/x/exporter:v1')],
      },
      [],
      0,
    ],
    [
      'a node that says nothing of itself',
      { [nodes]: [registered('win-1'), silent(registered('win-2'))] },
      ['node-unknown node/nodeInfo', 'node-not-working node/ready'],
      6,
    ],
    [
      'an answer that is no list',
      { [nodes]: { kind: 'Status' } },
      ['evidence-unreadable nodes'],
      6,
    ],
    [
      'the same, which a profile accepts',
      { [daemonSets]: [flannelSet, exporter()] },
      [],
      0,
      { ignore: { 'daemonset-strays': { reason: 'agreed' } } },
    ],
  ]
  for (const [name, changed, told, code, over = {}] of rows) {
    const answer = await drift(t, await agreeing(changed), { over })
    t.strictSame(
      answer.told.map((one) => one.replace(/#.*/, '')),
      told,
      name,
    )
    t.equal(answer.code, code, name)
  }
})

t.test('with host.publishStatus, a node whose loop publishes nothing is reported', async (t) => {
  const [joined, heartbeat] = ['2026-01-01T00:00:00Z', '2026-01-02T09:59:59Z']
  const well = { created: joined, heartbeat: '2026-01-02T10:00:01Z', healthy: 'True' }
  const rows: readonly [name: string, over: Registered, told: readonly string[], code: number][] = [
    ['it published within two hours', well, [], 0],
    ['not since', { ...well, heartbeat }, ['node-unknown node/healthy.heartbeat'], 6],
    [
      'not since, and before it did not work',
      { ...well, heartbeat, healthy: 'False' },
      ['node-not-working node/healthy', 'node-unknown node/healthy.heartbeat'],
      6,
    ],
    ['never', { created: joined }, ['node-unknown node/healthy.heartbeat'], 6],
    ['it just joined', { created: well.heartbeat }, [], 0],
    [
      'its kubelet does not run either',
      { ...well, heartbeat, ready: 'Unknown' },
      ['node-not-working node/ready'],
      7,
    ],
  ]
  for (const [name, over, told, code] of rows) {
    const cluster = await agreeing({ [nodes]: [registered('win-1', over)] })
    const published = { over: { host: { publishStatus: true } } }
    const answer = await drift(t, cluster, published)
    t.strictSame(answer.told, told, name)
    t.equal(answer.code, code, name)
  }
  const plain = await drift(
    t,
    await agreeing({ [nodes]: [registered('win-1', { ...well, heartbeat })] }),
  )
  t.strictSame(plain.told, [], 'a profile that does not ask for it')
})

t.test('what kubectl fixes on a node is said beside what Install fixes', async (t) => {
  const layer = { kubelet: { labels: { pool: 'web' } } }
  const old = { kubeletVersion: 'v1.36.0' }
  const web = { labels: { pool: 'web' } }
  const cluster = await agreeing({
    [nodes]: [
      registered('win-1', old),
      registered('win-2', { ...web, taints: [] }),
      registered('win-3', web),
    ],
  })
  const { drift: found } = await drift(t, cluster, { over: layer })
  const later = '; the kubelet sets it only at first registration'
  t.strictSame(fixLines(found, ['win-1', 'win-2', 'win-3']), [
    'on win-1: Install-WinNode.ps1; on joined nodes also Join-WinNode.ps1',
    `on win-1: run kubectl label node NAME pool=web --overwrite${later}`,
    `on win-2: run kubectl taint node NAME os=windows:NoSchedule --overwrite${later}`,
  ])
})

const namespaceOf = (kind: string, list: string) =>
  kind === 'RoleBinding' ? 'web' : /\/namespaces\/([^/]+)\//.exec(list)?.[1]

function labelled(name: string, namespace?: string): JsonObject {
  const labels = { 'app.kubernetes.io/managed-by': 'winnode' }
  return { metadata: { name, labels, ...(namespace !== undefined && { namespace }) } }
}

t.test('every object has the label by which it is found later', async (t) => {
  for (const { path: file, content } of await renderCompiled(compileBuiltin(overlay)))
    if (clusterManifest.test(file))
      for (const one of parseAllDocuments(new TextDecoder().decode(content)))
        t.equal(one.getIn(['metadata', 'labels', 'app.kubernetes.io/managed-by']), 'winnode', file)
  const server = await start(t, await agreeing())
  const { plan } = compileBuiltin(overlay)
  if (!plan) throw new Error('the profile is refused')
  await compareCluster(await ask(t, server.port, undefined), {
    ...{ facts, plan, files: [], selector: undefined, kubelets: undefined },
    ...{ oldest: '', log: () => undefined },
  })
  const lists = server.seen.filter(({ url }) => url.startsWith(runtimeClassList))
  t.match(lists, [{ url: /labelSelector=app\.kubernetes\.io%2Fmanaged-by%3Dwinnode&limit=/ }])
})

t.test('objects with immutable fields are deleted and applied', async (t) => {
  const binding = `${roles}/clusterrolebindings/winnode-flannel`
  const runtimeClass = `${runtimeClassList}/windows-2022`
  const { objects } = await agreeing()
  const objectAt = (place: string) => objects[place] as JsonObject
  const changed = await drift(
    t,
    await agreeing({
      [binding]: { ...objectAt(binding), roleRef: { kind: 'ClusterRole', name: 'cluster-admin' } },
      [runtimeClass]: { ...objectAt(runtimeClass), handler: 'docker' },
    }),
  )
  const fixes = new Set(changed.drift.map(({ remedy = '' }) => remedy.replace(/: the field.*/, '')))
  t.strictSame([...fixes].filter((fix) => fix.startsWith('kubectl delete')).sort(), [
    'kubectl delete clusterrolebinding winnode-flannel && kubectl apply -f cluster/20-flannel.yaml',
    'kubectl delete runtimeclass windows-2022 && kubectl apply -f cluster/30-runtime-class.yaml',
  ])
  const scheduling = { nodeSelector: { 'kubernetes.io/os': 'windows' } }
  const other = await drift(
    t,
    await agreeing({ [runtimeClass]: { ...objectAt(runtimeClass), scheduling } }),
  )
  for (const { remedy } of other.drift) t.match(remedy, /^kubectl apply -f \S+$/, 'what can change')
})

t.test('what is added to an object counts where the bundle decides all of it', async (t) => {
  const place = `${runtimeClassList}/windows-2022`
  const { objects } = await agreeing()
  const told = async (more: JsonObject) => {
    const added = mergeJson(objects[place] as JsonObject, more)
    return (await drift(t, await agreeing({ [place]: added }))).told
  }
  const zone = { scheduling: { nodeSelector: { zone: 'a' } } }
  t.strictSame(await told(zone), [
    'object-differs cluster/RuntimeClass windows-2022#scheduling.nodeSelector.zone',
  ])
  t.strictSame(await told({ metadata: { labels: { team: 'a' }, uid: '1' } }), [])
  t.strictSame(await told({ overhead: { podFixed: { cpu: '1m' } } }), [])
})

t.test('a name that needs quotes is in no command', async (t) => {
  const role = (name: string, namespace?: string) =>
    deletionOf({ kind: 'Role', metadata: { name, ...(namespace !== undefined && { namespace }) } })
  t.equal(role('system:a.b-c', 'x'), 'kubectl -n x delete role system:a.b-c')
  for (const name of ['a; rm -rf /', '$(id)', 'a b', '']) t.equal(role(name), undefined, name)
  t.equal(role('a', 'x y'), undefined)
})

t.test('objects that must not be read are reported, and the result is incomplete', async (t) => {
  const path403 = `${roles}/clusterroles/winnode-flannel`
  const behaviour = {
    ...(await agreeing()),
    refusals: { [path403]: { code: 403, message: 'clusterroles is forbidden' } },
  }
  const { told, code } = await drift(t, behaviour)
  t.strictSame(told, ['evidence-unreadable ClusterRole winnode-flannel'])
  t.equal(code, 6)
  const { objects } = await agreeing()
  const left = Object.entries(objects).filter(([place]) => place !== path403)
  const gone = await drift(t, { objects: Object.fromEntries(left) })
  t.strictSame(gone.told, ['object-missing cluster/ClusterRole winnode-flannel'])
  t.equal(gone.code, 4)
  const hidden = { [daemonSets]: { code: 403, message: 'daemonsets is forbidden' } }
  const blind = await drift(t, { ...(await agreeing()), refusals: hidden })
  t.match(blind, { told: ['evidence-unreadable DaemonSets'], code: 6 })
  const unlisted = { [`${roles}/clusterroles`]: { code: 403, message: 'it is forbidden' } }
  const unseen = await drift(t, { ...(await agreeing()), refusals: unlisted })
  t.match(unseen, { told: [/^evidence-unreadable ClusterRoles with the label /], code: 6 })
})

t.test('whatever a cluster forbids, drift of it is not known', async (t) => {
  const server = await start(t, await agreeing())
  withStandIn(t)
  const kubeconfig = kubeconfigOf(t, server.port)
  const argv = ['drift', overlay, '--set', 'host.firewall.nodePortRange=30000-31000']
  t.match(await inProcess([...argv, '--kubeconfig', kubeconfig]), { code: 0 })
  t.match(await inProcess([...argv, '--kubeconfig', 'nowhere']), {
    code: 2,
    stderr: /nowhere: no such/,
  })
  const { objects } = await agreeing()
  const asked = new Set(server.seen.map(({ url }) => url.replace(/\?.*$/, '')))
  const places = [...asked].filter((place) => place in objects && place !== '/version')
  t.ok(places.length > 10, places.join(', '))
  for (const place of places.filter((_, at) => everything || at % 4 === 0)) {
    const refusals = { [place]: { code: 403, message: 'it is forbidden' } }
    const { code, told } = await drift(t, { ...(await agreeing()), refusals })
    t.equal(code, 6, `${place}: ${told.join(', ')}`)
    t.match(told, [/^evidence-unreadable /], told.join(', '))
    t.equal(new Set(told).size, told.length, 'each is reported once')
  }
})

/** The configuration that a kubelet of this profile runs with, as it answers: with defaults. */
async function running(over: JsonObject = {}): Promise<JsonObject> {
  const files = await renderCompiled(compileBuiltin(overlay))
  const file = files.find(({ path: name }) => name === 'files/kubelet/config.json')
  const written = JSON.parse(new TextDecoder().decode(file?.content)) as JsonObject
  return {
    kubeletconfig: { ...written, featureGates: {}, podsPerCore: 0, syncFrequency: '1m0s', ...over },
  }
}

const authorities = t.testdir({ 'ca.crt': authority.cert, 'other.crt': client.cert })
const otherTaint = { key: 'other', effect: 'NoSchedule' }
const configzOf = (name: string) => `/api/v1/nodes/${name}/proxy/configz`

t.test('with --configz, kubelets are read through the API server', async (t) => {
  const configz = { via: 'proxy' } as const
  const well = await running()
  const members = ['win-1', 'win-2', 'win-3'].map((name) => [configzOf(name), well] as const)
  const all = Object.fromEntries(members)
  const rows: readonly [name: string, over: Objects, told: readonly string[], code: number][] = [
    ['all as described', {}, [], 0],
    [
      'another limit of pods',
      { [configzOf('win-2')]: await running({ maxPods: 60 }) },
      ['kubelet-differs kubelet/maxPods'],
      4,
    ],
    [
      'an amount written in another way, and a gate of a flag',
      {
        [configzOf('win-2')]: await running({
          systemReserved: { cpu: '0.2', memory: '2Gi', 'ephemeral-storage': '1024Mi' },
          featureGates: { Other: true },
        }),
      },
      ['kubelet-differs kubelet/featureGates'],
      4,
    ],
    [
      'no limit of pods',
      { [configzOf('win-2')]: await running({ maxPods: undefined }) },
      ['kubelet-differs kubelet/maxPods'],
      4,
    ],
    [
      'what is empty, as Go leaves it out',
      { [configzOf('win-2')]: await running({ readOnlyPort: undefined, resolvConf: undefined }) },
      [],
      0,
    ],
    [
      'one more taint',
      { [configzOf('win-2')]: await running({ registerWithTaints: [windowsTaint, otherTaint] }) },
      ['kubelet-differs kubelet/registerWithTaints."other:NoSchedule"'],
      4,
    ],
    ['another answer', { [configzOf('win-2')]: {} }, ['node-unknown kubelet/configz'], 6],
  ]
  for (const [name, over, told, code] of rows) {
    const answer = await drift(t, await agreeing({ ...all, ...over }), { configz })
    t.strictSame(
      answer.told.map((one) => one.replace(/(featureGates).*/, '$1')),
      told,
      name,
    )
    t.equal(answer.code, code, name)
  }
  const refused = {
    ...(await agreeing(all)),
    refusals: { [configzOf('win-1')]: { code: 403, message: 'nodes/proxy is forbidden' } },
  }
  const blind = await drift(t, refused, { configz })
  t.match(blind, { code: 6, told: ['node-unknown kubelet/configz'], drift: [{ nodes: ['win-1'] }] })
})

t.test('kubelets are asked at their own port, and get no token that they could keep', async (t) => {
  const folder = authorities
  const ca = path.join(folder, 'ca.crt')
  const kubelet = await start(t, { objects: { '/configz': await running({ maxPods: 60 }) } })
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: kubelet.port } },
  }
  const one = registered('win-1')
  const member = { ...one, status: { ...(one['status'] as JsonObject), ...status } }
  const cluster = await agreeing({ [nodes]: [member] })
  const direct = { via: 'direct', ca } as const
  const found = await drift(t, cluster, { configz: direct })
  t.match(found, { code: 4, told: ['kubelet-differs kubelet/maxPods'] })
  t.match(kubelet.seen, [{ url: '/configz', authorization: `Bearer ${secret}` }])
  const other = { via: 'direct', ca: path.join(folder, 'other.crt') } as const
  const untrusted = await drift(t, cluster, { configz: other })
  t.match(untrusted, { code: 6, told: ['node-unknown kubelet/configz'] })
  t.equal(kubelet.seen.length, 1, 'a server that is not trusted gets nothing')
  const own = {
    'client-certificate-data': base64(client.cert),
    'client-key-data': base64(client.key),
  }
  const unverified = { via: 'direct', ca: undefined } as const
  const insecure = await drift(t, cluster, { user: own, configz: unverified })
  t.match(insecure, { code: 4 })
  t.match(kubelet.seen.at(-1), { authorization: undefined, peer: 'admin' })
  const away = await drift(t, await agreeing(), { configz: direct })
  t.match(away, { code: 6, told: ['node-unknown kubelet/configz'] })
  for (const user of [
    { token: secret },
    { tokenFile: ca },
    plugin(''),
    { username: 'me', password: secret },
  ])
    t.match(
      await problemOf(() => drift(t, cluster, { user, configz: unverified })),
      { subject: 'kubeconfig' },
      'no token to an unverified kubelet',
    )

  const kubeconfig = ['--kubeconfig', kubeconfigOf(t, 1)]
  const asked = ['--configz', 'direct']
  const wrong: readonly [argv: readonly string[], says: RegExp][] = [
    [[...kubeconfig, ...asked], /needs --kubelet-ca or --kubelet-insecure/],
    [[...kubeconfig, '--kubelet-insecure'], /are for --configz direct/],
    [[...kubeconfig, ...asked, '--kubelet-ca', 'nowhere'], /nowhere cannot be read/],
    [[...kubeconfig, ...asked, '--kubelet-ca', '/dev/fd/0'], /name a file/],
    [
      [...kubeconfig, ...asked, '--kubelet-ca', 'package.json'],
      /package\.json holds no certificate/,
    ],
    [[folder, '--configz', 'proxy'], /asks kubelets of a cluster/],
  ]
  for (const [argv, says] of wrong)
    t.match(await inProcess(['drift', overlay, ...argv]), { code: 2, stderr: says })
})

t.test('where a kubelet is asked', async (t) => {
  const asked: string[] = []
  const found = { kind: 'found', object: {} } as const
  const opened = {
    access: { user: { exec: undefined, hasToken: false } },
    get: (at: string) => Promise.resolve((asked.push(at), found)),
    getFrom: ([server]: readonly string[]) => Promise.resolve((asked.push(server ?? ''), found)),
  } as unknown as Client
  const direct = configzReader(opened, { via: 'direct', ca: undefined })
  const at = (...addresses: readonly JsonObject[]) => direct({ status: { addresses } })
  const own = (address: string) => ({ type: 'InternalIP', address })
  await at({ type: 'ExternalIP', address: '203.0.113.1' }, own('10.0.0.7'))
  await at(own('fd00::7'))
  t.strictSame(asked, ['--server=https://10.0.0.7:10250', '--server=https://[fd00::7]:10250'])
  const nowhere = { kind: 'failed', message: 'the node has no InternalIP' } as const
  t.strictSame(await at({ type: 'Hostname', address: 'win-1' }), nowhere)
  t.strictSame(await at(own('win-1')), nowhere)
  const proxied = configzReader(opened, { via: 'proxy' })
  await proxied({ metadata: { name: 'win-1' } })
  t.equal(asked.at(-1), '/api/v1/nodes/win-1/proxy/configz')
  for (const name of ['../secrets', '', 7])
    t.match(await proxied({ metadata: { name } }), { message: 'the node has no name' })
  t.equal(asked.length, 3)
})

t.test('a fleet of many nodes, in pages', async (t) => {
  const members = Array.from({ length: everything ? 10_000 : 250 }, (_, index) =>
    registered(`win-${index}`, index % 2 === 0 ? { taints: [] } : {}),
  )
  const { told, nodes: count, drift: found } = await drift(t, await agreeing({ [nodes]: members }))
  t.strictSame(told, ['taint-differs node/taints.os:NoSchedule'])
  t.equal(count, members.length)
  t.match(found, [{ nodes: { length: members.length / 2 } }])
})

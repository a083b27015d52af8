// Drift of nodes with EKS's image: what the user data decides is compared, and nothing else.
import t, { type Test } from 'tap'
import { configzReader } from '../../src/cluster/kubelets.ts'
import { kubeletFlags } from '../../src/cni/eks/arguments.ts'
import { compareCluster } from '../../src/commands/drift/cluster.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { ask, readsOnly, start } from '../cluster/asking.ts'
import type { Behaviour } from '../cluster/api-server.ts'
import { daemonSets, managed, nodes, serviceCIDRs, windowsTaint } from '../cluster/clusters.ts'
import { compileBuiltin, renderCompiled } from '../tools/bundle.ts'

type Objects = NonNullable<Behaviour['objects']>

const compiled = compileBuiltin('ws2022-eks', {
  kubernetes: { version: '1.35', apiServer: '1.36' },
  network: {
    serviceCIDRs: ['172.20.0.0/16'],
    eks: { clusterName: 'prod', warmIPTarget: 5 },
  },
  kubelet: { maxPods: 60, config: { containerLogMaxSize: '50Mi' } },
})
const { kube, system } = compiled.facts.reservations

function member(over: JsonObject = {}, kubeletVersion = 'v1.35.3-eks-113cf36'): JsonObject {
  return {
    metadata: { name: 'ip-10-0-0-9', labels: { 'kubernetes.io/os': 'windows' } },
    spec: { taints: [windowsTaint] },
    status: {
      capacity: { cpu: '4', memory: '16Gi', pods: '60' },
      allocatable: {
        cpu: `${4000 - kube.cpu - system.cpu}m`,
        memory: `${16_384 - kube.memory - system.memory - 500}Mi`,
        pods: '60',
      },
      conditions: [{ type: 'Ready', status: 'True' }],
      nodeInfo: {
        operatingSystem: 'windows',
        kernelVersion: '10.0.20348.3000',
        kubeletVersion,
        containerRuntimeVersion: 'containerd://2.1.6',
      },
      ...over,
    },
  }
}

const configMap = '/api/v1/namespaces/kube-system/configmaps/amazon-vpc-cni'
const configz = '/api/v1/nodes/ip-10-0-0-9/proxy/configz'

/** What the kubelet runs with: the arguments, and settings of the image. */
const running = (over: JsonObject = {}): JsonObject => ({
  kubeletconfig: {
    maxPods: 60,
    clusterDNS: ['172.20.0.10'],
    containerLogMaxSize: '50Mi',
    evictionHard: { 'memory.available': '500Mi', 'nodefs.available': '10%' },
    featureGates: { RotateKubeletServerCertificate: true },
    kubeReserved: {
      cpu: `${kube.cpu}m`,
      memory: `${kube.memory}Mi`,
      'ephemeral-storage': `${kube.ephemeralStorage}Mi`,
    },
    systemReserved: {
      cpu: `${system.cpu}m`,
      memory: `${system.memory}Mi`,
      'ephemeral-storage': `${system.ephemeralStorage}Mi`,
    },
    registerWithTaints: [windowsTaint],
    serverTLSBootstrap: true,
    ...over,
  },
})

const agreeing: Objects = {
  ...managed.objects,
  [daemonSets]: [
    {
      metadata: { name: 'aws-node', namespace: 'kube-system' },
      spec: {
        template: { spec: { nodeSelector: { 'kubernetes.io/os': 'linux' }, containers: [] } },
      },
    },
  ],
  [serviceCIDRs]: [{ metadata: { name: 'kubernetes' }, spec: { cidrs: ['172.20.0.0/16'] } }],
  [nodes]: [member()],
  [configMap]: { data: { 'enable-windows-ipam': 'true', 'warm-ip-target': '5', other: 'x' } },
  [configz]: running(),
}

async function drift(t: Test, over: Objects = {}) {
  const { plan, facts } = compiled
  if (!plan) throw new Error('the profile is refused')
  const server = await start(t, { objects: { ...agreeing, ...over } })
  const client = await ask(t, server.port)
  const files = await renderCompiled(compiled)
  const seen = await compareCluster(client, {
    ...{ facts, plan, files, selector: undefined, oldest: '', log: () => undefined },
    kubelets: configzReader(client, { via: 'proxy' }),
  })
  readsOnly(t, server)
  return seen.drifts
}

t.test('a node and a cluster as described', async (t) => {
  t.strictSame(await drift(t), [])
  t.ok(kubeletFlags['containerLogMaxSize'], 'a flag sets it')
})

t.test('each difference is named, and needs a new node', async (t) => {
  const fewer = { allocatable: { cpu: '3000m', memory: '1Gi', pods: '29' } }
  const rows: readonly [name: string, over: Objects, told: readonly string[]][] = [
    [
      'another image: containerd and the patch of the kubelet are its own',
      { [nodes]: [member({}, 'v1.34.1-eks-1')] },
      ['version-differs node/versions.kubelet'],
    ],
    [
      'arguments that were not taken',
      { [nodes]: [member(fewer)] },
      [
        'allocatable-differs node/allocatable.memory',
        'allocatable-differs node/allocatable.cpu',
        'allocatable-differs node/allocatable.pods',
      ],
    ],
    [
      'a kubelet with another setting',
      { [configz]: running({ containerLogMaxSize: '10Mi' }) },
      ['kubelet-differs kubelet/containerLogMaxSize'],
    ],
  ]
  for (const [name, over, told] of rows) {
    const drifts = await drift(t, over)
    t.strictSame(
      drifts.map(({ id, subject }) => `${id} ${subject}`),
      told,
      name,
    )
    for (const { need, remedy } of drifts)
      t.match({ need, remedy }, { need: 'machine', remedy: /^Replace the node/ })
  }
})

t.test('a node that is not ready, and a label that kubectl can set', async (t) => {
  const silent = { conditions: [{ type: 'Ready', status: 'False', message: 'no network' }] }
  t.match(await drift(t, { [nodes]: [member(silent)] }), [{ remedy: /^Read the event log/ }])
  const bare = { ...member(), spec: {} }
  t.match(await drift(t, { [nodes]: [bare] }), [
    { id: 'taint-differs', need: 'nothing', remedy: /^Run kubectl taint/ },
  ])
})

t.test('the ConfigMap of the cluster', async (t) => {
  const data = { 'warm-ip-target': '3' }
  const drifts = await drift(t, { [configMap]: { data } })
  t.match(
    drifts.map(({ message }) => message),
    [
      /data\.enable-windows-ipam is not set, so Linux nodes use "?false"?, expected/,
      /data\.warm-ip-target is "?3"?, expected "?5"?/,
    ],
  )
})

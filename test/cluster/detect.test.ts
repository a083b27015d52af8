// What winnode reads from a cluster, and what `init` proposes from it.
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { detect } from '../../src/cluster/detect.ts'
import { join } from '../../src/cluster/detect/join.ts'
import { windowsNodesOf } from '../../src/cluster/detect/windows-nodes.ts'
import type { Json, JsonObject } from '../../src/model/json.ts'
import { detectionLines } from '../../src/commands/init/cluster.ts'
import { formatPath } from '../../src/model/path.ts'
import {
  secret,
  kubeconfigOf,
  ask,
  start,
  withStandIn,
  detected,
  readsOnly,
  values,
  wheres,
  caHash,
} from './asking.ts'
import {
  upstream,
  systemConfigMap,
  nodes,
  daemonSets,
  services,
  windowsTaint,
  ownTaint,
  node,
  daemonSet,
  flannelSet,
  kubeadmCluster,
  managed,
  empty,
} from './clusters.ts'
import { identity } from './certificates.ts'
import { plugin, writes } from './exec-plugin.ts'
import { authority, type Behaviour } from './api-server.ts'
import { inProcess } from '../tools/run.ts'
import { keys, noSessions, sessionOf } from '../tools/session.ts'

for (const version of ['1.37.1', '1.25.16']) {
  t.test(`a cluster as kubeadm ${version} makes it`, async (t) => {
    const detection = await detected(t, kubeadmCluster(version))
    const { 'join.caCertHashes': hashes, 'join.ca': ca, ...rest } = values(detection)
    t.match((hashes as string[])[0], caHash)
    t.equal(ca, authority.cert)
    t.strictSame(rest, {
      'kubernetes.apiServer': version,
      'join.method': 'kubeadm',
      'join.endpoint': '10.0.0.10:6443',
      'network.cni': 'flannel',
      'network.mode': 'overlay',
      'network.podCIDRs': ['10.244.0.0/16'],
      'network.serviceCIDRs': ['10.96.0.0/12'],
      'network.nodeCIDRMaskSize': 24,
      'network.clusterDNS': ['10.96.0.10'],
      'network.clusterDomain': 'cluster.local',
      'host.firewall.nodePortRange': '30000-31000',
      'windows.release': 'ws2022',
      'kubelet.taints': [windowsTaint, ownTaint],
      'kubelet.maxPods': 60,
      'machine.cpu': 8,
      'machine.memory': '16777208Ki',
      'machine.disk': '133676028Ki',
    })
    t.match(wheres(detection), {
      'kubernetes.apiServer': `GET /version, gitVersion v${version}`,
      'join.endpoint': 'ConfigMap kube-public/cluster-info, server',
      'network.mode': 'ConfigMap kube-flannel/kube-flannel-cfg, net-conf.json, Backend.Type vxlan',
      'network.podCIDRs': 'ConfigMap kube-system/kubeadm-config, networking.podSubnet',
      'network.serviceCIDRs':
        version === '1.37.1'
          ? 'ServiceCIDR kubernetes'
          : 'Pod kube-system/kube-apiserver-cp, --service-cluster-ip-range',
      'network.clusterDNS': 'ConfigMap kube-system/kubelet-config, clusterDNS',
      'machine.memory': 'Node win-2, capacity',
      'kubelet.taints': 'Node win-1 and 1 more',
    })
    t.strictSame(
      detection.detected.flatMap(({ path: at, others }) =>
        others.length > 0 ? [formatPath(at)] : [],
      ),
      [],
      'all objects agree',
    )
    t.strictSame(
      detection.notes.map(({ message }) => message),
      [
        'Backend.VNI is not set: Linux nodes use 1, but Windows nodes need 4096 or more',
        'Backend.Port is not set: Linux nodes use 8472, but Windows nodes need 4789',
      ],
    )
    t.strictSame(
      detection.unread,
      version === '1.37.1'
        ? []
        : [
            {
              what: 'ServiceCIDRs',
              why: 'missing',
              message: 'the server could not find the requested resource',
            },
          ],
    )
  })
}

t.test('init proposes the values of the cluster', async (t) => {
  withStandIn(t)
  const init = (file: string, ...more: readonly string[]) =>
    inProcess(['init', '--from-cluster', '--kubeconfig', file, '--out', '-', ...more])
  const server = await start(t, kubeadmCluster('1.37.1'))

  const { code, stdout, stderr } = await init(kubeconfigOf(t, server.port), '--yes')
  t.equal(code, 0, stderr)
  t.match(stderr, /^found in the cluster: \d+ settings$/m)
  t.match(stdout, /kube-public\/cluster-info, server\.\n +endpoint: 10\.0\.0\.10:6443\n/)
  t.notMatch(stdout + stderr, secret)
  t.notMatch(stderr, /COMPARE|cluster DNS|cluster domain/, 'what was read needs no comparison')
  readsOnly(t, server)

  const asking = kubeconfigOf(t, server.port, { user: plugin(writes({ token: secret })) })
  t.match(
    await init(asking),
    { code: 2, stdout: '', stderr: /the kubeconfig runs a program: .*\n.*--yes lets it run/ },
    'no terminal to allow it',
  )
  t.equal((await init(asking, '--yes')).code, 0, 'and --yes does')

  await server.stop()
  t.match(await init(kubeconfigOf(t, server.port), '--yes'), { code: 1, stdout: '' })
  t.match(await init('nowhere', '--yes'), { code: 2, stdout: '', stderr: /nowhere/ })

  const bare = await start(t, empty)
  const { stderr: told } = await init(kubeconfigOf(t, bare.port), '--yes')
  t.match(
    told,
    /^not found: ConfigMap kube-public\/cluster-info, ConfigMap kube-system\/kubeadm-config, /m,
  )
  t.notMatch(told, 'could not be read', 'an object that is not in the cluster is no failure')
  t.match(told, /^network plugin: no known DaemonSet found; check network\.cni in the profile$/m)
  t.notMatch(stderr, 'network plugin:', 'not where it was found')
  t.match(await inProcess(['init', '--context', 'x', '--yes']), { code: 2, stderr: /from-cluster/ })
})

t.test('a plugin runs only after a question', { skip: noSessions }, async (t) => {
  withStandIn(t)
  const server = await start(t, { ...kubeadmCluster('1.37.1'), knows: `Bearer ${secret}` })
  const leaves = `require('node:fs').writeFileSync('ran', '');${writes({ token: secret })}`
  const file = kubeconfigOf(t, server.port, { user: plugin(leaves) })
  const ends: readonly (readonly [typed: string, code: number])[] = [
    ['\r', 1],
    [keys.ctrlC, 130],
  ]
  const asked = async (t: Test) => {
    const session = sessionOf(t, ['--from-cluster', '--kubeconfig', file])
    await session.until(/runs a program for credentials: .*-e [^]*May it run\? \[y\/N\] /)
    return session
  }
  for (const [typed, code] of ends)
    await t.test(`exit code ${code}`, async (t) => {
      const { type, ended, cwd } = await asked(t)
      type(typed)
      t.equal((await ended).code, code)
      t.strictSame(readdirSync(cwd), [], 'it did not run')
      t.strictSame(server.seen, [])
    })
  await t.test('yes', async (t) => {
    const { type, until, raw, ended, cwd } = await asked(t)
    type('y\r')
    await until(/found 1\.37\.1 \([^]*ctrl-c quit/)
    t.strictSame(readdirSync(cwd), ['ran'])
    type(keys.enter)
    await until(/✔ Kubernetes API server version[^]*ctrl-c quit/)
    type(keys.ctrlC)
    t.equal((await ended).code, 130)
    t.notMatch(raw(), `"token":"${secret}"`)
  })
})

t.test('init offers the cluster of the kubeconfig first', { skip: noSessions }, async (t) => {
  withStandIn(t)
  const server = await start(t, { ...kubeadmCluster('1.37.1'), knows: `Bearer ${secret}` })
  const leaves = `require('node:fs').writeFileSync('ran', '');${writes({ token: secret })}`
  const offered = (t: Test, argv: readonly string[] = []) => {
    const file = kubeconfigOf(t, server.port, { user: plugin(leaves) })
    writeFileSync(
      path.join(path.dirname(file), 'node.yaml'),
      'apiVersion: winnode/v1\nkind: NodeProfile\nextends: ws2022-flannel-overlay\n',
    )
    return sessionOf(t, argv, { cwd: path.dirname(file), env: { KUBECONFIG: file } })
  }
  await t.test('no, the default, reads nothing', async (t) => {
    const { until, type, cwd } = offered(t)
    const shown = await until(/Read the settings from cluster c\?[^]*❯ no [^]*ctrl-c quit/)
    t.match(shown, /cluster c\? \(runs\s+\S*node\s+-e/, 'the question names the program')
    type(keys.enter)
    t.match(await until(/Kubernetes API server version[^]*ctrl-c quit/), '1 of 7')
    t.notOk(existsSync(path.join(cwd, 'ran')), 'the program did not run')
    t.strictSame(server.seen, [])
  })
  await t.test('yes lets the program run, and fills the answers', async (t) => {
    const { until, type, cwd, ended } = offered(t)
    await until(/Read the settings from cluster c\?[^]*ctrl-c quit/)
    type(keys.down, keys.enter)
    await until(/reading the cluster with kubectl get[^]*found in the cluster: \d+ settings/)
    // Lines break between words.
    await until(/Port is not set:\s*\n\s*Linux nodes use 8472[^]*found 1\.37\.1 \([^]*ctrl-c quit/)
    t.ok(existsSync(path.join(cwd, 'ran')))
    type(keys.ctrlC)
    t.equal((await ended).code, 130)
  })
  await t.test('an unreadable cluster is reported, and the questions continue', async (t) => {
    const gone = await start(t, {})
    const file = kubeconfigOf(t, gone.port, {})
    await gone.stop()
    const { until, type } = sessionOf(t, [], { cwd: path.dirname(file), env: { KUBECONFIG: file } })
    await until(/Read the settings from cluster c\?[^]*ctrl-c quit/)
    type(keys.down, keys.enter)
    const shown = await until(/continue\s+without\s+the\s+cluster[^]*1 of 7[^]*ctrl-c quit/)
    t.match(shown, 'Kubernetes API server version')
  })
  await t.test('not when a profile is changed', async (t) => {
    const { until } = offered(t, ['--from', 'node.yaml'])
    t.match(
      await until(/Kubernetes API server version[^]*ctrl-c quit/),
      /^(?!.*Read the settings)/s,
    )
  })
})

t.test('a plugin ends with its parent', { skip: noSessions }, async (t) => {
  withStandIn(t)
  const server = await start(t, kubeadmCluster('1.37.1'))
  const lives = `setInterval(() => require('node:fs').appendFileSync('lives', '.'), 20)`
  const file = kubeconfigOf(t, server.port, { user: plugin(lives) })
  const cwd = path.dirname(file)
  const { type, ended } = sessionOf(t, ['--from-cluster', '--kubeconfig', file, '--yes'], { cwd })
  const sign = path.join(cwd, 'lives')
  while (!existsSync(sign)) await setTimeout(20)
  type(keys.ctrlC)
  t.equal((await ended).code, 130)
  const before = statSync(sign).size
  await setTimeout(500)
  t.equal(statSync(sign).size, before)
})

t.test('a managed cluster', async (t) => {
  const detection = await detected(t, managed)
  const { 'join.caCertHashes': hashes, 'join.ca': ca, ...rest } = values(detection)
  t.match((hashes as string[])[0], caHash)
  t.equal(ca, authority.cert)
  t.strictSame(rest, {
    'kubernetes.apiServer': '1.36.2',
    'network.cni': 'eks',
    'network.serviceCIDRs': ['172.20.0.0/16', '172.21.0.0/16'],
    'network.nodeCIDRMaskSize': 24,
    'network.clusterDNS': ['172.20.0.10'],
    'network.clusterDomain': 'k8s.example.com',
  })
  t.strictSame(detection.network.unsupported, undefined)
  t.strictSame(
    detection.unread.map(({ what, why }) => `${what}: ${why}`),
    [
      'ConfigMap kube-public/cluster-info: missing',
      'ConfigMap kube-system/kubeadm-config: missing',
      'ConfigMap kube-system/kubelet-config: missing',
      'ConfigMap kube-system/kube-proxy: missing',
      'ConfigMap kube-system/amazon-vpc-cni: missing',
    ],
  )
})

t.test('a mask size is that of all nodes, or none', async (t) => {
  withStandIn(t)
  const maskSizeOf = async (...shares: readonly string[]) => {
    const list = shares.map((share, at) => node(`linux-${at}`, { os: 'linux', share }))
    const { port } = await start(t, { objects: { ...empty.objects, [nodes]: list } })
    return values(await detect(await ask(t, port)))['network.nodeCIDRMaskSize']
  }
  t.equal(await maskSizeOf('10.244.0.0/24', '10.244.1.0/24'), 24)
  t.equal(await maskSizeOf('10.244.0.0/24', '10.244.1.0/26'), undefined)
})

t.test('a network plugin whose image has a digest is found', async (t) => {
  const hex = 'a'.repeat(64)
  for (const image of ['flannel/flannel:v0.28.9', 'localhost:5000/flannel'])
    for (const end of ['', `@sha256:${hex}`]) {
      const sets = [daemonSet('net', `${image}${end}`, 'x')]
      const server = await start(t, { objects: { ...empty.objects, [daemonSets]: sets } })
      const { network } = await detect(await ask(t, server.port))
      const where = 'DaemonSet kube-system/net'
      t.strictSame(network.cni, [{ value: 'flannel', where }], `${image}${end}`)
    }
})

t.test('init refuses a cluster whose network plugin is not supported', async (t) => {
  withStandIn(t)
  const plugins: readonly (readonly [set: string, title: string, instead: string])[] = [
    ['kube-router', 'kube-router', 'Use flannel, Calico or Antrea'],
    ['cilium', 'Cilium', 'Use flannel, Calico or Antrea'],
    // Its pods run the image of flannel too.
    ['canal', 'Canal', 'Use flannel or Calico'],
    ['azure-cns', 'Azure CNI', 'In AKS, use its own node pools'],
  ]
  for (const [set, title, instead] of plugins) {
    const sets = [daemonSet(set, 'registry.example.com/flannel:v1', 'x')]
    const server = await start(t, { objects: { ...empty.objects, [daemonSets]: sets } })
    const kubeconfig = kubeconfigOf(t, server.port)
    const argv = ['init', '--from-cluster', '--kubeconfig', kubeconfig, '--yes', '--out', '-']
    const { code, stdout, stderr } = await inProcess(argv)
    t.equal(code, 3, set)
    t.equal(stdout, '', 'no profile')
    t.match(stderr, `the cluster runs ${title} (DaemonSet kube-system/${set}), which `)
    t.match(stderr, instead)
    t.match(
      stderr,
      'flannel (overlay, l2bridge), Calico (overlay, l2bridge), Antrea (transparent), win-bridge (l2bridge), Amazon VPC CNI (l2bridge), another plugin with a DaemonSet (overlay, l2bridge, transparent)',
    )
  }
  const { objects } = kubeadmCluster('1.37.1')
  const policies = daemonSet('kube-router', 'registry.example.com/kube-router:v1', 'x')
  const beside = { ...objects, [daemonSets]: [policies, flannelSet] }
  const detection = await detected(t, { objects: beside })
  t.equal(detection.network.unsupported, undefined, 'beside flannel, for policies')
  t.equal(values(detection)['network.cni'], 'flannel')
})

t.test(
  'Calico: its Installation says pool, block size, and what Windows nodes do not support',
  async (t) => {
    const address = '/apis/operator.tigera.io/v1/installations/default'
    const sets = [daemonSet('calico-node', 'registry.example.com/calico/node:v3.32.1', 'x')]
    const pool = {
      cidr: '10.1.0.0/16',
      encapsulation: 'VXLAN',
      blockSize: 25,
      natOutgoing: 'Disabled',
    }
    const installation = (calicoNetwork: JsonObject) => ({
      ...empty.objects,
      [daemonSets]: sets,
      [address]: { spec: { calicoNetwork } },
    })
    const good = await start(t, { objects: installation({ bgp: 'Disabled', ipPools: [pool] }) })
    const found = await detect(await ask(t, good.port))
    t.match(values(found), {
      'network.cni': 'calico',
      'network.mode': 'overlay',
      'network.podCIDRs': ['10.1.0.0/16'],
      'network.calico.blockSize': 25,
      'network.calico.natOutgoing': false,
    })
    t.strictSame(found.notes, [])
    const adapterOf = async (encapsulation: string) => {
      const calicoNetwork = { bgp: 'Disabled', ipPools: [{ ...pool, encapsulation }] }
      const spec = { calicoNetwork, windowsNodes: { vxlanAdapter: 'Ethernet 2' } }
      const objects = { ...empty.objects, [daemonSets]: sets, [address]: { spec } }
      const detection = await detect(await ask(t, (await start(t, { objects })).port))
      return values(detection)['network.adapter']
    }
    t.equal(await adapterOf('VXLAN'), 'Ethernet 2')
    t.equal(await adapterOf('None'), undefined, 'only VXLAN uses it')
    const bgp = { bgp: 'Enabled', ipPools: [{ ...pool, encapsulation: 'None' }] }
    const routed = await detect(await ask(t, (await start(t, { objects: installation(bgp) })).port))
    t.match(values(routed), { 'network.mode': 'l2bridge' })
    t.strictSame(routed.notes, [])
    const hostLocal = await start(t, {
      objects: {
        ...empty.objects,
        [daemonSets]: sets,
        [address]: {
          spec: {
            cni: { type: 'Calico', ipam: { type: 'HostLocal' } },
            calicoNetwork: { bgp: 'Disabled', ipPools: [{ ...pool, encapsulation: 'None' }] },
          },
        },
      },
    })
    const none = await detect(await ask(t, hostLocal.port))
    t.match(values(none), { 'network.mode': 'l2bridge', 'network.backend': 'none' })
    t.strictSame(none.notes, [])
    const six = { ...pool, cidr: 'fd00::/64' }
    const usual = await start(t, {
      objects: installation({ ipPools: [six, { cidr: '10.1.0.0/16', encapsulation: 'IPIP' }] }),
    })
    const noted = await detect(await ask(t, usual.port))
    t.match(
      noted.notes.map(({ message }) => message),
      [
        /encapsulation of the first pool is IPIP; .* need VXLAN/,
        /bgp is Enabled; .* need Disabled/,
      ],
    )
    const notesOf = async (spec: JsonObject) => {
      const objects = { ...empty.objects, [daemonSets]: sets, [address]: { spec } }
      const { notes } = await detect(await ask(t, (await start(t, { objects })).port))
      return notes.map(({ message }) => message).join(' ')
    }
    const vxlan = { bgp: 'Disabled', ipPools: [pool] }
    // The operator's default: https://github.com/tigera/operator/blob/40788b9b/pkg/controller/ippool/defaults.go
    t.match(
      await notesOf({ calicoNetwork: { bgp: 'Disabled', ipPools: [{ cidr: '10.1.0.0/16' }] } }),
      /^the encapsulation of the first pool is IPIP; .* need VXLAN$/,
    )
    t.match(
      await notesOf({
        calicoNetwork: {
          bgp: 'Disabled',
          clusterRoutingMode: 'Felix',
          ipPools: [{ ...pool, encapsulation: 'None' }],
        },
      }),
      /clusterRoutingMode is Felix without encapsulation; Windows nodes get VXLAN/,
    )
    t.match(
      await notesOf({ calicoNetwork: vxlan, windowsNodes: { cniConfigDir: 'C:/etc/cni/net.d' } }),
      /windowsNodes.cniConfigDir is C:\/etc\/cni\/net.d; .* without a drive/,
    )
    t.equal(
      await notesOf({ calicoNetwork: vxlan, windowsNodes: { cniConfigDir: '/etc/cni/net.d' } }),
      '',
    )
    const tolerant = (tolerations: readonly JsonObject[]) => ({
      calicoNetwork: vxlan,
      calicoNodeWindowsDaemonSet: { spec: { template: { spec: { tolerations } } } },
    })
    const scheduled = { operator: 'Exists', effect: 'NoSchedule' }
    const executed = { operator: 'Exists', effect: 'NoExecute' }
    for (const some of [{ key: 'os', operator: 'Exists' }, scheduled, executed])
      t.match(
        await notesOf(tolerant([some])),
        /tolerations of .* replace the default ones, which tolerate every taint/,
      )
    t.equal(await notesOf(tolerant([{ operator: 'Exists' }])), '')
    t.equal(await notesOf(tolerant([scheduled, executed])), '', 'the default ones, written again')
    t.match(
      await notesOf({ calicoNetwork: vxlan, serviceCIDRs: ['10.96.0.0'] }),
      /serviceCIDRs: 10.96.0.0 is no CIDR/,
    )
    t.match(
      await notesOf({ cni: { type: 'AmazonVPC' } }),
      /Calico only applies policies here; the network is of AmazonVPC/,
    )
    const policies = await start(t, {
      objects: {
        ...managed.objects,
        [daemonSets]: [
          ...sets,
          daemonSet('aws-node', 'registry.example.com/amazon-k8s-cni:v1.20', 'x'),
        ],
        [address]: { spec: { cni: { type: 'AmazonVPC' } } },
        '/api/v1/namespaces/kube-system/configmaps/amazon-vpc-cni': {
          data: { 'enable-windows-ipam': 'true' },
        },
      },
    })
    t.match(values(await detect(await ask(t, policies.port))), { 'network.cni': 'eks' })
    const bare = await start(t, { objects: { ...empty.objects, [daemonSets]: sets } })
    const unread = await detect(await ask(t, bare.port))
    t.match(unread.network.unsupported, {
      title: 'Calico without its operator',
      where: 'DaemonSet kube-system/calico-node',
      instead: /set network.cni to none and apply .*calico-windows-vxlan.yaml/,
    })
    t.notOk(values(unread)['network.cni'])
    t.match(JSON.stringify(unread.unread), 'Installation default')
  },
)

t.test('EKS: its ConfigMap says how pods of Windows nodes get addresses', async (t) => {
  const sets = [daemonSet('aws-node', 'registry.example.com/amazon-k8s-cni:v1.20', 'x')]
  const objects = (data: JsonObject) => ({
    ...managed.objects,
    [daemonSets]: sets,
    '/api/v1/namespaces/kube-system/configmaps/amazon-vpc-cni': { data },
  })
  const on = objects({
    'enable-windows-ipam': 'true',
    'enable-windows-prefix-delegation': 'true',
    'warm-ip-target': '5',
    'minimum-ip-target': 'many',
  })
  const server = await start(t, { objects: on })
  const found = await detect(await ask(t, server.port))
  const { 'network.eks.minimumIPTarget': none, ...fields } = values(found)
  t.equal(none, undefined, 'a text that is no number is no value')
  t.match(fields, {
    'network.cni': 'eks',
    'network.mode': 'l2bridge',
    'network.eks.prefixDelegation': true,
    'network.eks.warmIPTarget': 5,
  })
  t.strictSame(found.notes, [])
  const argv = ['init', '--from-cluster', '--kubeconfig', kubeconfigOf(t, server.port), '--yes']
  const needed = [
    '--eks-cluster',
    'prod',
    '--api-server',
    '1.35',
    '--service-network',
    '172.20.0.0/16',
  ]
  withStandIn(t)
  const { code, stdout, stderr } = await inProcess([...argv, ...needed, '--out', '-'])
  t.equal(code, 0, stderr)
  t.match(stdout, /^extends: ws2022-eks$/m)
  t.match(stdout, /^ {4}prefixDelegation: true$/m)
  t.notMatch(stdout, /podCIDRs|caCertHashes/, 'nothing that the image decides')
  const off = await start(t, {
    objects: objects({ 'enable-windows-ipam': 'yes', 'warm-ip-target': '0' }),
  })
  const { notes } = await detect(await ask(t, off.port))
  t.match(notes, [{ message: /pods of Windows nodes get no address$/ }])
  t.equal(notes.length, 1, 'none of a target of 0, which is none')
})

/** What only the kubeconfig says of a field. */
function ofKubeconfig(field: string, server: string, more: { indirect?: boolean; ca?: string }) {
  const user = { exec: undefined, hasToken: false, secrets: [] }
  const { indirect = false, ca } = more
  return join
    .find(({ path: at }) => formatPath(at) === field)
    ?.valuesIn({
      objects: new Map(),
      lists: new Map(),
      unread: [],
      access: { where: 'here', cluster: '', server: new URL(server), indirect, ca, user },
      network: { documents: new Map(), cni: [], fields: new Map(), notes: [], unread: [] },
    })
}

t.test('several CAs are hashes, and none of them is the CA of a node', (t) => {
  const said = (field: string, ca: string) => ofKubeconfig(field, 'https://api.test', { ca })
  const where = 'here, certificate authority'
  const both = `${authority.cert}${identity({ name: 'next' }).cert}`
  t.strictSame(said('join.ca', authority.cert), [{ value: authority.cert, where }])
  t.strictSame(said('join.ca', both), [])
  t.match(said('join.caCertHashes', both), [{ value: [caHash, caHash], where }])
  t.end()
})

t.test('the server of the kubeconfig is the endpoint where nodes can use it', (t) => {
  const said = (server: string, indirect = false) =>
    ofKubeconfig('join.endpoint', server, { indirect })
  const where = 'here, server'
  t.strictSame(said('https://api.test:6443'), [{ value: 'api.test:6443', where }])
  t.strictSame(said('https://api.test/'), [{ value: 'api.test:443', where }])
  const named = 'localhost-west.api.test'
  t.strictSame(said(`https://${named}:6443`), [{ value: `${named}:6443`, where }])
  t.strictSame(said('https://api.test', true), [], 'a proxy')
  for (const server of [
    'https://rancher.test/k8s/clusters/c-1',
    'https://127.0.0.1:6443',
    'https://0.0.0.0:6443',
    'https://[::1]:6443',
    'https://localhost:6443',
    'https://localhost.localdomain:6443',
    'http://api.test',
  ])
    t.strictSame(said(server), [], server)
  t.end()
})

t.test('an empty cluster says its version and nothing that it does not know', async (t) => {
  const server = await start(t, empty)
  const trusting = {
    cluster: { 'certificate-authority-data': undefined, 'insecure-skip-tls-verify': true },
  }
  const detection = await detect(await ask(t, server.port, trusting))
  t.strictSame(values(detection), { 'kubernetes.apiServer': '1.37.1' })
  t.strictSame(detection.notes, [])
})

t.test('a cluster that forbids nearly all', async (t) => {
  const account = 'ServiceAccount winnode-kube-proxy'
  const behaviour: Behaviour = {
    objects: { '/version': { gitVersion: 'v1.37.1' }, [nodes]: [node('win-1', {})] },
    refusals: upstream.refusals[account] ?? {},
    forbids: (at) =>
      `forbidden: User "system:serviceaccount:kube-system:winnode-kube-proxy" cannot get ${at} ${secret}`,
  }
  const reachable = await detected(t, behaviour)
  t.strictSame(Object.keys(values(reachable)).toSorted(), [
    'join.ca',
    'join.caCertHashes',
    'kubelet.maxPods',
    'kubelet.taints',
    'kubernetes.apiServer',
    'machine.cpu',
    'machine.disk',
    'machine.memory',
    'network.nodeCIDRMaskSize',
    'windows.release',
  ])
  t.match(wheres(reachable)['join.ca'], /^kubeconfig .*config, cluster "c", certificate authority$/)
  t.equal(reachable.unread.length, 11)
  t.ok(reachable.unread.every(({ why }) => why === 'forbidden'))
  t.notMatch(JSON.stringify(reachable), secret)
})

const flannelConf = '/api/v1/namespaces/kube-flannel/configmaps/kube-flannel-cfg'

t.test('settings of network plugins', async (t) => {
  const flannel = (conf: Json): Behaviour => ({
    objects: {
      ...empty.objects,
      [daemonSets]: [flannelSet],
      [flannelConf]: {
        data: { 'net-conf.json': JSON.stringify(conf) },
      },
    },
  })
  const antrea = (conf: string): Behaviour => ({
    objects: {
      ...empty.objects,
      [daemonSets]: [
        daemonSet('antrea-agent', 'antrea/antrea-agent-ubuntu:v2.6.0', 'antrea-config'),
      ],
      [systemConfigMap('antrea-config')]: { data: { 'antrea-agent.conf': conf } },
    },
  })
  const rows: readonly [
    what: string,
    behaviour: Behaviour,
    found: JsonObject,
    notes: readonly RegExp[],
  ][] = [
    [
      'vxlan as Windows needs it',
      flannel({
        Network: '10.1.0.0/16',
        Backend: { Type: 'vxlan', VNI: 4096, Port: 4789, MacPrefix: '0E-2B' },
      }),
      {
        'network.cni': 'flannel',
        'network.mode': 'overlay',
        'network.flannel.vni': 4096,
        'network.flannel.port': 4789,
        'network.flannel.macPrefix': '0E-2B',
        'network.podCIDRs': ['10.1.0.0/16'],
      },
      [],
    ],
    [
      'vxlan with a port and a VNI that Windows does not take',
      flannel({ Network: '10.1.0.0/16', Backend: { Type: 'vxlan', VNI: 7, Port: 8472 } }),
      {
        'network.cni': 'flannel',
        'network.mode': 'overlay',
        'network.flannel.vni': 7,
        'network.flannel.port': 8472,
        'network.podCIDRs': ['10.1.0.0/16'],
      },
      [
        /^Backend\.VNI is 7, but Windows nodes need 4096 or more; change it in flannel’s ConfigMap$/,
        /^Backend\.Port is 8472, but Windows nodes need 4789; change it in flannel’s ConfigMap$/,
      ],
    ],
    [
      'host-gw with both families',
      flannel({ Network: '10.1.0.0/16', IPv6Network: 'fd00::/48', Backend: { Type: 'host-gw' } }),
      {
        'network.cni': 'flannel',
        'network.mode': 'l2bridge',
        'network.podCIDRs': ['10.1.0.0/16', 'fd00::/48'],
      },
      [],
    ],
    [
      'a backend that Windows lacks',
      flannel({ Network: '10.1.0.0/16', Backend: { Type: 'wireguard', PSK: secret } }),
      { 'network.cni': 'flannel', 'network.podCIDRs': ['10.1.0.0/16'] },
      [/does not support the backend wireguard/],
    ],
    [
      'no backend, which is udp',
      flannel({ Network: '10.1.0.0/16' }),
      { 'network.cni': 'flannel', 'network.podCIDRs': ['10.1.0.0/16'] },
      [/does not support the backend udp/],
    ],
    [
      'a value that no field takes',
      flannel({ Network: 'everything', Backend: { Type: 'host-gw' } }),
      { 'network.cni': 'flannel', 'network.mode': 'l2bridge' },
      [/^not a valid value of network\.podCIDRs$/],
    ],
    [
      'keys and names in another case, as Go reads them',
      flannel({ network: '10.1.0.0/16', backend: { TYPE: 'VXLAN', vni: 4096, port: 4789 } }),
      {
        'network.cni': 'flannel',
        'network.mode': 'overlay',
        'network.flannel.vni': 4096,
        'network.flannel.port': 4789,
        'network.podCIDRs': ['10.1.0.0/16'],
      },
      [],
    ],
    [
      'settings that are no JSON',
      flannel('{'),
      { 'network.cni': 'flannel' },
      [/^it is no JSON object, so flannel cannot read it$/],
    ],
    [
      'Antrea',
      antrea('trafficEncapMode: encap\n'),
      { 'network.cni': 'antrea', 'network.mode': 'transparent' },
      [],
    ],
    [
      'Antrea with another tunnel',
      antrea('tunnelType: vxlan\n'),
      {
        'network.cni': 'antrea',
        'network.mode': 'transparent',
        'network.backend': 'vxlan',
      },
      [],
    ],
    [
      'Antrea with a tunnel that Windows lacks',
      antrea('tunnelType: gre\n'),
      { 'network.cni': 'antrea', 'network.mode': 'transparent' },
      [/^tunnelType is gre; Windows nodes need geneve, vxlan or stt$/],
    ],
    [
      'Antrea without encapsulation',
      antrea('trafficEncapMode: NOENCAP\n'),
      { 'network.cni': 'antrea', 'network.mode': 'transparent' },
      [/^trafficEncapMode is NOENCAP; the bundle is for encap/],
    ],
    [
      'Antrea with its words in other letters, and a port',
      antrea('trafficEncapMode: Encap\ntunnelType: stt\ntunnelPort: 7472\n'),
      {
        'network.cni': 'antrea',
        'network.mode': 'transparent',
        'network.backend': 'stt',
        'network.antrea.tunnelPort': 7472,
      },
      [],
    ],
    [
      'Antrea with a separate network for tunnels',
      antrea('transportInterfaceCIDRs: [172.16.0.0/16]\ntransportInterface: ""\n'),
      { 'network.cni': 'antrea', 'network.mode': 'transparent' },
      [
        /^transportInterfaceCIDRs is \["172\.16\.0\.0\/16"\]; Windows nodes of the bundle tunnel from/,
      ],
    ],
    [
      'Antrea with what its agent refuses on Windows',
      antrea(
        'trafficEncapMode: networkPolicyOnly\ntrafficEncryptionMode: wireGuard\nenableBridgingMode: true\ntunnelType: Geneve\ntunnelPort: 0\n',
      ),
      { 'network.cni': 'antrea', 'network.mode': 'transparent' },
      [
        /^trafficEncapMode is networkPolicyOnly; Antrea’s agent does not start with it on Windows$/,
        /^tunnelType is Geneve; Windows nodes need geneve, vxlan or stt$/,
        /^trafficEncryptionMode is wireGuard; Antrea’s agent does not start/,
        /^enableBridgingMode is true; Antrea’s agent does not start/,
      ],
    ],
    [
      'DaemonSets whose names every object has',
      {
        objects: {
          ...empty.objects,
          [daemonSets]: [daemonSet('constructor', 'x/y:v1', 'c'), daemonSet('__proto__', 'x', 'c')],
        },
      },
      {},
      [],
    ],
    [
      'a ConfigMap that cannot be read, of a plugin that a DaemonSet names',
      {
        objects: { ...empty.objects, [daemonSets]: [flannelSet] },
        refusals: {
          [flannelConf]: {
            code: 403,
            message: 'forbidden',
          },
        },
      },
      { 'network.cni': 'flannel' },
      [],
    ],
    [
      'DaemonSets that cannot be listed',
      {
        ...flannel({ Network: '10.1.0.0/16', Backend: { Type: 'host-gw' } }),
        refusals: { [daemonSets]: { code: 403, message: 'forbidden' } },
      },
      { 'network.cni': 'flannel', 'network.mode': 'l2bridge', 'network.podCIDRs': ['10.1.0.0/16'] },
      [],
    ],
  ]
  for (const [what, behaviour, found, notes] of rows) {
    await t.test(what, async (t) => {
      const detection = await detected(t, behaviour)
      const ours = Object.entries(values(detection)).filter(([at]) => at.startsWith('network.'))
      t.strictSame(Object.fromEntries(ours), found)
      t.equal(detection.notes.length, notes.length)
      for (const [index, pattern] of notes.entries())
        t.match(detection.notes[index]?.message, pattern)
      t.notMatch(JSON.stringify(detection), secret)
    })
  }
})

t.test('a ConfigMap that the API server fails to read is reported', async (t) => {
  const { unread } = await detected(t, {
    objects: { ...empty.objects, [daemonSets]: [flannelSet] },
    refusals: { [flannelConf]: { code: 500, message: 'etcd is down' } },
  })
  t.ok(unread.some(({ what }) => what.includes('kube-flannel-cfg')))
})

t.test('a node that has not reported its system is no Windows node', async (t) => {
  const some = [node('win-1', {}), node('linux-1', { os: 'linux' }), { metadata: { name: 'new' } }]
  t.strictSame(windowsNodesOf({ lists: new Map([['nodes', some]]) }), some.slice(0, 1))
})

t.test('objects that disagree are all reported', async (t) => {
  const { objects } = kubeadmCluster('1.37.1')
  const detection = await detected(t, {
    objects: {
      ...objects,
      [systemConfigMap('kubelet-config')]: {
        data: { kubelet: 'clusterDNS:\n- 10.96.0.10\nclusterDomain: corp.local\n' },
      },
      [services]: [
        {
          metadata: { name: 'kube-dns', labels: { 'k8s-app': 'kube-dns' } },
          spec: { clusterIPs: ['10.96.0.53'] },
        },
      ],
    },
  })
  const found = (name: string) =>
    detection.detected.find(({ path: at }) => formatPath(at) === `network.${name}`)
  const dns = found('clusterDNS')
  t.strictSame(dns?.value, ['10.96.0.10'])
  t.strictSame(dns?.others, [
    { value: ['10.96.0.53'], where: 'Service kube-system/kube-dns, clusterIPs' },
  ])
  t.match(
    detectionLines(detection).join('\n'),
    /network\.clusterDNS: \["10\.96\.0\.10"\] in .*clusterDNS, but \["10\.96\.0\.53"\] in .*kube-dns, clusterIPs$/m,
  )
  t.strictSame(
    found('clusterDomain')?.others,
    [{ value: 'cluster.local', where: 'ConfigMap kube-system/kubeadm-config, dnsDomain' }],
    'the same value of two objects once',
  )
})

t.test('a DNS cache of Linux nodes is not the cluster DNS', async (t) => {
  const { objects } = kubeadmCluster('1.37.1')
  const kubelet = {
    data: { kubelet: 'clusterDNS:\n- 169.254.20.10\nclusterDomain: cluster.local\n' },
  }
  const { detected: all } = await detected(t, {
    objects: { ...objects, [systemConfigMap('kubelet-config')]: kubelet },
  })
  const dns = all.find(({ path: at }) => formatPath(at) === 'network.clusterDNS')
  t.match(dns, { value: ['10.96.0.10'], where: /^Service kube-system\/kube-dns/ })
})

t.test('null says nothing, in a list too', async (t) => {
  const { objects } = kubeadmCluster('1.37.1')
  const metadata = { name: 'kube-dns', labels: { 'k8s-app': 'kube-dns' } }
  const dns = { metadata, spec: { clusterIPs: [null], clusterIP: null } }
  const { detected: all, notes } = await detected(t, {
    objects: { ...objects, [systemConfigMap('kubelet-config')]: {}, [services]: [dns] },
  })
  t.notOk(all.some(({ path: at }) => formatPath(at) === 'network.clusterDNS'))
  t.notMatch(notes.map(({ message }) => message).join(), /clusterDNS/)
})

t.test('long lists come in pages', async (t) => {
  const many = Array.from({ length: 250 }, (_, index) =>
    node(`win-${index}`, { memory: `${9000 - index}Mi` }),
  )
  const server = await start(t, { objects: { ...empty.objects, [nodes]: many } })
  const told: string[] = []
  const tell = (line: string) => void told.push(line)
  const detection = await detect(await ask(t, server.port, { tell }))
  t.strictSame(told, ['more than 100 nodes: reading them in pages of 100'])
  t.equal(values(detection)['machine.memory'], `${9000 - 249}Mi`, 'the last page counts')
  const pages = server.seen.filter(({ url }) => url.startsWith(nodes))
  t.strictSame(
    pages.map(({ url }) => url),
    ['?limit=100', '?continue=100&limit=100', '?continue=200&limit=100'].map(
      (query) => nodes + query,
    ),
  )
})

// The room `cluster`: what is read of a cluster over HTTPS, with which credentials, and what is said where it fails.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { parseAllDocuments } from 'yaml'
import { accessOf } from '../src/cluster/access.ts'
import { pathOfObject } from '../src/cluster/described.ts'
import { detect } from '../src/cluster/detect.ts'
import { homeOf } from '../src/cluster/kubeconfig/home.ts'
import { loadKubeconfig } from '../src/cluster/kubeconfig/load.ts'
import { openCluster } from '../src/cluster/open.ts'
import { ClusterProblem } from '../src/cluster/problem.ts'
import { proxyFor } from '../src/cluster/proxy/choose.ts'
import { shownCommand } from '../src/cluster/shown-command.ts'
import { openStrays } from '../src/drift/daemon-sets.ts'
import type { Json, JsonObject } from '../src/model/json.ts'
import { formatPath } from '../src/model/path.ts'
import {
  secret,
  never,
  quick,
  type Asking,
  kubeconfigOf,
  ask,
  start,
  detected,
  readsOnly,
  problemOf,
  said,
  values,
  wheres,
  caHash,
} from './cluster/asking.ts'
import {
  base64,
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
} from './cluster/clusters.ts'
import {
  authority,
  type Behaviour,
  client,
  type Handler,
  refuse,
  type Seen,
  send,
  serving,
  startApiServer,
} from './tools/api-server.ts'
import { compileBuiltin, renderCompiled } from './tools/bundle.ts'
import { identity } from './tools/certificates.ts'
import { startHttpProxy, startSocksProxy } from './tools/proxies.ts'
import { inProcess } from './tools/run.ts'
import { keys, noSessions, sessionOf } from './tools/session.ts'

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
        'no Backend.VNI is set: Linux nodes take 1, and Windows nodes only 4096 or more',
        'no Backend.Port is set: Linux nodes take 8472, and Windows nodes only 4789',
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

t.test('init proposes what the cluster says', async (t) => {
  const init = (file: string, ...more: readonly string[]) =>
    inProcess(['init', '--from-cluster', '--kubeconfig', file, '--out', '-', ...more])
  const server = await start(t, kubeadmCluster('1.37.1'))

  const { code, stdout, stderr } = await init(kubeconfigOf(t, server.port), '--yes')
  t.equal(code, 0, stderr)
  t.match(stderr, /^found in the cluster: \d+ settings$/m)
  t.match(stdout, /kube-public\/cluster-info, server\.\n +endpoint: 10\.0\.0\.10:6443\n/)
  t.notMatch(stdout + stderr, secret)
  readsOnly(t, server)

  const asking = kubeconfigOf(t, server.port, { user: plugin(writes({ token: secret })) })
  t.match(
    await init(asking),
    { code: 2, stdout: '', stderr: /the kubeconfig runs a program: .*\n.*--yes lets it run/ },
    'nobody is there to allow it',
  )
  t.equal((await init(asking, '--yes')).code, 0, 'and --yes does')

  await server.stop()
  t.match(await init(kubeconfigOf(t, server.port), '--yes'), { code: 1, stdout: '' })
  t.match(await init('nowhere', '--yes'), { code: 2, stdout: '', stderr: /nowhere/ })
  t.match(await inProcess(['init', '--context', 'x', '--yes']), { code: 2, stderr: /from-cluster/ })
})

t.test('a person is asked before a plugin runs', { skip: noSessions }, async (t) => {
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
    await t.test(`it ends with ${code}`, async (t) => {
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
    await until(/✔ Which version[^]*ctrl-c quit/)
    type(keys.ctrlC)
    t.equal((await ended).code, 130)
    t.notMatch(raw(), `"token":"${secret}"`)
  })
})

t.test('a managed cluster', async (t) => {
  const detection = await detected(t, managed)
  const { 'join.caCertHashes': hashes, 'join.ca': ca, ...rest } = values(detection)
  t.match((hashes as string[])[0], caHash)
  t.equal(ca, authority.cert)
  t.strictSame(rest, {
    'kubernetes.apiServer': '1.36.2',
    'network.serviceCIDRs': ['172.20.0.0/16', '172.21.0.0/16'],
    'network.nodeCIDRMaskSize': 24,
    'network.clusterDNS': ['172.20.0.10'],
    'network.clusterDomain': 'k8s.example.com',
  })
  t.strictSame(detection.notes, [
    {
      message:
        'the cluster runs the Amazon VPC CNI, which winnode cannot set up; it knows flannel and Antrea',
      where: 'DaemonSet kube-system/aws-node',
    },
  ])
  t.strictSame(
    detection.unread.map(({ what, why }) => `${what}: ${why}`),
    [
      'ConfigMap kube-public/cluster-info: missing',
      'ConfigMap kube-system/kubeadm-config: missing',
      'ConfigMap kube-system/kubelet-config: missing',
      'ConfigMap kube-system/kube-proxy: missing',
    ],
  )
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

t.test('settings of network plugins', async (t) => {
  const flannel = (conf: Json): Behaviour => ({
    objects: {
      ...empty.objects,
      [daemonSets]: [flannelSet],
      '/api/v1/namespaces/kube-flannel/configmaps/kube-flannel-cfg': {
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
      [/no backend wireguard/],
    ],
    [
      'a value that no field takes',
      flannel({ Network: 'everything', Backend: { Type: 'host-gw' } }),
      { 'network.cni': 'flannel', 'network.mode': 'l2bridge' },
      [/^network\.podCIDRs cannot hold what it says$/],
    ],
    ['settings that are no JSON', flannel('{'), { 'network.cni': 'flannel' }, []],
    [
      'Antrea',
      antrea('trafficEncapMode: encap\n'),
      { 'network.cni': 'antrea', 'network.mode': 'transparent' },
      [],
    ],
    [
      'Antrea without encapsulation',
      antrea('trafficEncapMode: noEncap\n'),
      { 'network.cni': 'antrea', 'network.mode': 'transparent' },
      [/trafficEncapMode is noEncap/],
    ],
    [
      'Canal, which has the image of flannel too',
      {
        objects: {
          ...empty.objects,
          [daemonSets]: [daemonSet('canal', 'x/flannel:v1', 'canal-config')],
        },
      },
      {},
      [/runs Canal/],
    ],
    [
      'DaemonSets that nobody may list',
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

t.test('objects that disagree are all told', async (t) => {
  const { objects } = kubeadmCluster('1.37.1')
  const detection = await detected(t, {
    objects: {
      ...objects,
      [services]: [
        {
          metadata: { name: 'kube-dns', labels: { 'k8s-app': 'kube-dns' } },
          spec: { clusterIPs: ['10.96.0.53'] },
        },
      ],
    },
  })
  const dns = detection.detected.find(({ path: at }) => formatPath(at) === 'network.clusterDNS')
  t.strictSame(dns?.value, ['10.96.0.10'])
  t.strictSame(dns?.others, [
    { value: ['10.96.0.53'], where: 'Service kube-system/kube-dns, clusterIPs' },
  ])
})

t.test('long lists come in pages', async (t) => {
  const many = Array.from({ length: 250 }, (_, index) =>
    node(`win-${index}`, { memory: `${9000 - index}Mi` }),
  )
  const server = await start(t, { objects: { ...empty.objects, [nodes]: many } })
  const detection = await detect(await ask(t, server.port))
  t.equal(values(detection)['machine.memory'], `${9000 - 249}Mi`, 'the last page counts')
  const pages = server.seen.filter(({ url }) => url.startsWith(nodes))
  t.strictSame(
    pages.map(({ url }) => url),
    ['?limit=100', '?limit=100&continue=100', '?limit=100&continue=200'].map(
      (query) => nodes + query,
    ),
  )
  t.ok(server.connections() <= 4, 'connections are used again')
})

// --- Who asks

const version = { '/version': { gitVersion: 'v1.37.1' } }
const get = (t: Test, port: number, asking: Asking) =>
  ask(t, port, asking).then((opened) => opened.get('/version'))

/** An exec plugin that is this Node; without the loaders of tap. */
const plugin = (script: string, over: JsonObject = {}): JsonObject => ({
  exec: {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: process.execPath,
    args: ['-e', script],
    env: [{ name: 'NODE_OPTIONS', value: '' }],
    interactiveMode: 'Never',
    ...over,
  },
})
const writes = (status: JsonObject, over: JsonObject = {}) =>
  `console.error(${JSON.stringify(secret)}); console.log(JSON.stringify({kind:'ExecCredential',apiVersion:'client.authentication.k8s.io/v1',status:${JSON.stringify(status)},...${JSON.stringify(over)}}))`

t.test('credentials are those that client-go would send', async (t) => {
  const folder = t.testdir({
    token: ` ${secret}-file\n`,
    none: ' \n',
    cert: client.cert,
    key: client.key,
  })
  const at = (name: string) => path.join(folder, name)
  const rows: readonly [what: string, user: JsonObject, known: string][] = [
    ['a token', { token: secret }, `Bearer ${secret}`],
    ['a token file', { tokenFile: at('token') }, `Bearer ${secret}-file`],
    [
      'a token file wins over a token',
      { token: 'x', tokenFile: at('token') },
      `Bearer ${secret}-file`,
    ],
    ['a token without its file', { token: secret, tokenFile: at('absent') }, `Bearer ${secret}`],
    ['a token with an empty file', { token: secret, tokenFile: at('none') }, `Bearer ${secret}`],
    ['a password', { username: 'me', password: secret }, `Basic ${base64(`me:${secret}`)}`],
    [
      'a client certificate',
      { 'client-certificate-data': base64(client.cert), 'client-key-data': base64(client.key) },
      'admin',
    ],
    [
      'a client certificate in files',
      { 'client-certificate': at('cert'), 'client-key': at('key') },
      'admin',
    ],
    ['a token of a plugin', plugin(writes({ token: secret })), `Bearer ${secret}`],
    [
      'a certificate of a plugin',
      plugin(writes({ clientCertificateData: client.cert, clientKeyData: client.key })),
      'admin',
    ],
    [
      'a token wins over a plugin, which does not run',
      { token: secret, ...plugin('process.exit(1)') },
      `Bearer ${secret}`,
    ],
  ]
  for (const [what, user, known] of rows) {
    await t.test(what, async (t) => {
      const server = await start(t, { objects: version, knows: known })
      t.match(await get(t, server.port, { user }), { kind: 'found' })
      readsOnly(t, server)
    })
  }

  await t.test('nothing, where the kubeconfig has no such user', async (t) => {
    const server = await start(t, { objects: version })
    t.match(await get(t, server.port, { user: {} }), { kind: 'found' })
    t.equal(server.seen[0]?.authorization, undefined)
  })

  await t.test('impersonation', async (t) => {
    const server = await start(t, { objects: version })
    const user = {
      token: secret,
      as: 'jane',
      'as-uid': '7',
      'as-groups': ['a', 'b'],
      'as-user-extra': { 'a/b': ['x'] },
    }
    await get(t, server.port, { user })
    t.match(server.seen[0]?.headers, {
      'impersonate-user': 'jane',
      'impersonate-uid': '7',
      'impersonate-group': 'a, b',
      'impersonate-extra-a%2fb': 'x',
    })
  })
})

t.test('an exec plugin', async (t) => {
  await t.test('is shown before it runs', async (t) => {
    const server = await start(t, { objects: version })
    const shown: string[] = []
    await get(t, server.port, {
      user: plugin(writes({ token: secret }), {
        args: ['-e', '0', '--client-secret', secret, `--token=${secret}`],
      }),
      allow: (command) => Promise.resolve(shown.push(command) < 0),
    }).catch(() => undefined)
    t.strictSame(shown, [`${process.execPath} -e 0 --client-secret *** --token=***`])
    t.strictSame(server.seen, [], 'and nothing is sent without it')
  })

  await t.test('is told of the cluster, where it asks for that', async (t) => {
    const server = await start(t, { objects: version, knows: 'Bearer it-is' })
    const script = `const {spec,kind,apiVersion}=JSON.parse(process.env.KUBERNETES_EXEC_INFO);
      const c=spec.cluster; const ok=kind==='ExecCredential' && spec.interactive===false && c.server==='https://127.0.0.1:${server.port}'
        && c['tls-server-name']==='api.test' && c.config.audience==='us' && Buffer.from(c['certificate-authority-data'],'base64').toString().startsWith('-----BEGIN')
        && process.env.MINE==='yes';
      console.log(JSON.stringify({kind,apiVersion,status:{token:ok?'it-is':'it-is-not'}}))`
    const env = [
      { name: 'NODE_OPTIONS', value: '' },
      { name: 'MINE', value: 'yes' },
    ]
    const extension = { name: 'client.authentication.k8s.io/exec', extension: { audience: 'us' } }
    const answer = await get(t, server.port, {
      user: plugin(script, { provideClusterInfo: true, env }),
      cluster: { 'tls-server-name': 'api.test', extensions: [extension] },
    })
    t.match(answer, { kind: 'found' })
  })

  await t.test('is asked once more where its token is refused', async (t) => {
    const folder = t.testdir()
    const count = JSON.stringify(path.join(folder, 'count'))
    const script = `const fs=require('node:fs'); fs.appendFileSync(${count},'x'); const n=fs.readFileSync(${count},'utf8').length;
      console.log(JSON.stringify({kind:'ExecCredential',apiVersion:'client.authentication.k8s.io/v1',status:{token:'t'+n}}))`
    const server = await start(t, { objects: { ...version, ...empty.objects }, knows: 'Bearer t2' })
    let asked = 0
    const opened = await ask(t, server.port, {
      user: plugin(script),
      allow: () => Promise.resolve((asked += 1) > 0),
    })
    const answers = await Promise.all([nodes, daemonSets, '/version'].map((at) => opened.get(at)))
    t.strictSame(
      answers.map(({ kind }) => kind),
      ['found', 'found', 'found'],
    )
    t.equal(asked, 1, 'a person is asked once')
    t.equal(readFileSync(path.join(folder, 'count'), 'utf8'), 'xx')
  })

  const failures: readonly [what: string, user: JsonObject, says: RegExp][] = [
    [
      'ends with an error',
      plugin(`console.error('${secret}'); process.exit(3)`),
      /failed with exit code 3/,
    ],
    ['is killed', plugin(`process.kill(process.pid, 'SIGKILL')`), /failed with signal SIGKILL/],
    ['does not end', plugin('setInterval(() => {}, 1000)'), /did not end within 0\.5 seconds/],
    [
      'leaves a child behind that holds the pipe',
      plugin(
        `require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(()=>{},1000)'], {stdio: 'inherit'}); setInterval(()=>{}, 1000)`,
      ),
      /did not end within/,
    ],
    [
      'writes for ever',
      plugin(`(function f() { process.stdout.write('${secret}'.repeat(1000), f) })()`),
      /wrote more than credentials/,
    ],
    [
      'is not there',
      plugin('', { command: '/no/such/program' }),
      /\/no\/such\/program is not there/,
    ],
    ['writes no JSON', plugin(`console.log('${secret}')`), /did not write an ExecCredential/],
    [
      'writes another version',
      plugin(writes({ token: secret }, { apiVersion: 'client.authentication.k8s.io/v1beta1' })),
      /another apiVersion/,
    ],
    ['writes no status', plugin(writes({}, { status: null })), /wrote no status/],
    ['writes nothing in its status', plugin(writes({})), /neither a token nor/],
    [
      'writes half a pair',
      plugin(writes({ clientCertificateData: client.cert })),
      /only one of certificate and key/,
    ],
    [
      'has a token that is none',
      plugin(writes({ token: `${secret}\nX: y` })),
      /characters that no token has/,
    ],
    [
      'wants to talk',
      plugin(writes({ token: secret }), { interactiveMode: 'Always' }),
      /talk to a person/,
    ],
    [
      'is of an unknown version',
      plugin('', { apiVersion: 'client.authentication.k8s.io/v9' }),
      /apiVersion "client/,
    ],
  ]
  for (const [what, user, says] of failures) {
    await t.test(what, async (t) => {
      const server = await start(t, { objects: version })
      const problem = await problemOf(() =>
        get(t, server.port, {
          user,
          limits: String(says).includes('did not end') ? { plugin: 500 } : {},
        }),
      )
      t.match(said(problem), says)
      t.notMatch(said(problem), secret)
      t.equal(problem.concerns, 'credentials')
      t.strictSame(server.seen, [])
    })
  }
})

t.test('an interruption ends what is under way', async (t) => {
  await t.test('a plugin', async (t) => {
    const file = path.join(t.testdir(), 'pid')
    const script = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`
    const { signal, interrupt } = interruption()
    const waiting = problemOf(() => ask(t, 1, { user: plugin(script), signal }))
    while (!existsSync(file) || readFileSync(file, 'utf8') === '')
      await new Promise((later) => setTimeout(later, 50))
    interrupt()
    t.match(said(await waiting), /was stopped/)
    const pid = Number(readFileSync(file, 'utf8'))
    const deadline = Date.now() + 5000
    while (isRunning(pid) && Date.now() < deadline)
      await new Promise((later) => setTimeout(later, 20))
    t.notOk(isRunning(pid))
  })

  await t.test('a request', async (t) => {
    const { signal, interrupt } = interruption()
    const server = await start(t, { handlers: { '/version': () => interrupt() } })
    const before = Date.now()
    t.match(await get(t, server.port, { signal }), { kind: 'failed' })
    t.ok(Date.now() - before < 5000, 'long before the limit of 10 seconds')
  })
})

function interruption() {
  const controller = new AbortController()
  return { signal: controller.signal, interrupt: () => controller.abort() }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

t.test('commands are shown without what may be secret', async (t) => {
  const rows: readonly [args: string[], shown: string][] = [
    [['get-token', '--cluster', 'a b'], 'p get-token --cluster "a b"'],
    [['--client-secret', 'x y'], 'p --client-secret ***'],
    [['--oidc-client-secret=abc', '--ok=1'], 'p --oidc-client-secret=*** --ok=1'],
    [['--password', '--next'], 'p --password --next'],
    [['-t', 'abcdef.0123456789abcdef'], `p -t ${'*'.repeat(23)}`],
    [['\u001b[2Jx'], 'p "\\u001b[2Jx"'],
  ]
  for (const [args, shown] of rows) t.equal(shownCommand('p', args), shown)
})

// --- How it is trusted

t.test('certificates', async (t) => {
  const stranger = identity({ name: 'stranger', hosts: ['127.0.0.1'] })
  const expired = identity({ name: 'old', by: authority, hosts: ['127.0.0.1'], days: -0.5 })
  const other = identity({ name: 'other', by: authority, hosts: ['other.test'] })
  const insecure = { 'certificate-authority-data': undefined, 'insecure-skip-tls-verify': true }
  type Row = readonly [
    what: string,
    server: Behaviour,
    cluster: Record<string, unknown>,
    says: RegExp | undefined,
  ]
  const rows: readonly Row[] = [
    ['of the CA', {}, {}, undefined],
    ['of a stranger', { identity: stranger }, {}, /signed by nobody whom the kubeconfig trusts/],
    [
      'of a stranger whom the kubeconfig trusts by itself',
      { identity: stranger },
      { 'certificate-authority-data': base64(stranger.cert) },
      undefined,
    ],
    [
      'of a leaf that stands in the list of CAs',
      {},
      { 'certificate-authority-data': base64(serving.cert) },
      undefined,
    ],
    ['of a stranger, unchecked', { identity: stranger }, insecure, undefined],
    [
      'of another CA than those of the system',
      {},
      { 'certificate-authority-data': undefined },
      /signed by nobody/,
    ],
    ['that has expired', { identity: expired }, {}, /has expired/],
    ['for another name', { identity: other }, {}, /for another name/],
    [
      'for the name of tls-server-name',
      { identity: other },
      { 'tls-server-name': 'other.test' },
      undefined,
    ],
    [
      'for another than tls-server-name',
      {},
      { 'tls-server-name': 'third.test' },
      /for another name/,
    ],
    ['with an address as tls-server-name', {}, { 'tls-server-name': '127.0.0.1' }, undefined],
  ]
  for (const [what, behaviour, cluster, says] of rows) {
    await t.test(what, async (t) => {
      const server = await start(t, { objects: version, ...behaviour })
      const answer = await get(t, server.port, { cluster: cluster as JsonObject })
      if (says) t.match(answer, { kind: 'failed', message: says })
      else t.match(answer, { kind: 'found' })
      if (says) t.strictSame(server.seen, [], 'nothing was sent')
      const name = cluster['tls-server-name']
      if (!says) t.equal(server.seen[0]?.serverName, name === 'other.test' ? name : false)
    })
  }

  await t.test('a key that is none says nothing of itself', async (t) => {
    const server = await start(t, { objects: version })
    const user = {
      'client-certificate-data': base64(client.cert),
      'client-key-data': base64(secret),
    }
    const answer = await get(t, server.port, { user })
    t.match(answer, { kind: 'failed', message: /cannot be used/ })
    t.notMatch(JSON.stringify(answer), secret)
  })
})

// --- How it is reached

t.test('proxies', async (t) => {
  type Made = Awaited<ReturnType<typeof startHttpProxy>>
  const pair = `me:${secret}`
  const noTrust = { 'certificate-authority-data': base64(authority.cert) }
  type Row = readonly [
    what: string,
    make: (port: number) => Promise<Made>,
    through: (proxy: Made) => Asking,
    asked: (port: number) => readonly string[],
    says?: RegExp,
  ]
  const basic = `Basic ${base64(pair)}`
  const by = (url: string): Asking => ({ cluster: { ...noTrust, 'proxy-url': url } })
  const rows: readonly Row[] = [
    [
      'http',
      (to) => startHttpProxy(to),
      ({ port }) => by(`http://127.0.0.1:${port}`),
      (to) => [`127.0.0.1:${to}`],
    ],
    [
      'http with a password',
      (to) => startHttpProxy(to, false, pair),
      ({ port }) => by(`http://me:${secret}@127.0.0.1:${port}`),
      (to) => [`127.0.0.1:${to} ${basic}`],
    ],
    [
      'http with a wrong password',
      (to) => startHttpProxy(to, false, 'other:one'),
      ({ port }) => by(`http://me:${secret}@127.0.0.1:${port}`),
      (to) => [`127.0.0.1:${to} ${basic}`],
      /the proxy answered 407/,
    ],
    [
      'https',
      (to) => startHttpProxy(to, true),
      ({ port }) => by(`https://127.0.0.1:${port}`),
      (to) => [`127.0.0.1:${to}`],
    ],
    [
      'socks5',
      (to) => startSocksProxy(to),
      ({ port }) => by(`socks5://127.0.0.1:${port}`),
      (to) => [`127.0.0.1:${to}`],
    ],
    [
      'socks5 with a password and a name that only it knows',
      (to) => startSocksProxy(to, pair),
      ({ port }) => ({
        cluster: {
          ...noTrust,
          'proxy-url': `socks5://me:${secret}@127.0.0.1:${port}`,
          server: 'https://api.test:7',
        },
      }),
      () => ['api.test:7'],
    ],
    [
      'socks5 with a wrong password',
      (to) => startSocksProxy(to, 'a:b'),
      ({ port }) => by(`socks5://me:${secret}@127.0.0.1:${port}`),
      () => [],
      /refuses the name and password/,
    ],
    [
      'the environment’s',
      (to) => startHttpProxy(to),
      ({ port }) => ({
        cluster: { ...noTrust, server: 'https://api.test:7' },
        env: { HTTPS_PROXY: `127.0.0.1:${port}` },
      }),
      () => ['api.test:7'],
    ],
  ]
  for (const [what, make, through, asked, says] of rows) {
    await t.test(what, async (t) => {
      const server = await start(t, { objects: version, knows: `Bearer ${secret}` })
      const proxy = await make(server.port)
      t.teardown(() => proxy.stop())
      const answer = await get(t, server.port, through(proxy))
      t.match(answer, says ? { kind: 'failed', message: says } : { kind: 'found' })
      t.strictSame(proxy.asked, asked(server.port))
      t.notMatch(JSON.stringify(answer), secret)
    })
  }
})

t.test('the environment names a proxy as Go reads it', async (t) => {
  const rows: readonly (readonly [
    server: string,
    env: Record<string, string>,
    proxy: string | undefined,
  ])[] = [
    ['https://api.test', { HTTPS_PROXY: 'http://p:1' }, 'http://p:1/'],
    ['https://api.test', { https_proxy: 'p:1' }, 'http://p:1/'],
    ['https://api.test', { HTTP_PROXY: 'http://p:1' }, undefined],
    ['http://api.test', { HTTP_PROXY: 'http://p:1' }, 'http://p:1/'],
    ['https://api.test', { HTTPS_PROXY: 'socks5://p:1' }, 'socks5://p:1'],
    ['https://localhost', { HTTPS_PROXY: 'http://p:1' }, undefined],
    ['https://127.3.4.5', { HTTPS_PROXY: 'http://p:1' }, undefined],
    ['https://[::1]:6443', { HTTPS_PROXY: 'http://p:1' }, undefined],
    ...(
      [
        ['*', false],
        ['api.test', false],
        ['test', false],
        ['.test', false],
        ['*.test', false],
        ['.api.test', true],
        ['pi.test', true],
        ['API.TEST:6443', false],
        ['api.test:443', true],
        [' a.example , api.test ', false],
      ] as const
    ).map(
      ([rule, proxied]) =>
        [
          'https://api.test:6443',
          { HTTPS_PROXY: 'http://p:1', NO_PROXY: rule },
          proxied ? 'http://p:1/' : undefined,
        ] as const,
    ),
    ...(
      [
        ['10.0.0.0/8', false],
        ['10.0.0.5', false],
        ['10.0.0.5:6443', false],
        ['10.0.0.5:443', true],
        ['10.0.0.6', true],
        ['0.0.5', true],
      ] as const
    ).map(
      ([rule, proxied]) =>
        [
          'https://10.0.0.5:6443',
          { HTTPS_PROXY: 'http://p:1', NO_PROXY: rule },
          proxied ? 'http://p:1/' : undefined,
        ] as const,
    ),
    [
      'https://[fd00::5]:6443',
      { HTTPS_PROXY: 'http://p:1', NO_PROXY: '[fd00::5]:6443' },
      undefined,
    ],
    ['https://[fd00::5]:6443', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'fd00::/8' }, undefined],
    ['https://[fd00::5]:6443', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'fd00::5' }, undefined],
  ]
  for (const [server, env, proxy] of rows)
    t.equal(proxyFor(new URL(server), env)?.href, proxy, `${server} ${JSON.stringify(env)}`)
})

t.test('servers that do not answer as they should', async (t) => {
  const at = (handler: Handler): Behaviour => ({ handlers: { '/version': handler } })
  const rows: readonly [
    what: string,
    behaviour: Behaviour,
    answer: { readonly kind: string; readonly message?: string | RegExp },
  ][] = [
    ['401', { knows: 'nobody' }, { kind: 'unauthorized', message: 'Unauthorized' }],
    [
      '403',
      { forbids: () => `no, not with ${secret}\u001b[2J` },
      { kind: 'forbidden', message: 'no, not with ***\\u001b[2J' },
    ],
    ['404', {}, { kind: 'missing' }],
    [
      '500',
      at((_, response) => refuse(response, 500, 'etcd')),
      { kind: 'failed', message: 'it answered 500: etcd' },
    ],
    [
      'a redirect, which is not followed',
      at((_, response) => response.writeHead(302, { Location: 'https://evil.test' }).end()),
      { kind: 'failed', message: 'it answered 302' },
    ],
    [
      'a page of a portal',
      at((_, response) => response.end('<html>')),
      { kind: 'failed', message: /no JSON/ },
    ],
    ['silence', at(() => undefined), { kind: 'failed', message: /did not answer in time/ }],
    [
      'half an answer',
      at((_, response) => response.write('{"git')),
      { kind: 'failed', message: /did not answer in time/ },
    ],
    [
      'an answer that is cut off',
      at((request, response) => {
        response.write('{"git')
        setTimeout(() => request.socket.destroy(), 50)
      }),
      { kind: 'failed', message: /ended the connection/ },
    ],
    [
      'an end without a word',
      at((request) => request.socket.destroy()),
      { kind: 'failed', message: /ended the connection/ },
    ],
    [
      'an endless answer',
      at((_, response) => void setInterval(() => response.write('x'.repeat(65536)), 1).unref()),
      { kind: 'failed', message: /longer than any/ },
    ],
  ]
  for (const [what, behaviour, answer] of rows) {
    await t.test(what, async (t) => {
      const server = await start(t, behaviour)
      const late = String(answer.message).includes('in time')
      t.match(
        await get(t, server.port, {
          limits: { bytes: 1024 * 1024, ...(late ? { request: 500 } : {}) },
        }),
        answer,
      )
      t.equal(server.seen.length, 1)
    })
  }

  await t.test('a closed port, and one without TLS', async (t) => {
    const server = await startApiServer({})
    await server.stop()
    t.match(await get(t, server.port, {}), { kind: 'failed', message: /nothing listens there/ })
    const plain = await startHttpProxy(1)
    t.teardown(() => plain.stop())
    t.match(await get(t, plain.port, {}), { kind: 'failed', message: /does not speak TLS/ })
  })

  await t.test('a busy server is asked again when it says so', async (t) => {
    let calls = 0
    const busy = at((_, response) => {
      calls += 1
      if (calls > 2) send(response, 200, { gitVersion: 'v1.37.1' })
      else response.writeHead(429, { 'Retry-After': calls === 1 ? '1' : '0' }).end('{}')
    })
    const server = await start(t, busy)
    const before = Date.now()
    t.match(await get(t, server.port, {}), { kind: 'found' })
    t.ok(Date.now() - before >= 1000)
    t.equal(server.seen.length, 3)
  })

  await t.test('but not for ever', async (t) => {
    const busy = at((_, response) => response.writeHead(503, { 'Retry-After': '1' }).end('{}'))
    const server = await start(t, busy)
    t.match(await get(t, server.port, {}), { kind: 'failed', message: 'it answered 503' })
    t.equal(server.seen.length, 4)
    const later = await start(
      t,
      at((_, response) => response.writeHead(429, { 'Retry-After': '3600' }).end('{}')),
    )
    t.match(await get(t, later.port, {}), { kind: 'failed' })
    t.equal(later.seen.length, 1)
  })

  await t.test('a list that changes between pages is begun anew, once', async (t) => {
    let calls = 0
    const changing: Handler = (_, response) => {
      calls += 1
      if (calls === 2) refuse(response, 410, 'expired')
      else
        send(response, 200, {
          metadata: calls === 4 ? {} : { continue: 'more' },
          items: [{ n: calls }],
        })
    }
    const server = await start(t, { handlers: { [nodes]: changing } })
    const opened = await ask(t, server.port)
    t.strictSame(await opened.list(nodes), { kind: 'found', items: [{ n: 3 }, { n: 4 }] })
  })

  await t.test('a list without an end', async (t) => {
    const endless: Handler = (_, response) =>
      send(response, 200, { metadata: { continue: 'more' }, items: [{}] })
    const server = await start(t, { handlers: { [nodes]: endless } })
    const opened = await ask(t, server.port, { limits: { pages: 5 } })
    t.match(await opened.list(nodes), { kind: 'failed' })
    t.equal(server.seen.length, 5)
  })

  await t.test('detection ends at once where nobody answers, or nobody knows us', async (t) => {
    const short: Asking = { limits: { request: 1500 } }
    const silent = await start(
      t,
      at(() => undefined),
    )
    const late = await problemOf(async () => detect(await ask(t, silent.port, short)))
    t.match(said(late), /^the API server 127\.0\.0\.1:\d+: it did not answer in time$/)
    t.equal(silent.seen.length, 1)
    const unknown = await start(t, { knows: 'nobody' })
    const stranger = await problemOf(async () => detect(await ask(t, unknown.port)))
    t.match(said(stranger), /does not know these credentials/)
    t.equal(stranger.concerns, 'credentials')
    t.equal(unknown.seen.length, 1)
    const half = await start(t, {
      objects: empty.objects ?? {},
      handlers: { [nodes]: () => undefined },
    })
    const detection = await detect(await ask(t, half.port, short))
    t.strictSame(detection.unread.map(({ what, why }) => `${what}: ${why}`).at(-1), 'nodes: failed')
  })
})

// --- Which kubeconfig

interface Files {
  readonly files: Readonly<Record<string, string | JsonObject>>
  readonly env?: Readonly<Record<string, string>>
  readonly kubeconfig?: string
  readonly context?: string
}

const config = (name: string, over: JsonObject = {}): JsonObject => ({
  kind: 'Config',
  apiVersion: 'v1',
  clusters: [{ name, cluster: { server: `https://${name}.test:6443` } }],
  users: [{ name, user: { token: `${secret}-${name}` } }],
  contexts: [{ name, context: { cluster: name, user: name } }],
  'current-context': name,
  ...over,
})

function accessIn(t: Test, { files, env = {}, kubeconfig, context }: Files) {
  const folder = t.testdir()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(
      path.join(folder, name),
      typeof content === 'string' ? content : JSON.stringify(content),
    )
  }
  const loaded = loadKubeconfig({ file: kubeconfig, cwd: folder, env: { HOME: folder, ...env } })
  return { folder, access: accessOf(loaded, context) }
}

t.test('kubeconfigs are found and merged as client-go does', async (t) => {
  const a = config('a')
  const b = config('b')
  type Row = readonly [what: string, files: Files, host: string, token: string | undefined]
  const rows: readonly Row[] = [
    ['the one at home', { files: { '.kube/config': a } }, 'a.test', 'a'],
    [
      'KUBECONFIG wins over home',
      { files: { '.kube/config': a, b }, env: { KUBECONFIG: 'b' } },
      'b.test',
      'b',
    ],
    [
      '--kubeconfig wins over KUBECONFIG',
      { files: { a, b }, env: { KUBECONFIG: 'b' }, kubeconfig: 'a' },
      'a.test',
      'a',
    ],
    [
      'the first current-context wins',
      { files: { a, b }, env: { KUBECONFIG: 'none::a:b:a' } },
      'a.test',
      'a',
    ],
    [
      'a context of a later file',
      { files: { a, b }, env: { KUBECONFIG: 'a:b' }, context: 'b' },
      'b.test',
      'b',
    ],
    [
      'an empty current-context is none',
      { files: { a: { ...a, 'current-context': '' }, b }, env: { KUBECONFIG: 'a:b' } },
      'b.test',
      'b',
    ],
    [
      'the first file that has a name wins whole',
      {
        files: { a: { users: [{ name: 'b', user: {} }], clusters: null }, b },
        env: { KUBECONFIG: 'a:b' },
      },
      'b.test',
      '',
    ],
    [
      'an empty file is no file',
      { files: { a: '', b }, env: { KUBECONFIG: 'a:b' } },
      'b.test',
      'b',
    ],
    [
      'a user that is not there is nobody',
      { files: { a: { ...a, users: [] } }, kubeconfig: 'a' },
      'a.test',
      undefined,
    ],
    [
      'over http nothing secret is sent',
      {
        files: {
          a: config('a', { clusters: [{ name: 'a', cluster: { server: 'a.test:8080' } }] }),
        },
        kubeconfig: 'a',
      },
      'a.test',
      undefined,
    ],
    [
      'YAML',
      {
        files: {
          a: 'clusters: [{name: a, cluster: {server: "https://a.test/p/?x=1#y", extensions: }}]\nusers: [{name: a, user: {token: "123456"}}]\ncontexts: [{name: a, context: {cluster: a, user: a}}]\ncurrent-context: a\n',
        },
        kubeconfig: 'a',
      },
      'a.test',
      '123456',
    ],
  ]
  for (const [what, files, host, token] of rows) {
    await t.test(what, async (t) => {
      const { access } = accessIn(t, files)
      t.equal(access.server.hostname, host)
      t.equal(access.user?.token.replace(`${secret}-`, ''), token)
      t.equal(access.server.search + access.server.hash, '')
    })
  }

  await t.test('paths are those of the file that names them', async (t) => {
    const user = {
      'client-certificate': 'pki/me.crt',
      'client-key': '/abs/me.key',
      tokenFile: '../t',
    }
    const exec = { command: './bin/login', apiVersion: 'client.authentication.k8s.io/v1beta1' }
    const files = {
      'sub/a': config('a', { users: [{ name: 'a', user: { ...user, exec } }] }),
      'sub/b': config('b', {
        users: [{ name: 'b', user: { exec: { ...exec, command: 'login' } } }],
      }),
    }
    const one = accessIn(t, { files, kubeconfig: 'sub/a' })
    t.match(one.access.user, {
      certificate: { file: path.join(one.folder, 'sub/pki/me.crt') },
      key: { file: '/abs/me.key' },
      tokenFile: path.join(one.folder, 't'),
      exec: { command: path.join(one.folder, 'sub/bin/login'), interactiveMode: 'IfAvailable' },
    })
    const other = accessIn(t, { files, kubeconfig: 'sub/b' })
    t.equal(other.access.user?.exec?.command, 'login')
  })

  await t.test('home on Windows', async (t) => {
    const folder = t.testdir({ full: { '.kube': { config: '' } }, bare: {} })
    const at = (name: string) => path.join(folder, name)
    const none = { HOME: at('absent'), USERPROFILE: at('bare') }
    t.equal(homeOf({ ...none, USERPROFILE: at('full') }, true), at('full'))
    t.equal(homeOf({ ...none, HOMEDRIVE: folder, HOMEPATH: '/full' }, true), at('full'))
    t.equal(homeOf(none, true), at('bare'))
    t.equal(homeOf({ USERPROFILE: at('absent') }, true), at('absent'))
    t.equal(homeOf({ HOME: '' }, false), undefined)
  })
})

t.test('kubeconfigs that cannot be used, and what is said of them', async (t) => {
  const cluster = (over: JsonObject) => ({
    files: {
      a: config('a', { clusters: [{ name: 'a', cluster: { server: 'https://a.test', ...over } }] }),
    },
    kubeconfig: 'a',
  })
  const user = (over: JsonObject) => ({
    files: { a: config('a', { users: [{ name: 'a', user: over }] }) },
    kubeconfig: 'a',
  })
  const whole = (a: string | JsonObject) => ({ files: { a }, kubeconfig: 'a' })
  const pem = base64(`-----BEGIN PRIVATE KEY-----\n${secret}`)
  const exec = {
    command: 'x',
    apiVersion: 'client.authentication.k8s.io/v1',
    interactiveMode: 'Never',
  }
  const rows: readonly [what: string, files: Files, says: RegExp][] = [
    ['none at all', { files: {} }, /no kubeconfig: .*\.kube\/config: it is not there/],
    [
      'none of KUBECONFIG',
      { files: {}, env: { KUBECONFIG: 'x:y' } },
      /x, y: of those in KUBECONFIG, none is there/,
    ],
    ['not the one that was named', { files: {}, kubeconfig: 'x' }, /^x is not there$/m],
    ['a folder', { files: { 'x/y': '' }, kubeconfig: 'x' }, /^x is a folder/],
    [
      'no context',
      whole(config('a', { 'current-context': '' })),
      /has no current-context\nchoose one with --context: "a"/,
    ],
    [
      'a context that was mistyped',
      { ...whole(config('prod')), context: 'prdo' },
      /no context "prdo"\ndid you mean "prod"\?/,
    ],
    [
      'a context that is not there',
      { ...whole(config('a')), context: 'other' },
      /no context "other"\nchoose one/,
    ],
    [
      'no cluster',
      whole(config('a', { clusters: [] })),
      /context "a" names cluster "a", which is not there/,
    ],
    [
      'a context without a cluster',
      whole(config('a', { contexts: [{ name: 'a', context: {} }] })),
      /names no cluster/,
    ],
    ['another kind', whole({ kind: 'Secret', data: { token: secret } }), /is no kubeconfig/],
    [
      'two of a name',
      whole(config('a', { users: [{ name: 'a' }, { name: 'a', user: { token: secret } }] })),
      /two users have the name "a"/,
    ],
    [
      'YAML with an error in the line of a secret',
      whole(`users:\n- name: a\n  user: {token: ${secret}\n`),
      /^a:\d+:\d+: cannot be read as a kubeconfig: yaml-syntax/,
    ],
    [
      'a secret for a key',
      whole(`${secret}: 1\n${secret}: 2\n`),
      /^a:2:1: cannot be read as a kubeconfig: duplicate-key/,
    ],
    [
      'a token that is a number',
      user({ token: 123456 }),
      /^a: users\[0\]\.user\.token is not text/,
    ],
    [
      'a token that is a map',
      user({ token: { [secret]: secret } }),
      /^a: users\[0\]\.user\.token is not text/,
    ],
    [
      'a flag that is text',
      cluster({ 'insecure-skip-tls-verify': secret }),
      /is not true or false/,
    ],
    ['a list that is text', whole({ clusters: secret }), /^a: clusters is not a list/],
    [
      'data that is not base64',
      user({ 'client-key-data': `${secret}!` }),
      /client-key-data is not base64/,
    ],
    ['no server', cluster({ server: '' }), /cluster "a" has no server/],
    [
      'a server that is no address',
      cluster({ server: `https://[${secret}` }),
      /server is no address/,
    ],
    [
      'a server with a password',
      cluster({ server: `https://me:${secret}@a.test` }),
      /holds a name or a password/,
    ],
    [
      'a CA twice',
      cluster({ 'certificate-authority': 'x', 'certificate-authority-data': pem }),
      /where one is enough/,
    ],
    [
      'a CA that is not checked',
      cluster({ 'certificate-authority-data': pem, 'insecure-skip-tls-verify': true }),
      /contradict each other/,
    ],
    [
      'a CA that is not there',
      cluster({ 'certificate-authority': 'no.crt' }),
      /certificate-authority .*no\.crt cannot be read: it is missing/,
    ],
    [
      'a proxy of an unknown kind',
      cluster({ 'proxy-url': `ftp://me:${secret}@x` }),
      /does not begin with http/,
    ],
    ['a token and a password', user({ token: secret, password: secret }), /only one can be sent/],
    [
      'a certificate twice',
      user({ 'client-certificate': 'x', 'client-certificate-data': pem, 'client-key-data': pem }),
      /client-certificate-data, where one/,
    ],
    [
      'a key twice',
      user({ 'client-certificate': 'x', 'client-key': 'x', 'client-key-data': pem }),
      /client-key-data, where one/,
    ],
    [
      'a certificate without its key',
      user({ 'client-certificate': 'x' }),
      /without its client-key/,
    ],
    [
      'a plugin and a provider',
      user({ exec, 'auth-provider': { name: 'oidc', config: { 'id-token': secret } } }),
      /only one can be asked/,
    ],
    ['a plugin without a command', user({ exec: { ...exec, command: '' } }), /without a command/],
    [
      'a plugin without a version',
      user({ exec: { ...exec, apiVersion: '' } }),
      /without an apiVersion/,
    ],
    [
      'a plugin with a nameless variable',
      user({ exec: { ...exec, env: [{ value: secret }] } }),
      /a variable that has no name/,
    ],
    [
      'a plugin that does not say whether it talks',
      user({ exec: { ...exec, interactiveMode: '' } }),
      /interactiveMode is none of/,
    ],
    ['groups without a user', user({ 'as-groups': ['a'] }), /without as$/m],
  ]
  for (const [what, files, says] of rows) {
    await t.test(what, async (t) => {
      const problem = await problemOf(() => accessIn(t, files))
      t.match(said(problem), says)
      t.notMatch(said(problem), secret)
      t.equal(problem.concerns, 'kubeconfig')
    })
  }

  await t.test('a provider that is part of kubectl', async (t) => {
    const asking: Asking = {
      user: { 'auth-provider': { name: 'oidc', config: { 'id-token': secret } } },
    }
    const problem = await problemOf(() => ask(t, 1, asking))
    t.match(said(problem), /auth-provider "oidc", which is part of kubectl/)
    t.notMatch(said(problem), secret)
  })

  const notRoot = process.getuid?.() === 0 && 'root reads every file'
  await t.test('a file that nobody may read', { skip: notRoot }, async (t) => {
    const file = path.join(t.testdir({ a: '' }), 'a')
    chmodSync(file, 0)
    t.match(
      said(await problemOf(() => accessIn(t, { files: {}, kubeconfig: file }))),
      /permission denied/,
    )
  })
})

// --- The same by kubectl

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0
const noKubectl = !hasKubectl && 'kubectl is not on PATH: nothing was compared with it'

/** What kubectl's client-go makes of a kubeconfig: how it ends; the server notes what it sends. */
async function kubectl(file: string, cwd: string): Promise<number> {
  const env = { ...process.env, KUBECONFIG: file, HOME: cwd, NODE_OPTIONS: '', NO_PROXY: '' }
  const child = spawn('kubectl', ['get', '--raw', '/version', '--request-timeout=5s'], {
    cwd,
    env,
    stdio: 'ignore',
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return code ?? 1
}

t.test('kubectl sends the same, and refuses the same', { skip: noKubectl }, async (t) => {
  const folder = t.testdir({ token: ` ${secret}-file\n`, cert: client.cert, key: client.key })
  const trust = { 'certificate-authority-data': base64(authority.cert) }
  const exec = {
    command: process.execPath,
    args: ['-e', writes({ token: secret })],
    apiVersion: 'client.authentication.k8s.io/v1',
    interactiveMode: 'Never',
  }
  const pair = {
    'client-certificate-data': base64(client.cert),
    'client-key-data': base64(client.key),
  }
  const pem = base64(authority.cert)
  type Row = readonly [what: string, user: JsonObject, cluster?: JsonObject, over?: JsonObject]
  // Where a user has nothing to show, kubectl asks for a name and a password: that is left out.
  const rows: readonly Row[] = [
    ['a token', { token: secret }],
    ['a number for a token', { token: 123456 }],
    ['a token file', { tokenFile: 'token' }],
    ['a token and its file', { token: 'x', tokenFile: 'token' }],
    ['a token without its file', { token: secret, tokenFile: 'absent' }],
    ['a token file that is not there', { tokenFile: 'absent' }],
    ['a password', { username: 'me', password: secret }],
    ['a certificate', pair],
    ['a certificate in files', { 'client-certificate': 'cert', 'client-key': 'key' }],
    ['a certificate and a token', { ...pair, token: secret }],
    [
      'impersonation',
      {
        token: secret,
        as: 'jane',
        'as-uid': '7',
        'as-groups': ['a', 'b'],
        'as-user-extra': { 'a/b(c)': ['x'] },
      },
    ],
    ['a plugin', { exec }],
    ['a plugin beside a token', { token: secret, exec }],
    ['a plugin beside a certificate', { ...pair, exec }],
    [
      'a plugin of the old version',
      {
        exec: {
          ...exec,
          args: [
            '-e',
            writes({ token: secret }, { apiVersion: 'client.authentication.k8s.io/v1beta1' }),
          ],
          apiVersion: 'client.authentication.k8s.io/v1beta1',
          interactiveMode: '',
        },
      },
    ],
    [
      'a plugin of an unknown version',
      { exec: { ...exec, apiVersion: 'client.authentication.k8s.io/v1alpha1' } },
    ],
    ['a plugin that says no mode', { exec: { ...exec, interactiveMode: '' } }],
    ['a plugin without a command', { exec: { ...exec, command: '' } }],
    ['a plugin without a version', { exec: { ...exec, apiVersion: '' } }],
    ['a plugin with a nameless variable', { exec: { ...exec, env: [{ value: 'x' }] } }],
    [
      'a plugin that answers in another version',
      {
        exec: {
          ...exec,
          args: [
            '-e',
            writes({ token: secret }, { apiVersion: 'client.authentication.k8s.io/v1beta1' }),
          ],
        },
      },
    ],
    ['a plugin that fails', { exec: { ...exec, args: ['-e', 'process.exit(1)'] } }],
    [
      'a plugin that writes half a pair',
      { exec: { ...exec, args: ['-e', writes({ clientCertificateData: client.cert })] } },
    ],
    ['a token and a password', { token: secret, username: 'me' }],
    ['a certificate twice', { 'client-certificate': 'cert', ...pair }],
    ['a key twice', { 'client-key': 'key', ...pair }],
    ['a certificate without a key', { 'client-certificate': 'cert' }],
    ['a key that is none', { ...pair, 'client-key-data': base64('x') }],
    ['groups without a user', { token: secret, 'as-groups': ['a'] }],
    ['data that is not base64', { 'client-key-data': '!' }],
    ['a name of the server', { token: secret }, { 'tls-server-name': 'api.test' }],
    ['a wrong name of the server', { token: secret }, { 'tls-server-name': 'other.test' }],
    ['a CA that is not checked', { token: secret }, { ...trust, 'insecure-skip-tls-verify': true }],
    [
      'no check at all',
      { token: secret },
      { 'certificate-authority-data': undefined, 'insecure-skip-tls-verify': true },
    ],
    ['a leaf for a CA', { token: secret }, { 'certificate-authority-data': base64(serving.cert) }],
    ['a CA twice', { token: secret }, { ...trust, 'certificate-authority': 'cert' }],
    [
      'a CA that is no certificate',
      { token: secret },
      { 'certificate-authority-data': base64('x') },
    ],
    [
      'a CA that is not there',
      { token: secret },
      { 'certificate-authority-data': undefined, 'certificate-authority': 'absent' },
    ],
    ['a proxy of an unknown kind', { token: secret }, { 'proxy-url': 'ftp://127.0.0.1:1' }],
    [
      'two users of a name',
      { token: secret },
      {},
      { users: [{ name: 'u' }, { name: 'u', user: {} }] },
    ],
    ['another kind', { token: secret }, {}, { kind: 'Pod' }],
    ['a kubeconfig of v2', { token: secret }, {}, { apiVersion: 'v2' }],
    ['no contexts', { token: secret }, {}, { contexts: [] }],
    ['no current context', { token: secret }, {}, { 'current-context': '' }],
    ['a flag that is text', { token: secret }, { 'insecure-skip-tls-verify': 'yes' }],
    ['a context that is text', { token: secret }, {}, { contexts: 'x' }],
    ['a PEM that is no base64', { token: secret }, { 'certificate-authority-data': pem.slice(1) }],
  ]
  for (const [index, [what, user, cluster = {}, over = {}]] of rows.entries()) {
    await t.test(what, async (t) => {
      const server = await start(t, { objects: version })
      const name = `config-${index}`
      const file = path.join(folder, name)
      writeFileSync(
        file,
        JSON.stringify({
          kind: 'Config',
          apiVersion: 'v1',
          clusters: [
            {
              name: 'c',
              cluster: { server: `https://127.0.0.1:${server.port}`, ...trust, ...cluster },
            },
          ],
          users: [{ name: 'u', user }],
          contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
          'current-context': 'x',
          ...over,
        }),
      )
      const code = await kubectl(file, folder)
      // Some kubectls ask for the version twice, to run the one that fits.
      const [theirs] = server.seen.splice(0).map(brief)
      const env = { ...process.env, NODE_OPTIONS: '', NO_PROXY: '' }
      const opened = await openCluster({
        kubeconfig: file,
        context: undefined,
        cwd: folder,
        env,
        limits: quick,
        allow: () => Promise.resolve(true),
        signal: never,
      }).catch((thrown: unknown) => {
        if (thrown instanceof ClusterProblem) return undefined
        throw thrown
      })
      t.teardown(() => opened?.close())
      const answer = await opened?.get('/version')
      t.equal(answer?.kind === 'found', code === 0, 'both take it, or neither does')
      t.strictSame(server.seen.map(brief), theirs ? [theirs] : [])
    })
  }
})

/** What a server can tell one client from another by. */
function brief({ url, headers, serverName, authorization, peer }: Seen) {
  const impersonated = Object.entries(headers).filter(([name]) => name.startsWith('impersonate-'))
  return {
    url: url.replace(/\?.*/, ''),
    authorization,
    serverName,
    peer,
    impersonated: impersonated.toSorted(),
  }
}

// --- Drift

const overlay = 'ws2022-flannel-overlay'

/** The objects of the bundle's manifests, as a server keeps them, with what it adds. */
async function applied(): Promise<Readonly<Record<string, JsonObject>>> {
  const files = await renderCompiled(compileBuiltin(overlay))
  const written = files.filter(({ path: name }) => /^cluster\/[^/]+\.yaml$/.test(name))
  const docs = written.flatMap(({ content }) =>
    parseAllDocuments(new TextDecoder().decode(content)).map((one) => one.toJS() as JsonObject),
  )
  return Object.fromEntries(
    docs.flatMap((object) => {
      const place = pathOfObject(object)
      t.ok(place ?? object['kind'] === 'Secret', 'its kind is known')
      const metadata = { ...(object['metadata'] as JsonObject), uid: '1', resourceVersion: '7' }
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
}

const { facts } = compileBuiltin(overlay)

/** A node as its kubelet registers it, of a machine of 8 CPU and 16 GiB. */
function registered(name: string, over: Registered = {}): JsonObject {
  const { kube, system } = facts.reservations
  const least = 16_384 - kube.memory - system.memory - 500
  const { spec } = facts
  return {
    metadata: { name, labels: { 'kubernetes.io/os': 'windows', ...over.labels } },
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
      conditions: [{ type: 'Ready', status: over.ready ?? 'True', message: 'starting' }],
      nodeInfo: {
        operatingSystem: 'windows',
        kernelVersion: over.kernelVersion ?? '10.0.20348.5020',
        kubeletVersion: over.kubeletVersion ?? `v${spec.kubernetes.version}`,
        containerRuntimeVersion: over.runtime ?? `containerd://${spec.containerd.version}`,
      },
    },
  }
}

/** A cluster in which all is as the profile describes it, and what is changed in it. */
type Objects = NonNullable<Behaviour['objects']>

async function agreeing(over: Objects = {}): Promise<Behaviour & { readonly objects: Objects }> {
  const { objects, ...rest } = kubeadmCluster('1.37.1')
  const linux = node('linux-1', { os: 'linux', taints: [], share: '10.244.0.0/24' })
  const members = ['win-1', 'win-2', 'win-3'].map((name) => registered(name))
  return {
    ...rest,
    objects: { ...objects, ...(await manifests), [nodes]: [linux, ...members], ...over },
  }
}

async function drift(
  t: Test,
  { user, ...behaviour }: Behaviour & { readonly user?: JsonObject },
  ...more: readonly string[]
) {
  const server = await start(t, behaviour)
  const kubeconfig = kubeconfigOf(t, server.port, user && { user })
  const ports = ['--set', 'host.firewall.nodePortRange=30000-31000']
  const argv = ['drift', overlay, ...ports, '--kubeconfig', kubeconfig, '--json', ...more]
  const { stdout, code, stderr } = await inProcess(argv)
  readsOnly(t, server)
  t.notMatch(
    server.seen.map(({ url }) => url).join('\n'),
    more.includes('proxy') ? /secrets/ : /secrets|proxy\//,
    'no secret is asked for',
  )
  t.match(stdout, '"drift"', stderr)
  const answer = JSON.parse(stdout) as {
    readonly nodes: number
    readonly drift: readonly {
      readonly id: string
      readonly subject: string
      readonly nodes: unknown
    }[]
  }
  return {
    ...answer,
    code,
    stderr,
    told: answer.drift.map(({ id, subject }) => `${id} ${subject}`),
  }
}

t.test('drift compares a cluster with what is described', async (t) => {
  const { told, code, nodes: count } = await drift(t, await agreeing())
  t.strictSame(told, [])
  t.equal(code, 0)
  t.equal(count, 3)
})

const roles = '/apis/rbac.authorization.k8s.io/v1'
const flannelConf = '/api/v1/namespaces/kube-flannel/configmaps/kube-flannel-cfg'

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
    ['an operator that nobody knows', tolerating({ key: 'os', operator: 'Like' }), false],
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
    const found = openStrays([exporter(pod)], [member])(member)
    t.strictSame(
      found.map(({ id }) => id),
      placed ? ['daemonset-strays'] : [],
      name,
    )
  }
  const untainted = registered('win-1', { taints: [] })
  const linuxOnly = { ...tolerating(), nodeSelector: { 'kubernetes.io/os': 'linux' } }
  t.equal(openStrays([exporter(tolerating())], [untainted])(untainted).length, 1, 'without a taint')
  t.equal(openStrays([exporter(linuxOnly)], [untainted])(untainted).length, 0)
  const [one] = openStrays([exporter()], [member])(member)
  t.match(one?.message, /^DaemonSet monitoring\/exporter .* 3 of its 4 pods are not available$/)

  const runs: readonly [name: string, set: JsonObject, image: string][] = [
    ['all its pods run', exporter({}, { numberUnavailable: 0 }), 'y'],
    ['its image is for Windows', exporter(), 'x/exporter:v1'],
    [
      'the same, with the name in full',
      exporter({}, {}, 'exporter:v1'),
      'docker.io/library/exporter:v1',
    ],
    ['nobody counted yet', exporter({}, { numberUnavailable: {} }), 'y'],
  ]
  for (const [name, set, image] of runs) {
    const status = { ...(member['status'] as JsonObject), images: [{ names: [image] }] }
    const holder = { ...member, status }
    t.equal(openStrays([set], [holder])(holder).length, 0, name)
  }
  t.end()
})

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
  const label = ['--set', 'kubelet.labels={pool: web}']
  const rows: readonly [
    name: string,
    over: Objects,
    told: readonly string[],
    code: number,
    more?: readonly string[],
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
      ['--set', 'windows.revision=4297'],
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
    ['it does not work', withNode({ ready: 'Unknown' }), ['node-not-working node/ready'], 0],
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
    ['no Windows node', { [nodes]: [] }, ['evidence-unreadable nodes'], 6],
    [
      'a health port of its own',
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
      'the same, which a profile accepts',
      { [daemonSets]: [flannelSet, exporter()] },
      [],
      0,
      ['--set', 'ignore={daemonset-strays: {reason: agreed}}'],
    ],
  ]
  for (const [name, over, told, code, more = []] of rows) {
    const answer = await drift(t, await agreeing(over), ...more)
    t.strictSame(
      answer.told.map((one) => one.replace(/#.*/, '')),
      told,
      name,
    )
    t.equal(answer.code, code, name)
  }
})

t.test('what a cluster does not let one read is told, and is no agreement', async (t) => {
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
  t.equal((await inProcess(['drift', overlay, '--kubeconfig', 'nowhere'])).code, 2)
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
const configz = (name: string) => `/api/v1/nodes/${name}/proxy/configz`

t.test('kubelets are asked through the API server, where that is wished', async (t) => {
  const well = await running()
  const members = ['win-1', 'win-2', 'win-3'].map((name) => [configz(name), well] as const)
  const all = Object.fromEntries(members)
  const rows: readonly [name: string, over: Objects, told: readonly string[], code: number][] = [
    ['all as described', {}, [], 0],
    [
      'another limit of pods',
      { [configz('win-2')]: await running({ maxPods: 60 }) },
      ['kubelet-differs kubelet/maxPods'],
      4,
    ],
    [
      'an amount written in another way, and a gate of a flag',
      {
        [configz('win-2')]: await running({
          systemReserved: { cpu: '0.2', memory: '2Gi', 'ephemeral-storage': '1024Mi' },
          featureGates: { Other: true },
        }),
      },
      ['kubelet-differs kubelet/featureGates'],
      4,
    ],
    ['another answer', { [configz('win-2')]: {} }, ['node-unknown kubelet/configz'], 6],
  ]
  for (const [name, over, told, code] of rows) {
    const answer = await drift(t, await agreeing({ ...all, ...over }), '--configz', 'proxy')
    t.strictSame(
      answer.told.map((one) => one.replace(/(featureGates).*/, '$1')),
      told,
      name,
    )
    t.equal(answer.code, code, name)
  }
  const refused = {
    ...(await agreeing(all)),
    refusals: { [configz('win-1')]: { code: 403, message: 'nodes/proxy is forbidden' } },
  }
  const blind = await drift(t, refused, '--configz', 'proxy')
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
  const direct = ['--configz', 'direct']
  const found = await drift(t, cluster, ...direct, '--kubelet-ca', ca)
  t.match(found, { code: 4, told: ['kubelet-differs kubelet/maxPods'] })
  t.match(kubelet.seen, [{ url: '/configz', authorization: `Bearer ${secret}` }])
  const untrusted = await drift(
    t,
    cluster,
    ...direct,
    '--kubelet-ca',
    path.join(folder, 'other.crt'),
  )
  t.match(untrusted, { code: 6, told: ['node-unknown kubelet/configz'] })
  t.equal(kubelet.seen.length, 1, 'who is not trusted gets nothing')
  const own = {
    'client-certificate-data': base64(client.cert),
    'client-key-data': base64(client.key),
  }
  const insecure = await drift(t, { ...cluster, user: own }, ...direct, '--kubelet-insecure')
  t.match(insecure, { code: 4 })
  t.match(kubelet.seen.at(-1), { authorization: undefined, peer: 'admin' })
  const away = await drift(t, await agreeing(), ...direct, '--kubelet-ca', ca)
  t.match(away, { code: 6, told: ['node-unknown kubelet/configz'] })

  const server = await start(t, cluster)
  const kubeconfig = ['--kubeconfig', kubeconfigOf(t, server.port)]
  const wrong: readonly [argv: readonly string[], says: RegExp][] = [
    [[...kubeconfig, ...direct], /needs --kubelet-ca or --kubelet-insecure/],
    [[...kubeconfig, ...direct, '--kubelet-insecure'], /would get the token/],
    [[...kubeconfig, '--kubelet-insecure'], /are for --configz direct/],
    [[...kubeconfig, ...direct, '--kubelet-ca', 'nowhere'], /nowhere cannot be read/],
    [[folder, '--configz', 'proxy'], /asks kubelets of a cluster/],
  ]
  for (const [argv, says] of wrong)
    t.match(await inProcess(['drift', overlay, ...argv]), { code: 2, stderr: says })
})

t.test('a fleet of many nodes, in pages', async (t) => {
  const members = Array.from({ length: process.env['WINNODE_ALL'] ? 10_000 : 250 }, (_, index) =>
    registered(`win-${index}`, index % 2 === 0 ? { taints: [] } : {}),
  )
  const { told, nodes: count, drift: found } = await drift(t, await agreeing({ [nodes]: members }))
  t.strictSame(told, ['taint-differs node/taints.os:NoSchedule'])
  t.equal(count, members.length)
  t.match(found, [{ nodes: { length: members.length / 2 } }])
})

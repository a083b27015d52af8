// winnode upgrade from the versions of a cluster.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { t, type Test } from 'tap'
import type { JsonObject } from '../../src/model/json.ts'
import { kubeconfigOf, readsOnly, start, withStandIn } from '../cluster/asking.ts'
import type { Behaviour } from '../cluster/api-server.ts'
import { daemonSet, daemonSets, node, nodes } from '../cluster/clusters.ts'
import { inProcess } from '../tools/run.ts'

const profile = 'ws2022-flannel-overlay'
const plan = ['upgrade', profile, '--set', 'kubernetes.version=1.36', '--as-of', '2026-11-27']

function machine(name: string, kubeletVersion: string, os = 'windows') {
  const made = node(name, { os })
  const status = made['status'] as { nodeInfo: object }
  return { ...made, status: { ...status, nodeInfo: { ...status.nodeInfo, kubeletVersion } } }
}

t.test('the oldest node is the start, and the control plane goes first', async (t) => {
  const server = await start(t, {
    objects: {
      '/version': { gitVersion: 'v1.35.2-eks-1' },
      [nodes]: [
        machine('linux-1', 'v1.33.0', 'linux'),
        ...['win-1', 'win-8', 'win-9'].map((name) => machine(name, 'v1.35.2')),
        machine('win-2', 'v1.34.3'),
        ...['win-3', 'win-4', 'win-5', 'win-6', 'win-7'].map((name) => machine(name, 'v1.35.0')),
      ],
    },
  })
  withStandIn(t)
  const kubeconfig = kubeconfigOf(t, server.port)
  const argv = [...plan, '--to', '1.36', '--kubeconfig', kubeconfig]
  const { code, stderr, stdout } = await inProcess(argv)
  t.equal(code, 0, stderr)
  t.match(stderr, /the control plane has 1\.35\.2, behind the profile \(1\.36\.\d+\)/)
  t.match(stderr, /win-2: 1\.34\.3; the profile has 1\.36\.\d+/)
  t.match(stderr, /win-3, win-4, win-5 and 2 more: 1\.35\.0; the profile has/)
  t.match(stderr, /win-1, win-8, win-9: 1\.35\.2; the profile has/)
  t.ok(stderr.indexOf('win-2') < stderr.indexOf('win-1'), 'the oldest first')
  t.match(stderr, /kube-proxy: version unknown, no DaemonSet runs it on Windows nodes/)
  t.match(stdout, /kubeadm upgrade apply v1\.36\./)
  const { stdout: json } = await inProcess([...argv, '--json'])
  t.match(JSON.parse(json), {
    from: '1.34.3',
    running: {
      apiServer: '1.35.2',
      nodes: { '1.34.3': ['win-2'], '1.35.2': ['win-1', 'win-8', 'win-9'] },
    },
    steps: [{ controlPlane: [/^1\.36\./] }],
  })
  const back = await inProcess([...plan, '--to', '1.33', '--kubeconfig', kubeconfig])
  t.match(back, { code: 2, stderr: /a node has Kubernetes 1\.34\.3, which is newer than 1\.33/ })
  readsOnly(t, server)
})

t.test('each of several profiles starts at the nodes with its labels', async (t) => {
  const pool = (name: string, version: string, label: string) => {
    const made: JsonObject = machine(name, version)
    return { ...made, metadata: { name, labels: { pool: label } } }
  }
  const set = daemonSet('kube-proxy-windows', 'sigwindowstools/kube-proxy:v1.34.1-nanoserver', 'x')
  const other = daemonSet('kube-proxy', 'registry.k8s.io/kube-proxy:v1.35.0', 'kube-proxy')
  const server = await start(t, {
    objects: {
      '/version': { gitVersion: 'v1.35.2' },
      [daemonSets]: [set, other],
      [nodes]: [pool('win-1', 'v1.35.2', 'web'), pool('win-2', 'v1.34.3', 'batch')],
    },
  })
  withStandIn(t)
  const profileOf = (name: string, labels: string) =>
    `apiVersion: winnode/v1\nkind: NodeProfile\nextends: ${profile}\nname: ${name}\nkubernetes: { version: '1.36' }\n${labels}`
  const kubeconfig = kubeconfigOf(t, server.port)
  const folder = path.join(path.dirname(kubeconfig), 'pools')
  const files = {
    'batch.yaml': profileOf('batch', 'kubelet: { labels: { pool: batch } }\n'),
    'gone.yaml': profileOf('gone', 'kubelet: { labels: { pool: gone } }\n'),
    'plain.yaml': profileOf('plain', ''),
    'web.yaml': profileOf('web', 'kubelet: { labels: { pool: web } }\n'),
  }
  mkdirSync(folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  const argv = ['upgrade', folder, '--to', '1.36', '--as-of', '2026-11-27']
  const from = ['--kubeconfig', kubeconfig]
  const { stdout, code } = await inProcess([...argv, ...from, '--json'])
  t.equal(code, 2, 'two of them are refused')
  t.match(JSON.parse(stdout).profiles, [
    { from: '1.34.3', running: { nodes: { '1.34.3': ['win-2'], '1.35.2': undefined } } },
    { error: { message: 'the cluster has no Windows nodes with pool=gone' } },
    { error: { message: /^the profile sets no kubelet\.labels/ } },
    {
      from: '1.35.2',
      running: {
        nodes: { '1.35.2': ['win-1'] },
        kubeProxies: { 'kube-system/kube-proxy-windows': '1.34.1' },
      },
    },
  ])
  const { stderr } = await inProcess([...argv, ...from])
  t.match(stderr, /batch\.yaml: kube-proxy, DaemonSet\s+kube-system\/kube-proxy-windows: 1\.34\.1/)
  t.notMatch(stderr, '1.35.0', 'kube-proxy of Linux nodes')
  readsOnly(t, server)
})

t.test('the first step from the cluster is written to the profile', async (t) => {
  const server = await start(t, {
    objects: { '/version': { gitVersion: 'v1.36.2' }, [nodes]: [machine('win-1', 'v1.34.3')] },
  })
  withStandIn(t)
  const kubeconfig = kubeconfigOf(t, server.port)
  const file = path.join(path.dirname(kubeconfig), 'node.yaml')
  const argv = ['upgrade', file, '--as-of', '2026-11-27', '--kubeconfig', kubeconfig, '--write']
  const head = `apiVersion: winnode/v1\nkind: NodeProfile\nextends: ${profile}\nkubernetes:\n`
  const rows: readonly (readonly [before: string, to: string, after: string])[] = [
    ["  version: '1.35' # pool\n", '1.36', "  version: '1.36' # pool\n"],
    ['  version: 1.35.2\n', '1.36.2', '  version: 1.36.2\n'],
    // The API server is ahead of the nodes, which the profile must know.
    ["  version: '1.34'\n", '1.35', "  version: '1.35'\n  apiServer: 1.36.2\n"],
    ["  apiServer: '1.34'\n", '1.37', "  apiServer: '1.37'\n  version: '1.37'\n"],
    ["  version: '1.36'\n", '1.36', "  version: '1.36'\n"],
  ]
  for (const [before, to, after] of rows) {
    writeFileSync(file, `${head}${before}`)
    const { code, stderr, stdout } = await inProcess([...argv, '--to', to])
    t.equal(code, 0, stderr)
    t.equal(readFileSync(file, 'utf8'), `${head}${after}`, before)
    const edits = before !== after
    t.equal(stdout.includes(`--to ${to} --write --kubeconfig ${kubeconfig} --as-of`), edits, stdout)
    t.equal(stderr.includes('wrote '), edits)
  }
  readsOnly(t, server)
})

const head = `apiVersion: winnode/v1\nkind: NodeProfile\n`

/** Profiles of pools in a folder, and a cluster with a node of each. */
async function pools(
  t: Test,
  {
    site,
    apiServer,
    ...versions
  }: {
    readonly site: string
    readonly apiServer: string
    readonly old: string
    readonly new: string
  },
) {
  const server = await start(t, {
    objects: {
      '/version': { gitVersion: `v${apiServer}` },
      [nodes]: Object.entries(versions).map(([pool, version]) => {
        const made: JsonObject = machine(`win-${pool}`, `v${version}`)
        return { ...made, metadata: { name: `win-${pool}`, labels: { pool } } }
      }),
    },
  })
  withStandIn(t)
  const kubeconfig = kubeconfigOf(t, server.port)
  const folder = path.join(path.dirname(kubeconfig), 'fleet')
  mkdirSync(folder)
  const files = {
    '.winnode-root': '',
    'site.yaml': `${head}extends: ${profile}\nkubernetes: { version: '${site}' }\n`,
    'new.yaml': `${head}extends: ./site.yaml\nkubelet: { labels: { pool: new } }\n`,
    'old.yaml': `${head}extends: ./site.yaml\nkubelet: { labels: { pool: old } }\n`,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  const upgrade = (...more: readonly string[]) =>
    inProcess(['upgrade', folder, '--kubeconfig', kubeconfig, '--as-of', '2026-11-27', ...more])
  return { upgrade, site: () => readFileSync(path.join(folder, 'site.yaml'), 'utf8') }
}

t.test('the oldest node of all profiles limits the control plane', async (t) => {
  const { upgrade, site } = await pools(t, {
    site: '1.33',
    apiServer: '1.35.2',
    old: '1.33.5',
    new: '1.35.2',
  })
  const { stdout } = await upgrade('--to', '1.37', '--json')
  const [newer, older] = JSON.parse(stdout).profiles
  for (const { steps } of [newer, older])
    t.match(steps, [
      { to: /^1\.36\./, controlPlane: [/^1\.36\./] },
      { to: /^1\.37\./, controlPlane: [/^1\.37\./] },
    ])
  const written = await upgrade('--to', '1.37', '--write')
  t.equal(written.code, 0, written.stderr)
  t.match(site(), "'1.36'")
})

t.test('nodes that are ahead wait for the others', async (t) => {
  const { upgrade, site } = await pools(t, {
    site: '1.36',
    apiServer: '1.36.2',
    old: '1.33.5',
    new: '1.36.6',
  })
  const { code, stdout, stderr } = await upgrade('--to', '1.37', '--write')
  t.equal(code, 0, stderr)
  t.match(stderr, /new\.yaml: no step 1: nodes of other profiles are older, and go first/)
  t.match(stdout, /new\.yaml: STEP 2 of 2: nodes to 1\.37\./)
  t.match(stdout, /old\.yaml: STEP 1 of 2: nodes to 1\.36\./)
  t.match(site(), "'1.36'", 'the step of the older nodes is in the file already')
})

t.test('a profile that is behind its nodes gets their version', async (t) => {
  const server = await start(t, {
    objects: { '/version': { gitVersion: 'v1.36.2' }, [nodes]: [machine('win-1', 'v1.36.2')] },
  })
  withStandIn(t)
  const kubeconfig = kubeconfigOf(t, server.port)
  const file = path.join(path.dirname(kubeconfig), 'node.yaml')
  const text = `${head}extends: ${profile}\nkubernetes:\n  version: 1.35.2 # pool\n  kubeProxy: 1.35.2\n`
  writeFileSync(file, text)
  const argv = ['upgrade', file, '--as-of', '2026-11-27', '--kubeconfig', kubeconfig]
  const { code, stdout, stderr } = await inProcess([...argv, '--to', '1.36.2', '--write'])
  t.equal(code, 0, stderr)
  t.match(stdout, /^STEP 1 of 1: the profile to 1\.36\.2\n/)
  t.notMatch(stdout, /drained|upgrade apply/, 'nothing to do on nodes')
  t.equal(readFileSync(file, 'utf8'), text.replaceAll('1.35.2', '1.36.2'))
  t.match(await inProcess([...argv, '--to', '1.36.2']), { stdout: '', stderr: /nothing to do\n$/ })
})

t.test('a cluster without Windows nodes, and one that hides its nodes', async (t) => {
  const objects = { '/version': { gitVersion: 'v1.36.1' }, [nodes]: [] }
  withStandIn(t)
  const empty = await start(t, { objects })
  const argv = [...plan, '--to', '1.37']
  const from = (port: number) => ['--kubeconfig', kubeconfigOf(t, port)]
  const none = await inProcess([...argv, ...from(empty.port)])
  t.match(none, { code: 2, stderr: /the cluster has no Windows nodes/ })
  const message = 'nodes is forbidden'
  const shut = await start(t, { objects, refusals: { [nodes]: { code: 403, message } } })
  t.match(await inProcess([...argv, ...from(shut.port)]), {
    code: 1,
    stderr: /nodes could not be read/,
  })
})

t.test('a version that cannot be read is named', async (t) => {
  withStandIn(t)
  const version = { '/version': { gitVersion: 'v1.36.1' }, [nodes]: [machine('win-1', 'v1.36.1')] }
  const rows: readonly (readonly [behaviour: Behaviour, says: RegExp])[] = [
    [
      { objects: version, refusals: { '/version': { code: 403, message: 'forbidden' } } },
      /the version of the API server could not be read: /,
    ],
    [
      { objects: { ...version, '/version': { gitVersion: 'main' } } },
      /the version of the API server could not be read: it is no release/,
    ],
    [
      { objects: { ...version, [nodes]: [machine('win-1', 'v1.36')] } },
      /the version of node win-1 could not be read: it is no release/,
    ],
  ]
  for (const [behaviour, says] of rows) {
    const server = await start(t, behaviour)
    const argv = [...plan, '--to', '1.37', '--kubeconfig', kubeconfigOf(t, server.port)]
    t.match(await inProcess(argv), { code: 1, stderr: says })
  }
})

t.test('flags that do not go together', async (t) => {
  const wrong: readonly (readonly [argv: readonly string[], says: RegExp])[] = [
    [['--kubeconfig', 'none'], /none: no such file/],
    [['--yes'], /need --kubeconfig or --context/],
  ]
  for (const [argv, says] of wrong)
    t.match(await inProcess([...plan, '--to', '1.37', ...argv]), { code: 2, stderr: says })
})

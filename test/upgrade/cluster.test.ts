// winnode upgrade from the versions of a cluster.
import { t } from 'tap'
import { kubeconfigOf, readsOnly, start, withStandIn } from '../cluster/asking.ts'
import { node, nodes } from '../cluster/clusters.ts'
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
        machine('win-1', 'v1.35.2'),
        machine('win-2', 'v1.34.3'),
        machine('win-3', 'v1.35.0'),
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
  t.ok(stderr.indexOf('win-2') < stderr.indexOf('win-1'), 'the oldest first')
  t.match(stdout, /kubeadm upgrade apply v1\.36\./)
  const { stdout: json } = await inProcess([...argv, '--json'])
  t.match(JSON.parse(json), {
    from: '1.34.3',
    running: { apiServer: '1.35.2', nodes: { '1.34.3': ['win-2'], '1.35.2': ['win-1'] } },
    steps: [{ controlPlane: [/^1\.36\./] }],
  })
  const back = await inProcess([...plan, '--to', '1.33', '--kubeconfig', kubeconfig])
  t.match(back, { code: 2, stderr: /a node has Kubernetes 1\.34\.3, which is newer than 1\.33/ })
  readsOnly(t, server)
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

t.test('flags that do not go together', async (t) => {
  const wrong: readonly (readonly [argv: readonly string[], says: RegExp])[] = [
    [['--kubeconfig', 'none'], /none: no such file/],
    [['--kubeconfig', 'none', '--write'], /--write/],
    [['--kubeconfig', 'none', '--profile', 'ws2025'], /take one profile/],
    [['--yes'], /need --kubeconfig or --context/],
  ]
  for (const [argv, says] of wrong)
    t.match(await inProcess([...plan, '--to', '1.37', ...argv]), { code: 2, stderr: says })
})

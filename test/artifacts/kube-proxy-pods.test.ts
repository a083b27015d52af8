// kube-proxy as HostProcess pods where the node creates the network: its start script, and what the bundle leaves out.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import type { JsonObject } from '../../src/model/json.ts'
import { compileBuiltin, errorsOf, renderCompiled } from '../tools/bundle.ts'
import { proxyPod } from '../tools/kube-proxy-pod.ts'
import { missing } from '../tools/powershell.ts'

const pods: JsonObject = { kubeProxy: { runsAs: 'hostProcess' } }
const manifest = 'cluster/11-kube-proxy-windows.yaml'

async function filesOf(profile: string): Promise<ReadonlyMap<string, string>> {
  const files = await renderCompiled(compileBuiltin(profile, pods))
  return new Map(files.map(({ path: at, content }) => [at, Buffer.from(content).toString()]))
}

const profiles = [
  'ws2019-flannel-overlay',
  'ws2022-flannel-overlay',
  'ws2022-flannel-l2bridge',
  'ws2022-win-bridge',
  'ws2025-flannel-overlay',
]

for (const profile of profiles) {
  t.test(`${profile}: the node has no service and no credentials of kube-proxy`, async (t) => {
    const files = await filesOf(profile)
    t.ok(files.has(manifest))
    t.notOk([...files.keys()].some((name) => /^files\/.*kube-proxy/.test(name)))
    t.notMatch(files.get('node.json'), /service-kube-proxy|kube-proxy\.(conf|token)/)
    t.notMatch(files.get('cluster/10-kube-proxy.yaml'), 'kind: Secret')
    t.notMatch(files.get('cluster/prepare.sh'), 'winnode-kube-proxy')
  })
}

t.test('with network.cni none, it is in the bundle where the profile asks for it', async (t) => {
  const none = (...network: readonly JsonObject[]) => ({
    network: Object.assign({ cni: 'none', mode: 'overlay' }, ...network),
  })
  const rendered = async (patch: JsonObject) => {
    const files = await renderCompiled(compileBuiltin('ws2022-flannel-overlay', patch))
    return new Map(files.map(({ path: at, content }) => [at, Buffer.from(content).toString()]))
  }
  t.notOk((await rendered(none())).has(manifest))
  t.match(errorsOf(compileBuiltin('base', { ...none(), ...pods })), /without-network-name/)
  const files = await rendered({ ...none({ name: 'Plugin' }), ...pods })
  t.match(files.get(manifest), /networkName\W+Plugin/)
  t.match(files.get('node.json'), /kube-proxy\.exe/)
  const readme = files.get('cluster/README.md')
  t.match(readme, /with the name `Plugin`, and in it the endpoint `Plugin_ep`/)
  t.notMatch(readme, 'kube-proxy is separate')
  const bridge = await rendered({ ...none({ name: 'Plugin', mode: 'l2bridge' }), ...pods })
  t.notMatch(bridge.get('cluster/README.md'), '_ep')
  t.match(bridge.get('node.json'), /"name": "endpoint",\s+"value": ""/)
})

t.test('it is refused where the plugin has no kube-proxy, or only pods', async (t) => {
  t.match(errorsOf(compileBuiltin('ws2022-antrea', pods)), /kube-proxy-settings-unused/)
  const service = { kubeProxy: { runsAs: 'service' } }
  t.match(errorsOf(compileBuiltin('ws2022-calico', service)), /kube-proxy-settings-unused/)
  t.notMatch(errorsOf(compileBuiltin('ws2022-calico', pods)), /kube-proxy-settings-unused/)
})

t.test(
  'on an overlay of the node it waits for the reserved address, and asks the API server of the node',
  { skip: missing('pwsh') },
  async (t) => {
    const files = await filesOf('ws2022-flannel-overlay')
    const inMount = (mount: string) => ({
      RESERVATIONS: path.join(mount, 'reserved'),
      JOINED: path.join(mount, 'kubelet.conf'),
    })
    const { at, hns, ended, says, started } = proxyPod(t, files.get(manifest) ?? '', inMount)
    writeFileSync(
      at('kubelet.conf'),
      'apiVersion: v1\nclusters:\n- cluster:\n    server: https://192.0.2.1:6443\n  name: c\n',
    )
    await says(/waiting for the HNS network flannel\.4096\r?\n$/)
    hns({ networks: [{ Name: 'flannel.4096', Type: 'Overlay', ID: 'a' }] })
    await says(/waiting for the source VIP\r?\n$/)
    mkdirSync(at('reserved'))
    writeFileSync(at('reserved/lock'), '')
    writeFileSync(at('reserved/10.244.3.9'), 'a-pod\r\neth0')
    writeFileSync(at('reserved/10.244.3.10'), 'winnode-source-vip\r\nsource-vip')
    await says(/starting kube-proxy in the HNS network flannel\.4096, source VIP '10\.244\.3\.10'/)
    t.match(await started('started.json'), {
      winkernel: { networkName: 'flannel.4096', sourceVip: '10.244.3.10' },
    })
    t.match(await started('kubeconfig.json'), {
      clusters: [{ cluster: { server: 'https://192.0.2.1:6443' } }],
    })
    hns({ networks: [{ Name: 'flannel.4096', Type: 'Overlay', ID: 'b' }] })
    await says(/the HNS network flannel\.4096 is another one/)
    t.equal(await ended, 1)
  },
)

t.test('on an l2bridge network it needs no source VIP', { skip: missing('pwsh') }, async (t) => {
  const files = await filesOf('ws2022-win-bridge')
  const inMount = (mount: string) => ({ JOINED: path.join(mount, 'kubelet.conf') })
  const { at, hns, ended, says, started } = proxyPod(t, files.get(manifest) ?? '', inMount)
  writeFileSync(at('kubelet.conf'), 'clusters:\n- cluster:\n    server: "https://api:6443"\n')
  // Only the one with this name: HNS also lists networks of other programs.
  hns({
    networks: [
      { Name: 'cbr0-old', Type: 'Overlay' },
      { Name: 'cbr0', Type: 'L2Bridge' },
    ],
  })
  await says(/starting kube-proxy in the HNS network cbr0, source VIP ''/)
  t.notMatch(await started('started.json'), { winkernel: { sourceVip: /./ } })
  writeFileSync(at('ends'), '0')
  t.equal(await ended, 0)
})

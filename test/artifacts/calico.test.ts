// Calico's settings: what the API server says of the objects that the patches make, and the script that starts kube-proxy.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { mergeJson, valueAt, type JsonObject } from '../../src/model/json.ts'
import { judgeResource } from '../judge/api-server/custom-resource.ts'
import { crds } from '../tools/crds.ts'
import { proxyPod } from '../tools/kube-proxy-pod.ts'
import { missing } from '../tools/powershell.ts'
import { root } from '../tools/run.ts'

const bundle = path.join(root, 'test/golden/ws2022-calico/bundle')
const read = (name: string) => readFileSync(path.join(bundle, 'cluster', name), 'utf8')
const settings = (name: string): JsonObject =>
  JSON.parse(read(`linux-side/calico-${name}.json`)) as JsonObject

/** As Calico's operator and its API server make them. */
const objects: Readonly<Record<string, JsonObject>> = {
  installation: {
    apiVersion: 'operator.tigera.io/v1',
    kind: 'Installation',
    metadata: { name: 'default' },
    spec: { calicoNetwork: { ipPools: [settings('pool')] } },
  },
  felix: {
    apiVersion: 'projectcalico.org/v3',
    kind: 'FelixConfiguration',
    metadata: { name: 'default' },
    spec: {},
  },
  ipam: {
    apiVersion: 'projectcalico.org/v3',
    kind: 'IPAMConfiguration',
    metadata: { name: 'default' },
    spec: { strictAffinity: false, autoAllocateBlocks: true },
  },
}

t.test('with BGP, the schemas of Calico take each patch, too', async (t) => {
  const at = (name: string): JsonObject =>
    JSON.parse(
      readFileSync(
        path.join(root, `test/golden/ws2022-calico-bgp/bundle/cluster/linux-side/${name}.json`),
        'utf8',
      ),
    ) as JsonObject
  const bare = mergeJson(objects['installation'] ?? {}, {
    spec: { calicoNetwork: { ipPools: [at('calico-pool')] } },
  })
  const patched = mergeJson(bare, at('calico-installation'))
  t.strictSame(judgeResource(patched, crds()), [])
  t.match(valueAt(patched, ['spec', 'calicoNetwork']), {
    bgp: 'Enabled',
    ipPools: [{ encapsulation: 'None' }],
  })
  t.strictSame(judgeResource(mergeJson(objects['ipam'] ?? {}, at('calico-ipam')), crds()), [])
})

t.test(
  'with routes of the network, the patch makes the case that the operator renders with backend none',
  async (t) => {
    const bundled = (name: string): JsonObject =>
      JSON.parse(
        readFileSync(
          path.join(
            root,
            `test/golden/ws2022-calico-routed/bundle/cluster/linux-side/${name}.json`,
          ),
          'utf8',
        ),
      ) as JsonObject
    const bare = mergeJson(objects['installation'] ?? {}, {
      spec: { calicoNetwork: { ipPools: [bundled('calico-pool')] } },
    })
    const patched = mergeJson(bare, bundled('calico-installation'))
    t.strictSame(judgeResource(patched, crds()), [])
    const { cases } = JSON.parse(
      readFileSync(path.join(root, 'test/upstream/verdicts/calico-installation.json'), 'utf8'),
    ) as { cases: readonly JsonObject[] }
    const id = 'cni-calico-ipam-host-local-none-bgp-disabled'
    const verdict = cases.find((one) => one['id'] === id)
    t.match(valueAt(verdict, ['answers', 0]), {
      verdict: 'accepted',
      effect: { '/containers/*/env/CALICO_NETWORKING_BACKEND': 'none' },
    })
    t.match(valueAt(patched, ['spec', 'cni']), valueAt(verdict, ['change', '/spec/cni']))
    t.match(valueAt(patched, ['spec', 'calicoNetwork']), {
      bgp: 'Disabled',
      windowsDataplane: 'HNS',
      ipPools: [{ encapsulation: 'None' }],
    })
    t.throws(
      () => bundled('calico-ipam'),
      'the operator reads the IPAMConfiguration only with calico-ipam',
    )
  },
)

t.test('the schemas of Calico take each patch, and would refuse another word', async (t) => {
  for (const [name, object] of Object.entries(objects)) {
    const patched = mergeJson(object, settings(name))
    t.strictSame(judgeResource(patched, crds()), [], name)
    const wrong = mergeJson(patched, { spec: { noSuchField: true } })
    t.not(judgeResource(wrong, crds()).length, 0, `${name}, with an unknown field`)
  }
  t.equal(
    valueAt(mergeJson(objects['installation'] ?? {}, settings('installation')), [
      'spec',
      'calicoNetwork',
      'ipPools',
      0,
      'encapsulation',
    ]),
    'VXLAN',
    'a patch keeps the pool',
  )
})

const proxy = read('11-kube-proxy-windows.yaml')

const network = { Name: 'Calico', Type: 'Overlay' }
const endpoint = (address: string) => ({ Name: 'Calico_ep', IPAddress: address })

t.test(
  'kube-proxy waits for its network, and has its source VIP',
  { skip: missing('pwsh') },
  async (t) => {
    const { at, hns, ended, says, started } = proxyPod(t, proxy)
    await says(/waiting for the HNS network Calico\r?\n$/)
    hns({ networks: [{ Name: 'calico', Type: 'Overlay' }, network] })
    await says(/waiting for the HNS endpoint Calico_ep\r?\n$/)
    hns({ networks: [network], endpoints: [endpoint('10.244.7.2')] })
    await says(/starting kube-proxy in the HNS network Calico, source VIP '10\.244\.7\.2'/)
    const config = await started('started.json')
    t.match(config, {
      kind: 'KubeProxyConfiguration',
      bindAddress: '192.0.2.7',
      hostnameOverride: 'win-1',
      clientConnection: { kubeconfig: at('kubeconfig.json') },
      winkernel: { networkName: 'Calico', sourceVip: '10.244.7.2', enableDSR: true },
    })
    const kubeconfig = await started('kubeconfig.json')
    const account = at('var/run/secrets/kubernetes.io/serviceaccount')
    t.match(kubeconfig, {
      clusters: [
        {
          cluster: {
            server: 'https://api.example.com:6443',
            'certificate-authority': `${account}/ca.crt`,
          },
        },
      ],
      users: [{ user: { tokenFile: `${account}/token` } }],
    })
    writeFileSync(at('ends'), '3')
    t.equal(await ended, 3, 'its exit code is that of kube-proxy')
  },
)

t.test(
  'another source VIP ends kube-proxy, which starts again with it',
  { skip: missing('pwsh') },
  async (t) => {
    const { hns, ended, says } = proxyPod(t, proxy)
    hns({ networks: [network], endpoints: [endpoint('10.244.7.2')] })
    await says(/starting kube-proxy/)
    hns({ networks: [network], endpoints: [endpoint('10.244.9.2')] })
    await says(/the source VIP is no longer 10\.244\.7\.2/)
    t.equal(await ended, 1)
  },
)

t.test('another network ends it, too', { skip: missing('pwsh') }, async (t) => {
  const { hns, ended, says } = proxyPod(t, proxy)
  const endpoints = [endpoint('10.244.7.2')]
  hns({ networks: [{ ...network, ID: 'a' }], endpoints })
  await says(/starting kube-proxy/)
  hns({ networks: [{ ...network, ID: 'b' }], endpoints })
  await says(/the HNS network Calico is another one/)
  t.equal(await ended, 1)
})

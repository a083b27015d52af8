// Calico's settings: what the API server says of the objects that the patches make, and the script that starts kube-proxy.
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { t, type Test } from 'tap'
import { parseAllDocuments } from 'yaml'
import { mergeJson, valueAt, type Json, type JsonObject } from '../../src/model/json.ts'
import { textOf } from '../judge/go/scalar.ts'
import { judgeResource } from '../judge/api-server/custom-resource.ts'
import { crds } from '../tools/crds.ts'
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

const [, daemonSet] = parseAllDocuments(read('11-kube-proxy-windows.yaml')).map(
  (document) => document.toJS() as JsonObject,
)
const [configMap] = parseAllDocuments(read('11-kube-proxy-windows.yaml')).map(
  (document) => document.toJS() as JsonObject,
)
const container = valueAt(daemonSet, ['spec', 'template', 'spec', 'containers', 0])
const environment = Object.fromEntries(
  (valueAt(container, ['env']) as readonly JsonObject[]).map(({ name, value }) => [
    textOf(name),
    value,
  ]),
)

/** A machine with HNS in a file, and a kube-proxy that writes its configuration and waits. */
function machine(t: Test) {
  const mount = t.testdir({})
  const at = (name: string) => path.join(mount, name)
  const proxy = at('kube-proxy')
  writeFileSync(
    proxy,
    '#!/bin/sh\nmount=$(dirname "$0")\ncp "$mount/config.json" "$mount/started.json"\nwhile [ ! -e "$mount/ends" ]; do sleep 0.1; done\nexit "$(cat "$mount/ends")"\n',
  )
  chmodSync(proxy, 0o755)
  mkdirSync(at('etc'))
  writeFileSync(at('etc/start.ps1'), textOf(valueAt(configMap, ['data', 'start.ps1'])))
  const hns = (state: { networks?: readonly Json[]; endpoints?: readonly Json[] }) =>
    writeFileSync(at('hns.json'), JSON.stringify({ networks: [], endpoints: [], ...state }))
  hns({})
  const script = `function Read-Hns { (Get-Content -Raw -LiteralPath '${at('hns.json')}' | ConvertFrom-Json).$($args[0]) }
    function Get-HnsNetwork { Read-Hns networks }
    function Get-HnsEndpoint { Read-Hns endpoints }
    & '${at('etc/start.ps1')}'; exit $LASTEXITCODE`
  const child = spawn('pwsh', ['-NoProfile', '-NonInteractive', '-Command', script], {
    env: {
      ...process.env,
      CONTAINER_SANDBOX_MOUNT_POINT: mount,
      CONFIG: textOf(environment['CONFIG']),
      KUBECONFIG_JSON: textOf(environment['KUBECONFIG_JSON']),
      KUBE_PROXY: proxy,
      VERBOSITY: '2',
      NODE_NAME: 'win-1',
      NODE_IP: '192.0.2.7',
    },
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  t.teardown(() => child.kill('SIGKILL'))
  const says = async (words: RegExp) => {
    for (let tries = 0; tries < 600 && !words.test(output); tries++) await setTimeout(100)
    t.match(output, words)
  }
  return { at, hns, ended, says }
}

const network = { Name: 'Calico', Type: 'Overlay' }
const endpoint = (address: string) => ({ Name: 'Calico_ep', IPAddress: address })

t.test(
  'kube-proxy waits for its network, and has its source VIP',
  { skip: missing('pwsh') },
  async (t) => {
    const { at, hns, ended, says } = machine(t)
    await says(/waiting for the HNS network Calico\r?\n$/)
    hns({ networks: [{ Name: 'calico', Type: 'Overlay' }, network] })
    await says(/waiting for the HNS endpoint Calico_ep\r?\n$/)
    hns({ networks: [network], endpoints: [endpoint('10.244.7.2')] })
    await says(/starting kube-proxy in the HNS network Calico, source VIP '10\.244\.7\.2'/)
    for (let tries = 0; tries < 100; tries++) {
      try {
        readFileSync(at('started.json'))
        break
      } catch {
        await setTimeout(100)
      }
    }
    const config = JSON.parse(readFileSync(at('started.json'), 'utf8')) as JsonObject
    t.match(config, {
      kind: 'KubeProxyConfiguration',
      bindAddress: '192.0.2.7',
      hostnameOverride: 'win-1',
      clientConnection: { kubeconfig: at('kubeconfig.json') },
      winkernel: { networkName: 'Calico', sourceVip: '10.244.7.2', enableDSR: true },
    })
    const kubeconfig = JSON.parse(readFileSync(at('kubeconfig.json'), 'utf8')) as JsonObject
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
    const { hns, ended, says } = machine(t)
    hns({ networks: [network], endpoints: [endpoint('10.244.7.2')] })
    await says(/starting kube-proxy/)
    hns({ networks: [network], endpoints: [endpoint('10.244.9.2')] })
    await says(/the source VIP is no longer 10\.244\.7\.2/)
    t.equal(await ended, 1)
  },
)

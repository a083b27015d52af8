// flannel as HostProcess pods: what the bundle leaves out, and its start script.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { t, type Test } from 'tap'
import type { JsonObject } from '../../src/model/json.ts'
import { compileBuiltin, errorsOf, renderCompiled } from '../tools/bundle.ts'
import { hostProcessPod, mountOf } from '../tools/host-process-pod.ts'
import { missing } from '../tools/powershell.ts'

const image = `registry.example.com/flannel-windows:0.28.9@sha256:${'2b8fd975'.repeat(8)}`
const asPods = (more: JsonObject = {}): JsonObject => ({
  network: { flannel: { runsAs: 'hostProcess', image, ...more } },
})
const manifest = 'cluster/22-flannel-windows.yaml'

async function filesOf(profile: string): Promise<ReadonlyMap<string, string>> {
  const files = await renderCompiled(compileBuiltin(profile, asPods()))
  return new Map(files.map(({ path, content }) => [path, Buffer.from(content).toString()]))
}

for (const profile of [
  'ws2019-flannel-overlay',
  'ws2022-flannel-l2bridge',
  'ws2025-flannel-overlay',
])
  t.test(
    `${profile}: the node has no service and no credentials of flannel and kube-proxy`,
    async (t) => {
      const files = await filesOf(profile)
      t.ok(files.has(manifest) && files.has('cluster/11-kube-proxy-windows.yaml'))
      const onNode = [...files.keys()].filter((name) => name.startsWith('files/'))
      t.notMatch(onNode.join(' '), /flannel|cni|kube-proxy/)
      t.notMatch(
        files.get('node.json'),
        /service-flanneld|flannel\.(conf|token)"|nssm|flanneld\.exe|hnsNetwork/,
      )
      t.match(files.get('node.json'), /"kind": "pluginNetwork"/)
      t.notMatch(files.get('cluster/20-flannel.yaml'), 'kind: Secret')
      t.notMatch(files.get('cluster/prepare.sh'), 'winnode-flannel-token')
    },
  )

t.test('its image is in the bill of materials', async (t) => {
  const bom = JSON.parse((await filesOf('ws2022-flannel-overlay')).get('bom.json') ?? '')
  const listed = bom.components.find(({ url }: { url: string }) => url === image)
  t.match(listed, {
    kind: 'image',
    digest: /^sha256:2b8f/,
    neededBy: ['cluster-flannel-daemonset'],
  })
})

t.test('kube-proxy as a service is refused, because it would wait for the pods', async (t) => {
  const service = { ...asPods(), kubeProxy: { runsAs: 'service' } }
  t.match(errorsOf(compileBuiltin('ws2022-flannel-overlay', service)), /kube-proxy-settings-unused/)
})

const vxlan = {
  networks: [
    {
      Name: 'flannel.4096',
      Type: 'Overlay',
      ID: 'a',
      ManagementIP: '192.0.2.7',
      Subnets: [{ AddressPrefix: '10.244.3.64/26' }],
    },
  ],
  addresses: ['192.0.2.7'],
}

/** A flanneld that notes its arguments and waits, and a host-local that reserves the first free address. */
async function pod(t: Test, profile: string, before?: (at: (name: string) => string) => void) {
  const mount = mountOf(t)
  const { at, program } = mount
  program(
    'flannel/flanneld.exe',
    'printf \'%s\\n\' "$@" > "$mount/arguments"\nwhile [ -e "$mount/hns.json" ] && [ ! -e "$mount/ends" ]; do sleep 0.1; done\nexit "$(cat "$mount/ends")"\n',
  )
  const HOST_LOCAL = program(
    'host-local',
    'cat > "$mount/asked.json"\nprintf \'%s\' "$CNI_COMMAND $CNI_CONTAINERID $CNI_IFNAME $CNI_ARGS" > "$mount/call"\nmkdir -p "$mount/networks/flannel.4096"\nprintf \'%s\\r\\nsource-vip\' "$CNI_CONTAINERID" > "$mount/networks/flannel.4096/10.244.3.66"\necho "{}"\n',
  )
  writeFileSync(at('kubelet.conf'), 'clusters:\n- cluster:\n    server: https://192.0.2.1:6443\n')
  before?.(at)
  const files = await filesOf(profile)
  const ran = hostProcessPod(t, files.get(manifest) ?? '', mount, {
    HOST_LOCAL,
    RESERVATIONS: at('networks'),
    SUBNET_FILE: at('subnet.env'),
    CNI_CONF: at('10-flannel.conflist'),
    JOINED: at('kubelet.conf'),
  })
  const subnet = async () => {
    // Newer than the start of flanneld.
    for (let tries = 0; tries < 600 && !existsSync(at('arguments')); tries++) await setTimeout(100)
    writeFileSync(
      at('subnet.env'),
      'FLANNEL_SUBNET=10.244.3.65/26\nFLANNEL_MTU=1450\nFLANNEL_IPMASQ=false\n',
    )
  }
  const json = (name: string) => JSON.parse(readFileSync(at(name), 'utf8')) as JsonObject
  return { ...mount, ...ran, subnet, json }
}

// The scripts of the pods wait most of the time. tap needs an object for each test that runs beside others.
t.jobs = 4
const besides = () => ({ skip: missing('pwsh'), buffered: true })

t.test('overlay: the conf is written last, with the source VIP reserved', besides(), async (t) => {
  const { at, hns, says, subnet, json, ended } = await pod(t, 'ws2022-flannel-overlay', (of) =>
    writeFileSync(of('10-flannel.conflist'), 'of an earlier network'),
  )
  await says(/starting flanneld on 192\.0\.2\.7\r?\nwaiting for the HNS network flannel\.4096\r?\n/)
  t.notOk(existsSync(at('10-flannel.conflist')), 'the conf of an earlier network is gone')
  hns({ ...vxlan, addresses: [] })
  await says(/waiting for the address 192\.0\.2\.7/)
  hns(vxlan)
  await says(/waiting for .*subnet\.env/)
  t.notOk(existsSync(at('10-flannel.conflist')))
  await subnet()
  await says(/the HNS network flannel\.4096 is complete/)
  t.match(
    readFileSync(at('arguments'), 'utf8'),
    /^--kube-subnet-mgr\n--kubeconfig-file=.*\n--iface=192\.0\.2\.7\n/,
  )
  t.match(json('kubeconfig.json'), {
    clusters: [{ cluster: { server: 'https://192.0.2.1:6443' } }],
  })
  t.match(json('net-conf.json'), { Backend: { Type: 'vxlan', VNI: 4096, Port: 4789 } })
  t.strictSame(json('asked.json'), {
    cniVersion: '1.0.0',
    name: 'flannel.4096',
    ipam: { type: 'host-local', ranges: [[{ subnet: '10.244.3.64/26' }]], dataDir: at('networks') },
  })
  t.equal(readFileSync(at('call'), 'utf8'), 'ADD winnode-source-vip source-vip ')
  t.match(json('10-flannel.conflist'), { name: 'flannel.4096', plugins: [{ type: 'flannel' }] })
  hns({ ...vxlan, networks: [{ ...vxlan.networks[0], ID: 'b' }] })
  await says(/the HNS network flannel\.4096 is another one/)
  t.equal(await ended, 1)
})

t.test(
  'l2bridge: the host’s address is reserved, and the node’s is in the conf',
  besides(),
  async (t) => {
    const bridge = [{ ...vxlan.networks[0], Name: 'cbr0', Type: 'L2Bridge' }]
    const { at, hns, says, subnet, json, ended } = await pod(t, 'ws2022-flannel-l2bridge', (of) => {
      mkdirSync(of('networks/cbr0'), { recursive: true })
      writeFileSync(of('networks/cbr0/10.244.9.2'), 'winnode-host-endpoint\r\nhost')
    })
    hns({ ...vxlan, networks: bridge })
    await subnet()
    await says(/the HNS network cbr0 is complete/)
    t.equal(readFileSync(at('networks/cbr0/10.244.3.66'), 'utf8'), 'winnode-host-endpoint\r\nhost')
    t.notOk(existsSync(at('networks/cbr0/10.244.9.2')), 'the one of an earlier subnet is released')
    t.match(JSON.stringify(json('10-flannel.conflist')), '"DestinationPrefix":"192.0.2.7/32"')
    writeFileSync(at('ends'), '3')
    t.equal(await ended, 3, 'flanneld’s exit code')
  },
)

t.test('a network of another address of the machine is removed', besides(), async (t) => {
  const { at, says, hns, subnet, ended } = await pod(t, 'ws2022-flannel-overlay', (of) => {
    const old = { ...vxlan.networks[0], ManagementIP: '192.0.2.99' }
    const endpoints = [
      { ID: 'pod', VirtualNetwork: 'a' },
      { ID: 'other', VirtualNetwork: 'nat' },
    ]
    writeFileSync(
      of('hns.json'),
      JSON.stringify({ ...vxlan, networks: [old], endpoints, services: [], process: 1200 }),
    )
  })
  await says(/has the address 192\.0\.2\.99: it is removed/)
  await says(/waiting for the HNS network/)
  t.equal(readFileSync(at('removed'), 'utf8'), 'endpoint pod\nnetwork a\n')
  hns(vxlan)
  await subnet()
  await says(/is complete/)
  hns({ ...vxlan, addresses: [] })
  await says(/the machine no longer has the address 192\.0\.2\.7/)
  t.equal(await ended, 1)
})

/** A network of an earlier start of the pod, on a machine that may have no address yet. */
const there = (addresses: readonly string[]) => (of: (name: string) => string) => {
  const state = { ...vxlan, endpoints: [], services: [], process: 1200, addresses }
  writeFileSync(of('hns.json'), JSON.stringify(state))
  writeFileSync(of('10-flannel.conflist'), 'of this network')
  writeFileSync(of('subnet.env'), 'FLANNEL_SUBNET=10.244.3.65/26\nFLANNEL_IPMASQ=false\n')
}

t.test('a network that is right stays, and with it the conf', besides(), async (t) => {
  const { at, hns, says, subnet, ended } = await pod(t, 'ws2022-flannel-overlay', there([]))
  await setTimeout(2000)
  hns(vxlan)
  await says(/waiting for .*subnet\.env/)
  t.equal(readFileSync(at('10-flannel.conflist'), 'utf8'), 'of this network')
  t.notOk(existsSync(at('removed')), 'it waited for the address of the machine')
  await subnet()
  await says(/is complete/)
  rmSync(at('10-flannel.conflist'))
  for (let tries = 0; tries < 150 && !existsSync(at('10-flannel.conflist')); tries++)
    await setTimeout(100)
  t.ok(existsSync(at('10-flannel.conflist')), 'a deleted conf is written again')
  hns({ ...vxlan, process: 1300 })
  await says(/HNS was restarted/)
  t.equal(await ended, 1)
})

t.test('while flanneld replaces the network, the conf is away', besides(), async (t) => {
  const { at, hns, says, ended } = await pod(t, 'ws2022-flannel-overlay', there(vxlan.addresses))
  await says(/waiting for .*subnet\.env/)
  hns({ ...vxlan, networks: [{ ...vxlan.networks[0], ID: 'b' }] })
  for (let tries = 0; tries < 100 && existsSync(at('10-flannel.conflist')); tries++)
    await setTimeout(100)
  t.notOk(existsSync(at('10-flannel.conflist')))
  writeFileSync(at('ends'), '1')
  t.equal(await ended, 1)
})

t.test('it waits on a node that has flanneld as a service', besides(), async (t) => {
  const { at, says } = await pod(t, 'ws2022-flannel-overlay', (of) => {
    there(vxlan.addresses)(of)
    writeFileSync(of('hns.json'), JSON.stringify({ ...vxlan, services: ['flanneld'] }))
  })
  await says(/this node has flanneld as a service: run Reset-WinNode\.ps1/)
  t.notOk(existsSync(at('arguments')), 'no second flanneld runs')
})

t.test('an image without flanneld ends the pod with a message', besides(), async (t) => {
  const mount = mountOf(t)
  const files = await filesOf('ws2022-flannel-overlay')
  const { says, ended } = hostProcessPod(t, files.get(manifest) ?? '', mount, {
    RESERVATIONS: mount.at('networks'),
  })
  await says(/the image has no file flannel\/flanneld\.exe/)
  t.equal(await ended, 1)
})

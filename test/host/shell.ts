// A Linux shell with the real kubectl and the simulated cluster, in which cluster/README.md is run.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { JsonObject } from '../../src/model/json.ts'
import { type Host, untested } from './host.ts'
import { documents, kinds } from './kinds.ts'

const starts = (program: string, ...argv: readonly string[]) =>
  spawnSync(program, argv).status === 0

/** Why no README can be worked through, or `false`; the runner counts it. */
export const unreachable: string | false =
  untested ||
  (starts('kubectl', 'version', '--client') && starts('openssl', 'version')
    ? false
    : 'kubectl or openssl is not on PATH: no README was walked')

export interface Block {
  readonly language: string
  readonly text: string
}

/** Fenced blocks of a page, in order. */
export const blocksOf = (page = ''): readonly Block[] =>
  [...page.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }))

/** Where a shell works through a page: a bundle on disk, the cluster behind it, and programs that need a person or time. */
export interface Shell {
  readonly host: Host
  /** The folder of the bundle. */
  readonly bundle: string
  readonly page: string
  /** cluster/prepare.sh, which the page runs. */
  readonly script: string
  /** The server of the cluster. */
  readonly server: string
  readonly ca: string
}

const administrator = 'token-of-the-administrator'

/** What flannel's own manifest says. */
export const netConfBefore = {
  Network: '10.244.0.0/16',
  EnableNFTables: false,
  Backend: { Type: 'vxlan' },
}

export async function openShell(host: Host, bundle: string): Promise<Shell> {
  const { endpoint, ca } = await host.cluster()
  const texts = Object.fromEntries(
    Object.entries(documents()).map(([at, document]) => [at, JSON.stringify(document)]),
  )
  await host.ps(
    `$with.documents.Keys | ForEach-Object { [WinNodeHost.ApiServer]::Document($_, $with.documents[$_]) }
    $with.kinds | ForEach-Object { [WinNodeHost.ApiServer]::Kind($_[1], $_[0], $_[2]) }
    Set-HostToken -Token $with.administrator -User ([WinNodeHost.ApiServer]::Administrator)`,
    { documents: texts, kinds, administrator },
  )
  for (const [at, object] of Object.entries(furniture(ca, bundle))) await put(host, at, object)
  const server = `https://${endpoint}`
  mkdirSync(binOf(bundle), { recursive: true })
  writeFileSync(adminOf(bundle), kubeconfig(server, ca))
  for (const [name, text] of Object.entries(programs(bundle)))
    writeFileSync(path.join(binOf(bundle), name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  const read = (name: string) => readFileSync(path.join(bundle, 'cluster', name), 'utf8')
  return { host, bundle, page: read('README.md'), script: read('prepare.sh'), server, ca }
}

const binOf = (bundle: string) => `${bundle}.bin`
const adminOf = (bundle: string) => path.join(binOf(bundle), 'admin.conf')

/** Programs that need a person, time, or a machine of the control plane. */
function programs(bundle: string): Readonly<Record<string, string>> {
  const wanted = path.join(bundle, 'cluster/linux-side/flannel-net-conf.json')
  return {
    sleep: '',
    kubeadm: 'echo abcdef.0123456789abcdef',
    editor: `cp '${wanted}' "$1"`,
  }
}

/** What flannel and Antrea and every cluster have put there, beside what kubeadm has. */
function furniture(ca: string, bundle: string): Readonly<Record<string, JsonObject>> {
  const map = (data: JsonObject) => ({ apiVersion: 'v1', kind: 'ConfigMap', data })
  const metadata = { namespace: 'kube-flannel', labels: { app: 'flannel' } }
  const counts = ['desired', 'current', 'updated'].map((word) => [`${word}NumberScheduled`, 1])
  const netConf = JSON.stringify(netConfBefore, null, 2)
  const annotations = {
    'flannel.alpha.coreos.com/backend-type': 'vxlan',
    'flannel.alpha.coreos.com/backend-data': '{"VNI":1,"VtepMAC":"0e:2a:5b:00:00:01"}',
  }
  return {
    '/api/v1/nodes/linux-a': { metadata: { annotations }, spec: { podCIDR: '10.244.1.0/24' } },
    '/api/v1/namespaces/kube-system/configmaps/kube-root-ca.crt': map({ 'ca.crt': ca }),
    '/api/v1/namespaces/kube-system/configmaps/antrea-config': map({
      'antrea-agent.conf': 'trafficEncapMode: encap\n',
    }),
    '/api/v1/namespaces/kube-system/configmaps/antrea-windows-config': map({
      'antrea-agent.conf': 'antreaProxy:\n  proxyAll: true\n',
      'antrea-cni.conflist': '{}',
    }),
    ...calicoOnLinux(bundle),
    [netConfPath]: map({ 'cni-conf.json': '{}', 'net-conf.json': netConf }),
    '/api/v1/namespaces/kube-flannel/pods/kube-flannel-ds-abcde': { metadata },
    '/apis/apps/v1/namespaces/kube-flannel/daemonsets/kube-flannel-ds': {
      metadata: { ...metadata, generation: 1 },
      spec: {
        selector: { matchLabels: metadata.labels },
        updateStrategy: { type: 'RollingUpdate' },
      },
      status: { ...Object.fromEntries(counts), observedGeneration: 1, numberAvailable: 1 },
    },
  }
}

/** Without Windows nodes, as its operator has it, with the encapsulation that the bundle needs. */
function calicoOnLinux(bundle: string): Readonly<Record<string, JsonObject>> {
  const has = (name: string) =>
    existsSync(path.join(bundle, `cluster/linux-side/calico-${name}.json`))
  const routed = has('pool') && !has('felix')
  const encapsulation = routed ? 'None' : 'VXLAN'
  // Without the IPAMConfiguration of Calico's IPAM, it has host-local.
  const hostLocal = has('pool') && !has('ipam')
  return {
    '/apis/operator.tigera.io/v1/installations/default': {
      spec: {
        cni: { type: 'Calico', ipam: { type: hostLocal ? 'HostLocal' : 'Calico' } },
        calicoNetwork: {
          bgp: routed && !hostLocal ? 'Enabled' : 'Disabled',
          ipPools: [{ cidr: '10.244.0.0/16', encapsulation, blockSize: 26 }],
        },
      },
    },
    '/apis/projectcalico.org/v3/felixconfigurations/default': { spec: {} },
    '/apis/projectcalico.org/v3/ipamconfigurations/default': { spec: { strictAffinity: false } },
  }
}

const netConfPath = '/api/v1/namespaces/kube-flannel/configmaps/kube-flannel-cfg'

/** What the ConfigMap of flannel says. */
export async function netConfOf({ host }: Shell): Promise<JsonObject> {
  const map = await get(host, netConfPath)
  const data = map?.['data'] as Readonly<Record<string, string>>
  return JSON.parse(data['net-conf.json'] ?? '')
}

export async function put(host: Host, at: string, object: JsonObject): Promise<void> {
  const json = JSON.stringify(object)
  await host.ps('[WinNodeHost.ApiServer]::Put($with.at, $with.json)', { at, json })
}

export async function get(host: Host, at: string): Promise<JsonObject | undefined> {
  const text = await host.ps<string | null>('[WinNodeHost.ApiServer]::Get($with.at)', { at })
  return typeof text === 'string' ? JSON.parse(text) : undefined
}

/** Paths of everything that is stored. */
export const pathsOf = ({ host }: Shell): Promise<readonly string[]> =>
  host.ps('[WinNodeHost.ApiServer]::Paths()')

function kubeconfig(server: string, ca: string): string {
  const data = Buffer.from(ca).toString('base64')
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server, 'certificate-authority-data': data } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    users: [{ name: 'u', user: { token: administrator } }],
    'current-context': 'c',
  })
}

export interface Ran {
  readonly code: number | null
  readonly stderr: string
  /** What each block printed. */
  readonly printed: readonly string[]
}

/** Runs blocks in one shell, from the folder of the bundle, with `first` before all others on PATH. */
export async function runBlocks(
  { bundle }: Shell,
  blocks: readonly string[],
  { shell = 'sh', first = '' } = {},
): Promise<Ran> {
  const folders = [first, binOf(bundle), process.env['PATH'] ?? '']
  const env = {
    PATH: folders.filter((folder) => folder !== '').join(':'),
    KUBECONFIG: adminOf(bundle),
    HOME: binOf(bundle),
    EDITOR: 'editor',
  }
  const script = ['set -e', ...blocks.flatMap((block) => [block, 'echo ----'])].join('\n')
  const child = spawn(shell, ['-c', script], { cwd: bundle, env, timeout: 120_000 })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => (stdout += String(chunk)))
  child.stderr.on('data', (chunk) => (stderr += String(chunk)))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, stderr, printed: stdout.split('----\n') }
}

/** The folder with what the nodes are given. */
export const nodesOf = ({ bundle }: Shell): string =>
  path.join(path.dirname(bundle), 'for-the-nodes')

/** A file that the walk has made for the nodes. */
export const made = (shell: Shell, name: string): string =>
  readFileSync(path.join(nodesOf(shell), name), 'utf8')

/** Names of what is in that folder. */
export const namesOf = (shell: Shell): readonly string[] => readdirSync(nodesOf(shell))

// Golden files: ten profiles with every file that they render, and the command line that is promised.
//
// The static scripts are stood in for by their names: they are the same in every bundle, so that a
// change of one of them is no change of ten bundles.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { compile, type Compiled } from '../../src/compile.ts'
import { loadProfile } from '../../src/io/profiles.ts'
import { traits as knownTraits } from '../../src/matrix/traits.ts'
import { cniNames } from '../../src/cni/index.ts'
import type { TraitId } from '../../src/model/tables.ts'
import { rules } from '../../src/rules/index.ts'
import { renderFiles } from '../../src/render/render.ts'
import { isInstalled } from '../host/rendered.ts'
import { judgeBundle } from '../judge/judge.ts'
import { errorsOf, readStatic, textsOf, today, versionsOf } from '../tools/bundle.ts'
import { checkedIn, checkedInFolder, filesBelow } from '../tools/checked-in.ts'
import { root, winnode } from '../tools/run.ts'

const golden = path.join(root, 'test/golden')

interface Case {
  readonly name: string
  readonly compiled: Compiled
  readonly files: ReadonlyMap<string, string>
}

const names = readdirSync(golden, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort()

const standIn = (source: string) => new TextEncoder().encode(`${source}\n`)

async function render(name: string): Promise<Case> {
  const profile = path.join('test/golden', name, 'profile.yaml')
  const { layers, findings } = loadProfile({ profile, root, cwd: root })
  const compiled = compile(layers, name, { today })
  const refused = [...findings.map(({ id }) => id), ...errorsOf(compiled)]
  if (!compiled.plan) throw new Error(`${name} is refused: ${refused.join(', ')}`)
  const files = textsOf(await renderFiles(compiled.plan, standIn))
  return { name, compiled, files: new Map([...files].filter(([file]) => !isScript(file))) }
}

const isScript = (file: string) => /\.psm?1$/.test(file)

/** One that is refused fails its own test. */
const drawn = await Promise.allSettled(names.map(render))
const cases = drawn.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))

for (const [index, name] of names.entries()) {
  t.test(name, async (t) => {
    const one = drawn[index]
    if (one?.status !== 'fulfilled') throw one?.reason
    const { compiled, files } = one.value
    t.strictSame(judgeBundle(files, versionsOf(compiled)), [], 'every key exists in its versions')
    checkedInFolder(t, `test/golden/${name}/bundle`, files)
  })
}

t.test('each network plugin is drawn', async (t) => {
  const all = cases.map(({ compiled }) => compiled.facts.spec.network.cni)
  for (const cni of cniNames) t.ok(all.includes(cni), `test/golden has a profile with ${cni}`)
})

/** What depends on a version, a mode or a wish, and how its files show it. */
const branches: readonly [branch: string, file: RegExp, shows: RegExp][] = [
  ['config.toml in format 2', /config\.toml$/, /^version = 2$/m],
  ['format 2, without annotations', /config\.toml$/, /^version = 2$(?![^]*annotations)/m],
  ['config.toml in format 3', /config\.toml$/, /^version = 3$/m],
  ['config.toml in format 4', /config\.toml$/, /^version = 4$/m],
  ['one CNI folder', /config\.toml$/, /^version = 3$[^]*^bin_dir = /m],
  ['a list of CNI folders', /config\.toml$/, /^bin_dirs = \[/m],
  ['handlers that pass annotations', /config\.toml$/, /^container_annotations = /m],
  ['logs without secrets', /config\.toml$/, /^ScrubLogs = true$/m],
  ['logs as the shim has them', /config\.toml$/, /^(?![^]*ScrubLogs)/],
  ['no folder of mirrors', /config\.toml$/, /^(?![^]*config_path)/],
  ['a handler for Hyper-V', /config\.toml$/, /runhcs-wcow-hypervisor/],
  ['a RuntimeClass for Hyper-V', /30-runtime-class-hyperv\.yaml$/, /^overhead:$/m],
  [
    'a RuntimeClass with a comment about other selectors and other bundles',
    /30-runtime-class\.yaml$/,
    /contradicting nodeSelector is\n# rejected\..* share the name: if their taints differ/,
  ],
  [
    'a README that says which command reads mirrors',
    /^README\.md$/,
    /`ctr` ignores registry mirrors unless `--hosts-dir` is given/,
  ],
  [
    'and how to keep a service down',
    /^README\.md$/,
    /Suspend-WinNode\.ps1 -For 2h`[^]*disable it: `Set-Service -Name kubelet -StartupType Disabled`/,
  ],
  ['a RuntimeClass without tolerations', /30-runtime-class\.yaml$/, /^(?![^]*tolerations)/],
  ['a mirror for every registry', /certs\.d\/_default\/hosts\.toml$/, /^\[host\./m],
  ['a mirror of a port, with a CA', /certs\.d\/[\w.]+_5000_\/hosts\.toml$/, /^ca = /m],
  ['a mirror of an IPv6 address', /certs\.d\/\[fd001\]_5000_\/hosts\.toml$/, /^server = /m],
  ['the endpoint on the command line', /^node\.json$/, /--container-runtime-endpoint=/],
  ['the endpoint in the file', /kubelet/, /"containerRuntimeEndpoint"/],
  ['the kubelet’s own file', /kubelet\/config\.json$/, /KubeletConfiguration/],
  ['a grace period that needs its gate', /kubelet/, /"WindowsGracefulNodeShutdown": true/],
  [
    'a grace period whose gate is on',
    /kubelet/,
    /^(?![^]*WindowsGracefulNodeShutdown)[^]*"shutdownGracePeriod"/,
  ],
  ['no taints', /kubelet/, /"registerWithTaints": \[\]/],
  ['drop-ins of the kubelet', /^node\.json$/, /--config-dir=/],
  ['credential providers, v1beta1', /credential-providers\.json$/, /kubelet\.k8s\.io\/v1beta1"/],
  ['credential providers, v1', /credential-providers\.json$/, /kubelet\.k8s\.io\/v1"/],
  ['a cloud', /^node\.json$/, /--cloud-provider=external/],
  ['a provider id', /kubelet/, /"providerID"/],
  ['a name from a file', /^node\.json$/, /"name": "nodeName",\s*"with"/],
  ['labels', /^node\.json$/, /--node-labels=/],
  ['a proxy', /^node\.json$/, /NO_PROXY/],
  ['log files that the runner rotates', /^node\.json$/, /-log-file-size=/],
  ['log files that the node rotates', /^node\.json$/, /"id": "log-kubelet"/],
  ['a published checksum', /^bom\.json$/, /"digestFrom": "https/],
  [
    'a pinned digest, from a mirror',
    /^node\.json$/,
    /mirror\.example\.com[^]*?"sha256": "0123456789abcdef/,
  ],
  ['kubeadm’s v1beta3', /join\.json$/, /kubeadm\.k8s\.io\/v1beta3/],
  ['kubeadm’s v1beta4', /join\.json$/, /kubeadm\.k8s\.io\/v1beta4/],
  ['a discovery file', /join\.json$/, /"kubeConfigPath"/],
  ['an endpoint and a pinned CA', /join\.json$/, /"caCertHashes"/],
  ['a join without kubeadm', /^node\.json$/, /"kind": "bootstrapJoin"/],
  ['a CA that comes along', /kubernetes\/ca\.crt$/, /BEGIN CERTIFICATE/],
  ['a kubeconfig with a token file', /kubernetes\/flannel\.conf$/, /"tokenFile"/],
  [
    'a kubeconfig with a client certificate',
    /kubernetes\/kube-proxy\.conf$/,
    /"client-certificate"/,
  ],
  ['DSR with its gate', /kube-proxy\/config\.json$/, /"WinDSR": true/],
  ['DSR without a gate', /kube-proxy\/config\.json$/, /^(?![^]*WinDSR)[^]*"enableDSR": true/],
  ['no DSR', /kube-proxy\/config\.json$/, /"enableDSR": false/],
  ['kube-proxy on overlay', /kube-proxy\/config\.json$/, /"sourceVip"/],
  ['kube-proxy on l2bridge', /kube-proxy\/config\.json$/, /"rootHnsEndpointName": "cbr0_ep"/],
  ['flannel on overlay', /10-flannel\.conflist$/, /"win-overlay"/],
  ['flannel on l2bridge', /10-flannel\.conflist$/, /"win-bridge"/],
  ['a CNI conf for libcni 0.8', /10-flannel\.conflist$/, /"cniVersion": "0\.4\.0"/],
  ['Antrea', /antrea-agent\.conf$/, /"proxyAll": true/],
  ['lists of kubelet arguments in quotes', /^user-data\.txt$/, /--node-labels="[^"]+,/],
  ['an API server that EKS need not be asked for', /^user-data\.txt$/, /'APIServerEndpoint'/],
  ['addresses of EKS', /amazon-vpc-cni\.json$/, /"warm-prefix-target": "1"/],
  ['Antrea’s way to the API server', /antrea-agent\.conf$/, /"https:\/\/api\./],
  ['test signing', /^node\.json$/, /"testsigning"/],
  ['Windows Server 2019', /30-runtime-class\.yaml$/, /10\.0\.17763/],
  ['Windows Server 2022', /30-runtime-class\.yaml$/, /10\.0\.20348/],
  ['Windows Server 2025', /30-runtime-class\.yaml$/, /10\.0\.26100/],
]

t.test('each branch is in at least one of them', async (t) => {
  t.ok(cases.length >= 10, `${cases.length} cases`)
  for (const [branch, file, shows] of branches) {
    const hit = cases.filter(({ files }) =>
      [...files].some(([name, text]) => file.test(name) && shows.test(text)),
    )
    t.ok(hit.length > 0, branch)
  }
})

t.test(
  'each behaviour that a file depends on is on in one of them and off in another',
  async (t) => {
    const rooms = ['artifacts', 'cni', 'components', 'downloads', 'profile', 'sizing', 'steps']
    const sources = rooms.flatMap((room) =>
      filesBelow(path.join(root, 'src', room)).map((name) =>
        readFileSync(path.join(root, 'src', room, name), 'utf8'),
      ),
    )
    const asked = sources.flatMap((text) => [...text.matchAll(/\bhas\('([a-z0-9-]+)'\)/g)])
    const asking = new Set(asked.map(([, trait]) => trait))
    const traits = (Object.keys(knownTraits) as TraitId[]).filter((trait) => asking.has(trait))
    t.ok(traits.length > 8)
    for (const trait of traits) {
      const answers = new Set(cases.map(({ compiled }) => compiled.facts.has(trait)))
      t.ok(answers.has(true), `${trait}, in one`)
      t.ok(answers.has(false), `${trait}, not in another`)
    }
  },
)

t.test('the scripts are the same bytes in every bundle', async (t) => {
  const installed = cases.filter(({ name }) => isInstalled(name))
  const bundles = await Promise.all(
    installed.flatMap(({ compiled: { plan } }) => (plan ? [renderFiles(plan, readStatic)] : [])),
  )
  const scripts = bundles.map((files) =>
    files.filter((file) => isScript(file.path)).map((file) => [file.path, file.content] as const),
  )
  t.equal(scripts.length, installed.length)
  t.ok((scripts[0]?.length ?? 0) >= 6)
  for (const each of scripts) {
    t.strictSame(
      each.map(([name]) => name),
      scripts[0]?.map(([name]) => name),
    )
    for (const [at, [name, content]] of each.entries())
      t.ok(Buffer.compare(content, scripts[0]?.[at]?.[1] ?? new Uint8Array()) === 0, name)
  }
})

t.test('commands and flags are promised', async (t) => {
  const lines = Object.entries(winnode.manifest.commands).flatMap(([id, { args, flags }]) => {
    const words = Object.values(args).map(({ name, required }) => (required ? name : `[${name}]`))
    return [
      `winnode ${[...id.split(':'), ...words].join(' ')}`,
      ...Object.values(flags)
        .map((flag) => {
          const { name, char } = flag
          const takes =
            flag.type === 'option' ? ` ${flag.options?.join('|') ?? String(flag.helpValue)}` : ''
          const traits = [
            flag.required && 'required',
            flag.type === 'option' && flag.multiple && 'many',
          ]
          const said = traits.filter(Boolean).map((trait) => `, ${trait}`)
          return `  --${name}${char === undefined ? '' : `, -${char}`}${takes}${said.join('')}`
        })
        .sort(),
    ]
  })
  checkedIn(t, 'test/golden/commands.txt', `${lines.join('\n')}\n`)
})

t.test('a change of a severity shows in a diff', async (t) => {
  const list = rules.map(({ id, severity, severityVaries }) =>
    [id, severity, ...(severityVaries ? ['or less'] : [])].join(' '),
  )
  checkedIn(t, 'test/golden/severities.txt', `${list.sort().join('\n')}\n`)
})

// What the pages of a bundle tell a person to do, done: by a shell and the real kubectl, against a small API server.
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { parseAllDocuments } from 'yaml'
import type { JsonObject } from '../src/model/json.ts'
import { compileBuiltin, gapsOf, renderCompiled, textsOf } from './tools/bundle.ts'
import { base64, caPem, Cluster, nameOf, unreachable } from './tools/cluster.ts'
import { controllers, furnish, netConfOf } from './tools/controllers.ts'
import { root } from './tools/run.ts'

const builtins = readdirSync(path.join(root, 'profiles'))
  .map((name) => name.replace(/\.yaml$/, ''))
  .filter((name) => name !== 'base')
const goldens = readdirSync(path.join(root, 'test/golden'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => path.join('test/golden', name, 'profile.yaml'))

/** What flannel's own manifest says. */
const before = { Network: '10.244.0.0/16', EnableNFTables: false, Backend: { Type: 'vxlan' } }

type Files = ReadonlyMap<string, string>

async function filesOf(profile: string, ...over: readonly JsonObject[]): Promise<Files> {
  return textsOf(await renderCompiled(compileBuiltin(profile, gapsOf(profile), ...over)))
}

/** Fenced blocks of a page, in order. */
const blocksOf = (page = '') =>
  [...page.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }))

/** Where a shell works through a page: a bundle on disk, a cluster, and programs that need a person or time. */
interface Walk {
  readonly cluster: Cluster
  readonly folder: string
  readonly files: Files
}

async function walkOf(test: Test, profile: string, over: JsonObject = {}): Promise<Walk> {
  const cluster = await new Cluster(controllers).start()
  test.teardown(() => cluster.stop())
  furnish(cluster, before)
  const { join } = compileBuiltin(profile, gapsOf(profile)).facts.spec
  const named =
    join.endpoint === undefined ? {} : { endpoint: cluster.address.slice('https://'.length) }
  const files = await filesOf(profile, {
    ...over,
    join: { ...named, ...(join.ca === undefined ? {} : { ca: caPem }) },
  })
  const folder = test.testdir({ bin: {}, bundle: {}, 'admin.conf': cluster.kubeconfig('admin') })
  for (const [name, text] of files) {
    mkdirSync(path.dirname(path.join(folder, 'bundle', name)), { recursive: true })
    writeFileSync(path.join(folder, 'bundle', name), text)
  }
  const wanted = files.get('cluster/linux-side/flannel-net-conf.json') ?? ''
  const programs = {
    sleep: '',
    kubeadm: 'echo abcdef.0123456789abcdef',
    editor: `cat > "$1" <<'END'\n${wanted}END`,
  }
  for (const [name, text] of Object.entries(programs))
    writeFileSync(path.join(folder, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  return { cluster, folder, files }
}

/** Runs blocks in one shell, from the folder of the bundle, and gives what each of them printed. */
async function runBlocks({ folder }: Walk, blocks: readonly string[]) {
  const env = {
    PATH: `${path.join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
    KUBECONFIG: path.join(folder, 'admin.conf'),
    HOME: folder,
    EDITOR: 'editor',
  }
  const script = ['set -e', ...blocks.flatMap((block) => [block, 'echo ----'])].join('\n')
  const child = spawn('sh', ['-c', script], {
    cwd: path.join(folder, 'bundle'),
    env,
    timeout: 120_000,
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => (stdout += String(chunk)))
  child.stderr.on('data', (chunk) => (stderr += String(chunk)))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, stderr, printed: stdout.split('----\n') }
}

/** A file that the walk has made for the nodes. */
const made = ({ folder }: Walk, name: string) =>
  readFileSync(path.join(folder, 'for-the-nodes', name), 'utf8')

/** Each block that a shell runs, by what it begins with or holds, and what must be so after it. */
type Effect = (t: Test, walk: Walk, printed: string) => void
const nothing: Effect = () => undefined
const commands: readonly (readonly [name: string, block: RegExp, effect: Effect])[] = [
  ['the manifests', /^kubectl apply -f cluster\/\n$/, everythingApplied],
  [
    'a folder for secrets',
    /^bundle=\$PWD\nmkdir -p -m 700 /,
    (t, { folder }) => t.equal(statSync(path.join(folder, 'for-the-nodes')).mode & 0o777, 0o700),
  ],
  ['where flannel is', /^namespace=kube-flannel /, nothing],
  [
    'what flannel says today',
    /> net-conf\.today\.json$/m,
    (t, walk, printed) => {
      t.match(
        printed,
        /^FIELD +CLUSTER +BUNDLE\nNetwork +10\.244\.0\.0\/16 +10\.244\.0\.0\/16 +same$/m,
      )
      const { Backend } = JSON.parse(
        walk.files.get('cluster/linux-side/flannel-net-conf.json') ?? '',
      )
      const lines =
        Backend.Type === 'vxlan'
          ? /^Type +vxlan +vxlan +same\nVNI +1 +4096 +DIFFERS\nPort +8472 +4789 +DIFFERS$/m
          : /^Type +vxlan +host-gw +DIFFERS$/m
      t.match(printed, lines)
    },
  ],
  [
    'what nodes announce',
    /^kubectl get nodes -o /,
    (t, _walk, printed) => t.match(printed, /linux-1 +vxlan +\{"VNI":1,"VtepMAC"/),
  ],
  ['an edited copy', /^\$\{EDITOR:-vi\} net-conf\.new\.json$/m, nothing],
  [
    'the change',
    /^use_net_conf net-conf\.new\.json$/m,
    (t, walk) => {
      const wanted = JSON.parse(walk.files.get('cluster/linux-side/flannel-net-conf.json') ?? '')
      t.strictSame(netConfOf(walk.cluster), wanted)
      t.ok(
        walk.cluster.requests.some((one) =>
          one.startsWith('DELETE /api/v1/namespaces/kube-flannel/pods/'),
        ),
      )
    },
  ],
  [
    'what Antrea says today',
    /get configmap antrea-config/,
    (t, _walk, printed) => t.match(printed, 'trafficEncapMode: encap'),
  ],
  [
    'the discovery file',
    /> discovery\.conf$/m,
    (t, walk) => t.equal(made(walk, 'discovery.conf'), walk.cluster.kubeconfig()),
  ],
  [
    'the address',
    /^server=\S+\necho "\$server"\n$|^server=\$\(/,
    (t, { cluster }, printed) => t.match(printed, cluster.address),
  ],
  ['kubeconfigs', /^kubeconfig_for\(\) \(/, kubeconfigsWork],
  [
    'tokens',
    /^token_for\(\) \(/,
    (t, walk) => secret(t, walk, 'flannel.token', 'token-of-winnode-flannel'),
  ],
  [
    'certificates',
    /^certificate_for\(\) \(/,
    (t, walk) => {
      secret(t, walk, 'kube-proxy.crt', caPem)
      secret(t, walk, 'kube-proxy.key', /^-----BEGIN PRIVATE KEY-----/)
    },
  ],
  [
    'a token',
    /kubeadm token create/,
    (t, walk) => secret(t, walk, 'token', 'abcdef.0123456789abcdef\n'),
  ],
  [
    'a bootstrap token',
    /^id=\$\(openssl/,
    (t, { cluster }) => t.ok([...cluster.users.values()].includes('system:bootstrappers:winnode')),
  ],
  [
    'a bootstrap kubeconfig',
    /^bootstrap_kubeconfig\(\) \(/m,
    (t, walk) => secret(t, walk, 'bootstrap-kubelet.conf', walk.cluster.address),
  ],
  ['requests for serving certificates', /^kubectl get csr /, nothing],
]
/** What a person does only to go back. */
const undo = /^use_net_conf net-conf\.before\.json\n$/

function everythingApplied(t: Test, { cluster, files }: Walk): void {
  const stored = [...cluster.objects.values()].map(
    (object) => `${JSON.stringify(object['kind'])} ${nameOf(object)}`,
  )
  for (const [name, text] of files) {
    if (!/^cluster\/.*\.yaml$/.test(name)) continue
    for (const document of parseAllDocuments(text)) {
      const { kind, metadata } = document.toJS()
      t.ok(
        stored.includes(`${JSON.stringify(kind)} ${metadata.name}`),
        `${name}: ${kind} ${metadata.name}`,
      )
    }
  }
}

function secret(t: Test, walk: Walk, name: string, holds: string | RegExp): void {
  t.match(made(walk, name), holds, name)
  t.equal(
    statSync(path.join(walk.folder, 'for-the-nodes', name)).mode & 0o777,
    0o600,
    `${name} is its owner's`,
  )
}

function kubeconfigsWork(t: Test, walk: Walk): void {
  for (const [name, asks] of [
    ['kube-proxy', 'services'],
    ['flannel', 'nodes'],
  ] as const) {
    const text = walk.files.get('cluster/README.md') ?? ''
    if (!text.includes(`kubeconfig_for winnode-${name} ${name}.conf ${asks}`)) continue
    secret(t, walk, `${name}.conf`, `token: secret-of-winnode-${name}`)
    t.match(made(walk, `${name}.conf`), `server: ${walk.cluster.address}`)
    t.match(made(walk, `${name}.conf`), `certificate-authority-data: ${base64(caPem)}`)
  }
}

/** What a shell is told by a page, without what only names one cluster. */
const scriptOf = (files: Files) =>
  blocksOf(files.get('cluster/README.md'))
    .map(({ text }) => text.replace(/^server=https:.*? ?$/m, 'server=https://api'))
    .join('\n')

const walked = new Set<string>()
for (const profile of [...builtins, ...goldens]) {
  const files = await filesOf(profile)
  const known = walked.has(scriptOf(files))
  walked.add(scriptOf(files))
  t.test(`the cluster's side of ${profile}`, { skip: unreachable }, async (t) => {
    const walk = await walkOf(t, profile)
    const all = blocksOf(walk.files.get('cluster/README.md'))
    t.strictSame(
      all.filter(({ language }) => language !== 'sh'),
      [],
      'all of it is for a shell',
    )
    const once = all.map(({ text }) => text).filter((text) => !undo.test(text))
    const rows = once.map((text) => commands.filter(([, block]) => block.test(text)))
    for (const [at, found] of rows.entries()) t.equal(found.length, 1, `known: ${once[at]}`)
    // The same text needs to run once; what it applies is each bundle's own.
    const ran = known ? once.slice(0, 1) : once
    const { code, stderr, printed } = await runBlocks(walk, ran)
    t.equal(code, 0, stderr)
    for (const [at, text] of ran.entries())
      for (const [name, block, effect] of commands)
        if (block.test(text)) await t.test(name, async (t) => effect(t, walk, printed[at] ?? ''))
    if (!known && walk.files.has('cluster/linux-side/flannel-net-conf.json'))
      await changedAndBack(t, walk)
  })
}

/** After the change nothing differs; and the way back leads to what was before. */
async function changedAndBack(t: Test, walk: Walk): Promise<void> {
  const texts = blocksOf(walk.files.get('cluster/README.md')).map(({ text }) => text)
  const [, folder = '', where = '', today = '', nodes = ''] = texts
  const again = await runBlocks(walk, [folder, where, today, nodes])
  t.equal(again.code, 0, again.stderr)
  t.notMatch(again.printed.join(''), 'DIFFERS', 'after the change there is none')
  const functions = texts.filter((text) => text.startsWith('use_net_conf()'))
  const forgets = functions.map((text) => text.replace(/^use_net_conf net.*$/m, ''))
  const back = await runBlocks(walk, [
    folder,
    where,
    ...forgets,
    ...texts.filter((text) => undo.test(text)),
  ])
  t.equal(back.code, 0, back.stderr)
  t.strictSame(netConfOf(walk.cluster), before)
}

t.test('no kubeconfig is written that does not work', { skip: unreachable }, async (t) => {
  type Spoil = (cluster: Cluster) => void
  const account = '/api/v1/namespaces/kube-system/secrets/winnode-kube-proxy'
  const rows: readonly (readonly [name: string, spoil: Spoil, says: RegExp, server?: string])[] = [
    ['no token', ({ objects }) => objects.delete(account), /holds no token/],
    [
      'an unknown token',
      ({ objects }) =>
        objects.set(account, {
          kind: 'Secret',
          apiVersion: 'v1',
          data: { token: base64('other'), 'ca.crt': base64(caPem) },
        }),
      /provide credentials|Unauthorized/,
    ],
    [
      'no permission',
      ({ users }) => users.set('secret-of-winnode-kube-proxy', 'flannel'),
      /Forbidden|forbidden/,
    ],
    ['no https', () => undefined, /it must begin with https/, 'http://127.0.0.1:1'],
    ['no address', () => undefined, /it must begin with https/, ''],
    ['nobody there', () => undefined, /refused/, 'https://127.0.0.1:1'],
  ]
  for (const [name, spoil, says, server] of rows) {
    const walk = await walkOf(t, 'ws2022-flannel-overlay')
    const all = blocksOf(walk.files.get('cluster/README.md')).map(({ text }) => text)
    const find = (word: string) => all.filter((text) => text.includes(word))
    const ready = [
      ...find('kubectl apply'),
      ...find('mkdir'),
      ...find('> discovery.conf'),
      ...find('server=$('),
    ]
    const secretTwice = [
      'kubectl -n kube-system get secret winnode-kube-proxy winnode-kube-proxy > /dev/null',
    ]
    t.equal((await runBlocks(walk, [...ready, ...secretTwice])).code, 0)
    spoil(walk.cluster)
    const old = 'of yesterday'
    const file = path.join(walk.folder, 'for-the-nodes/kube-proxy.conf')
    writeFileSync(file, old)
    const define = find('kubeconfig_for() (').map((text) =>
      text.replace(/^kubeconfig_for win.*\n/gm, ''),
    )
    const address = server ?? walk.cluster.address
    const call = `server=${address}; kubeconfig_for winnode-kube-proxy kube-proxy.conf services`
    const { code, stderr } = await runBlocks(walk, [...find('mkdir'), ...define, call])
    t.equal(code, 1, name)
    t.match(stderr, says, name)
    t.equal(readFileSync(file, 'utf8'), old, `${name}: the old one stays`)
    t.strictSame(
      readdirSync(path.dirname(file)).filter((one) => one.endsWith('.new')),
      [],
      name,
    )
  }
})

t.test('what a page says of its profile', async (t) => {
  const pageOf = async (...over: readonly JsonObject[]) =>
    (await filesOf('ws2022-flannel-overlay', ...over)).get('cluster/README.md')
  const join = { endpoint: 'api.example.com:6443', caCertHashes: [`sha256:${'a'.repeat(64)}`] }
  const credentials = { kubeconfig: null, certificate: 'C:\\k\\a.crt', key: 'C:\\k\\a.key' }
  const files = await filesOf('ws2022-flannel-overlay', { kubeProxy: { credentials }, join })
  t.match(
    files.get('cluster/README.md'),
    'common name `system:serviceaccount:kube-system:winnode-kube-proxy`',
  )
  t.notMatch(files.get('cluster/10-kube-proxy.yaml'), /kind: Secret/, 'no token that nobody uses')
  t.match(files.get('cluster/20-flannel.yaml'), /kind: Secret/)

  const plain = await pageOf()
  t.match(plain, 'serves every cluster with the pod network `10.244.0.0/16`')
  t.match(plain, 'anonymous requests are refused')
  t.notMatch(plain, 'serving certificate')
  const approved = await pageOf({ kubelet: { servingCertificateApprover: 'kubelet-csr-approver' } })
  t.match(approved, 'Until `kubelet-csr-approver` approves the request')
  t.match(approved, 'kubectl certificate approve')
  const other = await pageOf({ network: { vni: 5000 }, join })
  t.match(other, 'compare VNI 5000 1\n')
  t.match(other, '`ip -d link show flannel.5000`')
  t.match(other, 'server=https://api.example.com:6443\n')
})

/** Each line for PowerShell, and what must be there for it; the simulated host runs them in test/node-bundles.test.ts. */
const powershell: readonly (readonly [
  line: RegExp,
  holds: (files: Files, found: RegExpExecArray) => boolean,
])[] = [
  [
    /^\.\\([\w-]+\.ps1)((?: -\w+)*(?: -TokenFile \(Join-Path -Path \$from -ChildPath 'token'\))?)$/,
    scriptTakes,
  ],
  [/^Restart-Computer$/, () => true],
  [/^\$from = 'D:\\for-the-nodes'$/, () => true],
  [
    /^Copy-Item -LiteralPath \(Join-Path -Path \$from -ChildPath '([\w.-]+)'\) -Destination '(.+)'$/,
    // What the cluster's side makes under that name.
    (files, [, name = '', target = '']) =>
      files.get('cluster/README.md')?.includes(`- \`${name}\` becomes \`${target}\``) === true,
  ],
]

/** Whether the bundle has a script of that name with these parameters. */
function scriptTakes(files: Files, [, name = '', words = '']: RegExpExecArray): boolean {
  const text = files.get(name) ?? ''
  const given = [...words.replace(/\(.*\)/, '').matchAll(/-(\w+)/g)].map(([, word = '']) => word)
  const takes = (word: string) =>
    word === 'WhatIf' ? text.includes('SupportsShouldProcess') : text.includes(`    $${word} =`)
  return text !== '' && given.every(takes)
}

for (const profile of [...builtins, ...goldens]) {
  t.test(`README.md of ${profile}`, async (t) => {
    const files = await filesOf(profile)
    const page = files.get('README.md') ?? ''
    const blocks = blocksOf(page)
    t.strictSame(
      blocks.filter(({ language }) => language !== 'powershell'),
      [],
      'all of it is for the node',
    )
    const lines = blocks.flatMap(({ text }) => text.trimEnd().split('\n'))
    for (const line of lines) {
      const rows = powershell.flatMap(([pattern, holds]) => {
        const found = pattern.exec(line)
        return found ? [holds(files, found)] : []
      })
      t.strictSame(rows, [true], `known, and right: ${line}`)
    }
    const order = [
      'cluster/README.md',
      '.\\Install-',
      'Restart-',
      '$from',
      '.\\Join-',
      '.\\Test-',
      'with 2 it refused',
      '.\\Reset-',
    ]
    const places = order.map((word) => page.indexOf(word))
    t.strictSame(
      places,
      places.toSorted((a, b) => a - b),
      'in the order in which a person does it',
    )
    t.notOk(places.includes(-1))
    const { facts } = compileBuiltin(profile, gapsOf(profile))
    t.equal(page.includes('-TokenFile'), facts.spec.join.method === 'kubeadm')
    for (const file of ['README.md', 'cluster/README.md'])
      t.notMatch(
        files.get(file),
        /\n\n\n|[^\n]\n#/,
        `${file}: an empty line before a heading, and never two`,
      )
  })
}

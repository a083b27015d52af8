// winnode drift: each difference is found, named right and told once, and what means the same is none.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { compareTrees } from '../src/drift/compare.ts'
import { shapeOfFile } from '../src/drift/shape.ts'
import type { Json, JsonObject } from '../src/model/json.ts'
import { inProcess, root } from './tools/run.ts'
import { breaches } from './tools/json-schema.ts'

const profile = 'ws2022-flannel-overlay'

interface Difference {
  readonly id: string
  readonly subject: string
  readonly severity: string
  readonly owner: string
  readonly need: string
  readonly was: Json
  readonly should: Json
  readonly message: string
  readonly place: { readonly file: string; readonly line: number }
  readonly field: string
  readonly fieldFrom: string
}

interface Answer {
  readonly exit: number
  readonly need: string
  readonly drift: readonly Difference[]
}

const schema = JSON.parse(
  readFileSync(path.join(root, 'docs/drift.schema.json'), 'utf8'),
) as JsonObject

async function ask(...argv: readonly string[]): Promise<Answer> {
  const { stdout, code } = await inProcess(['drift', ...argv, '--json'])
  const answer = JSON.parse(stdout) as Answer & JsonObject
  t.strictSame(breaches(schema, answer), [], 'the answer is as docs/drift.schema.json says')
  t.equal(answer.exit, code)
  return answer
}

const fresh = t.testdir({})
const rendered = path.join(fresh, 'rendered')
await inProcess(['render', profile, '--out', rendered])

let copies = 0
/** A bundle of its own, whose files the edits change. */
function copyOf(edits: Readonly<Record<string, (text: string) => string>> = {}): string {
  copies += 1
  const folder = path.join(fresh, `copy-${copies}`)
  cpSync(rendered, folder, { recursive: true })
  for (const [file, edit] of Object.entries(edits)) {
    const name = path.join(folder, file)
    const before = readFileSync(name, 'utf8')
    const after = edit(before)
    t.not(after, before, `${file} is edited`)
    writeFileSync(name, after)
  }
  return folder
}

const swap = (from: string | RegExp, to: string) => (text: string) => text.replace(from, to)

t.test('an untouched bundle says nothing', async (t) => {
  const { stdout, code } = await inProcess(['drift', profile, rendered])
  t.equal(stdout, 'no drift\n')
  t.equal(code, 0)
})

t.test('an edit is named by its file and field, with its line', async (t) => {
  const folder = copyOf({ 'files/kubelet/config.json': swap('"maxPods": 110', '"maxPods": 60') })
  const { exit, drift, need } = await ask(profile, folder)
  t.equal(exit, 4)
  t.equal(need, 'install')
  const line = readFileSync(path.join(folder, 'files/kubelet/config.json'), 'utf8')
    .split('\n')
    .findIndex((text) => text.includes('maxPods'))
  t.match(drift, [
    {
      id: 'field-edited',
      severity: 'warning',
      subject: 'files/kubelet/config.json#maxPods',
      owner: 'theirs',
      was: 60,
      should: 110,
      message: 'maxPods is 60, and 110 was written',
      place: { file: path.join(folder, 'files/kubelet/config.json'), line: line + 1 },
      field: 'kubelet.maxPods',
      fieldFrom: 'default',
    },
  ])
  t.equal(drift.length, 1)
})

t.test('whose change it is', async (t) => {
  const pods = copyOf({ 'files/kubelet/config.json': swap('"maxPods": 110', '"maxPods": 60') })
  const rows: readonly [name: string, folder: string, sets: readonly string[], owner: string][] = [
    ['the profile says something else today', rendered, ['kubelet.maxPods=50'], 'ours'],
    ['somebody edited the file', pods, [], 'theirs'],
    ['both', pods, ['kubelet.maxPods=50'], 'both'],
    ['an edit, and another file that is outdated', pods, ['sandboxImage=a.example/b:1'], 'theirs'],
  ]
  for (const [name, folder, sets, owner] of rows) {
    const { drift, exit } = await ask(profile, folder, ...sets.flatMap((set) => ['--set', set]))
    t.equal(exit, 4, name)
    const found = drift.filter(({ subject }) => subject === 'files/kubelet/config.json#maxPods')
    t.strictSame(
      found.map((one) => one.owner),
      [owner],
      name,
    )
  }
})

t.test('a newer kubelet is told once for each download', async (t) => {
  const { drift } = await ask(profile, rendered, '--set', 'kubernetes.version=1.34')
  const subjects = drift.map(({ subject }) => subject)
  t.ok(subjects.includes('node.json#steps.download-kubelet.url'))
  t.notMatch(subjects.join('\n'), /checksum|sha256|bom\.json#/, 'what follows is not told besides')
  t.strictSame([...new Set(drift.map(({ owner }) => owner))], ['ours'])
})

/** Edits that change nothing for the program that reads the file. */
const equal: readonly [name: string, file: string, edit: (text: string) => string][] = [
  ['other line ends', 'files/kubelet/config.json', (text) => text.replaceAll('\n', '\r\n')],
  ['a byte order mark', 'files/kubelet/config.json', (text) => `\ufeff${text}`],
  [
    'another order of keys',
    'files/kubelet/config.json',
    (text) =>
      JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text) as object).reverse())),
  ],
  ['the same amount', 'files/kubelet/config.json', swap('"2048Mi"', '"2Gi"')],
  ['the same amount of processors', 'files/kubelet/config.json', swap('"200m"', '"0.2"')],
  [
    'the same path',
    'files/kubelet/config.json',
    swap('C:\\\\etc\\\\kubernetes', '/ETC/kubernetes'),
  ],
  ['other comments', 'files/containerd/config.toml', (text) => text.replace(/^#.*\n/gm, '')],
  ['other quotes', 'files/containerd/config.toml', swap('"windows"', "'windows'")],
  ['a comment in a manifest', 'cluster/30-runtime-class.yaml', (text) => `# ours\n${text}`],
  ['line ends of a script', 'Install-WinNode.ps1', (text) => text.replaceAll('\n', '\r\n')],
  ['line ends of node.json', 'node.json', (text) => text.replaceAll('\n', '\r\n')],
]

t.test('what means the same is no drift', async (t) => {
  for (const [name, file, edit] of equal) {
    const { exit, drift } = await ask(profile, copyOf({ [file]: edit }))
    t.equal(exit, 0, name)
    t.strictSame(
      drift.map(({ id, subject }) => `${id} ${subject}`),
      [`file-rewritten ${file}`],
      name,
    )
  }
})

/** Edits of other kinds, and what is said of each. */
const edits: readonly [name: string, file: string, edit: (text: string) => string, told: string][] =
  [
    [
      'a key that stands twice',
      'files/kubelet/config.json',
      swap('"maxPods": 110,', '"maxPods": 110, "maxPods": 60,'),
      'file-broken files/kubelet/config.json',
    ],
    [
      'a file that is no JSON',
      'files/kubelet/config.json',
      swap('{', '{{'),
      'file-broken files/kubelet/config.json',
    ],
    [
      'a file that is no TOML',
      'files/containerd/config.toml',
      swap('version = 3', 'version = '),
      'file-broken files/containerd/config.toml',
    ],
    ['a program', 'WinNode.psm1', (text) => `${text}# mine\n`, 'file-edited WinNode.psm1'],
    ['a page', 'README.md', (text) => `${text}mine\n`, 'file-edited README.md'],
    [
      'a second document',
      'cluster/10-kube-proxy.yaml',
      swap(/system:node-proxier/, 'cluster-admin'),
      'field-edited cluster/10-kube-proxy.yaml#"ClusterRoleBinding winnode-kube-proxy".roleRef.name',
    ],
    [
      'a step',
      'node.json',
      swap('"id": "power-plan"', '"id": "plan"'),
      'field-edited node.json#steps.plan field-edited node.json#steps.power-plan',
    ],
    [
      'the digest of a file',
      'node.json',
      (text) => text.replace(/("path": "files\/kubelet\/config.json",\s*"sha256": ")./, '$1x'),
      'field-edited node.json#files."files/kubelet/config.json".sha256',
    ],
    [
      'the seal',
      'node.json',
      (text) => text.replace(/("sha256": ")./, '$1x'),
      'field-edited node.json#sha256',
    ],
  ]

t.test('edits of all kinds', async (t) => {
  for (const [name, file, edit, told] of edits) {
    const { exit, drift } = await ask(profile, copyOf({ [file]: edit }))
    t.equal(exit, 4, name)
    t.equal(
      drift
        .map(({ id, subject }) => `${id} ${subject}`)
        .sort()
        .join(' '),
      told,
      name,
    )
  }
})

t.test('a file that is gone', async (t) => {
  const folder = copyOf()
  rmSync(path.join(folder, 'files/containerd/config.toml'))
  const { exit, drift } = await ask(profile, folder)
  t.equal(exit, 4)
  t.match(drift, [{ id: 'file-missing', severity: 'error', owner: 'theirs' }])
})

t.test('no secret is printed', async (t) => {
  const token = 'abcdef.0123456789abcdef'
  const folder = copyOf({
    'files/kubeadm/join.json': swap('"apiVersion"', `"token": "${token}", "apiVersion"`),
  })
  for (const format of ['pretty', 'lines', 'json']) {
    const { stdout, code } = await inProcess(['drift', profile, folder, '--format', format])
    t.equal(code, 4)
    t.match(stdout, /token/)
    t.notMatch(stdout, token, format)
  }
})

t.test('evidence that is not there', async (t) => {
  const rows: readonly [argv: readonly string[], code: number, says: RegExp][] = [
    [[profile], 2, /nothing is named to compare/],
    [[profile, path.join(fresh, 'nowhere')], 2, /there is no .*nowhere/],
    [['ws2022-antrea', rendered], 3, /nothing compared/],
  ]
  for (const [argv, code, says] of rows) {
    const outcome = await inProcess(['drift', ...argv])
    t.equal(outcome.code, code)
    t.match(outcome.stderr, says)
  }
})

t.test('trees are compared by meaning', async (t) => {
  const kubelet = shapeOfFile('files/kubelet/config.json')
  const plain = shapeOfFile('any.json')
  const rows: readonly [should: Json, was: Json, paths: readonly string[]][] = [
    [
      { evictionHard: { 'nodefs.available': '10%' } },
      { evictionHard: { 'nodefs.available': '10.0%' } },
      [],
    ],
    [{ shutdownGracePeriod: '90s' }, { shutdownGracePeriod: '1m30s' }, []],
    [{ clusterDNS: ['a', 'b'] }, { clusterDNS: ['b', 'a'] }, ['clusterDNS.0', 'clusterDNS.1']],
    [{ tlsCipherSuites: ['a', 'b'] }, { tlsCipherSuites: ['b', 'a'] }, []],
    [{ tlsCipherSuites: ['a'] }, { tlsCipherSuites: ['a', 'a'] }, ['tlsCipherSuites.a (2)']],
    [{ maxPods: 110 }, { maxPods: '110' }, ['maxPods']],
  ]
  for (const [should, was, paths] of rows) {
    const leaves = compareTrees(should, was, kubelet)
    t.strictSame(
      leaves.map((leaf) => leaf.path.join('.')),
      paths,
      JSON.stringify(was),
    )
  }
  t.equal(compareTrees('1.30', '1.3', plain).length, 1, 'a version is no amount')
  t.equal(compareTrees('90s', '1m30s', plain).length, 1, 'nor is every text a duration')
})

// winnode drift: each difference is found, named right and told once, and what means the same is none.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { t } from 'tap'
import { compareTrees } from '../src/drift/compare.ts'
import { shapeOfFile } from '../src/drift/shape.ts'
import { nodesOf } from '../src/io/drift/node-files.ts'
import { namedFields } from '../src/drift/profile-field.ts'
import { type Json, type JsonObject, valueAt } from '../src/model/json.ts'
import { mostOf, type Need } from '../src/model/need.ts'
import { printable } from '../src/model/printable.ts'
import { parsePath, type Path } from '../src/model/path.ts'
import { style } from '../src/present/html/style.ts'
import { fieldOf, fields } from '../src/profile/catalogue.ts'
import { fieldNeed } from '../src/profile/field-needs.ts'
import { drifts as doneByHand } from './host/by-hand.ts'
import { succeeded, token as joinToken } from './host/course.ts'
import { member, tick } from './host/days.ts'
import { versionOf } from './host/rendered.ts'
import { scenario } from './host/stage.ts'
import { compileBuiltin, gapsOf, renderCompiled } from './tools/bundle.ts'
import { changesOf } from './tools/change.ts'
import { writeFleet } from './tools/fleet.mjs'
import { inProcess, root, shell, spawned } from './tools/run.ts'
import { breaches } from './tools/json-schema.ts'

const profile = 'ws2022-flannel-overlay'
const noBrowser = shell('command -v chromium', []).code === 0 ? false : 'no chromium'
const everything = process.env['WINNODE_ALL'] !== undefined

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
  readonly nodes: number
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

t.test('whose field it is, where a file was edited and is outdated', async (t) => {
  const config = 'files/kubelet/config.json'
  const more = ['--set', 'kubelet.maxPods=50', '--set', 'kubelet.config={podPidsLimit: 9}']
  const follows = ['maxPods', 'podPidsLimit', 'kubeReserved.memory']
  const of = (owner: string) => Object.fromEntries(follows.map((name) => [name, owner]))
  const [ours, both] = [of('ours'), of('both')]
  const toml = 'files/containerd/config.toml'
  const rows: readonly [
    name: string,
    file: string,
    edit: (text: string) => string,
    owners: object,
  ][] = [
    [
      'another field',
      config,
      swap('"cluster.local"', '"example.com"'),
      { clusterDomain: 'theirs', ...ours },
    ],
    [
      'a field more, and line ends of Windows',
      config,
      (text) => text.replace('{', '{\n  "podsPerCore": 4,').replaceAll('\n', '\r\n'),
      { podsPerCore: 'theirs', ...ours },
    ],
    [
      'a field less',
      config,
      swap(/ *"clusterDomain": .*\n/, ''),
      { clusterDomain: 'theirs', ...ours },
    ],
    ['the same field, too', config, swap('"maxPods": 110', '"maxPods": 60'), both],
    [
      'no line of it is as it was',
      config,
      (text) => JSON.stringify(JSON.parse(text), null, 1).replace('110', '60'),
      both,
    ],
    [
      'a line of TOML',
      toml,
      swap(/^root = .*$/m, 'root = "D:/x"'),
      { root: 'theirs', 'plugins."io.containerd.cri.v1.images".pinned_images.sandbox': 'ours' },
    ],
  ]
  for (const [name, file, edit, owners] of rows) {
    const sets = file === toml ? ['--set', 'sandboxImage=a.example/b:1'] : more
    const { drift } = await ask(profile, copyOf({ [file]: edit }), ...sets)
    const found = drift.filter(({ subject }) => subject.startsWith(`${file}#`))
    t.strictSame(
      Object.fromEntries(
        found.map(({ subject, owner }) => [subject.slice(file.length + 1), owner]),
      ),
      owners,
      name,
    )
  }
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
    [[profile, '-', rendered, '-'], 2, /standard input is named twice/],
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

// --- Nodes

interface StepResult {
  readonly id: string
  readonly kind: string
  readonly state: string
  readonly restart: boolean
  readonly detail: string
}
const nodeJson = JSON.parse(readFileSync(path.join(rendered, 'node.json'), 'utf8')) as {
  readonly name: string
  readonly steps: readonly { readonly id: string; readonly kind: string; readonly phase: string }[]
}

/** As Test-WinNode.ps1 -AsJson prints it before a join; with what differs. */
function snapshot(states: Readonly<Record<string, [string, string]>> = {}, more: JsonObject = {}) {
  const steps = nodeJson.steps
    .filter(({ phase }) => phase === 'image')
    .map(({ id, kind }): StepResult => {
      const [state, detail] = states[id] ?? ['Unchanged', '']
      return { id, kind, state, restart: false, detail }
    })
  const { name } = nodeJson
  const head = { apiVersion: 'winnode/v1', kind: 'NodeSnapshot', name, exitCode: 0, restart: false }
  return { ...head, message: '', suspended: '', steps, preflight: [], ...more }
}

/** One file for each node, as the profile is asked about them. */
function fleet(files: Readonly<Record<string, unknown>>): string {
  copies += 1
  const folder = path.join(fresh, `fleet-${copies}`)
  mkdirSync(folder)
  for (const [name, content] of Object.entries(files)) {
    const bytes = typeof content === 'string' || content instanceof Uint8Array
    writeFileSync(path.join(folder, name), bytes ? content : JSON.stringify(content))
  }
  return folder
}

const differs = { 'power-plan': ['Different', 'the plan is balanced'] } as const
const steps = (states: Readonly<Record<string, readonly [string, string]>>) =>
  snapshot(states as Readonly<Record<string, [string, string]>>)
const health = (verdict: string) =>
  snapshot({}, { health: [{ id: 'hns', kind: 'hns', verdict, evidence: 'none', remedy: 'Wait.' }] })

t.test('what a node says, and how the run ends', async (t) => {
  const check = { id: 'revision', verdict: 'fail', passed: false, message: 'Windows is too old' }
  const rows: readonly [name: string, content: unknown, exit: number, told: readonly string[]][] = [
    ['as described', snapshot(), 0, []],
    ['a step differs', steps(differs), 4, ['step-differs node.json#steps.power-plan']],
    [
      'a step waits for a restart',
      steps({ 'page-file': ['Waiting', ''] }),
      0,
      ['step-waits node.json#steps.page-file'],
    ],
    [
      'a step that nobody could read',
      steps({ 'page-file': ['Unknown', 'access denied'] }),
      6,
      ['step-unknown node.json#steps.page-file'],
    ],
    [
      'the same, beside one that differs',
      steps({ 'page-file': ['Unknown', 'access denied'], ...differs }),
      4,
      ['step-unknown node.json#steps.page-file', 'step-differs node.json#steps.power-plan'],
    ],
    ['it does not work', health('fail'), 0, ['node-not-working node.json#health.hns']],
    ['nobody knows whether it works', health('unknown'), 6, ['node-unknown node.json#health.hns']],
    ['it works', health('ok'), 0, []],
    [
      'a check fails',
      snapshot({}, { preflight: [check, { ...check, passed: true }] }),
      4,
      ['check-fails node.json#preflight.revision'],
    ],
    ['another bundle', snapshot({}, { name: 'other' }), 4, ['bundle-other node.json#name']],
    [
      'a step of before',
      snapshot({}, { steps: [...snapshot().steps, { id: 'old', state: 'Unchanged' }] as Json }),
      4,
      ['step-outdated node.json#steps.old'],
    ],
    [
      'a step that it does not know',
      snapshot({}, { steps: snapshot().steps.slice(1) as unknown as Json }),
      4,
      ['step-outdated node.json#steps.feature-containers'],
    ],
    [
      'it is suspended',
      snapshot({}, { suspended: 'until noon' }),
      0,
      ['node-suspended node.json#suspended'],
    ],
    [
      'the script was refused',
      snapshot({}, { steps: [], exitCode: 2, message: 'no administrator' }),
      6,
      ['evidence-unreadable'],
    ],
    ['the result of Install', { ...snapshot(), kind: 'NodeResult' }, 6, ['evidence-unreadable']],
    ['something else', { kind: 'Pod' }, 6, ['evidence-unreadable']],
    ['no steps', snapshot({}, { steps: [] }), 6, ['evidence-unreadable']],
    ['steps that are none', snapshot({}, { steps: [null, 1] }), 6, ['evidence-unreadable']],
    [
      'steps it could not read',
      snapshot({}, { steps: { error: 'x' } }),
      6,
      ['evidence-unreadable'],
    ],
    [
      'a state that nobody knows',
      steps({ 'page-file': ['constructor', ''], 'power-plan': ['unchanged', ''] }),
      6,
      ['step-unknown node.json#steps.page-file', 'step-unknown node.json#steps.power-plan'],
    ],
    ['a verdict that nobody knows', health('fine'), 6, ['node-unknown node.json#health.hns']],
    [
      'a check that is neither passed nor failed',
      snapshot({}, { preflight: [{ ...check, passed: 'yes' }] }),
      6,
      ['node-unknown node.json#preflight.revision'],
    ],
    [
      'a part that the node could not read',
      snapshot({}, { kind: 'NodeReport', health: { error: 'x' } }),
      6,
      ['node-unknown node.json#health'],
    ],
    ['the script failed', snapshot({}, { exitCode: 1 }), 6, ['node-unknown node.json#exitCode']],
    [
      'it failed before its last step',
      snapshot({}, { exitCode: 1, steps: snapshot().steps.slice(0, 9) as unknown as Json }),
      6,
      ['node-unknown node.json#exitCode'],
    ],
    [
      'it says that something differs, and not what',
      snapshot({}, { exitCode: 4 }),
      6,
      ['node-unknown node.json#exitCode'],
    ],
    ['it asks for a restart', snapshot({}, { exitCode: 3010 }), 0, []],
    ['an id of Object', { ...snapshot(), kind: 'constructor' }, 6, ['evidence-unreadable']],
    ['cut off', '{"kind": "NodeSnapshot", "steps": [', 6, ['evidence-unreadable']],
    ['nothing', '', 6, ['evidence-unreadable']],
  ]
  for (const [name, content, exit, told] of rows) {
    const answer = await ask(profile, fleet({ 'win-1.json': content }))
    t.equal(answer.exit, exit, name)
    const ids = answer.drift.map(({ id, subject }) =>
      id === 'evidence-unreadable' ? id : `${id} ${subject}`,
    )
    t.strictSame(ids.sort(), [...told].sort(), name)
  }
  t.equal((await ask(profile, fleet({}))).exit, 6, 'a folder without a snapshot')
})

t.test('a file in any encoding and form, and a stream', async (t) => {
  const one = `${JSON.stringify(steps(differs))}\r\n`
  const forms: readonly [name: string, bytes: Uint8Array, nodes: number][] = [
    ['UTF-8', Buffer.from(one), 1],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${one}`), 1],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${one}`, 'utf16le'), 1],
    ['UTF-16 without a mark', Buffer.from(one, 'utf16le'), 1],
    ['big-endian UTF-16', Buffer.from(`\ufeff${one}`, 'utf16le').swap16(), 1],
    ['one behind another', Buffer.from(one + one + one), 3],
    ['a list', Buffer.from(`[${one},${one}]`), 2],
  ]
  for (const [name, bytes, nodes] of forms) {
    const { drift, exit } = await ask(profile, fleet({ 'win-1.json': bytes }))
    t.equal(exit, 4, name)
    t.match(drift, [{ id: 'step-differs', nodes: { length: nodes } }], name)
    for (const size of name === 'UTF-16 with a mark' ? [1] : [7, 5000]) {
      const found = await gather(nodesOf(chunks(bytes, size)))
      t.strictSame(
        found.map(({ document }) => document?.['kind']),
        Array.from({ length: nodes }, () => 'NodeSnapshot'),
        `${name}, ${size} bytes at a time`,
      )
    }
  }
  const text = JSON.stringify({ kind: 'x', text: 'a \\" { } \\\\ ["' })
  const found = await gather(nodesOf(chunks(Buffer.from(`${text}\n${text}{"cut`), 3)))
  t.strictSame(
    found.map(({ document, unread }) => (document ? JSON.stringify(document) : unread)),
    [text, text, 'it is cut off, or no JSON'],
  )
  const strays = await gather(nodesOf(chunks(Buffer.from(`{}ssh: no "route\n[{}, 7,{}] end`), 4)))
  t.strictSame(
    strays.map(({ document, unread }) => (document ? {} : unread)),
    [{}, 'it is no JSON: ssh: no "route', {}, 'it is no JSON: 7', {}, 'it is no JSON: end'],
    'what stands between documents is said',
  )
  const { code, stdout } = spawned(['drift', profile, '-', '--format', 'lines'], { input: one })
  t.equal(code, 4)
  t.match(stdout, /^step power-plan on the node: warning: .*balanced/)
})

async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function gather<T>(some: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const one of some) all.push(one)
  return all
}

t.test('a folder is read as far as it can be', async (t) => {
  const folder = fleet({ 'win-1.json': snapshot() })
  const made = shell(
    `cd "$0" && mkdir sub && cp win-1.json sub/win-2.json && mkfifo pipe.json && ln -s loop.json loop.json &&
      ln -s .. sub/up && ln -s win-1.json linked.json && mkdir empty.json`,
    [folder],
  )
  t.equal(made.code, 0, made.stderr)
  const { drift, exit, nodes } = await ask(profile, folder)
  t.equal(exit, 6)
  t.strictSame(
    drift.map(({ subject, message }) => `${subject.slice(folder.length)}: ${message}`),
    [
      `/loop.json: ${folder}/loop.json could not be read: its links lead in a circle`,
      `/pipe.json: ${folder}/pipe.json could not be read: it is no file`,
    ],
  )
  t.equal(nodes, 3, 'two files and a link; links to folders are left alone')
  const line = 'exec "$0" "$1" drift "$2" - --format lines'
  const program = path.join(root, 'bin/run.cjs')
  const piped = shell(`cat "$3" | ${line}`, [
    process.execPath,
    program,
    profile,
    `${folder}/win-1.json`,
  ])
  t.equal(piped.code, 0, piped.stderr)
})

t.test('nodes of one name stay apart', async (t) => {
  const named = snapshot({}, { node: 'win-1' })
  const files = { 'a.json': named, 'b.json': { ...steps(differs), node: 'win-1' } }
  const { drift, nodes, exit } = await ask(profile, fleet(files))
  t.equal(exit, 4)
  t.equal(nodes, 2)
  t.strictSame(
    drift.map(({ id }) => id),
    ['step-differs', 'node-twice'],
  )
})

/** With its largest size in MiB; `to` may lead its output elsewhere. */
function measured(argv: readonly string[], to = '') {
  const teller = path.join(root, 'test/tools/tell-memory.mjs')
  const told = path.join(fresh, 'memory')
  const line = `exec 3>"$0" ${to}; exec "$@"`
  const program = [process.execPath, '--import', pathToFileURL(teller).href]
  const outcome = shell(line, [told, ...program, path.join(root, 'bin/run.cjs'), 'drift', ...argv])
  return { ...outcome, peak: Number(readFileSync(told, 'utf8')) / 1024 }
}

t.test('a large fleet takes little memory, and no longer for being large', (t) => {
  const count = everything ? 10_000 : 300
  const folder = path.join(fresh, 'large')
  writeFleet(rendered, folder, { nodes: count, lines: 20 })
  const { code, stdout, stderr, peak } = measured([profile, folder])
  t.equal(code, 4, stderr)
  t.match(stdout, `step power-plan on ${count / 10} of ${count} nodes`)
  t.match(stdout, `files/kubelet/config.json#maxPods on ${count / 100} of ${count} nodes`)
  t.ok(peak < 250, `${peak.toFixed(0)} MiB`)
  if (everything) {
    const worst = path.join(fresh, 'worst')
    writeFleet(rendered, worst, { nodes: count, worst: true })
    for (const format of ['json', 'junit', 'html', 'sarif', 'pretty']) {
      const { peak: most } = measured([profile, worst, '--format', format], '>/dev/null')
      t.ok(most < 250, `${format}, where everything differs: ${most.toFixed(0)} MiB`)
    }
  }
  t.end()
})

t.test('the same difference of a fleet is told once, with the odd ones out', async (t) => {
  const plans = ['balanced', 'balanced', 'saver', undefined, 'balanced', 'balanced', 'balanced']
  const files = Object.fromEntries(
    plans.map((plan, index) => [
      `win-${index}.json`,
      plan === undefined ? snapshot() : steps({ 'power-plan': ['Different', plan] }),
    ]),
  )
  const folder = fleet(files)
  const { stdout, code } = await inProcess(['drift', profile, folder])
  t.equal(code, 4)
  t.match(stdout, /step power-plan on 6 of 7 nodes/)
  t.match(stdout, /\n {2}5 {2}.*\n.*\(balanced\)\n {5}win-0, win-1, win-4 and 2 more\n/)
  t.match(stdout, /\n {2}1 {2}.*\n.*\(saver\)\n {5}win-2\n/)
  t.match(stdout, /\n {2}not: win-3\n/)
  t.match(stdout, /1 of 7 nodes as described/)
  const { drift, nodes } = await ask(profile, folder)
  t.equal(nodes, 7)
  t.equal(drift.length, 1)
})

t.test('the files that a report holds are compared field by field', async (t) => {
  const config = readFileSync(path.join(rendered, 'files/kubelet/config.json'), 'utf8')
  const proxy = readFileSync(path.join(rendered, 'files/kube-proxy/config.json'), 'utf8')
  const place = 'C:\\var\\lib\\kubelet\\config.json'
  const report = {
    ...steps({ 'file-kubelet-config': ['Different', `${place} has another sha256`] }),
    kind: 'NodeReport',
    facts: { nodeName: 'node-a' },
    configuration: {
      [place]: config.replace('"maxPods": 110', '"maxPods": 60').replace('200m', '<hidden>'),
      'C:\\var\\lib\\kube-proxy\\config.json': proxy.replace('"kernelspace"', '"userspace"'),
      'C:\\k\\other.json': '{}',
    },
  }
  const { drift } = await ask(profile, fleet({ 'x.json': report }))
  const nodes = ['node-a']
  t.match(
    drift.toSorted((a, b) => a.subject.localeCompare(b.subject)),
    [
      {
        id: 'field-edited',
        subject: 'files/kube-proxy/config.json#mode',
        remedy: /boot loop/,
        nodes,
      },
      {
        id: 'field-edited',
        subject: 'files/kubelet/config.json#maxPods',
        remedy: /Install-/,
        nodes,
      },
    ],
  )
  t.equal(drift.length, 2, 'and the step is not told besides')
})

// --- What a change needs

const bases = ['ws2022-flannel-overlay', 'ws2022-flannel-l2bridge', 'ws2022-antrea']

/** What the bundles before and after a change of one field need; `undefined` where it is refused. */
async function needOf(base: string, field: Path, value: Json): Promise<Need | undefined> {
  const patch = field.reduceRight<Json>((inner, key) => ({ [key]: inner }), value) as JsonObject
  const before = compileBuiltin(base, gapsOf(base))
  const after = compileBuiltin(base, gapsOf(base), patch)
  if (!after.plan) return undefined
  const files = [await renderCompiled(before), await renderCompiled(after)] as const
  return mostOf((await changesOf(...files, after.plan)).flatMap(({ need }) => need ?? []))
}

const changes: readonly [field: string, value: Json, need: Need][] = [
  ['summary', 'Another sentence.', 'nothing'],
  ['kubernetes.version', '1.36.0', 'install'],
  ['kubelet.maxPods', 60, 'install'],
  ['network.clusterDNS', ['10.96.0.11'], 'install'],
  ['host.pageFileMiB', 4096, 'restart'],
  ['windows.revision', 4297, 'restart'],
  ['kubelet.taints', [], 'join'],
  ['kubelet.labels', { 'example.com/pool': 'web' }, 'join'],
  ['network.flannel.vni', 5000, 'join'],
  ['windows.release', 'ws2025', 'machine'],
]

t.test('what a change needs is what its field says', async (t) => {
  for (const [name, value, need] of changes) {
    const field = parsePath(name) ?? []
    t.equal(fieldNeed(field), need, `the table has ${name}`)
    t.equal(await needOf(profile, field, value), need, `a bundle shows ${name}`)
  }
})

t.test('every field says what its change needs', async (t) => {
  const known = fields.filter(({ group }) => !group)
  for (const { path: field, required, example, fallback } of known) {
    if (required) continue
    const name = field.join('.')
    const said = fieldNeed(field)
    t.ok(said, `${name} says it`)
    for (const base of everything ? bases : []) {
      const shown = await needOf(base, field, example ?? fallback ?? null)
      const most = mostOf([shown ?? 'nothing', said ?? 'nothing'])
      t.equal(most, said, `${base} needs no more for ${name}: ${shown ?? 'it is refused'}`)
    }
  }
  for (const name of namedFields) {
    t.ok(
      fieldOf(parsePath(name.replace('$1', 'x')) ?? []) ?? name.includes('$1'),
      `${name} is a field`,
    )
  }
})

t.test('render --diff says what the change needs', async (t) => {
  const change = ['render', profile, '--out', rendered, '--diff', '--set', 'kubelet.taints=[]']
  const { stderr } = await inProcess(change)
  t.match(stderr, /on a node that is there, this needs a new join/)
  const needs = async (...argv: readonly string[]) =>
    (JSON.parse((await inProcess([...argv, '--json'])).stdout) as { need: unknown }).need
  t.equal(await needs(...change), 'join')
  t.equal(await needs(...change.slice(0, -2)), 'nothing')
  t.equal(await needs('render', profile, '--out', path.join(fresh, 'new'), '--diff'), null)
})

// --- What is accepted

t.test('what somebody has considered is left out, and nothing else', async (t) => {
  const folder = copyOf({ 'files/kubelet/config.json': swap('"maxPods": 110', '"maxPods": 60') })
  const until = (day: string) => `ignore={field-edited: {reason: agreed, until: ${day}}}`
  const rows: readonly [name: string, set: string, exit: number][] = [
    ['the kind', 'ignore={field-edited: {reason: agreed}}', 0],
    ['the field', 'ignore={"files/kubelet/config.json#maxPods": {reason: agreed}}', 0],
    ['the file', 'ignore={files/kubelet/config.json: {reason: agreed}}', 0],
    ['another field', 'ignore={"files/kubelet/config.json#max": {reason: agreed}}', 4],
    ['until a day to come', until('2099-01-01'), 0],
    ['until a day that is over', until('2020-01-01'), 4],
  ]
  for (const [name, set, exit] of rows) {
    const answer = await ask(profile, folder, '--set', set)
    t.equal(answer.exit, exit, name)
    const { stdout } = await inProcess(['validate', profile, '--set', set, '--format', 'lines'])
    t.notMatch(stdout, /ignored-rule-unknown/, `${name} may stand in a profile`)
  }
  const broken = copyOf({ 'WinNode.psm1': (text) => `${text}# mine\n` })
  const set = 'ignore={file-edited: {reason: agreed}}'
  t.equal((await ask(profile, broken, '--set', set)).exit, 4, 'errors stay')
})

t.test('a baseline accepts what differed when it was written', async (t) => {
  const pods = (count: number) =>
    copyOf({ 'files/kubelet/config.json': swap('"maxPods": 110', `"maxPods": ${count}`) })
  const baseline = path.join(fresh, 'baseline.json')
  const folder = pods(60)
  t.equal((await ask(profile, folder, '--write-baseline', baseline)).exit, 0)
  t.equal((await ask(profile, folder, '--baseline', baseline)).exit, 0)
  t.equal((await ask(profile, pods(61), '--baseline', baseline)).exit, 4, 'another value')
  const { stderr } = await inProcess(['drift', profile, rendered, '--baseline', baseline])
  t.match(stderr, /maxPods \(field-edited\) is no longer there/)
  t.equal((await inProcess(['drift', profile, folder, '--baseline', 'nowhere'])).code, 2)
})

// --- Every field

type Steps = readonly (string | number)[]

function leavesOf(value: Json, at: Steps = []): readonly Steps[] {
  if (typeof value !== 'object' || value === null) return [at]
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner ?? null, [...at, Array.isArray(value) ? Number(key) : key]),
  )
}

/** The document with another value at a path; without a value, without that key. */
function changed(document: Json, [step, ...rest]: Steps, value: Json | undefined): Json {
  if (step === undefined) return value ?? null
  if (Array.isArray(document)) {
    const items: readonly Json[] = document
    return items.map((item, index) => (index === step ? changed(item, rest, value) : item))
  }
  const entries = Object.entries(document as JsonObject).flatMap(([key, inner]) => {
    if (key !== step) return [[key, inner] as const]
    const after = rest.length > 0 ? changed(inner ?? null, rest, value) : value
    return after === undefined ? [] : [[key, after] as const]
  })
  return Object.fromEntries(entries)
}

const other = (value: Json | undefined): Json => {
  if (typeof value === 'number') return value + 1
  return typeof value === 'boolean' ? !value : `${typeof value === 'string' ? value : ''}x`
}

interface Edit {
  readonly what: string
  readonly at: Steps
  readonly text: string
  /** A program that reads the file stops at it. */
  readonly breaks?: true
}

/** Maps and lists of a document, itself too. */
function insidesOf(value: Json, at: Steps = []): readonly Steps[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, item]) =>
    insidesOf(item ?? null, [...at, Array.isArray(value) ? Number(key) : key]),
  )
  return [at, ...inner]
}

/** Each field changed, taken away and written twice; a field and an item more wherever there is room. */
function* editsOf(document: JsonObject): Generator<Edit> {
  const make = (what: string, at: Steps, value: Json | undefined) => {
    return { what, at, text: JSON.stringify(changed(document, at, value)) }
  }
  for (const at of leavesOf(document)) {
    const [value, last] = [valueAt(document, at), at.at(-1)]
    yield make('changed', at, other(value))
    if (typeof last !== 'string') continue
    yield make('removed', at, undefined)
    const around = valueAt(document, at.slice(0, -1)) as JsonObject
    const twice = make('twice', at.slice(0, -1), { ...around, 'again and again': value })
    const text = twice.text.replace('"again and again"', JSON.stringify(last))
    yield { what: 'twice', at, text, breaks: true }
  }
  for (const at of insidesOf(document)) {
    const value = valueAt(document, at)
    if (!Array.isArray(value)) yield make('added', at, { ...(value as JsonObject), more: 1 })
    else if (value.length > 0) yield make('doubled', at, [...(value as Json[]), value[0] as Json])
  }
}

/** Lines of TOML, which is made of one field a line. */
function* lineEditsOf(text: string): Generator<Edit> {
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    const [, name = '', quoted] = /^ *([\w-]+) = (?:'|")?(.*?)(?:'|")?$/.exec(line) ?? []
    if (name === '' || quoted === undefined || /[[{]/.test(quoted)) continue
    const put = (...some: readonly string[]) => lines.toSpliced(index, 1, ...some).join('\n')
    const value = /^(?:true|false)$/.test(quoted)
      ? quoted !== 'true'
      : /^\d+$/.test(quoted)
        ? 77
        : "'x'"
    yield { what: 'changed', at: [name], text: put(`${name} = ${value}`) }
    yield { what: 'removed', at: [name], text: put() }
    yield { what: 'added', at: ['more'], text: put(line, 'more = 1') }
    yield { what: 'twice', at: [name], text: put(line, line), breaks: true }
  }
}

const goldens = readdirSync(path.join(root, 'test/golden')).filter((name) => !name.includes('.txt'))

/** What is said of the files of a bundle with these texts. */
async function toldOf(bundle: Bundle, texts: Readonly<Record<string, string>>) {
  const encoder = new TextEncoder()
  const held = bundle.files
    .filter(({ path: name }) => name in texts || name === 'node.json')
    .map((file) => {
      const text = texts[file.path]
      return text === undefined ? file : { path: file.path, content: encoder.encode(text) }
    })
  const names = new Set(held.map(({ path: name }) => name))
  const today = bundle.files.filter(({ path: name }) => names.has(name))
  return changesOf(held, today, bundle.plan)
}

async function bundleOf(golden: string) {
  const compiled = compileBuiltin(`test/golden/${golden}/profile.yaml`)
  const files = await renderCompiled(compiled)
  if (!compiled.plan) throw new Error(`${golden} is refused`)
  return { files, plan: compiled.plan }
}

type Bundle = Awaited<ReturnType<typeof bundleOf>>

function* allEdits({ files }: Bundle): Generator<Edit & { readonly name: string }> {
  for (const { path: name, content } of files) {
    const text = new TextDecoder().decode(content)
    const isJson = /^files\/.*\.(json|conflist)$|^node\.json$/.test(name)
    const some = isJson
      ? editsOf(JSON.parse(text) as JsonObject)
      : name.endsWith('config.toml')
        ? lineEditsOf(text)
        : []
    for (const edit of some) yield { ...edit, name }
  }
}

t.test('one changed field is one difference, named right', async (t) => {
  for (const golden of everything ? goldens : goldens.slice(0, 1)) {
    const bundle = await bundleOf(golden)
    let count = 0
    for (const { name, what, at, text, breaks } of allEdits(bundle)) {
      count += 1
      // node.json is large, and many of its fields are alike.
      const every = (everything ? 1 : 11) * (name === 'node.json' ? 23 : 1)
      if (count % every > 0) continue
      const drifts = await toldOf(bundle, { [name]: text })
      const subjects = drifts.map(({ subject }) => subject)
      const label = `${golden} ${name} ${at.join('.')} ${what}: ${subjects.join(' ')}`
      // An item of a list that is known by its name is another one with another name.
      t.ok(drifts.length >= 1 && drifts.length <= 2, label)
      // Without its seal node.json does not say who wrote it.
      const owner = at.join('.') === 'sha256' ? 'both' : 'theirs'
      t.strictSame([...new Set(drifts.map((drift) => drift.owner))], [owner], label)
      const last = at.findLast((step) => typeof step === 'string') ?? 'more'
      t.ok(
        subjects.some((one) => one.startsWith(breaks ? name : `${name}#`)) &&
          (breaks ?? drifts.every(({ path: said }) => isNear(said, at, last))),
        label,
      )
      if (breaks) t.match(drifts, [{ id: 'file-broken' }], label)
    }
    t.ok(count > 100, `${count} edits`)
  }
})

/** The field itself, or the item of a list that it names. */
function isNear(said: Path, at: Steps, last: string): boolean {
  const keys = at.filter((step) => typeof step === 'string')
  const list = keys.some((key) => said.includes(key) && at.some((step) => typeof step === 'number'))
  return said.includes(last) || said.includes('more') || list
}

/** The item of a list that a field is of; of no other, the field itself. */
function itemOf({ name, at }: { readonly name: string; readonly at: Steps }): string {
  const end = at.findIndex((step) => typeof step === 'number') + 1
  return [name, ...(end > 0 ? at.slice(0, end) : at)].join(' ')
}

t.test('two changed fields are what each of them is', async (t) => {
  const seeds = everything ? 1000 : 20
  const bundle = await bundleOf(goldens[0] ?? '')
  const documents = bundle.files
    .filter(({ path: name }) => /^files\/.*\.(json|conflist)$/.test(name))
    .map(
      ({ path: name, content }) =>
        [name, JSON.parse(new TextDecoder().decode(content)) as Json] as const,
    )
  const fieldsOf = documents.flatMap(([name, document]) =>
    leavesOf(document).map((at) => ({ name, at })),
  )
  const edited = (some: typeof fieldsOf) =>
    Object.fromEntries(
      documents.flatMap(([name, document]) => {
        const own = some.filter((one) => one.name === name)
        const after = own.reduce(
          (value, { at }) => changed(value, at, other(valueAt(document, at))),
          document,
        )
        return own.length > 0 ? [[name, JSON.stringify(after)]] : []
      }),
    )
  const said = async (...some: typeof fieldsOf) =>
    (await toldOf(bundle, edited(some))).map(({ subject }) => subject)
  for (let seed = 1; seed <= seeds; seed += 1) {
    const [one, two] = [seed * 7919, seed * 104_729 + 13].map(
      (at) => fieldsOf[at % fieldsOf.length],
    )
    // An item is known by some of its fields: with two others it is another one.
    if (!one || !two || one === two || itemOf(one) === itemOf(two)) continue
    const alone = [...(await said(one)), ...(await said(two))]
    const label = `${one.name} ${one.at.join('.')} and ${two.name} ${two.at.join('.')}`
    t.strictSame((await said(one, two)).sort(), [...new Set(alone)].sort(), label)
  }
})

/** What breaks terminals, lines, tables, tags, commands of a workflow, cells of a sheet and JSON. */
const rudeness =
  '\u001b[2J\u009b31m\r\n::error::x\u2028\u202e\u0000\u0007%0A|`a`</td></testcase>]]><!--"\'&=1+1 @team #1 ${x} \\u0041\ud800'

/** How each format stays whole: what must be so of its text, with as many differences. */
const stays: Readonly<Record<string, (text: string, count: number) => boolean>> = {
  pretty: () => true,
  lines: (text, count) => text.trimEnd().split('\n').length === count,
  json: (text, count) => {
    const answer = JSON.parse(text) as Answer
    const whole = `${printable(JSON.stringify(answer, null, 2))}\n`
    return answer.drift.length === count && text === whole
  },
  sarif: (text, count) =>
    (JSON.parse(text) as { runs: { results: unknown[] }[] }).runs[0]?.results.length === count,
  junit: (text, count) =>
    (text.match(/<testcase /g) ?? []).length ===
      (text.match(/<testcase [^<>]*(?:\/>|>)/g) ?? []).length &&
    !text.includes(']]>') &&
    (text.match(/ \[[a-z-]+\]/g) ?? []).length === count,
  markdown: (text, count) => {
    const plain = text.replace(/\\[^]/g, '').replace(/(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '')
    const rows = plain.split('\n').filter((line) => line.startsWith('| '))
    return (
      rows.length === count + 2 &&
      rows.every((row) => row.split('|').length === 6) &&
      !/<\/t|@t/.test(plain)
    )
  },
  github: (text, count) =>
    text
      .trimEnd()
      .split('\n')
      .filter((line) => /^::(error|warning|notice) title=[a-z-]+[,:]/.test(line)).length ===
      count && text.trimEnd().split('\n').length === count,
  html: (text) => !text.includes('</td>') && !text.includes('</testcase>') && !text.includes('"=1'),
}

t.test('whatever evidence says, each format stays whole', async (t) => {
  const value = JSON.stringify(rudeness)
  const bundle = copyOf({
    'files/kubelet/config.json': (text) =>
      text.replace('"cluster.local"', value).replace('{', `{ ${value}: ${value},`),
    'files/containerd/config.toml': (text) => `${text}\n[${rudeness}`,
  })
  const rude = snapshot(
    { 'power-plan': ['Different', rudeness], [rudeness]: ['Odd', rudeness] },
    { node: rudeness },
  )
  const ill = [{ id: rudeness, verdict: 'fail', evidence: rudeness, remedy: rudeness }]
  const name = rudeness.replace(/[/\0\ud800]/g, '')
  const nodes = fleet({
    [`${name}.json`]: {
      ...rude,
      health: ill,
      steps: [...rude.steps, { id: rudeness, state: rudeness }],
    },
    [`${name}-2.json`]: `{ ${rudeness}`,
    'other.json': snapshot(),
  })
  const { drift } = await ask(profile, bundle, nodes)
  t.ok(drift.length >= 7, drift.map(({ id }) => id).join(' '))
  for (const [format, holds] of Object.entries(stays)) {
    const { stdout, code } = await inProcess(['drift', profile, bundle, nodes, '--format', format])
    t.equal(code, 4, format)
    const bare = format === 'html' ? stdout.replace(/\t/g, ' ') : stdout
    t.notMatch(
      bare,
      /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u,
      `${format} has no sign that does something`,
    )
    t.ok(holds(stdout, drift.length), `${format} stays whole: ${stdout.slice(0, 3000)}`)
  }
})

t.test('the page of differences stands alone, and no value becomes a part of it', async (t) => {
  const rude = '</script><img src=x onerror=alert(1)>'
  const edit = swap('"clusterDomain": "cluster.local"', `"clusterDomain": ${JSON.stringify(rude)}`)
  const folder = copyOf({ 'files/kubelet/config.json': edit })
  const ill = snapshot({ 'power-plan': ['Different', rude] }, { node: rude })
  const nodes = fleet({ 'win-1.json': ill, 'win-2.json': snapshot() })
  const { stdout, code } = await inProcess(['drift', profile, folder, nodes, '--format', 'html'])
  t.equal(code, 4)
  t.notMatch(stdout, '<img', 'nothing of it is a tag')
  t.match(stdout, '&lt;img src=x onerror=alert(1)&gt;')
  t.notMatch(stdout, /<(link|script|img|iframe)[^>]*(src|href)=|@import|url\(/, 'it loads nothing')
  t.match(stdout, /^<!doctype html>\n<html lang="en">/)
  const open = [...stdout.matchAll(/<(details|section|div|dl|ul|form|main|summary)[ >]/g)]
  const closed = [...stdout.matchAll(/<\/(details|section|div|dl|ul|form|main|summary)>/g)]
  t.equal(open.length, closed.length, 'each part ends')
  const ids = [...stdout.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  t.equal(new Set(ids).size, ids.length, 'each id once')
  for (const [, target = ''] of stdout.matchAll(/href="#([^"]*)"/g))
    t.ok(ids.includes(target), target)
  t.match(stdout, 'Nothing on the other node.')
  const well = fleet({ 'win-2.json': snapshot() })
  const quiet = await inProcess(['drift', profile, well, '--format', 'html'])
  t.match(quiet.stdout, 'Nothing on the node.')
})

/** What a browser makes of the page: asked by a script at its end, which leaves its answers in the page. */
const asking = `<script>
  const shown = () => [...document.querySelectorAll('details')].filter((one) => one.checkVisibility()).map((one) => one.firstElementChild.id)
  const words = document.querySelector('input[type=search]')
  const type = (text) => { words.value = text; words.dispatchEvent(new Event('input', { bubbles: true })); return shown() }
  const boxes = [...document.querySelectorAll('input[type=checkbox]')]
  const answers = {
    all: shown(), label: words.labels[0].textContent.trim(), status: document.querySelector('output').value,
    one: type('win-1'), none: type('win-1 nowhere'), again: type(''),
    warnings: (boxes[0].click(), shown()), both: (boxes[0].click(), shown()),
    focusable: [...document.querySelectorAll('summary')].every((one) => one.tabIndex === 0),
    wide: document.documentElement.scrollWidth - innerWidth,
  }
  location.hash = '#d1'
  addEventListener('hashchange', () => setTimeout(() => {
    answers.open = document.querySelector('#d1').parentElement.open && document.activeElement.id === 'd1'
    document.title = JSON.stringify(answers)
  }, 100))
</script></body>`

t.test('a browser shows, filters and opens what differs', { skip: noBrowser }, async (t) => {
  const edit = { 'WinNode.psm1': (text: string) => `${text}# mine\n` }
  const nodes = fleet({ 'win-1.json': steps(differs), 'win-2.json': snapshot() })
  const page = await inProcess(['drift', profile, copyOf(edit), nodes, '--format', 'html'])
  const file = path.join(fresh, 'page.html')
  writeFileSync(file, page.stdout.replace('</body>', asking))
  const { stdout } = shell(
    'timeout 60 chromium --headless --no-sandbox --disable-gpu --window-size=400,800 --virtual-time-budget=2000 --dump-dom "file://$0"',
    [file],
    { env: { HOME: fresh } },
  )
  const [, title = '{}'] = /<title>([^]*?)<\/title>/.exec(stdout) ?? []
  t.strictSame(JSON.parse(title), {
    all: ['d0', 'd1', 'n0'],
    label: 'Filter by node, field or word',
    status: '3 of 3 shown',
    one: ['d1', 'n0'],
    none: [],
    again: ['d0', 'd1', 'n0'],
    warnings: ['d1', 'n0'],
    both: ['d0', 'd1', 'n0'],
    focusable: true,
    wide: 0,
    open: true,
  })
})

t.test('each colour of the page can be read on what it stands on', (t) => {
  const [light = '', dark = ''] = style.split('@media (prefers-color-scheme: dark)')
  for (const [name, of] of Object.entries({ light, dark })) {
    const found = Object.fromEntries(
      [...of.matchAll(/--(\w+): (#[0-9a-f]{6})/g)].map(([, key, value]) => [key, value]),
    )
    for (const [key, colour] of Object.entries(found).filter(
      ([one]) => !/page|raised|line/.test(one),
    ))
      for (const ground of ['page', 'raised'])
        t.ok(contrast(String(colour), String(found[ground])) >= 4.5, `${name}: ${key} on ${ground}`)
  }
  t.end()
})

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(one: string, ground: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(ground)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const parts = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

t.test('what differs is sure, whatever else could not be read', async (t) => {
  const folder = copyOf({ 'files/kubelet/config.json': swap('"maxPods": 110', '"maxPods": 60') })
  const lost = fleet({ 'win-1.json': 'no JSON' })
  const { exit, drift } = await ask(profile, folder, lost)
  t.equal(exit, 4)
  t.ok(
    drift.some(({ id }) => id === 'evidence-unreadable'),
    'and it is listed',
  )
})

// --- The way back, on the simulated host

/** What somebody does to a node of a profile, by the step that finds it. */
const byHand = {
  'power-plan': doneByHand.find(([id]) => id === 'power')?.[1] ?? '',
  'boot-task': doneByHand.find(([id]) => id === 'boot-task')?.[1] ?? '',
  'file-kubelet-config': `$file = 'C:\\var\\lib\\kubelet\\config.json'
    (Get-Content -LiteralPath $file -Raw).Replace('"maxPods": 110', '"maxPods": 60') | Set-Content -LiteralPath $file -NoNewline`,
}

if (everything)
  for (const name of ['ws2022-flannel-overlay', 'ws2022-flannel-l2bridge'])
    scenario(
      `${name}: three days are no drift, and what somebody did is told until Install`,
      async (t, stage) => {
        const { host } = stage
        const drive = path.join(t.testdir({}), 'c')
        const days = await member(stage, name, drive)
        const version = `kubernetes.version=${versionOf(days.node)}`
        const file = path.join(fresh, `${name}.json`)
        const tested = async () => {
          const { result } = await host.run('Test')
          writeFileSync(file, JSON.stringify(result))
          return ask(name, file, '--set', version)
        }
        for (let day = 1; day <= 3; day += 1) {
          if (day === 2) await host.restart()
          // Its certificate is for one day: the kubelet asks for the next one meanwhile.
          for (let part = 0; part < 2; part += 1) {
            await host.ps('Start-Sleep -Seconds 43000')
            await tick(host)
          }
          await host.ps('Start-Sleep -Seconds 30')
          const { exit, drift: told } = await tested()
          t.strictSame(
            { exit, told: told.map(({ message }) => message) },
            { exit: 0, told: [] },
            `day ${day}`,
          )
        }
        for (const script of Object.values(byHand)) await host.ps(script)
        const found = await tested()
        t.equal(found.exit, 4)
        t.strictSame(
          found.drift
            .filter(({ id }) => id === 'step-differs')
            .map(({ subject }) => subject)
            .sort(),
          Object.keys(byHand)
            .map((id) => `node.json#steps.${id}`)
            .sort(),
        )
        await host.ps('$null = & C:\\win-node\\Export-WinNodeReport.ps1 -AsJson')
        const report = path.join(drive, 'var/log/winnode/winnode-report.json')
        const inReport = await ask(name, report, '--set', version)
        t.match(inReport, { exit: 4 })
        t.match(
          inReport.drift.find(({ id }) => id === 'field-edited'),
          {
            subject: 'files/kubelet/config.json#maxPods',
            was: 60,
            should: 110,
            field: 'kubelet.maxPods',
          },
        )
        succeeded(await host.run('Install'))
        succeeded(await host.run('Join', { Token: joinToken }))
        await host.ps('Start-Sleep -Seconds 60')
        const { exit, drift: left } = await tested()
        t.strictSame(
          { exit, left: left.map(({ message }) => message) },
          { exit: 0, left: [] },
          'Install repairs it',
        )
      },
    )

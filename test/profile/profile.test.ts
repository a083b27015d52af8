// Profiles: how layers become one, where each value comes from, and what is said of a bad one.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { compile } from '../../src/compile.ts'
import { kubernetesOf, newestMinor } from '../../src/matrix/kubernetes.ts'
import { newestContainerd, newestKubernetes } from '../../src/matrix/newest.ts'
import { parseVersion } from '../../src/matrix/version.ts'
import type { Json, JsonObject } from '../../src/model/json.ts'
import { isObject, valueAt } from '../../src/model/json.ts'
import type { Layer } from '../../src/model/layer.ts'
import type { Path } from '../../src/model/path.ts'
import { formatPath, isWithin, parsePath } from '../../src/model/path.ts'
import { fields } from '../../src/profile/catalogue.ts'
import { profileJsonSchema } from '../../src/profile/json-schema.ts'
import { decided } from '../../src/profile/follow.ts'
import { mergeLayers } from '../../src/profile/merge.ts'
import { profileSchema } from '../../src/profile/fields/index.ts'
import { parseProfile } from '../../src/profile/parse.ts'
import { moved } from '../../src/profile/renamed.ts'
import { resolveProfile } from '../../src/profile/resolve.ts'
import { checkedIn } from '../tools/checked-in.ts'
import { inProcess, root, spawned } from '../tools/run.ts'

const today = '2026-11-20'
const head = 'apiVersion: winnode/v1\nkind: NodeProfile\n'

function layer(patch: JsonObject, name = 'test'): Layer {
  return { name, patch, place: (_, at) => ({ file: name, line: 1, column: at === 'key' ? 1 : 4 }) }
}

t.test('layers merge by RFC 7396', async (t) => {
  // The examples of its appendix A whose patch is a map: a layer is always one.
  const rows: readonly [target: JsonObject, patch: JsonObject, result: JsonObject][] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    [{ e: null }, { a: 1 }, { a: 1 }],
    [{ a: { b: 1 } }, { a: 7 }, { a: 7 }],
    [{ a: 7 }, { a: { b: 1 } }, { a: { b: 1 } }],
  ]
  for (const [target, patch, result] of rows) {
    const sentence = `${JSON.stringify(target)} with ${JSON.stringify(patch)}`
    t.strictSame(mergeLayers([layer(target), layer(patch)]).document, result, sentence)
  }
})

t.test('a merge knows which layer wrote a value', async (t) => {
  const { origin } = mergeLayers([
    layer({ a: { b: 1, c: 2 }, l: [1, 2], s: 'x', gone: { x: 1 }, deleted: 1 }, 'weak'),
    layer({ a: { c: 3, d: { e: 4 } }, s: { t: 5 }, gone: null, deleted: null }, 'middle'),
    layer({ a: { d: 6 }, l: [7], gone: { y: 1 } }, 'strong'),
  ])
  const rows: readonly [path: Path, name: string | undefined][] = [
    [['a', 'b'], 'weak'],
    [['a', 'c'], 'middle'],
    [['a', 'd'], 'strong'],
    [['a', 'd', 'e'], 'strong'],
    [['l'], 'strong'],
    [['l', 1], 'strong'],
    [['s', 't'], 'middle'],
    [['gone', 'x'], undefined],
    [['gone', 'y'], 'strong'],
    [['a', 'unset'], undefined],
    [['nowhere', 'at', 'all'], undefined],
    [['deleted'], 'middle'],
    [[], 'strong'],
  ]
  for (const [at, name] of rows) t.equal(origin(at)?.name, name, formatPath(at))
  t.equal(mergeLayers([]).origin(['a']), undefined, 'no layer, no origin')
})

t.test('what is assumed stands among the decisions, until a person says it', async (t) => {
  const subjects = (...layers: readonly Layer[]) => {
    const { plan } = compile(layers, 'test', { today })
    return plan?.decisions.flatMap(({ subject, reason }) =>
      reason.startsWith('assumed; compare with ') ? [subject] : [],
    )
  }
  const ofCluster = ['API server', 'pod CIDR', 'service CIDR', 'cluster DNS', 'cluster domain']
  const all = ['processors', 'memory', 'disk', ...ofCluster]
  t.strictSame(subjects(layer({})), all)
  const known = layer({ machine: { memory: '32Gi' }, network: { podCIDRs: ['10.1.0.0/16'] } })
  const said = ['memory', 'pod CIDR']
  t.strictSame(
    subjects(known),
    all.filter((subject) => !said.includes(subject)),
  )
  const undone = [layer({ machine: null }), layer({ network: { podCIDRs: null } })]
  t.strictSame(subjects(known, ...undone), all, 'null says no value')
  t.strictSame(subjects({ ...known, builtIn: true }), all, 'a built-in profile knows nothing of it')
  const { plan } = compile([layer({})], 'test', { today })
  const reason = plan?.decisions.find(({ subject }) => subject === 'pod CIDR')?.reason
  t.match(
    reason,
    /your cluster: podSubnet in `kubectl -n kube-system get configmap kubeadm-config -o yaml`$/,
  )
})

t.test('paths read back as they are printed', async (t) => {
  const step = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.constantFrom('a', 'x.y', 'a"b', 'a\\b', '=', 'a\nb', '\u001b[31m', '\u2028', 'é'),
  )
  const paths = fc
    .tuple(step, fc.array(fc.oneof(step, fc.nat(99))))
    .map(([a, rest]) => [a, ...rest])
  fc.assert(fc.property(paths, (one) => t.strictSame(parsePath(formatPath(one)), one)))
  for (const text of [
    '',
    '.a',
    'a.',
    'a..b',
    '[0]',
    'a[x]',
    'a b]',
    'a"b"',
    String.raw`"\x"`,
    '"a\tb"',
  ])
    t.equal(parsePath(text), undefined, JSON.stringify(text))
})

/** A chain of three files, a layer, and a `--set`. */
function chain(t: Test): { readonly argv: readonly string[]; readonly folder: string } {
  const folder = t.testdir({
    'site.yaml': `${head}extends: ws2022-flannel-overlay\nkubelet:\n  maxPods: 50\n  verbosity: 3\nnetwork:\n  nodeCIDRs: [10.0.0.0/24]\n`,
    'node.yaml': `${head}extends: ./site.yaml\nname: mine\nkubelet:\n  maxPods: 60\n  labels: {example.com/pool: a}\n`,
    'layer.yaml': `${head}kubelet:\n  maxPods: 70\n  labels: {example.com/zone: z}\nnetwork:\n  nodeCIDRs: null\n`,
  })
  const argv = [
    path.join(folder, 'node.yaml'),
    ...['--layer', path.join(folder, 'layer.yaml')],
    ...['--set', 'kubelet.maxPods=80', '--set', 'host.timeServers=[time.windows.com]'],
  ]
  return { argv, folder }
}

t.test('profiles show: each value comes from its strongest layer', async (t) => {
  const { argv, folder } = chain(t)
  const { code, stdout } = await inProcess(['profiles', 'show', ...argv, '--json'])
  t.equal(code, 0)
  const { values }: { values: { path: string; value: Json; origin: string }[] } = JSON.parse(stdout)
  const rows: readonly [path: string, value: Json, origin: string][] = [
    ['name', 'mine', 'node.yaml:4'],
    ['windows.release', 'ws2022', 'built-in ws2022-flannel-overlay'],
    ['host.pageFileMiB', 8096, 'built-in base'],
    ['kubelet.verbosity', 3, 'site.yaml:6'],
    ['kubelet.labels."example.com/pool"', 'a', 'node.yaml:7'],
    ['kubelet.labels."example.com/zone"', 'z', 'layer.yaml:5'],
    ['kubelet.maxPods', 80, '--set kubelet.maxPods:1'],
    ['host.timeServers', ['time.windows.com'], '--set host.timeServers:1'],
    ['network.nodeCIDRs', [], 'layer.yaml:7'],
    ['network.clusterDNS', ['10.96.0.10'], 'decided'],
    ['machine.cpu', 4, 'default'],
  ]
  for (const [name, value, origin] of rows) {
    const found = values.find((one) => one.path === name)
    const from = found?.origin.replace(folder + path.sep, '').replace(/^(built-in .*):\d+$/, '$1')
    t.strictSame([found?.value, from], [value, origin], name)
  }
  t.notOk(
    values.some((one) => one.path.endsWith('credentials.kind')),
    'a tag of the code',
  )
})

t.test('what a profile leaves open is decided, with its reason', async (t) => {
  const newest = newestKubernetes()
  const tested = newestContainerd(newest.containerd)
  const patchOf = (minor: string) => kubernetesOf(minor).row.newestPatch
  const old = { kubernetes: { version: '1.34' } }
  const rows: readonly [profile: JsonObject, subject: string, value: string, reason: RegExp][] = [
    [
      {},
      'kubelet',
      newest.newestPatch,
      new RegExp(`^newest known patch of ${newest.minor}, the newest minor with no known`),
    ],
    [
      { kubernetes: { version: '1.36' } },
      'kubelet',
      patchOf('1.36'),
      /^newest known patch of 1\.36$/,
    ],
    [
      { kubernetes: { version: 'v1.36' } },
      'kubelet',
      patchOf('1.36'),
      /^newest known patch of 1\.36$/,
    ],
    [{ kubernetes: { version: 'v1.36.2' } }, 'kubelet', '1.36.2', /^set in the profile$/],
    [
      { kubernetes: { version: '1.99' } },
      'kubelet',
      '1.99',
      /^the first patch of an unknown line$/,
    ],
    [
      { kubernetes: { version: '1.33' } },
      'API server',
      patchOf('1.33'),
      /^assumed; compare with your cluster: `kubectl version`$/,
    ],
    [
      { kubernetes: { apiServer: '1.33.2' } },
      'kubelet',
      patchOf('1.33'),
      /^newest known patch of 1\.33, the minor of the API server$/,
    ],
    [
      { kubernetes: { apiServer: `1.${Number(newestMinor().minor.slice(2)) + 1}` } },
      'kubelet',
      newestMinor().newestPatch,
      /^newest known patch of [\d.]+, the known minor nearest to the API server$/,
    ],
    [{ kubernetes: { version: '1.33' } }, 'kube-proxy', patchOf('1.33'), /^the kubelet version$/],
    [
      { kubernetes: { version: '1.33', apiServer: '1.34' } },
      'kubeadm',
      patchOf('1.34'),
      /^the API server version$/,
    ],
    [
      {},
      'containerd',
      tested.newestPatch,
      new RegExp(`^newest known patch of ${tested.line}, the long-term line$`),
    ],
    [
      { ...old, containerd: { version: '1.7' } },
      'containerd',
      '1.7.36',
      /^newest known patch of 1\.7$/,
    ],
    [
      { ...old, containerd: { version: '1.7' } },
      'config.toml',
      'version 2',
      /^newest config format of containerd 1\.7$/,
    ],
    [{ containerd: { version: '2.2' } }, 'config.toml', 'version 3', /format of containerd 2\.2$/],
    [{ containerd: { version: '2.3' } }, 'config.toml', 'version 4', /format of containerd 2\.3$/],
    [
      { containerd: { version: '2.3', configVersion: 4 } },
      'config.toml',
      'version 4',
      /^set in the profile$/,
    ],
    [{ containerd: { crictl: '1.30.0' } }, 'crictl', '1.30.0', /^set in the profile$/],
    [{}, 'sandbox image', `registry.k8s.io/pause:${newest.sandboxTag}`, /^kubeadm’s default$/],
    [
      { windows: { release: 'ws2025' }, kubernetes: { version: '1.35' } },
      'sandbox image',
      'registry.k8s.io/pause:3.10.2',
      /^the first after 3\.10\.1 \(kubeadm’s default\) with a manifest for this Windows build$/,
    ],
    [
      { sandboxImage: 'registry.example.com/pause:1' },
      'sandbox image',
      'registry.example.com/pause:1',
      /^set in the profile$/,
    ],
    [{}, 'taints', 'os=windows:NoSchedule', /tolerate/],
    [{ kubelet: { taints: [] } }, 'taints', 'none', /tolerate/],
    [{}, 'network', 'flannel.4096', /^flannel vxlan, HNS network mode overlay$/],
    [{ network: { mode: 'l2bridge' } }, 'network', 'cbr0', /^flannel host-gw, .* l2bridge$/],
    [
      { machine: { cpu: 4, memory: '16Gi' }, kubelet: { maxPods: 60 } },
      'allocatable memory',
      '12921Mi',
      /^16384Mi - 915Mi kubeReserved - 2048Mi systemReserved - 500Mi evictionHard/,
    ],
  ]
  for (const [profile, subject, value, reason] of rows) {
    // No rules run on this layer: decisions do not depend on findings.
    const sets = Object.entries(profile).map(([key, one]) => `--set=${key}=${JSON.stringify(one)}`)
    const argv = ['render', 'base', '--out', '-', '--only', 'node.json', '--json', ...sets]
    const { stdout } = await inProcess([...argv, '--allow-newer', '--as-of', today])
    const { decisions }: { decisions?: { subject: string }[] } = JSON.parse(stdout)
    const found = decisions?.find((one) => one.subject === subject)
    t.match(found, { value, reason }, `${JSON.stringify(profile)}: ${subject}`)
  }
})

/** Ten mistakes, each of another kind: `line:column`, what it is, and what would be right. */
const mistakes: readonly [place: string, id: string, said: RegExp][] = [
  ['2:7', 'header-wrong', /^kind is "NodePool", expected NodeProfile$/],
  ['5:12', 'wrong-kind', /^kubernetes\.version is 1\.3; it must be text$/],
  ['7:9', 'unknown-choice', /^network\.mode is "overlya"; it must be one of l2bridge, overlay/],
  ['8:14', 'cidr-has-host-bits', /^10\.0\.0\.1\/24 has host bits set/],
  ['11:12', 'bad-value', /^kubelet\.maxPods is 0; it must be at least 1$/],
  ['12:3', 'unknown-field', /^unknown field kubelet\.maxPod$/],
  ['14:5', 'bad-key', /^invalid key "-pool" in kubelet\.labels; it must be a label key/],
  ['18:3', 'duplicate-key', /^duplicate key memory, first on line 17$/],
  ['19:12', 'null-character', /^a NUL character is not allowed$/],
  [
    '20:25',
    'number-out-of-range',
    /^the number 12345678901234567890 cannot be represented exactly$/,
  ],
]

const mistaken = `apiVersion: winnode/v1
kind: NodePool
extends: base
kubernetes:
  version: 1.30
network:
  mode: overlya
  podCIDRs: [10.0.0.1/24]

kubelet:
  maxPods: 0
  maxPod: 5
  labels:
    -pool: a
    example.com/pool: b
machine:
  memory: 16Gi
  memory: 4Gi
join: {ca: "x\\0"}
services: {logMaxFiles: 12345678901234567890}
`

t.test('ten mistakes of ten kinds are reported together, each with its place', async (t) => {
  const folder = t.testdir({ 'bad.yaml': mistaken })
  const file = path.join(folder, 'bad.yaml')
  const out = path.join(folder, 'out')
  t.equal(new Set(mistakes.map(([, id]) => id)).size, 10)

  const asJson = await inProcess(['validate', file, '--json', '--as-of', today])
  t.equal(asJson.code, 3)
  const { findings }: { findings: Said[] } = JSON.parse(asJson.stdout)
  const errors = findings.filter(({ severity }) => severity === 'error')
  t.strictSame(
    errors.map(({ id, place }) => `${place?.line}:${place?.column} ${id}`),
    mistakes.map(([place, id]) => `${place} ${id}`),
    'these ten, in the order of the file, and no other',
  )
  for (const [at, [, id, said]] of mistakes.entries()) t.match(errors[at]?.message, said, id)

  const lines = await inProcess(['validate', file, '--format', 'lines', '--as-of', today])
  t.equal(lines.code, 3)
  for (const [place, id] of mistakes)
    t.match(lines.stdout, new RegExp(`^${file}:${place}: error: .* \\[${id}\\]$`, 'm'), place)

  const rendered = spawned(['render', file, '--out', out, '--as-of', today])
  t.match(rendered, { code: 3, stdout: '' })
  for (const [place, id] of mistakes)
    t.ok(rendered.stderr.includes(`error[${id}] ${file}:${place}\n`), `render says ${id}`)
  t.match(rendered.stderr, /\n10 errors: [^]*\n\S+: nothing written\n$/)
  t.notOk(existsSync(out), 'and nothing is written')
})

interface Said {
  readonly id: string
  readonly severity: string
  readonly message: string
  readonly remedy: string | null
  readonly place: { readonly file: string; readonly line: number; readonly column: number } | null
}

t.test('bad input ends in a finding with a place, whatever it is', async (t) => {
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]']
    .concat(
      ['b', 'c', 'd', 'e', 'f'].map((key, at) => {
        const before = `*${'abcde'[at]}`
        return `${key}: &${key} [${Array(10).fill(before).join(', ')}]`
      }),
    )
    .join('\n')
  const bytes = (text: string, encoding: 'latin1' | 'utf16le') => Buffer.from(text, encoding)
  const rows: readonly [name: string, content: string | Uint8Array, id: string][] = [
    ['a YAML bomb', head + bomb, 'alias-limit'],
    ['a duplicate key', `${head}name: a\nname: b\n`, 'duplicate-key'],
    ['a circle', `${head}extends: ./it.yaml\n`, 'extends-circle'],
    ['a parent outside the folder', `${head}extends: ../outside.yaml\n`, 'extends-leaves-folder'],
    ['an absolute parent', `${head}extends: /etc/hosts.yaml\n`, 'extends-not-relative'],
    ['more than 1 MiB', `${head}# ${'x'.repeat(2 ** 20)}\n`, 'too-large'],
    ['UTF-16', bytes(`\ufeff${head}`, 'utf16le'), 'not-utf8'],
    ['Latin-1', bytes(`${head}summary: caf\xe9\n`, 'latin1'), 'not-utf8'],
    ['__proto__', `${head}__proto__: {name: a}\n`, 'forbidden-key'],
    ['__proto__ in a flow map', `${head}kubelet: {"__proto__": {maxPods: 1}}\n`, 'forbidden-key'],
    ['20,000 brackets', `${head}name: ${'['.repeat(20_000)}`, 'too-deep'],
    ['a NUL', `${head}name: a\0b\n`, 'null-character'],
    ['an escaped NUL', `${head}name: "a\\0b"\n`, 'null-character'],
    ['half a surrogate pair', `${head}summary: "\\udc00"\n`, 'lone-surrogate'],
    ['terminal escapes', `${head}name: \u001b]0;title\u0007\n`, 'control-character'],
    ['escaped terminal escapes', `${head}name: "\\e[31mred\\x9b"\n`, 'bad-value'],
    ['a variable in a path', `${head}containerd: {root: 'D:\\%TEMP%\\images'}\n`, 'bad-value'],
    ['another one', `${head}join: {discoveryFile: 'C:\\%TEMP%\\x.conf'}\n`, 'bad-value'],
    ...[
      'C:\\Windows\\System32',
      'C:\\k\\..\\Windows',
      'C:\\PROGRA~1\\x',
      'C:\\k\\nul.conf',
      'C:\\k\\d.',
      'C:\\Users',
      'C:\\ProgramData\\winnode\\d',
    ].map((folder): (typeof rows)[number] => [
      folder,
      `${head}kubelet: {dropInDirectory: '${folder}'}\n`,
      'bad-value',
    ]),
    ...[
      'C:\\Windows\\containerd',
      'D:\\a\\..\\b',
      'D:\\images.',
      'D:\\System Volume Information',
      'E:\\$RECYCLE.BIN\\images',
      'C:\\ProgramData\\Microsoft\\Windows',
    ].map((folder): (typeof rows)[number] => [
      `images in ${folder}`,
      `${head}containerd: {root: '${folder}'}\n`,
      'bad-value',
    ]),
    ['a device of Windows', `${head}join: {discoveryFile: 'C:\\aux'}\n`, 'bad-value'],
    [
      'a drive that is a folder of Windows',
      `${head}containerd: {root: 'C:\\windows'}\n`,
      'bad-value',
    ],
    ['a VNI that HNS rejects', `${head}network: {calico: {vni: 4095}}\n`, 'bad-value'],
    ['a block of four addresses', `${head}network: {calico: {blockSize: 30}}\n`, 'bad-value'],
    ['escapes in a key', `${head}"\\e[2J\\u202e": 1\n`, 'unknown-field'],
    ['a word', 'hello', 'not-a-map'],
    ['nothing', '', 'empty-file'],
  ]
  for (const [name, content, id] of rows) {
    const folder = t.testdir({
      'outside.yaml': head,
      own: { '.winnode-root': '' },
    })
    const file = path.join(folder, 'own/it.yaml')
    writeFileSync(file, content)
    const out = path.join(folder, 'out')
    const outcome = await inProcess(['render', file, '--out', out, '--as-of', today])
    const said = outcome.stderr
    t.equal(outcome.code, 3, `${name}: exit 3`)
    t.equal(outcome.stdout, '')
    t.match(said, new RegExp(`^error\\[${id}\\] ${file}:\\d+:\\d+$`, 'm'), `${name}: ${id}`)
    t.notMatch(said, /\n\s+at |[^\n\t\P{Cc}]|\p{Cf}/u, `${name}: no stack, no raw escapes`)
    t.ok(said.length < 20_000, `${name}: short enough to read`)
    t.notOk(existsSync(out), `${name}: nothing written`)
  }
})

t.test('a missing file is an error of the command line', async (t) => {
  const folder = t.testdir({ 'node.yaml': head })
  const at = (name: string) => path.join(folder, name)
  const rows: readonly [argv: readonly string[], hint: RegExp][] = [
    [[at('nod.yaml')], /did you mean .*node\.yaml\?/],
    [['ws2022-flanel-overlay'], /did you mean ws2022-flannel-overlay\?/],
    [['base', '--layer', at('nod.yaml')], /nod\.yaml: no such file\n {2}did you mean/],
  ]
  for (const [argv, hint] of rows) {
    const outcome = await inProcess(['validate', ...argv])
    t.match(outcome, { code: 2, stdout: '', stderr: hint }, argv.join(' '))
  }
  symlinkSync('nowhere', at('dangling.yaml'))
  const { stderr } = await inProcess(['validate', at('dangling.yaml')])
  t.notMatch(stderr, /did you mean .*dangling/, 'a link that leads nowhere is not its own remedy')
})

t.test('a field that has moved is one where its old name says', async (t) => {
  for (const field of Object.values(moved)) {
    const wrong = field.reduceRight<Json>((value, key) => ({ [key]: value }), 'x y')
    const { findings } = compile([layer(isObject(wrong) ? wrong : {})], 'test', { today })
    const told = findings.filter((finding) => isWithin(finding.path, field))
    t.match(told, [{ id: /^(wrong-kind|unknown-choice|bad-value)$/ }], formatPath(field))
  }
})

t.test('the error for a renamed field names the new field', async (t) => {
  const now = fields.map(({ path: parts }) => parts.join('.'))
  const there = Object.keys(moved).filter((name) => now.includes(name))
  t.strictSame(there, [], 'src/profile/renamed.ts: what has moved is no field any more')
  const list = 'test/golden/fields.txt'
  const known = readFileSync(path.join(root, list), 'utf8').trim().split('\n')
  const gone = known.filter((name) => !now.includes(name) && !Object.hasOwn(moved, name))
  t.strictSame(
    gone.map((name) => `src/profile/renamed.ts lacks ${name}, which ${list} has`),
    [],
  )
  checkedIn(t, list, `${[...new Set([...known, ...now])].sort().join('\n')}\n`)
})

t.test('the kind of every field is words', async (t) => {
  t.strictSame(
    fields.filter(({ kind }) => /undefined|Expected/.test(kind)).map(({ path: parts }) => parts),
    [],
  )
  const registry = [{ path: 'HKLM\\SOFTWARE\\Example', name: 'a', value: true }]
  t.strictSame(
    parseProfile({ host: { registry } }).findings.map(({ message }) => message),
    ['host.registry[0].value is true; it must be a number, a text or a list of texts'],
  )
})

t.test('no field holds a secret', async (t) => {
  const secret = /(password|passphrase|secret|token|privateKey)$/i
  const holding = fields.filter(({ path: parts }) => secret.test(parts.at(-1) ?? ''))
  t.strictSame(
    holding.map(({ path: parts }) => `${parts.join('.')}: a field names the file that holds it`),
    [],
  )
})

t.test('an address names no user, who may be a token', async (t) => {
  const file = path.join(t.testdir({ 'it.yaml': '' }), 'it.yaml')
  for (const field of [
    ['host: {proxy: {url: "', '"}}'],
    ['artifacts: {baseURLs: {kubernetes: "', '"}}'],
  ] as const) {
    const verdict = async (address: string) => {
      writeFileSync(file, `${head}${field.join(address)}\n`)
      const { stdout } = await inProcess(['validate', file, '--json', '--as-of', today])
      const { findings }: { findings: Said[] } = JSON.parse(stdout)
      return findings.filter(({ severity }) => severity === 'error').map(({ id }) => id)
    }
    t.strictSame(await verdict('https://token@example.com'), ['bad-value'], field[0])
    t.strictSame(await verdict('https://example.com'), [], field[0])
  }
})

t.test('a slip of the pen is guessed at', async (t) => {
  const rows: readonly [text: string, place: string, id: string, remedy: string][] = [
    ['kubelt: {}', '3:1', 'unknown-field', 'Did you mean kubelet?'],
    ['kubelet: {maxpods: 5}', '3:11', 'unknown-field', 'Did you mean maxPods?'],
    ['network: {flannel: {verison: 1.0.0}}', '3:21', 'unknown-field', 'Did you mean version?'],
    [
      'kubelet: {taints: [{key: a, effect: NoSchedule, vlaue: b}]}',
      '3:49',
      'unknown-field',
      'Did you mean value?',
    ],
    ['kubelet: {taints: [{effect: NoSchedule}]}', '3:20', 'missing-field', 'Add the field.'],
    [
      'network: {vni: 4096}',
      '3:11',
      'unknown-field',
      'Move it to network.flannel.vni, its new name.',
    ],
    [
      'kubelet: {evictionHard: {memory.available: 1Gi}}',
      '3:11',
      'unknown-field',
      'Did you mean reserve.evictionHard?',
    ],
    ['entirely: {else: 1}', '3:1', 'unknown-field', 'Remove the field.'],
    [
      'targets: {userdata: {platform: gce}}',
      '3:22',
      'unknown-field',
      'Use one of channels, before, after, bundleURL, join, or remove the field.',
    ],
    ['kubelet: {nodeLabels: {a: b}}', '3:11', 'unknown-field', 'Did you mean labels?'],
    ['windows: {release: ws2202}', '3:20', 'unknown-choice', 'Did you mean ws2022?'],
    ['network: {cni: flanel}', '3:16', 'unknown-choice', 'Did you mean flannel?'],
    [
      'network: {cni: Cilium}',
      '3:16',
      'unknown-choice',
      'Use flannel, Calico or Antrea as the network plugin of the cluster.',
    ],
    ['network: {mode: l2tunnel}', '3:17', 'unknown-choice', 'Set l2bridge.'],
    ['join: {method: kubeadmin}', '3:16', 'unknown-choice', 'Did you mean kubeadm?'],
    [
      'artifacts: {baseURLs: {kubernets: https://a.b}}',
      '3:24',
      'bad-key',
      'Did you mean kubernetes?',
    ],
    [
      'kubernetes: {version: 1.30}',
      '3:23',
      'wrong-kind',
      'Write it in quotes, such as "1.3" or "1.30": YAML reads both as 1.3.',
    ],
    ['kubernetes: {version: 1.35}', '3:23', 'wrong-kind', 'Write it in quotes, such as "1.35".'],
    ['windows: {release: 1809}', '3:20', 'unknown-choice', 'Use ws2019.'],
    ['windows: {release: "1809"}', '3:20', 'unknown-choice', 'Use ws2019.'],
    ['windows: {release: ltsc2022}', '3:20', 'unknown-choice', 'Use ws2022.'],
    ['windows: {release: Windows Server 2025}', '3:20', 'unknown-choice', 'Use ws2025.'],
    ['windows: {release: 20348}', '3:20', 'unknown-choice', 'Use ws2022.'],
    ['windows: {release: WS1809}', '3:20', 'unknown-choice', 'Use ws2019.'],
    ['windows: {release: 2019}', '3:20', 'unknown-choice', 'Did you mean ws2019?'],
    [
      'network: {podCIDRs: "10.0.0.0/16,fd00::/64"}',
      '3:21',
      'wrong-kind',
      'Write a list: ["10.0.0.0/16", "fd00::/64"].',
    ],
    // One item of a list.
    [
      'targets: {userdata: {channels: [ec]}}',
      '3:33',
      'unknown-choice',
      'Example: targets.userdata.channels: ["gce"]',
    ],
  ]
  const folder = t.testdir({ 'it.yaml': '' })
  const file = path.join(folder, 'it.yaml')
  for (const [text, place, id, remedy] of rows) {
    writeFileSync(file, `${head}${text}\n`)
    const { stdout } = await inProcess(['validate', file, '--json', '--as-of', today])
    const { findings }: { findings: Said[] } = JSON.parse(stdout)
    const errors = findings.filter(({ severity }) => severity === 'error')
    const brief = errors.map((one) => [
      `${one.place?.line}:${one.place?.column}`,
      one.id,
      one.remedy,
    ])
    t.strictSame(brief, [[place, id, remedy]], text)
  }
})

t.test('an amount of the machine is none of bytes', async (t) => {
  for (const [memory, fits] of [
    ['16', false],
    ['1023Ki', false],
    ['1Mi', true],
    ['16Gi', true],
  ] as const) {
    const { findings } = parseProfile({ machine: { memory, disk: memory } })
    const messages = findings.map(({ message }) => message)
    t.equal(messages.length, fits ? 0 : 2, memory)
    t.ok(messages.every((message) => message.endsWith('such as 32Gi, not of bytes')))
  }
})

t.test('patterns of the JSON Schema are regular expressions elsewhere too', async (t) => {
  const text = JSON.stringify(profileJsonSchema())
  const patterns = [...text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map((one) => one[1] ?? '')
  t.ok(patterns.length > 50)
  // Python's re and .NET have neither of the first two, and Python no name without P.
  const own = patterns.filter((pattern) => /\[\^\]|\\p\{|\(\?<\w/.test(pattern))
  t.strictSame(own, [])
})

t.test('a version that a field takes can be compared', async (t) => {
  const taken = ['1.36', 'v1.36.5', '0.0.0', '1.36.0-rc.1', '1.36.5-eks-3025e55', '1.9.1+k3s1.02']
  const refused = [
    '1.036',
    '01.36.1',
    '1.36.01',
    '1.36.0-rc.01',
    '1.36.1-',
    '1.36.1-a..b',
    '1.36.1+',
  ]
  const long = ['1.36.99999999999999999', `1.36.1-${'a'.repeat(250)}`, `1.${'9'.repeat(17)}`]
  for (const [versions, fits] of [
    [taken, true],
    [[...refused, ...long], false],
  ] as const)
    for (const version of versions) {
      const { findings } = parseProfile({ kubernetes: { version } })
      t.strictSame(
        findings.map(({ id }) => id),
        fits ? [] : ['bad-value'],
        version,
      )
      if (fits) t.ok(parseVersion(version), version)
    }
})

t.test('hosts, addresses and CIDRs that cannot exist are refused', async (t) => {
  const hosts = {
    right: [
      ...['10.0.0.25', 'a', 'a_b', 'A.b', 'a.b.', '1.a', '256.com', `${'a'.repeat(63)}.b`],
      // At most 253 characters, and a dot.
      `${'a.'.repeat(126)}a.`,
    ],
    wrong: [
      ...['10.0.0.256', '010.0.0.1', '1.2.3', '1', '10.0.0.1.', 'a.256', '0x7f000001', '0X7f.1'],
      ...['', '.', '.a', 'a..b', 'a..', '-a', 'a-', 'a.-b', '*.a', 'a b', 'a,b', 'é.b'],
      ...[
        `${'a'.repeat(64)}.b`,
        'a.'.repeat(128),
        `${'a.'.repeat(126)}aa`,
        `${'a.'.repeat(126)}a.a`,
        '::1',
        '[]',
        '[:::]',
        '[fd00::1::2]',
        '[1.2.3.4]',
      ],
    ],
  }
  const inURL = { right: [...hosts.right, '[fd00::1]'], wrong: hosts.wrong }
  const cidrs = {
    right: [
      ...['10.0.0.0/16', '0.0.0.0/0', 'fd00::/64', '1:2:3:4:5:6::8/128', '64:ff9b::1.2.3.4/128'],
    ],
    wrong: [
      ...['10.0.0.256/24', '10.0/16', '10.0.0.0', '10.0.0.0/33', '10.0.0.0/016', '010.0.0.0/16'],
      // :: stands for one group at least.
      ...['fd00::/129', 'fd00:::/64', '1:2/3', '1:2:3:4:5:6:7::8/128', '10.0.0.0/16/1'],
      // An IPv4 part is the last one.
      ...['1.2.3.4::/96', '64:ff9b:1.2.3.4::/96'],
    ],
  }
  const ports = {
    right: ['a:1', 'a:65535', '[fd00::1]:6443', 'a.b.:6443'],
    wrong: [
      'a',
      'a:',
      ':1',
      'a:0',
      'a:65536',
      'a:06443',
      'a:+1',
      'a:1 ',
      '[fd00::1]',
      'fd00::1:6443',
    ],
  }
  const of = (values: typeof hosts, write: (value: string) => Json) => ({
    right: values.right.map(write),
    wrong: values.wrong.map(write),
  })
  const rows: Readonly<Record<string, { right: readonly Json[]; wrong: readonly Json[] }>> = {
    'join.endpoint': of(inURL, (host) => `${host}:6443`),
    'host.timeServers': of(
      { ...hosts, wrong: hosts.wrong.filter((one) => one !== '::1') },
      (host) => [host],
    ),
    'host.proxy': of(inURL, (host) => ({ url: `http://${host}:3128` })),
    'host.firewall.kubeletFrom': of(cidrs, (cidr) => [cidr]),
    'network.podCIDRs': of(cidrs, (cidr) => [cidr]),
    'network.nodeIP': of(
      { right: ['10.0.0.1'], wrong: ['10.0.0.256', '10.0.0.01', '10.0.1', 'fd00::1', '10.0.0.1.'] },
      String,
    ),
    'network.clusterDNS': of(
      {
        right: ['10.96.0.10', 'fd00::a'],
        wrong: ['10.96.0.256', '10.96.0.010', '10.96', 'fd00:::a'],
      },
      (address) => [address],
    ),
    'artifacts.from': of(inURL, (host) => `https://${host}/mirror`),
    'artifacts.baseURLs': of(inURL, (host) => ({ kubernetes: `https://${host}:8443/a/b` })),
    'targets.userdata.bundleURL': of(inURL, (host) => `https://${host}/a.zip`),
    'cluster.fluentBit.output': of(hosts, (host) => ({ plugin: 'loki', host, port: 3100 })),
    'cluster.csrApprover.nodeCIDRs': of(cidrs, (cidr) => [cidr]),
  }
  const more: typeof rows = {
    'join.endpoint': of(ports, String),
    'host.timeServers': { right: [['fd00::1']], wrong: [['fd00:::1']] },
    'host.proxy': {
      right: ['http://a', 'https://a:3128/'].map((url) => ({ url })),
      wrong: ['http://a:0', 'http://a:x', 'http://:80', 'https://a/b', 'https://u@a', 'a:3128'].map(
        (url) => ({ url }),
      ),
    },
    'host.proxy.noProxy': {
      right: ['*', '.a', '*.a', 'a:80', '10.0.0.0/8', '10.0.0.1', 'fd00::1', '[fd00::1]:80'].map(
        (one) => [one],
      ),
      wrong: [
        '',
        'a b',
        'http://a',
        'a/b',
        '10.0.0.0/33',
        '10.0.0.256',
        '[fd00::1]',
        'a,b',
        'a*',
      ].map((one) => [one]),
    },
    'artifacts.from': {
      right: ['\\\\a\\b', '\\\\10.0.0.1\\b', 'D:\\a', 'D:\\', 'http://a'],
      wrong: [
        ...['\\\\a..b\\c', '\\\\10.0.0.256\\b', 'https://a\\b', 'https://a:70000', 'https://'],
        ...['https://a/%zz', 'https://a/b%', 'http://a/%2'],
      ],
    },
    'artifacts.baseURLs': {
      right: ['https://a/%20b%2F'].map((url) => ({ kubernetes: url })),
      wrong: ['https://a/%2', 'https://a/%zz'].map((url) => ({ kubernetes: url })),
    },
  }
  const isRefused = (at: string, value: Json) => {
    const steps = at.split('.')
    const known = at === 'host.proxy.noProxy' ? [{ host: { proxy: { url: 'http://a' } } }] : []
    const document = mergeLayers(
      [...known, documentWith(steps, value)].map((one) => layer(one)),
    ).document
    const found = parseProfile(document).findings
    return (
      found.length > 0 &&
      found.every(({ id, path: where }) => id === 'bad-value' && isWithin(where, steps))
    )
  }
  for (const [at, { right, wrong }] of [...Object.entries(rows), ...Object.entries(more)]) {
    for (const value of right) t.notOk(isRefused(at, value), `${at}: ${JSON.stringify(value)}`)
    for (const value of wrong) t.ok(isRefused(at, value), `${at}: ${JSON.stringify(value)}`)
  }
})

t.test('an image has a digest that containerd reads', async (t) => {
  const findings = (digest: string) =>
    parseProfile({ sandboxImage: `registry.example.com/pause@${digest}` }).findings
  const hex = 'a'.repeat(64)
  for (const right of [`sha256:${hex}`, `sha512:${hex}${hex}`])
    t.strictSame(findings(right), [], right)
  for (const wrong of [hex, `sha256:${hex}a`, `sha256:${hex}:1`, `sha256:${hex.toUpperCase()}`])
    t.match(findings(wrong), [{ id: 'bad-value', path: ['sandboxImage'] }], wrong)
})

t.test('a host with letters that are not ASCII is shown in punycode', async (t) => {
  const rows: readonly (readonly [patch: JsonObject, ascii: string])[] = [
    [{ join: { endpoint: 'München.example:6443' } }, 'xn--mnchen-3ya.example:6443'],
    [{ host: { timeServers: ['例え.jp'] } }, 'xn--r8jz45g.jp'],
    [{ artifacts: { from: 'https://é.b:8443/ü' } }, 'https://xn--9ca.b:8443/ü'],
    [{ artifacts: { from: '\\\\é\\b' } }, '\\\\xn--9ca\\b'],
    [{ targets: { userdata: { bundleURL: 'https://é/a.zip' } } }, 'https://xn--9ca/a.zip'],
    [{ host: { proxy: { url: 'http://a', noProxy: ['.é.b'] } } }, '.xn--9ca.b'],
  ]
  for (const [patch, ascii] of rows)
    t.match(
      parseProfile(patch).findings,
      [{ id: 'bad-value', remedy: `Write the host in punycode: ${ascii}.` }],
      ascii,
    )
  for (const patch of [
    { kubelet: { labels: { pool: 'größe' } } },
    { join: { endpoint: 'é' } },
    { artifacts: { from: 'https://a b/é' } },
  ])
    t.notMatch(parseProfile(patch).findings, [{ remedy: /punycode/ }], JSON.stringify(patch))
})

t.test('a value is reported once', async (t) => {
  const { findings } = parseProfile({ registry: { mirrors: { 'a/b': [{ url: 'https://a.b' }] } } })
  t.match(findings, [{ id: 'bad-key' }])
  t.equal(findings.length, 1)
})

t.test('a list is no map', async (t) => {
  const rows: readonly (readonly [patch: JsonObject, path: string])[] = [
    [{ kubelet: { labels: ['a', 'b'] } }, 'kubelet.labels'],
    [{ kubelet: { labels: [] } }, 'kubelet.labels'],
    [{ kubelet: { config: [{ maxPods: 5 }] } }, 'kubelet.config'],
    [{ network: [] }, 'network'],
    [{ network: { flannel: [] } }, 'network.flannel'],
    [{ ignore: [{ rule: 'mode-unknown', reason: 'as it is' }] }, 'ignore'],
    [{ ignore: { 'mode-unknown': ['as it is'] } }, 'ignore.mode-unknown'],
    [{ registry: { mirrors: { 'docker.io': [[]] } } }, 'registry.mirrors."docker.io"[0]'],
  ]
  for (const [patch, at] of rows)
    t.strictSame(
      parseProfile(patch).findings.map((one) => [one.id, formatPath(one.path), one.message]),
      [['wrong-kind', at, `${at} is a list; it must be a map`]],
      at,
    )
  t.strictSame(parseProfile({ kubelet: { config: { any: [] } } }).findings, [], 'below, it may be')
})

/** A schema of valibot, of which only what nests is read here. */
interface Nesting {
  readonly type: string
  readonly wrapped?: Nesting
  readonly entries?: Readonly<Record<string, Nesting>>
  readonly item?: Nesting
  readonly value?: Nesting
  readonly options?: readonly unknown[]
}

/** The paths of all maps of the table of fields; a choice is one where it takes a map and no list. */
function mapPaths(schema: Nesting, at: Path): readonly Path[] {
  const { type, wrapped, entries = {}, item, value, options = [] } = schema
  if (wrapped) return mapPaths(wrapped, at)
  const choices = type === 'union' ? (options as readonly Nesting[]) : []
  const takesList = choices.some((one) => one.type === 'array')
  return [
    ...(/object|record/.test(type) ? [at] : []),
    ...(takesList ? [] : choices.flatMap((one) => mapPaths(one, at))),
    ...Object.entries(entries).flatMap(([key, one]) => mapPaths(one, [...at, key])),
    ...(item ? mapPaths(item, [...at, 0]) : []),
    ...(value ? mapPaths(value, [...at, 'key']) : []),
  ]
}

/** The document with a value at a path, whose numbers are places of a list. */
const holding = (at: Path, value: Json): Json =>
  at.reduceRight<Json>(
    (inner, key) => (typeof key === 'number' ? [inner] : { [key]: inner }),
    value,
  )

t.test('a list is refused wherever the table has a map', async (t) => {
  const maps = mapPaths(profileSchema as unknown as Nesting, []).filter((at) => at.length > 0)
  for (const at of [
    'targets.capi.machine',
    'targets.capi.machine.spec',
    'targets.capi.bootstrap.files[0]',
    'targets.packer.blocks.key',
    'kubelet.nodeName',
  ])
    t.ok(
      maps.some((one) => formatPath(one) === at),
      at,
    )
  for (const at of maps)
    for (const list of [[], ['a'], [{ a: 'b' }]]) {
      const document = holding(at, list)
      const { findings } = parseProfile(isObject(document) ? document : {})
      t.ok(
        findings.some((one) => one.id === 'wrong-kind' && formatPath(one.path) === formatPath(at)),
        `${formatPath(at)}: ${JSON.stringify(list)}: ${JSON.stringify(findings)}`,
      )
    }
})

t.test('a list in place of a map is reported where it is written, with a remedy', async (t) => {
  const file = path.join(t.testdir({}), 'it.yaml')
  const text = 'targets:\n  capi:\n    machine:\n      spec:\n        - flavor: a\n'
  writeFileSync(file, `${head}${text}`)
  const { code, stdout } = await inProcess(['validate', file, '--as-of', today])
  t.equal(code, 3)
  t.match(stdout, /^error\[wrong-kind\] .*it\.yaml:6:7$/m)
  t.match(stdout, 'targets.capi.machine.spec is a list; it must be a map')
  t.match(stdout, 'fix: Write KEY: VALUE lines without a dash.')
})

t.test('a mistake of a layer is reported there, whatever a stronger layer sets', async (t) => {
  /** The findings that a person must correct, each with the layer that it names. */
  const errorsOf = (layers: readonly Layer[]) =>
    compile(layers, 'test', { today })
      .findings.filter(({ id, severity }) => severity === 'error' && id !== 'required')
      .map(({ id, path: at, place }) => [id, formatPath(at), place?.file ?? 'by origin'])
      .toSorted()
  const rows: readonly [title: string, patches: readonly JsonObject[], errors: string[][]][] = [
    [
      'a map below a number',
      [{ host: 3 }, { host: { offline: true } }],
      [['wrong-kind', 'host', 'layer 1']],
    ],
    [
      'a list for a map',
      [{ kubelet: { labels: ['a'] } }, { kubelet: { labels: { a: 'b' } } }],
      [['wrong-kind', 'kubelet.labels', 'layer 1']],
    ],
    [
      'YAML reads 1.30 as 1.3',
      [{ kubernetes: { version: 1.3 } }, { kubernetes: { version: '1.36' } }],
      [['wrong-kind', 'kubernetes.version', 'layer 1']],
    ],
    [
      'items of a list that is replaced',
      [{ network: { podCIDRs: [3, '10.0.0.0/8'] } }, { network: { podCIDRs: ['10.0.0.0/16'] } }],
      [['wrong-kind', 'network.podCIDRs[0]', 'layer 1']],
    ],
    [
      'null takes it away',
      [{ kubelet: { maxPod: 5, maxPods: 'x' } }, { kubelet: null }],
      [
        ['unknown-field', 'kubelet.maxPod', 'layer 1'],
        ['wrong-kind', 'kubelet.maxPods', 'layer 1'],
      ],
    ],
    [
      'an unknown field that stays is reported once',
      [{ kubelet: { maxPod: 5 } }, { kubelet: { maxPods: 5 } }],
      [['unknown-field', 'kubelet.maxPod', 'by origin']],
    ],
    [
      'two layers',
      [{ host: 3 }, { host: [] }],
      [
        ['wrong-kind', 'host', 'by origin'],
        ['wrong-kind', 'host', 'layer 1'],
      ],
    ],
    [
      'what the layers below set stays out of it',
      [{ network: { podCIDRs: ['10.0.0.1/16'] } }, { network: 3 }, { network: { cni: 'none' } }],
      [['wrong-kind', 'network', 'layer 2']],
    ],
    // Of a right type, any value may be replaced, and layers complete each other.
    ['another text', [{ kubernetes: { version: 'x' } }, { kubernetes: { version: '1.36' } }], []],
    ['another choice', [{ network: { cni: 'x' } }, { network: { cni: 'flannel' } }], []],
    ['null', [{ host: null }, { host: { offline: null } }], []],
    [
      'half of a map, of which another layer has the other half',
      [
        {
          join: { endpoint: 'api.example.com:6443', caCertHashes: [`sha256:${'a'.repeat(64)}`] },
          kubeProxy: { credentials: { certificate: 'C:\\a.crt' } },
          registry: { credentialProvider: { providers: [] } },
        },
        {
          kubeProxy: { credentials: { key: 'C:\\a.key' } },
          registry: { credentialProvider: null },
        },
      ],
      [],
    ],
    [
      'a name, or the file that holds it',
      [{ kubelet: { providerID: 'x' } }, { kubelet: { providerID: { file: 'C:\\k\\id' } } }],
      [],
    ],
  ]
  for (const [title, patches, errors] of rows)
    t.strictSame(
      errorsOf(patches.map((patch, index) => layer(patch, `layer ${index + 1}`))),
      errors,
      title,
    )
  const builtIn = { ...layer({ host: 3 }), builtIn: true } as const
  t.strictSame(errorsOf([builtIn, layer({ host: { offline: false } })]), [], 'of the user')
})

t.test('a value of the wrong type is reported for every field that a layer replaces', async (t) => {
  for (const field of fields) {
    const wrong = [3, ['x'], { x: 'y' }, true].find((value) =>
      parseProfile(documentWith(field.path, value)).findings.some(({ id }) => id === 'wrong-kind'),
    )
    if (wrong === undefined) continue
    const right = field.group ? {} : (field.example ?? null)
    const { findings } = compile(
      [layer(documentWith(field.path, wrong)), layer(documentWith(field.path, right))],
      'test',
      { today },
    )
    const found = findings.filter(({ id }) => id === 'wrong-kind')
    t.ok(found.length > 0, `${formatPath(field.path)}: ${JSON.stringify(wrong)}`)
  }
})

t.test('a key without a value removes nothing that is inherited', async (t) => {
  const folder = t.testdir({
    'site.yaml': `${head}extends: base\nkubelet:\n  labels: { a: b }\n  maxPods: 50\n`,
  })
  const file = path.join(folder, 'it.yaml')
  const rows: readonly [text: string, said: readonly string[]][] = [
    [
      'kubelet:\n#  maxPods: 60\n',
      [':4:1: error: kubelet has no value, which removes what SITE sets [empty-value]'],
    ],
    [
      'kubelet:\n  labels:\nkubernetes: { version: }\n',
      [':5:3: error: kubelet.labels has no value, which removes what SITE sets [empty-value]'],
    ],
    [
      'host:\n',
      [':4:1: error: host has no value, which removes what built-in base sets [empty-value]'],
    ],
    // Nothing is inherited there, or the user says so.
    ['kubeProxy:\nkubelet:\n  taints:\n', []],
    ['kubelet: null\n', []],
    ['kubelet: { labels: ~ }\n', []],
  ]
  for (const [text, said] of rows) {
    writeFileSync(file, `${head}extends: ./site.yaml\n${text}`)
    const { stdout } = await inProcess(['validate', file, '--format', 'lines'])
    const errors = stdout.match(/^\S+ error: .*$/gm) ?? []
    t.strictSame(
      errors.map((line) => line.replace(file, '').replace(path.join(folder, 'site.yaml'), 'SITE')),
      said,
      text,
    )
  }
})

t.test('a key with dots needs quotes in --set', async (t) => {
  for (const typed of ['example.com/pool', 'example\\.com/pool', "'example.com/pool'"]) {
    const set = `kubelet.labels.${typed}=web`
    const { code, stdout } = await inProcess(['validate', 'base', '--set', set, '-q'])
    t.equal(code, 3, typed)
    const whole = `--set 'kubelet.labels."example.com/pool"=VALUE'`
    t.match(stdout, `  fix: Put the key in quotes, and quotes around it all: ${whole}.\n`, typed)
  }
  const quoted = 'kubelet.labels."example.com/pool"=web'
  t.equal((await inProcess(['validate', 'base', '--set', quoted])).code, 0)
  for (const value of ['1', 'true', '[b]']) {
    const other = await inProcess(['validate', 'base', '--set', `kubelet.labels.a=${value}`, '-q'])
    t.match(other, { code: 3, stdout: /wrong-kind/ })
    t.notMatch(other.stdout, 'Put the key', `${value} has no key`)
  }
})

t.test('a flag hides no mistake of the file below it', async (t) => {
  const folder = t.testdir({})
  const file = path.join(folder, 'it.yaml')
  const above = path.join(folder, 'above.yaml')
  writeFileSync(file, `${head}name: 5\nextends: base\nhost: 3\n`)
  writeFileSync(above, `${head}extends: ./it.yaml\nname: above\n`)
  for (const words of [
    [file],
    [above],
    [file, '--offline'],
    [file, '--set', 'host.offline=true'],
  ]) {
    const { code, stdout } = await inProcess(['validate', ...words, '--format', 'lines'])
    t.equal(code, 3)
    t.strictSame(
      stdout.match(/^\S+ error: .*$/gm)?.map((line) => line.slice(folder.length)),
      [
        '/it.yaml:3:7: error: name is 5; it must be text [wrong-kind]',
        '/it.yaml:5:7: error: host is 3; it must be a map [wrong-kind]',
      ],
      words.slice(1).join(' '),
    )
  }
})

t.test('a word for no approver is not taken for the name of one', async (t) => {
  const findingsOf = (servingCertificateApprover: Json) =>
    parseProfile({ kubelet: { servingCertificateApprover } }).findings
  for (const name of ['none', 'None', 'no', 'false', 'off', 'null', '', ' '])
    t.strictSame(
      findingsOf(name).map(({ id, message }) => [id, message.split('; it must be ')[1]]),
      [['bad-value', 'the name of a CSR approver']],
      JSON.stringify(name),
    )
  t.match(findingsOf('none')[0]?.remedy, /remove the field or write null\.$/)
  for (const name of ['kubelet-csr-approver', 'no-op'])
    t.strictSame(findingsOf(name), [], JSON.stringify(name))
})

t.test('decisions that follow from a refused value are not checked', async (t) => {
  const mirrors = { _default: [{ url: 'https://mirror.example.com' }] }
  const rows: readonly [name: string, profile: JsonObject, errors: readonly string[]][] = [
    [
      'versions that follow the refused one',
      { kubernetes: { version: 1.3, apiServer: '1.33' } },
      ['wrong-kind'],
    ],
    [
      'a network name that follows a refused number',
      { network: { flannel: { vni: 'x' }, podCIDRs: ['10.0.0.1/16'] } },
      ['cidr-has-host-bits', 'wrong-kind'],
    ],
    [
      'a rule about what the refused value decides',
      { host: { offline: true }, artifacts: { from: 'mirror' }, registry: { mirrors } },
      ['bad-value'],
    ],
    [
      'a secret beside it is found all the same',
      { kubelet: { maxPods: 'many', config: { a: 'abcdef.0123456789abcdef' } } },
      ['kubelet-field-unknown', 'secret-in-profile', 'wrong-kind'],
    ],
  ]
  for (const [name, profile, errors] of rows) {
    const { findings } = compile([layer(profile)], 'test', { today })
    const found = findings.filter(({ severity }) => severity === 'error').map(({ id }) => id)
    t.strictSame(found.toSorted(), errors, name)
  }
})

t.test('a field that is decided is unknown where what decides it was refused', async (t) => {
  const followers = (profile: JsonObject) => parseProfile(profile).refused.map(formatPath)
  const vni = ['network.flannel.vni']
  const network = { flannel: { vni: 'x' } }
  t.strictSame(followers({ network }), [...vni, 'network.name'])
  t.strictSame(followers({ network: { ...network, name: 'given' } }), vni)
  t.strictSame(followers({ network: { ...network, mode: 'l2bridge' } }), vni, 'it has no number')
  t.strictSame(followers({ kubernetes: { apiServer: 'x' } }), [
    'kubernetes.apiServer',
    'kubernetes.version',
    'kubernetes.kubeProxy',
    'kubernetes.kubeadm',
    'containerd.version',
    'containerd.configVersion',
    'containerd.crictl',
    'sandboxImage',
  ])
  // The name of the approver is decided only with it.
  const { values } = parseProfile({ cluster: { csrApprover: { enabled: true } } })
  const [said, resolved] = [values, resolveProfile(values, 'test').spec].map(
    (value) => JSON.parse(JSON.stringify(value)) as Json,
  )
  const open = fields.filter(
    (field) =>
      !field.group &&
      valueAt(said, field.path) === undefined &&
      valueAt(resolved, field.path) !== undefined,
  )
  // These follow from no other field that a rule reads.
  const alone = ['name', 'summary']
  t.strictSame(
    open.map((field) => formatPath(field.path)).toSorted(),
    [...alone, ...decided.map(([field]) => formatPath(field))].toSorted(),
    'each field that is decided is in the table',
  )
})

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
}

function fieldsOf(schema: Schema, at: readonly string[] = []): readonly (readonly string[])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => [
    [...at, key],
    ...fieldsOf(field, [...at, key]),
  ])
}

function documentWith(at: Path, value: Json): JsonObject {
  const document = at.reduceRight<Json>((inner, key) => ({ [key]: inner }), value)
  return isObject(document) ? document : {}
}

t.test('compiling never fails on anything that a profile can hold', async (t) => {
  const words = [
    ...[
      '',
      'x',
      'ws2025',
      '1.36.5',
      '1.36',
      'v1.25.0-rc.1',
      '10.0.0.0/8',
      '10.96.0.10',
      'fd00::/64',
    ],
    ...[
      '::',
      '0',
      '99999999999999999999Ei',
      '16Gi',
      '100%',
      '60s',
      'C:\\k',
      'https://a.b/c',
      'a:1',
    ],
    ...['__proto__', 'constructor', '\ud800', 'registry.k8s.io/pause:3.9', '1.7', '2.4', 'overlay'],
    ...['l2bridge', 'transparent', 'flannel', 'bootstrapKubeconfig', 'os', 'NoSchedule', '30000-1'],
  ]
  const all = fieldsOf(profileJsonSchema())
  t.ok(all.length > 60)
  const known = all.flat()
  const leaf = fc.oneof(
    fc.constantFrom(...words),
    fc.constantFrom<Json>(null, true, false, 0, -1, 1, 4096, 1e308, 2 ** 53 - 1, 0.5),
    fc.string({ maxLength: 8 }),
  )
  const { value: any } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...known, ...words), tie('value'), { maxKeys: 4 }),
    ),
  }))
  const patches = fc
    .array(fc.tuple(fc.constantFrom(...all), any), {
      minLength: 1,
      maxLength: 6,
    })
    .map((settings) => settings.map(([at, value]) => layer(documentWith(at, value))))
  fc.assert(
    fc.property(patches, (layers) => {
      const { findings, plan } = compile(layers, 'test', { today })
      const wrong = findings.some(({ severity }) => severity === 'error')
      const paths = findings.every((one) => isWithin(one.path, []) && one.message !== '')
      return wrong === (plan === undefined) && paths
    }),
    { numRuns: 500 },
  )
  t.pass('500 profiles')
})

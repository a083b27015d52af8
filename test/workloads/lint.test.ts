// winnode lint: what it reads, where it finds things, and how it ends.
import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { readManifests } from '../../src/io/kubernetes-manifests.ts'
import { lint } from '../../src/workloads/lint.ts'
import { readPlatforms } from '../../src/workloads/platforms.ts'
import { inProcess, root } from '../tools/run.ts'

const pod = (name: string) => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
spec:
  os: {name: windows}
  nodeSelector: {kubernetes.io/os: windows}
  hostPID: true
`

/** `line:column id` of everything that is found. */
function found(text: string | Uint8Array): readonly string[] {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const { manifests, findings } = readManifests(bytes, 'web.yaml')
  return [...findings, ...lint(manifests).findings].map(
    ({ id, place }) => `${place?.line}:${place?.column} ${id}`,
  )
}

const deployment = (more: string) => `apiVersion: apps/v1
kind: Deployment
spec:
  template:
    spec:
      os: {name: windows}
      nodeSelector: {kubernetes.io/os: windows}
${more}`

const texts: Readonly<Record<string, readonly [text: string, found: readonly string[]]>> = {
  'a document': [pod('a'), ['8:3 linux-host-namespaces']],
  'several documents, with comments behind ---': [
    `# first\n--- # a\n${pod('a')}---\n---\n${pod('b')}`,
    ['10:3 linux-host-namespaces', '20:3 linux-host-namespaces'],
  ],
  'lines of Windows': [
    `${pod('a')}---\n${pod('b')}`.replaceAll('\n', '\r\n'),
    ['8:3 linux-host-namespaces', '17:3 linux-host-namespaces'],
  ],
  'a byte order mark': [`\ufeff${pod('a')}`, ['8:3 linux-host-namespaces']],
  'a directive': [`%YAML 1.1\n---\n${pod('a')}`, ['10:3 linux-host-namespaces']],
  'the end of a document, and another one': [
    `${pod('a')}...\n---\n${pod('b')}`,
    ['8:3 linux-host-namespaces', '18:3 linux-host-namespaces'],
  ],
  'JSON with tabs': [
    '{\n\t"apiVersion": "v1", "kind": "Pod",\n\t"spec": {"hostIPC": true, "os": {"name": "windows"}, "nodeName": "a"}\n}',
    ['3:11 linux-host-namespaces'],
  ],
  'a List in a List': [
    '{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: PodList, items: [{spec: {nodeName: a,\n os: {name: windows}, hostPID: true}}]}]}',
    ['2:23 linux-host-namespaces'],
  ],
  'a template of pods': [deployment('      hostPID: true\n'), ['8:7 linux-host-namespaces']],
  'a template of pods in a kind of others': [
    deployment('      hostPID: true\n      containers: []\n').replace(
      /apps.v1|Deployment/g,
      'x/Rollout',
    ),
    ['8:7 linux-host-namespaces'],
  ],
  'templates of pods in a list, in a kind of others': [
    'apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nspec: {replicatedJobs: [{template: {spec: {template: {spec: {nodeName: a,\n os: {name: windows}, hostPID: true, containers: []}}}}}]}',
    ['4:23 linux-host-namespaces'],
  ],
  'an alias, at its key': [
    `${deployment('      securityContext: *s\n')}x: &s {fsGroup: 0}\n`
      .replace(/(x: .*\n)$/, '')
      .replace('spec:\n', 'x: &s {fsGroup: 0}\nspec:\n'),
    ['9:7 linux-fs-group'],
  ],
  'a merge key, at itself; keys beside it are stronger': [
    deployment('      <<: &a {hostPID: true, hostIPC: true}\n      hostIPC: false\n'),
    ['8:7 linux-host-namespaces'],
  ],
  'booleans of YAML 1.1': [
    deployment('      hostPID: yes\n      hostIPC: off\n      shareProcessNamespace: "no"\n'),
    ['8:7 linux-host-namespaces', '10:7 linux-shared-processes'],
  ],
  'modes of files in octal': [
    deployment('      volumes: [{name: a, configMap: {defaultMode: 0644}}]\n'),
    [],
  ],
  'a duplicate key': [deployment('      os: {name: windows}\n'), ['8:7 duplicate-key']],
  'keys and numbers that no profile can have': [
    'apiVersion: v1\nkind: ConfigMap\ndata: {80: a, true: b, constructor: c, n: 9223372036854775808}\n',
    [],
  ],
  tabs: [deployment('\thostPID: true\n'), ['8:1 tab-indentation']],
  'a template of Helm': ['apiVersion: v1\nkind: {{ .Values.kind }}\nspec:\n  a: b\n', []],
  nothing: ['', ['1:1 no-object']],
  'comments alone': ['# a\n---\n# b\n', ['1:1 no-object']],
  'no objects': [
    'a: 1\n---\n- a\n---\ntext\n---\nnull\n',
    ['1:1 no-object', '3:1 no-object', '5:1 no-object'],
  ],
  'an empty List': ['apiVersion: v1\nkind: List\nitems: []\n', []],
  'values of other types': [
    deployment(
      '      containers: {a: b}\n      volumes: x\n      tolerations: [1]\n      affinity: []\n',
    ),
    [],
  ],
  'a Service of Knative': [
    'apiVersion: serving.knative.dev/v1\nkind: Service\nspec: {type: NodePort}\n',
    [],
  ],
  'text that looks like documents': [
    'apiVersion: v1\nkind: ConfigMap\ndata:\n  a: |\n    ---\n    kind: Pod\n',
    [],
  ],
  'maps in maps': [`apiVersion: v1\nkind: Pod\nspec: ${'['.repeat(10_000)}\n`, ['3:70 too-deep']],
  'aliases in aliases': [
    `apiVersion: v1\nkind: Pod\na0: &a0 [x, x]\n${Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(9)}]\n`).join('')}`,
    ['9:20 alias-limit'],
  ],
}

for (const [name, [text, expected]] of Object.entries(texts))
  t.test(`manifests: ${name}`, async (t) => {
    const isTemplate = text.includes('{{')
    const ids = found(text).filter((one) => !one.endsWith('limits-missing'))
    if (isTemplate) t.match(readAs(text), /helm template/)
    else t.strictSame(ids, expected)
  })

function readAs(text: string): string {
  const { findings } = readManifests(new TextEncoder().encode(text), 'web.yaml')
  return findings.map(({ remedy }) => remedy).join('\n')
}

t.test('a text in another encoding is no manifest', async (t) => {
  t.strictSame(found(Buffer.from(pod('a'), 'utf16le')), ['1:1 not-utf8'])
  t.strictSame(found(Buffer.from(pod('é'), 'latin1')), ['4:9 not-utf8'])
})

t.test('a Secret is never quoted', async (t) => {
  const { findings } = readManifests(
    new TextEncoder().encode(
      `apiVersion: v1\nkind: Secret\nstringData: {a: "hunter2\n---\n${pod('a')}`,
    ),
    'web.yaml',
  )
  t.ok(findings.length > 0)
  t.notMatch(JSON.stringify(findings), 'hunter2')
  const list = `apiVersion: v1
kind: List
items:
- kind: Pod
  apiVersion: v1
  spec: {hostPID: true}
- kind: Secret
  apiVersion: v1
  stringData: {a: hunter2, a: hunter2}
`
  const folder = t.testdir({ 'list.yaml': list })
  const { stdout } = await inProcess(['lint', path.join(folder, 'list.yaml')])
  t.match(stdout, 'error[duplicate-key]')
  t.notMatch(stdout, 'hunter2', 'nor beside a pod')
})

t.test('10,000 documents are 10,000 workloads', async (t) => {
  const text = Array.from({ length: 10_000 }, (_, at) => pod(`p${at}`)).join('---\n')
  const { manifests, findings } = readManifests(new TextEncoder().encode(text), 'web.yaml')
  t.strictSame(findings, [])
  const linted = lint(manifests)
  t.equal(linted.workloads, 10_000)
  t.equal(linted.findings.at(-1)?.place?.line, 10_000 * 9 - 1)
})

const linux = `apiVersion: v1\nkind: Pod\nmetadata: {name: l}\nspec: {os: {name: linux}}\n`

t.test('winnode lint ends as validate does', async (t) => {
  const folder = t.testdir({
    'bad.yaml': pod('a'),
    chart: {
      'values.yaml': 'a: 1\n',
      'ok.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [] }),
    },
    'linux.yml': linux,
    none: { 'values.yaml': 'a: 1\n' },
    'blank.yaml': '# no part is on\n---\n--- # another\n',
    'empty.yaml': '',
    some: { 'blank.yaml': '# a\n', 'linux.yaml': linux },
    'warned.yaml': pod('a').replace('  os: {name: windows}\n', ''),
  })
  const at = (name: string) => path.join(folder, name)
  const run = async (...argv: readonly string[]) => inProcess(['lint', ...argv])
  const rows: readonly (readonly [argv: readonly string[], code: number, said: RegExp])[] = [
    [[at('bad.yaml')], 3, /^1 workload for Windows in 1 file$/m],
    [[at('linux.yml')], 0, /^no workload for Windows, 1 other workload in 1 file$/m],
    [[at('warned.yaml')], 0, /^1 workload for Windows/m],
    [[at('warned.yaml'), '--strict'], 3, /^1 workload for Windows/m],
    [[at('chart')], 0, /values\.yaml: no apiVersion, skipped/],
    [[at('none')], 2, /none: no manifest found/],
    [[at('blank.yaml')], 2, /blank\.yaml: no manifest found/],
    [[at('bad.yaml'), at('empty.yaml')], 2, /empty\.yaml: no manifest found/],
    [[at('some')], 0, /blank\.yaml: no apiVersion, skipped/],
    [[at('*.yml'), at('bad.yaml')], 3, /^1 workload for Windows, 1 other workload in 2 files$/m],
    [[at('gone.yaml')], 2, /gone\.yaml: no such file/],
    [[], 2, /missing argument: a file/],
    [['-', '-'], 2, /standard input is named twice/],
    [[at('bad.yaml'), '--set', 'kubelet.maxPods=5'], 2, /--set needs --profile/],
    [[at('bad.yaml'), '--profile', 'no-such-profile'], 2, /no-such-profile/],
    [
      [at('bad.yaml'), '--profile', 'ws2022-flannel-overlay', '--set', 'kubernetes.version=1.2'],
      3,
      /\n {2}--set kubernetes\.version:1:\d+: error: [^]*see: winnode validate ws2022-flannel-overlay with the same --layer and --set\n/,
    ],
    [[at('linux.yml'), '--profile', 'ws2022-calico'], 0, /^no workload for Windows/],
    [[at('bad.yaml'), '--platforms', 'a=b'], 2, /no container has the image a/],
  ]
  for (const [argv, code, said] of rows) {
    const { code: ended, stderr } = await run(...argv)
    t.equal(ended, code, `${argv.join(' ')}: ${stderr}`)
    t.match(stderr, said)
  }
  const { stdout } = await run(at('bad.yaml'), '--json')
  t.match(JSON.parse(stdout), {
    ...{ ok: false, exit: 3, workloads: 1, services: 0, others: 0 },
    findings: [
      { id: 'linux-host-namespaces', place: { line: 8, column: 3 }, path: '"Pod a".spec.hostPID' },
    ],
  })
  for (const [format, shown] of Object.entries({
    github: /^::error title=linux-host-namespaces,file=[^,]*bad\.yaml,line=8,col=3/m,
    junit: /<testsuite name="winnode lint [^"]*bad\.yaml" tests="\d+" failures="1"/,
    lines: /bad\.yaml:8:3: error: Pod a: hostPID is set; /,
    markdown: /\| error \| `[^`]*bad\.yaml:8:3` \|/,
    pretty: /^error\[linux-host-namespaces\] .*bad\.yaml:8:3$/m,
    sarif: /"helpUri": "https:\/\/kubernetes\.io\//,
  }))
    t.match((await run(at('bad.yaml'), '--format', format)).stdout, shown, format)
})

const index = (...platforms: readonly object[]) =>
  JSON.stringify({ schemaVersion: 2, manifests: platforms.map((platform) => ({ platform })) })
const windows = (build: string) => ({ os: 'windows', architecture: 'amd64', 'os.version': build })

t.test('platforms of an image come from its index', async (t) => {
  t.strictSame(
    readPlatforms(index(windows('10.0.20348.2113'), { os: 'linux' }, { os: 'unknown' })),
    {
      windows: [{ build: 20_348 }],
      otherSystems: ['linux'],
    },
  )
  t.strictSame(readPlatforms(index({ os: 'windows' })), {
    windows: [{ build: undefined }],
    otherSystems: [],
  })
  for (const text of ['', '[]', '{}', index(), index({ os: 'unknown' }), '{"config": {}}'])
    t.type(readPlatforms(text), 'string', text)
  const folder = t.testdir({
    'web.yaml': `${pod('a').replace('  hostPID: true\n', '')}  containers: [{image: a.b/c:1}]\n`,
  })
  const file = path.join(folder, 'index.json')
  const lintWith = async (text: string, ...argv: readonly string[]) => {
    writeFileSync(file, text)
    const given = ['--profile', 'ws2022-flannel-overlay', '--format', 'lines', ...argv]
    const { stdout } = await inProcess(['lint', path.join(folder, 'web.yaml'), ...given])
    return stdout
  }
  t.match(await lintWith('', '--quiet'), /image-build-unknown/)
  t.match(
    await lintWith(index(windows('10.0.17763.1')), '--platforms', file),
    /image-build-mismatch/,
  )
  const right = await lintWith(index(windows('10.0.20348.1')), '--platforms', `a.b/c:1=${file}`)
  t.notMatch(right, /\[image-/)
  t.match(await lintWith(index({ os: 'linux' }), '--platforms', file), /image-without-windows/)
})

t.test('the manifests of bundles', async (t) => {
  const folders = readdirSync(path.join(root, 'test/golden'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => path.join(root, 'test/golden', name, 'bundle/cluster'))
  t.ok(folders.length > 10)
  for (const folder of folders) {
    const { stdout } = await inProcess(['lint', folder, '--json'])
    const { findings } = JSON.parse(stdout) as {
      readonly findings: readonly { id: string; severity: string }[]
    }
    const ids = findings.filter(({ severity }) => severity !== 'info').map(({ id }) => id)
    // A limit would slow down or stop the proxy of a whole node.
    t.strictSame(
      ids.filter((id) => id !== 'limits-missing'),
      [],
      folder,
    )
  }
})

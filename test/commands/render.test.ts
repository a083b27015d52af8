// winnode render: the same bytes wherever it runs, what it writes, and what it refuses to write.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { sampleOf } from '../tools/everything.ts'
import { inProcess, spawned } from '../tools/run.ts'

const node = 'ws2022-flannel-overlay'
const asOfDay = ['--as-of', '2026-11-20']

/** Every file of a folder by its path, as the bytes are. */
function bytesIn(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  const names = files
    .filter((file) => file.isFile())
    .map((file) => path.join(file.parentPath, file.name))
  return Object.fromEntries(
    names
      .sort()
      .map((name) => [path.relative(folder, name), readFileSync(name).toString('latin1')]),
  )
}

t.test('render: the same profile gives the same bytes, wherever and whenever', async (t) => {
  const folder = t.testdir({ here: {}, 'a folder with blanks': {}, there: { deep: {} } })
  const rows: readonly [
    cwd: string,
    env: Readonly<Record<string, string>>,
    more: readonly string[],
  ][] = [
    ['here', { TZ: 'UTC', LC_ALL: 'C' }, asOfDay],
    [
      'a folder with blanks',
      { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR' },
      asOfDay,
    ],
    [
      'there/deep',
      { TZ: 'America/St_Johns', LANG: 'de_DE.UTF-8', HOME: '/nowhere', USER: 'x' },
      asOfDay,
    ],
    ['there', { TZ: 'Asia/Kathmandu', HOSTNAME: 'x' }, ['--as-of', '2031-12-31']],
    ['there', { FORCE_COLOR: '1' }, ['--as-of', '1999-01-01']],
  ]
  const bundles = rows.map(([cwd, env, more]) => {
    const out = `win-node-${more.join('')}`
    const at = path.join(folder, cwd)
    const { code, stdout, stderr } = spawned(['render', node, '--out', out, ...more], {
      cwd: at,
      env,
    })
    t.equal(code, 0, stderr)
    return { bytes: bytesIn(path.join(at, out)), said: stdout + stderr }
  })
  const [first] = bundles
  t.ok(Object.keys(first?.bytes ?? {}).length > 20)
  for (const [at, { bytes }] of bundles.entries()) t.strictSame(bytes, first?.bytes, `row ${at}`)
  t.equal(bundles[1]?.said, first?.said, 'and says the same about it')
  t.equal(bundles[2]?.said, first?.said)
})

t.test('render: what it writes, and what it refuses to write', async (t) => {
  const folder = t.testdir({ file: 'x', 'bad.yaml': 'kind: x\n' })
  const out = path.join(folder, 'out')
  const at = (...names: string[]) => path.join(out, ...names)
  const render = (...argv: readonly string[]) => inProcess(['render', node, ...asOfDay, ...argv])
  const toOut = (...argv: readonly string[]) => render('--out', out, ...argv)

  const dry = await toOut('--dry-run')
  t.match(dry, {
    code: 0,
    stdout:
      /^kubelet: 1\.\d+\.\d+ {2}\(newest .*\)\n(?:\S.*: .* {2}\(.*\)\n)+\nCHANGE +FILE\n(?:new +\S+\n)+$/,
    stderr: /\nwould write .*out: \d+ new; /,
  })
  t.notOk(existsSync(out), 'a dry run writes nothing')

  const { columns } = process.stderr
  process.stderr.columns = 40
  const narrow = await render('--out', path.join(folder, 'narrow'), '--dry-run')
  process.stderr.columns = columns
  t.match(narrow.stderr, /^would write\n.*narrow:\n\d+ new; \d+ notes\n$/m, 'folded')

  const first = await toOut()
  t.match(first, {
    code: 0,
    stdout: /\nnew +node\.json\n/,
    stderr:
      /\nwrote .*out: \d+ new; .*\n.*next: follow \S*cluster\/README\.md \(once per cluster\), then \S*README\.md\n$/,
  })
  t.equal(first.stdout, dry.stdout, 'a dry run prints what the real run does')
  const written = bytesIn(out)

  t.match(await toOut(), {
    code: 0,
    stdout: /\nsame +node\.json/,
    stderr: /\nwrote .*: \d+ same; /,
  })
  t.strictSame(bytesIn(out), written, 'a second run changes nothing')

  const other = await toOut('--set', 'kubelet.maxPods=60', '--diff')
  t.match(other, {
    code: 0,
    stdout: /^-.*"maxPods": 110,\n\+.*"maxPods": 60,$/m,
    stderr: /would write/,
  })
  t.match(
    other.stdout,
    /^diff --git a\/(\S+) b\/\1\n--- a\/\1\n\+\+\+ b\/\1\n@@ -\d+,\d+ \+\d+,\d+ @@\n/m,
  )
  const elsewhere = path.join(folder, 'elsewhere')
  const fresh = await render('--out', elsewhere, '--diff')
  t.match(fresh, {
    stdout: /^(?: create mode 100644 \S+\n)+$/,
    stderr: /\n--verbose shows the content of new files\n/,
  })
  t.match(await render('--out', elsewhere, '--diff', '--verbose'), {
    stdout:
      /^diff --git a\/(\S+) b\/\1\nnew file mode 100644\n--- \/dev\/null\n\+\+\+ b\/\1\n@@ -0,0 \+1,\d+ @@\n\+/,
  })
  t.strictSame(bytesIn(out), written, 'a diff writes nothing')
  t.match(await toOut('--diff'), { code: 0, stdout: '' }, 'nothing differs')

  appendFileSync(at('README.md'), 'edited\n')
  writeFileSync(at('mine.txt'), 'mine')
  for (const more of [[], ['--dry-run'], ['--quiet']]) {
    const conflict = await toOut('--set', 'kubelet.maxPods=60', ...more)
    t.match(conflict, {
      code: 5,
      stderr: /out\/README\.md was modified by hand; use --force to overwrite it\n/,
    })
    t.match(readFileSync(at('README.md'), 'utf8'), /edited\n$/, 'an edited file stays')
    t.match(readFileSync(at('node.json'), 'latin1'), written['node.json'], 'and so does all else')
  }
  const document = readFileSync(at('node.json'), 'utf8')
  writeFileSync(at('node.json'), document.replace('C:\\\\var\\\\log', 'C:\\\\Var\\\\log'))
  t.match(await toOut(), {
    code: 5,
    stderr: /out\/node\.json was modified by hand; use --force to overwrite it\n/,
  })
  writeFileSync(at('node.json'), document)
  t.match(await toOut('--diff'), { code: 5, stdout: /^-edited$/m }, 'the diff shows the edit')
  const json = await toOut('--json')
  t.match(JSON.parse(json.stdout), { ok: false, exit: 5, written: false })
  t.match(await toOut('--force'), { code: 0, stderr: /, 1 overwritten, 1 kept; / })
  t.strictSame(bytesIn(out), { ...written, 'mine.txt': 'mine' }, 'what is not ours is kept')

  const rows: readonly [name: string, argv: readonly string[], code: number, stderr: RegExp][] = [
    [
      'a file in place of the folder',
      ['--out', path.join(folder, 'file')],
      2,
      /file is not a folder\n/,
    ],
    ['the current folder', ['--out', '.'], 2, /\. is the current folder, or holds it/],
    ['no folder', [], 2, /^error: missing --out\n {2}see: winnode render --help\n$/],
    ['a whole bundle to stdout', ['--out', '-'], 2, /--out - needs --only FILE/],
    [
      'one file to a folder',
      ['--out', out, '--only', 'node.json'],
      2,
      /--only FILE goes with --out -/,
    ],
    [
      'a file that it lacks',
      ['--out', '-', '--only', 'x'],
      2,
      /has no file x\n {2}it has: .*, README\.md, /,
    ],
    [
      'warnings, strictly',
      ['--out', path.join(folder, 'strict'), '--strict', '--set', 'containerd.version=2.1.9'],
      3,
      /nothing written\n$/,
    ],
    [
      'a mistake',
      ['--out', path.join(folder, 'no'), '--set', 'network.flannel.vni=1'],
      3,
      /error\[flannel-vni-out-of-range\] --set network\.flannel\.vni:1:21\n/,
    ],
    [
      'a mistake, quietly',
      ['--out', path.join(folder, 'no'), '--set', 'network.flannel.vni=1', '-q'],
      3,
      /^error\[[^]*\n1 error: flannel-vni-out-of-range\n\S+: nothing written\n$/,
    ],
    [
      'a flag that is none',
      ['--out', out, '--dryrun'],
      2,
      /unknown flag: --dryrun\n {2}did you mean --dry-run\?/,
    ],
  ]
  for (const [name, argv, code, stderr] of rows) {
    t.match(await render(...argv), { code, stdout: '', stderr }, name)
  }
  t.strictSame(readdirSync(folder).sort(), ['bad.yaml', 'file', 'out'], 'nothing else was written')

  const only = await render('--out', '-', '--only', 'files/containerd/config.toml')
  t.equal(only.stdout, written['files/containerd/config.toml'], 'one file, as it is')
  const quiet = await render('--out', '-', '--only', 'node.json', '--quiet')
  t.match(quiet, { code: 0, stderr: '' })
  const silent = path.join(folder, 'quiet')
  t.match(await render('--out', silent, '-q'), { code: 0, stdout: '', stderr: '' })
  const listed = await render('--out', silent, '-q', '--dry-run', '--set', 'kubelet.maxPods=60')
  t.match(
    listed,
    { code: 0, stdout: /^CHANGE +FILE\n/, stderr: '' },
    'what would be written is a result',
  )
})

t.test(
  'render: objects that the cluster keeps are named with the command that deletes them',
  async (t) => {
    const out = path.join(t.testdir({}), 'out')
    const render = (...argv: readonly string[]) =>
      inProcess(['render', node, ...asOfDay, '--out', out, ...argv])
    const hyperV = [
      '--set',
      'isolation.hyperV=true',
      '--set',
      'host.features=[Containers, Hyper-V]',
    ]
    const token = [
      ...['--set', 'join.endpoint=api.example.com:6443', '--set', 'join.discoveryFile=null'],
      ...['--set', `join.caCertHashes=[ 'sha256:${'0'.repeat(64)}' ]`],
    ]
    const commands = ({ stderr }: { readonly stderr: string }) =>
      [...stderr.matchAll(/kubectl (?:-n \S+ )?delete .*$/gm)].map(([command]) => command)
    t.strictSame(commands(await render(...hyperV)), [], 'of a new bundle, none')
    const less = await render('--dry-run')
    t.strictSame(commands(less), [], 'nothing was removed yet')
    const written = await render(...token)
    t.match(written, { code: 0, stdout: /\nremoved +cluster\/30-runtime-class-hyperv\.yaml\n/ })
    t.strictSame(commands(written).sort(), [
      'kubectl -n kube-system delete secret winnode-flannel',
      'kubectl -n kube-system delete secret winnode-kube-proxy',
      'kubectl delete runtimeclass windows-2022-hyperv',
    ])
    t.strictSame(commands(await render(...token)), [], 'it is said once')
  },
)

t.test('render --check: compares a folder with its profile, and writes nothing', async (t) => {
  const folder = t.testdir({
    nodes: {
      'a.yaml': `apiVersion: winnode/v1\nkind: NodeProfile\nextends: ${node}\n`,
      'b.yaml': `apiVersion: winnode/v1\nkind: NodeProfile\nextends: ${node}\n`,
    },
  })
  const out = path.join(folder, 'out')
  const at = (name: string) => path.join(out, name)
  const capi = [
    ...[
      'kubernetes.version=1.37.1',
      'kubelet.cloudProvider=external',
      'kubeProxy.runsAs=hostProcess',
      'network.flannel.runsAs=service',
      'targets.capi.cluster=lab',
    ],
    ...['targets.capi.provider=vsphere', 'targets.capi.machine={ template: a, network: {} }'],
    ...['targets.packer.builder=azure-arm'],
    'targets.userdata={ channels: [gce], bundleURL: https://files.example.com/a.zip }',
  ].flatMap((one) => ['--set', one])
  const render = (...argv: readonly string[]) =>
    inProcess(['render', node, ...asOfDay, ...capi, '--out', out, ...argv])
  const check = async (...argv: readonly string[]) => {
    const before = existsSync(out) ? bytesIn(out) : {}
    const outcome = await render('--check', ...argv)
    t.strictSame(existsSync(out) ? bytesIn(out) : {}, before, 'nothing is written')
    return outcome
  }
  const changes: readonly [what: string, change: (file: string) => void, listed: RegExp][] = [
    ['a modified file', (file) => appendFileSync(at(file), '\n'), /^edited +\S+\n$/m],
    ['a deleted file', (file) => rmSync(at(file)), /^new +\S+\n$/m],
    [
      'a folder in its place',
      (file) => {
        rmSync(at(file))
        mkdirSync(at(file))
      },
      /^blocked /m,
    ],
  ]
  const outputs = ['plain', 'zip', 'single-file', 'packer', 'capi', 'userdata', 'capi,zip']
  for (const [turn, targets] of outputs.entries()) {
    const to = ['--for', targets]
    t.match(await check(...to), {
      code: 4,
      stdout: /^new /m,
      stderr: /differs from the profile: /,
    })
    const written = await render(...to)
    t.equal(written.code, 0, written.stderr)
    mkdirSync(at('mine'))
    writeFileSync(at('mine/notes.txt'), 'mine')
    const same = await check(...to)
    t.match(
      same,
      { code: 0, stdout: '', stderr: /\n\S+out is up to date: \d+ same, 1 kept; / },
      targets,
    )
    const files = Object.keys(bytesIn(out)).filter((name) => !name.startsWith('mine'))
    const numbered = [...changes.entries()]
    // Each of them in two outputs at least.
    for (const [index, [what, change, listed]] of sampleOf(numbered, ([way]) => way === turn % 3)) {
      const file = files.at(-index) ?? ''
      const content = readFileSync(at(file))
      change(file)
      t.match(await check(...to), { code: 4, stdout: listed }, `${targets}: ${what}, ${file}`)
      rmSync(at(file), { recursive: true, force: true })
      writeFileSync(at(file), content)
    }
    const other = await check(...to, '--set', 'kubelet.maxPods=60')
    t.match(other, { code: 4, stdout: /^CHANGE +FILE\n(?:changed +\S+\n)+$/ }, targets)
    rmSync(out, { recursive: true })
  }

  await render()
  const outdated = ['--set', 'kubelet.maxPods=60'] as const
  t.match(await check('--diff', ...outdated), { code: 4, stdout: /^\+.*"maxPods": 60,$/m })
  t.match(await check('--diff'), { code: 0, stdout: '' })
  t.match(await check('-q', ...outdated), { code: 4, stdout: /^changed /m, stderr: '' })
  const json = JSON.parse((await check('--json', ...outdated)).stdout)
  t.match(json, { ok: false, exit: 4, written: false })
  t.match(
    await check('--for', 'zip'),
    { code: 4, stdout: /^removed +node\.json$/m },
    'another target',
  )
  const reported = async (format: string) => (await check('--format', format, ...outdated)).stdout
  const config = path.join(out, 'files/kubelet/config.json')
  t.match(await reported('lines'), `${config}:1:1: error: ${config} is outdated [file-outdated]`)
  t.match(await reported('github'), `::error title=file-outdated,file=${config},line=1,`)
  t.match(await reported('sarif'), /"ruleId": "file-outdated"/)
  t.match(await reported('junit'), / failures="1"[^]*config\.json is outdated/)
  t.match(await reported('json'), /"id": "file-outdated"/)
  t.notMatch((await check('--format', 'lines')).stdout, 'file-', 'as rendered')
  t.match(await check('--set', 'network.flannel.vni=1'), { code: 3, stdout: '' }, 'rejected')
  for (const flag of ['--force', '--dry-run'])
    t.match(await check(flag), { code: 2, stderr: /--check/ }, flag)
  t.match(await inProcess(['render', node, '--check', '--for', 'zip', '--out', '-']), { code: 2 })

  const all = ['render', path.join(folder, 'nodes'), ...asOfDay, '--out', path.join(folder, 'all')]
  t.equal((await inProcess(all)).code, 0)
  t.equal((await inProcess([...all, '--check'])).code, 0)
  renameSync(path.join(folder, 'all/b/README.md'), path.join(folder, 'all/b/notes.md'))
  const several = await inProcess([...all, '--check'])
  t.match(several, {
    code: 4,
    stdout: /^CHANGE +FILE\nnew +\S+\/all\/b\/README\.md\n$/,
    stderr: /all\/a is up to date/,
  })
  const dry = await inProcess([...all, '--dry-run'])
  for (const name of ['a', 'b'])
    t.match(dry.stdout, new RegExp(`^\\S+/all/${name}:\n\nkubelet: `, 'm'), 'whose decisions')
  const quiet = await inProcess([...all, '--dry-run', '-q'])
  t.match(quiet.stdout, /\/all\/a\/README\.md\n[^]*\/all\/b\/README\.md\n/, 'whose files')
})

// Whole sessions of init, on a pseudo-terminal and without one, each in a separate process, on Node or as an executable.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { startSession } from '../../src/commands/init/start.ts'
import { targetOf } from '../../src/commands/init/target.ts'
import { digestOf } from '../../src/render/digest.ts'
import { program, root, spawned } from '../tools/run.ts'
import { keys, noSessions, sessionOf, useDefault, useAllDefaults } from '../tools/session.ts'
import { start } from '../commands/start.ts'
import { onPath, terminals } from '../tools/terminal.ts'
import { everything } from '../tools/everything.ts'

const posixShell = process.platform !== 'win32'

/** Answers all but the first two. */
const most = ['--join-method', 'kubeadm', '--max-pods', '60']
const skip = noSessions

t.test('a session: filter, help, back, paste, and a profile at the end', { skip }, async (t) => {
  const terminal = sessionOf(t, most)
  const { type, until, cwd } = terminal
  await until(/Kubernetes API server version[^]*ctrl-c quit/)
  type('1.35', keys.enter)
  await until(/✔ Kubernetes API server version: 1\.35/)
  await until(/Windows Server release[^]*2 of 7[^]*ctrl-c quit/)
  type('?')
  await until(/Windows Server release of the machine\.[^]*ctrl-c quit/)
  type(keys.escape)
  // The first escape closes the help.
  await until(/\? Windows Server release\s+filter:[^]*ctrl-c quit/)
  type(keys.escape)
  await until(/Kubernetes API server version[^]*❯ 1\.35 +current/)
  t.match(
    await terminal.screen(),
    /^\? Kubernetes API server version/,
    'the answer that was taken back is gone',
  )
  type(keys.enter)
  await until(/Windows Server release[^]*ctrl-c quit/)
  await useDefault(terminal)
  await useDefault(terminal)
  await useDefault(terminal)
  type('https://api.example.com:6443/', keys.enter)
  await until(/✔ API server endpoint \(host:port\): api\.example\.com:6443\n/)
  await until(/Cluster CA public key hash[^]*ctrl-c quit/)
  type(`sha256:${'a'.repeat(64)}`, keys.enter)
  await until(/✔ Cluster CA[^]*ctrl-c quit/)
  await useAllDefaults(terminal)
  type(keys.enter)
  t.strictSame(await terminal.ended, { code: 0, signal: 0 })
  t.match(terminal.text(), /wrote \.\/node\.yaml/)
  const text = readFileSync(path.join(cwd, 'node.yaml'), 'utf8')
  t.match(text, /maxPods: 60/)
  t.match(text, /api\.example\.com/)
  t.equal(spawned(['validate', 'node.yaml'], { cwd }).code, 0)
  t.match(terminal.raw(), /\u001b\[\?2004l\u001b\[\?25h[^]*$/, 'the terminal is as it was')
})

t.test('the line that kubeadm prints is pasted', { skip }, async (t) => {
  const terminal = sessionOf(t, most)
  const { type, until, cwd } = terminal
  const secret = 'abcdef.0123456789abcdef'
  const hash = `sha256:${'b'.repeat(64)}`
  await until(/Kubernetes API server version[^]*ctrl-c quit/)
  for (let question = 0; question < 4; question += 1) await useDefault(terminal)
  t.match(await terminal.screen(), /API server endpoint \(host:port\)/)
  const line = `kubeadm join api.example.com:6443 --token ${secret} \\\n\t--discovery-token-ca-cert-hash ${hash} \n`
  type(`\u001b[200~${line}\u001b[201~`, keys.enter)
  await until(
    /✔ API server endpoint \(host:port\): api\.example\.com:6443[^]*Pod CIDR[^]*ctrl-c quit/,
  )
  t.match(await terminal.screen(), /api\.example\.com:6443,\s+sha256:b/, 'and the CA hash')
  await useAllDefaults(terminal)
  type(keys.enter)
  t.strictSame(await terminal.ended, { code: 0, signal: 0 })
  const text = readFileSync(path.join(cwd, 'node.yaml'), 'utf8')
  t.match(text, new RegExp(`endpoint: api\\.example\\.com:6443[^]*${hash}`))
  t.notMatch(text + (await terminal.screen()), /0123456789abcdef/, 'the token is not kept')
})

t.test('an answer is changed, and the bundle is rendered at once', { skip }, async (t) => {
  const terminal = sessionOf(t, most)
  const { type, until, cwd, ended } = terminal
  await until(/Kubernetes API server version[^]*ctrl-c quit/)
  await useAllDefaults(terminal)
  type(keys.down, keys.down, keys.enter)
  await until(/Answer to change[^]*ctrl-c quit/)
  type('release', keys.enter)
  await until(/Windows Server 2019[^]*ctrl-c quit/)
  type(keys.up, keys.enter)
  await until(/Write the profile\?[^]*ctrl-c quit/)
  type(keys.down, keys.enter)
  t.strictSame(await ended, { code: 0, signal: 0 })
  t.match(readFileSync(path.join(cwd, 'node.yaml'), 'utf8'), /^extends: ws2025/m)
  t.ok(existsSync(path.join(cwd, 'win-node/node.json')))
})

t.test('an existing file', { skip }, async (t) => {
  const taken = async () => {
    const terminal = sessionOf(t, most, { cwd: t.testdir({ 'node.yaml': 'mine\n' }) })
    await terminal.until(/Kubernetes API server version[^]*ctrl-c quit/)
    await useAllDefaults(terminal)
    terminal.type(keys.enter)
    await terminal.until(/node\.yaml exists[^]*ctrl-c quit/)
    return terminal
  }
  const begun = /^apiVersion: winnode/
  const read = (cwd: string, file: string) => readFileSync(path.join(cwd, file), 'utf8')
  const other = await taken()
  other.type(keys.enter)
  await other.until(/Path of the profile[^]*ctrl-c quit/)
  other.type('node.yaml', keys.enter)
  await other.until(/it exists/)
  other.type('.new', keys.enter)
  t.strictSame(await other.ended, { code: 0, signal: 0 })
  t.match(read(other.cwd, 'node.yaml.new'), begun, 'another one is written')
  t.equal(read(other.cwd, 'node.yaml'), 'mine\n')
  const same = await taken()
  same.type(keys.up, keys.up, keys.down, keys.down, keys.enter)
  await same.until(/ extends [^]*Write the profile\?[^]*ctrl-c quit/)
  same.type(keys.enter)
  await same.until(/node\.yaml exists[^]*ctrl-c quit/)
  same.type(keys.down, keys.enter)
  t.strictSame(await same.ended, { code: 0, signal: 0 })
  t.match(read(same.cwd, 'node.yaml'), begun, 'it is replaced')
})

const extending = 'apiVersion: winnode/v1\nkind: NodeProfile\nextends: ws2022-flannel-overlay\n'

t.test('a file that is saved elsewhere while init asks', { skip }, async (t) => {
  const saved = `${extending}name: saved-meanwhile\n`
  const rows: readonly [name: string, args: readonly string[], before: string | undefined][] = [
    ['an edited profile', ['--from', 'node.yaml'], extending],
    ['a file to replace', ['--force'], 'mine\n'],
    ['a new file', [], undefined],
    ['a new file, with --force', ['--force'], undefined],
  ]
  for (const [name, args, before] of rows) {
    const files = before === undefined ? {} : { 'node.yaml': before }
    const terminal = sessionOf(t, [...args, ...most], { cwd: t.testdir(files) })
    await terminal.until(/ctrl-c quit/)
    writeFileSync(path.join(terminal.cwd, 'node.yaml'), saved)
    await useAllDefaults(terminal)
    terminal.type(keys.enter)
    t.equal((await terminal.ended).code, 5, name)
    t.match(terminal.text(), /error: \S*node\.yaml [^]*nothing was written/, name)
    t.equal(readFileSync(path.join(terminal.cwd, 'node.yaml'), 'utf8'), saved, name)
    t.strictSame(readdirSync(terminal.cwd), ['node.yaml'], name)
  }
})

t.test('two that edit a profile at once', async (t) => {
  const cwd = t.testdir()
  const edits = { '--max-pods': ['40', /maxPods: 40/], '--kubernetes': ['1.35', /1\.35/] } as const
  for (let round = 0; round < 4; round += 1) {
    writeFileSync(path.join(cwd, 'node.yaml'), extending)
    const ends = await Promise.all(
      Object.entries(edits).map(async ([flag, [value, change]]) => {
        const argv = ['init', '--from', 'node.yaml', '--yes', flag, value]
        return { ...(await start(argv, cwd).ended), change }
      }),
    )
    const text = readFileSync(path.join(cwd, 'node.yaml'), 'utf8')
    for (const { code, stderr, change } of ends) {
      if (code === 0) t.match(text, change, 'what was written stays')
      else t.match({ code, stderr }, { code: 5, stderr: /nothing was written/ })
    }
    t.ok(ends.some(({ code }) => code === 0))
    t.strictSame(readdirSync(cwd), ['node.yaml'])
  }
  const file = path.join(cwd, 'node.yaml')
  const asked = { base: undefined, root, today: '2026-01-01', allowNewer: false, found: [] }
  const { edited } = startSession({ ...asked, from: file })
  const read = digestOf(readFileSync(file))
  writeFileSync(file, extending)
  t.match(targetOf(file, edited), { before: read }, 'what counts is what was read')
})

t.test('keys that come before the first question', { skip }, async (t) => {
  const terminal = sessionOf(t)
  terminal.type('1.35\r', '\r', '\r', '\r', 'api.example.com:6443\r')
  await terminal.until(/API server version: 1\.35/)
  await terminal.until(/Network plugin: flannel/)
  await terminal.until(/HNS network mode: overlay/)
  await terminal.until(/API server endpoint \(host:port\): api\.example\.com:6443/)
  await terminal.until(/Cluster CA public key hash/)
})

const bash = onPath('bash')
const shell = skip || ((!posixShell || !bash) && 'no shell with jobs')

t.test('it stops, and goes on', { skip: shell }, async (t) => {
  const alone = sessionOf(t)
  await alone.until(/ctrl-c quit/)
  alone.type('\u001a')
  await alone.until(/API server version[^]*ctrl-c quit/)
  t.match(await useDefault(alone), /Windows/, 'where no shell could wake it, nothing stops')
  const spawn = await terminals()
  const job = spawn?.([bash ?? '', '--norc', '-i'], { env: { PS1: 'ready> ' }, cwd: t.testdir() })
  if (!job) throw new Error('skipped')
  t.teardown(async () => {
    job.kill('SIGKILL')
    await job.ended
  })
  await job.until(/ready> /)
  job.type([...program, 'init'].map((word) => `'${word}'`).join(' '), '\r')
  await job.until(/API server version[^]*ctrl-c quit/)
  job.type('1.35\r')
  await job.until(/Windows Server release[^]*ctrl-c quit/)
  job.type('\u001a')
  await job.until(/Stopped[^]*ready> /)
  job.type('echo $((6 * 7))\r')
  await job.until(/\n42\n/)
  job.type('fg\r')
  await job.until(/API server version: 1\.35[^]*Windows Server release[^]*ctrl-c quit/)
  job.type('\r')
  await job.until(/Windows Server release: Windows Server 2022/)
  job.type('\u0003')
  await job.until(/interrupted: nothing was changed[^]*ready> /)
})

t.test('it ends, and nothing is written', { skip }, async (t) => {
  const ends: readonly [name: string, keys: readonly string[], code: number][] = [
    ['Ctrl-C', [keys.ctrlC], 130],
    ['Ctrl-C at a text', ['x', keys.ctrlC], 130],
    ['the end of the input', [keys.ctrlD], 130],
  ]
  for (const [name, typed, code] of ends) {
    const terminal = sessionOf(t)
    await terminal.until(/ctrl-c quit/)
    terminal.type(...typed)
    t.equal((await terminal.ended).code, code, name)
    t.match(terminal.text(), /error: interrupted: nothing was changed\n$/, name)
    t.strictSame(readdirSync(terminal.cwd), [], name)
  }
})

t.test('Ctrl-C at each question', { skip }, async (t) => {
  const whole = sessionOf(t)
  await whole.until(/ctrl-c quit/)
  const last = await useAllDefaults(whole)
  whole.kill('SIGKILL')
  t.equal(last, 8, 'seven questions, and what to customize')
  const each = Array.from({ length: last }, (_, at) => at + 1)
  for (const at of everything ? each : [Math.ceil(last / 2), last]) {
    const terminal = sessionOf(t)
    await terminal.until(/ctrl-c quit/)
    for (let skipped = 0; skipped < at; skipped += 1) await useDefault(terminal)
    terminal.type(keys.ctrlC)
    t.equal((await terminal.ended).code, 130, `after ${at} answers`)
    t.match(terminal.raw(), /\u001b\[\?2004l\u001b\[\?25h[^]*$/, 'the terminal is as it was')
    t.strictSame(readdirSync(terminal.cwd), [])
  }
})

t.test('it looks as the terminal wants it', { skip }, async (t) => {
  const ascii = sessionOf(t, [], { env: { LANG: 'C', NO_COLOR: '1' } })
  await ascii.until(/ctrl-c quit/)
  ascii.type(keys.enter)
  await ascii.until(/\+ Kubernetes API server version/)
  // Output that is still arriving can end within a control sequence, which is not ASCII text.
  ascii.type(keys.ctrlC)
  await ascii.ended
  t.notMatch(ascii.text(), /[^\n -~]/, 'in ASCII')
  t.notMatch(ascii.raw(), /\u001b\[[0-9;]*m/, 'without colours')
  const linear = sessionOf(t, ['--plain'], { columns: 60 })
  await linear.until(/\(1 of 7\)[^]*An empty line selects 1/)
  t.notMatch(linear.raw(), /\u001b/, 'line by line nothing moves')
  linear.type('1\r')
  await linear.until(/answered: Kubernetes API server version/)
  linear.type('\u0003')
  t.equal((await linear.ended).code, 130)
  const small = sessionOf(t, [], { columns: 60, rows: 20 })
  await small.until(/ctrl-c\s+quit/)
  small.resize(80, 24)
  await small.until(/Kubernetes API server version[^]*ctrl-c quit/)
})

t.test('without a terminal', async (t) => {
  const cwd = t.testdir()
  const told = spawned(['init'], { cwd })
  t.match(told, {
    code: 2,
    stdout: '',
    stderr: /missing flags:\n[^]*--api-server: [^]*--windows: [^]*--yes/,
  })
  const wrong = spawned(['init', '--yes', '--windows', 'x', '--cni', 'y'], { cwd })
  t.match(wrong, { code: 2, stderr: /--windows: [^]*--cni: / })
  const near = spawned(['init', '--yes', '--windows', 'ws222', '--cni', 'flanel'], { cwd })
  t.match(near, { code: 2, stderr: /--windows: .*did you mean ws2022\?\n.*--cni: .*flannel\?\n/ })
  const versions = ['--kubernetes', '1.3', '--containerd', '2.9']
  const unknown = spawned(['init', '--yes', ...versions], { cwd })
  t.match(unknown, { code: 2, stderr: /--kubernetes: .*mean 1\.30\?\n.*--containerd: .*2\.\d\?\n/ })
  const newer = spawned(['init', '--yes', '--kubernetes', '1.36', '--api-server', '1.33'], { cwd })
  t.match(newer, { code: 2, stderr: /^error: --kubernetes: .* is newer than .*\d\n$/ })
  const retired = spawned(['init', '--yes', '--windows', '20H2'], { cwd })
  t.match(retired, { code: 2, stderr: /--windows: .*; use one of ws2025, ws2022, ws2019\n$/ })
  const lacking = spawned(['init', '--yes', '--cni', 'antrea'], { cwd })
  t.match(lacking, { code: 2, stderr: /--endpoint: / })
  t.strictSame(readdirSync(cwd), [])
  const lost = ['init', '--from', 'none.yaml', '--unset', 'cpu']
  t.match(spawned(lost, { cwd }), { code: 2, stderr: /none\.yaml: no such file/ })
  for (const folder of ['./', '.'])
    t.match(spawned(['init', '--from', folder, '--yes'], { cwd }), {
      code: 2,
      stderr: `error: ${folder} is a folder, not a profile`,
    })
  for (const name of ['ws2022-calico', './ws2022-calico', 'ws2022-clico'])
    t.match(spawned(['init', '--from', name, '--yes'], { cwd }), {
      code: 2,
      stderr: `error: ${name}: no such file\n  to start from a built-in profile: --base ws2022-calico\n`,
    })
  const sets = ['--set', 'a=1', '--set', 'b=2']
  t.match(spawned(['init', ...sets], { cwd }), {
    code: 2,
    stderr: /^error: unknown flag: --set\n {2}use the flag of the answer, .*\n {2}see: .*\n$/,
  })
  t.match(
    spawned(
      lost.filter((word) => !/from|none/.test(word)),
      { cwd },
    ),
    { code: 2 },
  )
  const answers = [
    '--windows',
    'ws2022',
    '--kubernetes',
    '1.36',
    '--cni',
    'flannel',
    '--mode',
    'overlay',
  ]
  const wrote = spawned(['init', ...answers, '--yes'], { cwd })
  t.match(wrote, {
    code: 0,
    stdout: '',
    stderr: /wrote \.\/node\.yaml[^]*\ncluster DNS: 10\.96\.0\.10 {2}\(compare with /,
  })
  t.match(
    readFileSync(path.join(cwd, 'node.yaml'), 'utf8'),
    /extends: ws2022-flannel-overlay\n[^]*version: '1\.36'/,
  )
  t.equal(spawned(['init', '--yes'], { cwd }).code, 5, 'an existing file stays')
  t.equal(spawned(['init', '--yes', '--force'], { cwd }).code, 0)
  t.equal(spawned(['init', '--from', 'node.yaml', '--yes', '--max-pods', '50'], { cwd }).code, 0)
  const fifty = readFileSync(path.join(cwd, 'node.yaml'), 'utf8')
  t.match(fifty, /maxPods: 50/)
  const edit = (...more: readonly string[]) =>
    spawned(['init', '--from', 'node.yaml', '--yes', ...more], { cwd })
  t.match(edit('--unset', 'cpu', '--unset', 'x', '--unset', 'max-pods', '--max-pods', '9'), {
    code: 2,
    stderr:
      /--unset cpu: the profile itself does not set it\n *--unset x: no such[^]*--max-pods: --unset removes/,
  })
  t.equal(readFileSync(path.join(cwd, 'node.yaml'), 'utf8'), fifty)
  t.match(edit('--unset', 'kubelet.maxPod'), {
    stderr: /no such answer or field; did you mean kubelet\.maxPods\?\n$/,
  })
  t.match(spawned(['init', '--from', '.', '--yes'], { cwd }), {
    stderr: /\n {2}did you mean \.\/node\.yaml\?\n$/,
  })
  t.equal(edit('--unset', 'kubelet.maxPods').code, 0)
  const mistyped =
    'apiVersion: winnode/v1\nkind: NodeProfile\nextends: base\nkubelet: {maxPod: 1}\n'
  writeFileSync(path.join(cwd, 'wrong.yaml'), mistyped)
  t.match(spawned(['init', '--from', 'wrong.yaml', '--yes'], { cwd }), {
    code: 3,
    stderr: /^error\[unknown-field\] wrong\.yaml:4:11\n[^]*\n {2}4 \| kubelet: .*\n/,
  })
  writeFileSync(path.join(cwd, 'wrong.yaml'), 'kubelet:\n  maxPods: [1\n')
  t.match(spawned(['init', '--from', 'wrong.yaml', '--yes'], { cwd }), {
    code: 3,
    stderr: /^error: wrong\.yaml:\d:\d+: /,
  })
  t.notMatch(readFileSync(path.join(cwd, 'node.yaml'), 'utf8'), /kubelet|maxPods/)
  const silent = spawned(['init', '--yes', '--force', '-q'], { cwd })
  t.match(silent, { code: 0, stdout: '', stderr: '' }, '-q prints nothing')
  t.match(spawned(['init', '--yes', '-q'], { cwd }), { code: 5, stderr: /^error: .* exists/ })
  const printed = spawned(['init', '--yes', '--out', '-'], { cwd })
  t.match(printed, { code: 0, stdout: /^apiVersion: winnode/ })
  writeFileSync(path.join(cwd, 'winnode.schema.json'), '{}')
  t.equal(spawned(['init', '--yes', '--force'], { cwd }).code, 0)
  const pointing = readFileSync(path.join(cwd, 'node.yaml'), 'utf8')
  t.match(pointing, /^# yaml-language-server: \$schema=winnode\.schema\.json\n/)
  t.notOk(existsSync(path.join(cwd, '-')))
  const json = spawned(['init', '--json', '--out', '-', '--yes'], { cwd })
  t.match(JSON.parse(json.stdout), {
    ok: true,
    exit: 0,
    base: 'ws2022-flannel-overlay',
    written: null,
  })
})

t.test('what to run next works as it is said', { skip: !posixShell }, async (t) => {
  const cwd = t.testdir()
  const winnode = path.join(root, 'bin/run.cjs')
  for (const out of ['plain', '-x.yaml', "it's $(touch y).yaml"]) {
    const { stderr } = spawned(['init', '--yes', `--out=${out}`], { cwd })
    const [, next = 'exit 9'] = /^next: (.*)$/m.exec(stderr) ?? []
    const script = `winnode() { "${process.execPath}" "${winnode}" "$@" --dry-run; }\n${next}`
    t.equal(spawnSync('sh', ['-c', script], { cwd }).status, 0, next)
  }
  t.notOk(existsSync(path.join(cwd, 'y')))
})

t.test('where the profile goes', { skip: process.platform === 'win32' && 'links' }, async (t) => {
  const cwd = t.testdir({ folder: {} })
  const to = (...out: readonly string[]) => spawned(['init', '--yes', '--out', ...out], { cwd })
  t.equal(to('mine.yaml').code, 0)
  symlinkSync('nowhere', path.join(cwd, 'lost.yaml'))
  const refused = {
    folder: /folder is a folder\n {2}name a file in it: folder\/node\.yaml/,
    'none/x.yaml': /none\/x\.yaml is in a folder that does not exist\n {2}make none first/,
    'mine.yaml/x.yaml': /is not in a folder\n {2}mine\.yaml is a file/,
    'lost.yaml': /is a link that leads nowhere/,
    '/dev/null': /is not a file\n {2}--out - writes to stdout/,
  }
  for (const [out, stderr] of Object.entries(refused)) {
    t.match(to(out, '--force'), { code: 2, stdout: '', stderr }, out)
  }
  const file = path.join(cwd, 'mine.yaml')
  chmodSync(file, 0o640)
  symlinkSync('mine.yaml', path.join(cwd, 'link.yaml'))
  t.equal(to('link.yaml').code, 5)
  t.equal(spawned(['init', '--from', 'link.yaml', '--yes', '--max-pods', '50'], { cwd }).code, 0)
  t.ok(lstatSync(path.join(cwd, 'link.yaml')).isSymbolicLink(), 'a link stays one')
  t.match(readFileSync(file, 'utf8'), /maxPods: 50/)
  t.equal(statSync(file).mode & 0o777, 0o640, 'and the file has the rights that it had')
  t.equal(to('link.yaml', '--force').code, 0)
  t.notMatch(readFileSync(file, 'utf8'), /maxPods/)
  t.strictSame(readdirSync(cwd).sort(), ['folder', 'link.yaml', 'lost.yaml', 'mine.yaml'])
})

t.test(
  'a folder that takes no file',
  { skip: process.geteuid?.() === 0 && 'root writes anywhere' },
  async (t) => {
    const cwd = t.testdir({ locked: {} })
    chmodSync(path.join(cwd, 'locked'), 0o500)
    t.match(spawned(['init', '--yes', '--out', 'locked/x.yaml'], { cwd }), {
      code: 2,
      stderr: /is in a folder that you may not write to/,
    })
  },
)

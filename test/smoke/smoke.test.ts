// winnode smoke against a stand-in for kubectl: each check fails for its own reason, and nothing is left behind.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildSync } from 'esbuild'
import t, { type Test } from 'tap'
import { ranOf } from '../../src/cluster/answer.ts'
import { openClient } from '../../src/cluster/client.ts'
import { redactor } from '../../src/cluster/redact.ts'
import { exits } from '../../src/commands/exit.ts'
import { Failure } from '../../src/commands/failure.ts'
import { type Options, runSmoke } from '../../src/commands/smoke/run.ts'
import { checkKinds } from '../../src/smoke/checks.ts'
import { chooseImage } from '../../src/smoke/image.ts'
import { start } from '../commands/start.ts'
import { inProcess, root } from '../tools/run.ts'
import { nodeOf } from '../workloads/objects.ts'
import { cluster, type Fault, hybrid, kubectl, node, type State } from './cluster.ts'

const facts = nodeOf('ws2022-flannel-overlay')

/** A clock that the pauses of a run move, and each call of kubectl by `perCall` seconds. */
function clock(perCall = 0) {
  let seconds = 0
  return {
    now: () => seconds,
    called: () => (seconds += perCall),
    pause: (more: number) => Promise.resolve(void (seconds += more)),
  }
}

async function smoke(state: State, more: Partial<Options> = {}, time = clock()) {
  const client = await openClient({
    kubectl: (args, _, input) => {
      time.called()
      return Promise.resolve({ kind: 'ended', ...kubectl(state, args, input) })
    },
    kubeconfig: undefined,
    context: 'x',
    allow: () => Promise.resolve(true),
    log: () => undefined,
  })
  return runSmoke(client, {
    ...{ facts, image: chooseImage(facts), node: undefined, egress: '192.0.2.1:6443' },
    ...{ timeout: 4, run: '1a2b', log: () => undefined },
    ...{ pause: time.pause, now: time.now },
    signal: new AbortController().signal,
    ...more,
  })
}

const idsOf = (results: Awaited<ReturnType<typeof smoke>>['results'], outcome: string) =>
  results.filter((one) => one.outcome === outcome).map(({ id }) => id)

t.test('a cluster that works passes every check', async (t) => {
  const state = cluster(hybrid)
  const { results, notRemoved } = await smoke(state)
  t.strictSame(
    results.filter(({ outcome }) => outcome !== 'passed'),
    [],
  )
  const ids = ['smoke-image', ...results.map(({ id }) => id)]
  t.strictSame(
    new Set(['smoke-cluster', ...ids]),
    new Set(Object.keys(checkKinds)),
    'every check is made',
  )
  t.equal(new Set(results.map(({ title }) => title)).size, results.length, 'titles are unique')
  t.strictSame(
    [state.namespaces, state.objects, notRemoved],
    [{}, {}, undefined],
    'nothing is left',
  )
})

t.test('--timeout is in seconds, however long a look takes', async (t) => {
  for (const [perCall, expected] of [
    [0, 11],
    [4, 3],
    [30, 2],
  ] as const) {
    const state = cluster(hybrid, 'never scheduled')
    const time = clock(perCall)
    const { results } = await smoke(state, { timeout: 10 }, time)
    const looks = state.calls.filter((call) => call.includes('/pods?')).length
    t.not(idsOf(results, 'failed').length, 0)
    t.equal(looks, expected, `looks of ${perCall} seconds`)
  }
})

/** Checks that a pod answers a request. */
const requests = [
  'smoke-pod-to-pod',
  'smoke-across-nodes',
  'smoke-service',
  'smoke-dns',
  'smoke-node-port',
  'smoke-linux-to-windows',
  'smoke-windows-to-linux',
]

/** A fault, the only checks that fail, and a part of the reason. */
const faults: readonly (readonly [fault: Fault, fails: readonly string[], why: RegExp])[] = [
  ['no exec', ['smoke-exec'], /error dialing backend/],
  ['no logs', ['smoke-logs'], /the log is empty/],
  [
    'no output',
    ['smoke-exec', 'smoke-host-process'],
    /^(?:the command had no output|its program had no output)$/,
  ],
  ['another answer', requests, /^http:.*\/clientip is not answered by the pod$/],
  ['no pod to pod', ['smoke-pod-to-pod'], /^curl: \(28\) Connection timed out/],
  ['nat', ['smoke-pod-to-pod', 'smoke-across-nodes'], /source address is 192\.0\.2\.11, expected/],
  ['no way across', ['smoke-across-nodes'], /curl: \(28\)/],
  ['no service', ['smoke-service'], /curl: \(28\)/],
  [
    'no dns',
    ['smoke-dns'],
    /curl: \(6\) Could not resolve host: server-direct\.winnode-smoke-1a2b/,
  ],
  ['no egress', ['smoke-egress'], /^TIMEOUT$/],
  ['no node port', ['smoke-node-port'], /curl: \(28\)/],
  ['no way from linux', ['smoke-linux-to-windows'], /curl: \(28\)/],
  ['no way to linux', ['smoke-windows-to-linux'], /curl: \(28\)/],
  ['no image', ['smoke-pod-start'], /^pod remote: ErrImagePull: no match for platform/],
  ['never seen', ['smoke-pod-start'], /^pod remote: not seen by a kubelet$/],
  [
    'rejected by the kubelet',
    ['smoke-pod-start'],
    /^pod remote: Pod was rejected: Node didn't have enough resource: memory$/,
  ],
  ['failed without a reason', ['smoke-pod-start'], /^pod remote: Failed$/],
  ['evicted', ['smoke-pod-start'], /^pod remote: it was deleted$/],
  ['host process fails', ['smoke-host-process'], /^pod host-process: Error: exit code 1/],
  [
    'never scheduled',
    ['smoke-pod-start', 'smoke-pod-start', 'smoke-pod-start', 'smoke-host-process'],
    /0\/3 nodes are available/,
  ],
]

for (const [fault, fails, why] of faults)
  t.test(`${fault}: ${fails.join(', ')}`, async (t) => {
    const state = cluster(hybrid, fault)
    const { results } = await smoke(state)
    t.strictSame(idsOf(results, 'failed'), fails)
    for (const one of results.filter(({ outcome }) => outcome === 'failed'))
      t.match(one.message, why)
    t.strictSame(state.namespaces, {}, 'the namespace is removed')
  })

t.test('a check that could not be made is skipped, and says why', async (t) => {
  const skipped = async (state: State, more: Partial<Options> = {}) => {
    const { results } = await smoke(state, more)
    t.strictSame(idsOf(results, 'failed'), [])
    return results
      .filter(({ outcome }) => outcome === 'skipped')
      .map(({ id, message, couldNotRun }) => [id, message, couldNotRun ?? false])
  }
  const alone = 'only one Windows node takes the pods'
  const noLinux = 'no Linux node is Ready'
  t.strictSame(await skipped(cluster([node('win-1')]), { egress: undefined }), [
    ['smoke-pod-start', alone, false],
    ['smoke-across-nodes', alone, false],
    [
      'smoke-egress',
      'the profile has no API server endpoint: name an address with --egress',
      false,
    ],
    ['smoke-node-port', noLinux, false],
    ['smoke-linux-to-windows', noLinux, false],
    ['smoke-windows-to-linux', noLinux, false],
  ])
  t.match(await skipped(cluster(hybrid, 'host process refused')), [
    ['smoke-host-process', /^host-process was not created: .* not allowed here$/, true],
  ])
  t.match(await skipped(cluster(hybrid, 'exec dies on linux')), [
    ['smoke-node-port', /error dialing backend/, true],
    ['smoke-linux-to-windows', /error dialing backend/, true],
  ])
  for (const fault of ['no exec permission', 'credentials end'] as const) {
    const refused = await skipped(cluster(hybrid, fault))
    t.equal(refused.length, 9, `${fault}: every check with exec`)
    t.ok(refused.every(([, , unread]) => unread))
  }
})

t.test('rules that come late are waited for', async (t) => {
  const { results } = await smoke(cluster(hybrid, 'late rules'))
  t.strictSame(idsOf(results, 'failed'), [])
})

t.test('what cannot begin is a failure, and nothing is left', async (t) => {
  const failureOf = async (state: State, more: Partial<Options> = {}) => {
    const failure = await smoke(state, more).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    t.strictSame(state.namespaces, {})
    if (!(failure instanceof Failure)) return t.fail('it was to fail')
    return `${failure.exit}: ${failure.message}`
  }
  const all = (...some: readonly Fault[]) => cluster(hybrid, ...some)
  t.match(await failureOf(all('no namespace')), /^failure: namespace winnode-smoke-1a2b: .*jane/)
  t.match(await failureOf(all('no nodes')), /^incomplete: nodes: nodes is forbidden$/)
  t.match(
    await failureOf(all('no pods')),
    /^incomplete: pods of winnode-smoke-1a2b: pods is forbid/,
  )
  t.match(await failureOf(all('old kubectl')), /^usage: kubectl: version v1\.23\.4, 1\.24 or newer/)
  t.equal(await failureOf(all('other kubectl')), 'usage: kubectl: unknown flag: --output')
  t.match(await failureOf(cluster([])), /^incomplete: no Windows node is Ready/)
  t.match(await failureOf(all(), { node: 'win-9' }), /^usage: win-9: no such Windows node/)
})

t.test('a signal ends the run between two calls, and the namespace is removed', async (t) => {
  for (const after of [1, 2, 3, 6, 14, 20, 24]) {
    const state = cluster(hybrid)
    const aborter = new AbortController()
    const time = clock()
    const called = () => {
      if (state.calls.length === after) aborter.abort()
      return time.called()
    }
    const { results } = await smoke(state, { signal: aborter.signal }, { ...time, called })
    t.strictSame(state.namespaces, {})
    const created = state.calls.filter((call) => call.startsWith('create'))
    t.equal(created.length > 0, after > 2, 'nothing is created after the signal')
    t.notOk(created.length > 0 && !state.calls.at(-1)?.startsWith('delete'), 'the removal is last')
    t.equal(results.length, after > 2 ? 14 : 0, 'every check has a result')
    t.ok(results.length === 0 || results.some(({ message }) => message === 'interrupted'))
  }
})

t.test('a lost connection is not the end of the removal', async (t) => {
  const state = cluster(hybrid, 'removed at the third attempt')
  const { notRemoved } = await smoke(state)
  t.equal(notRemoved, undefined)
  t.strictSame(state.namespaces, {})
})

t.test('the output of a script in place of kubectl is shown', (t) => {
  const ended = (stderr: string) => ({ kind: 'ended', code: 126, stdout: '', stderr }) as const
  const limits = { time: 1, bytes: 1 }
  const messageOf = (stderr: string) => ranOf(ended(stderr), limits, redactor([]))
  t.match(messageOf('Downloading\nNo version is set for command kubectl\n'), {
    message: 'kubectl: No version is set for command kubectl',
  })
  t.match(messageOf('\n'), { message: 'kubectl: it failed without an error' })
  t.end()
})

t.test('an answer cut in half is no object', async (t) => {
  const { results } = await smoke(cluster(hybrid, 'half of a service'))
  t.strictSame(idsOf(results, 'failed'), [])
  t.match(
    results.filter(({ outcome }) => outcome === 'skipped'),
    [
      {
        id: 'smoke-service',
        message: 'server-service was not created: the answer of kubectl is not JSON',
      },
      { id: 'smoke-node-port' },
    ],
  )
})

// --- The program

/** A folder for PATH with the stand-in as kubectl; the state is a file. */
function installed(t: Test, state: State): { readonly file: string; readonly folder: string } {
  const folder = t.testdir({})
  const file = path.join(folder, 'state.json')
  writeFileSync(file, JSON.stringify(state))
  // A signal can end the stand-in while it writes, so its state is replaced whole.
  const contents = `import { readFileSync, renameSync, writeFileSync } from 'node:fs'
    import { kubectl } from './cluster.ts'
    const file = ${JSON.stringify(file)}, args = process.argv.slice(2)
    const input = args[0] && readFileSync(0, 'utf8')
    let before, state, ended
    // Another kubectl may have changed the cluster meanwhile: a look goes on while the namespace is removed.
    do {
      before = readFileSync(file, 'utf8')
      state = JSON.parse(before)
      ended = kubectl(state, args, input)
      writeFileSync(file + process.pid, JSON.stringify(state))
    } while (readFileSync(file, 'utf8') !== before)
    const { code, stdout, stderr } = ended
    renameSync(file + process.pid, file)
    if (args.includes('exec') && state.faults.includes('exec hangs')) setInterval(() => {}, 1000)
    process.exitCode = code; process.stdout.write(stdout); process.stderr.write(stderr)`
  const stdin = { contents, resolveDir: path.join(root, 'test/smoke') }
  const { outputFiles } = buildSync({ stdin, bundle: true, platform: 'node', write: false })
  const script = path.join(folder, 'kubectl.cjs')
  writeFileSync(script, outputFiles[0]?.text ?? '')
  const program = path.join(folder, 'kubectl')
  const run = `exec '${process.execPath}' '${script}' "$@"`
  writeFileSync(program, `#!/bin/sh\n${run}\n`)
  chmodSync(program, 0o755)
  const before = process.env['PATH']
  process.env['PATH'] = `${folder}${path.delimiter}${before ?? ''}`
  t.teardown(() => (process.env['PATH'] = before))
  return { file, folder }
}

const stateIn = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as State
const argv = ['smoke', 'ws2022-flannel-overlay', '--context', 'x', '--egress', '192.0.2.1:6443']

t.test('the program prints a table, JSON and JUnit', async (t) => {
  const { file } = installed(t, cluster(hybrid.slice(0, 1), 'host process fails'))
  const { code, stdout, stderr } = await inProcess(argv)
  t.equal(code, exits['not-working'].code)
  t.match(stdout, /^check +where +result +reason\nimage +passed\n/)
  t.match(stdout, /HostProcess +win-1 +failed +pod host-process:\s+Error: exit code 1\n/)
  t.match(stderr, /9 passed, 1 failed, 5 skipped/)
  const junit = await inProcess([...argv, '--format', 'junit'])
  t.equal(junit.code, exits['not-working'].code)
  t.match(junit.stdout, /tests="15" failures="1" errors="0" time="0" skipped="5"/)
  t.match(
    junit.stdout,
    /<failure message="pod host-process: Error: exit code 1" type="smoke-host-process">/,
  )
  const json = await inProcess([...argv, '--json'])
  t.match(JSON.parse(json.stdout), { ok: false, exit: 7, removed: true, checks: Array })
  t.strictSame(stateIn(file).namespaces, {})
})

t.test('the reports for CI servers show a cluster that cannot be read', async (t) => {
  const kubeconfig = path.join(t.testdir(), 'missing')
  for (const command of ['smoke', 'drift']) {
    const one = [command, 'ws2022-flannel-overlay', '--kubeconfig', kubeconfig]
    const { code, stderr } = await inProcess(one)
    for (const format of ['junit', 'sarif', 'markdown', 'github']) {
      const run = await inProcess([...one, '--format', format])
      t.match(run, { code, stderr, stdout: /missing: no such file/ }, `${command} ${format}`)
    }
    const { stdout } = await inProcess([...one, '--format', 'junit'])
    t.match(stdout, / tests="1" failures="1" .*\n.*<testcase [^\n]* name="cluster" /s)
    if (command === 'drift') t.match(stdout, /Check the connection, and the permissions of the/)
    const github = await inProcess([...one, '--format', 'github'])
    t.notMatch(github.stdout, /file=cluster/, 'which is no file')
  }
})

t.test('and what to do about it', async (t) => {
  const folder = t.testdir({ config: '' })
  const { PATH } = process.env
  t.teardown(() => {
    process.env['PATH'] = PATH
  })
  process.env['PATH'] = folder
  for (const command of ['smoke', 'drift']) {
    const one = [command, 'ws2022-flannel-overlay', '--kubeconfig', path.join(folder, 'config')]
    const { stdout } = await inProcess([...one, '--format', 'junit'])
    t.match(stdout, /kubectl: not found in PATH.*install it/s, command)
    t.notMatch(stdout, /Check the connection/, command)
  }
})

t.test('the exit code is that of the worst check', async (t) => {
  const codeOf = async (state: State, ...more: readonly string[]) => {
    installed(t, state)
    return (await inProcess([...argv, '--quiet', ...more])).code
  }
  t.equal(await codeOf(cluster(hybrid)), exits.done.code)
  t.equal(await codeOf(cluster(hybrid.slice(0, 2))), exits.done.code)
  t.equal(await codeOf(cluster(hybrid.slice(0, 2)), '--strict'), exits.incomplete.code)
  t.equal(await codeOf(cluster(hybrid, 'host process refused')), exits.incomplete.code)
  t.equal(await codeOf(cluster(hybrid, 'not removed')), exits.failure.code)
  t.equal(await codeOf(cluster([])), exits.incomplete.code)
  const old = 'mirror.example/agnhost:2.53'
  const refused = cluster(hybrid)
  t.equal(
    await codeOf(refused, '--set', 'windows.release=ws2025', '--image', old),
    exits.rejected.code,
  )
  t.strictSame(refused.calls, [], 'nothing is asked of the cluster')
})

t.test('help describes the exit codes in words of a smoke test', async (t) => {
  const { stdout } = await inProcess(['smoke', '--help'])
  t.match(stdout.replace(/\s+/g, ' '), `${exits['not-working'].code} a node does not work`)
})

t.test('a cluster must be named', async (t) => {
  const { code, stderr } = await inProcess(['smoke', 'ws2022-flannel-overlay'])
  t.equal(code, exits.usage.code)
  t.match(stderr, /missing flag: --kubeconfig or --context/)
})

t.test('--egress is a host and a port', async (t) => {
  for (const egress of ['api.example.com', 'https://api.example.com', '--foo', '::1:443']) {
    const run = await inProcess([...argv.slice(0, -1), egress])
    t.equal(run.code, exits.usage.code, egress)
    t.match(run.stderr, /^error: --egress .* is not HOST:PORT/, egress)
  }
})

t.test('--cleanup removes the namespaces of all runs, and no other', async (t) => {
  const labels = {
    'app.kubernetes.io/managed-by': 'winnode',
    'app.kubernetes.io/component': 'smoke',
  }
  const left = { labels, asked: 0, looks: 0 }
  const other = { labels: { 'app.kubernetes.io/managed-by': 'winnode' }, asked: 0, looks: 0 }
  const namespaces = { 'winnode-smoke-1': left, 'winnode-smoke-2': left, shop: other }
  const { file } = installed(t, { ...cluster(hybrid), namespaces })
  const cleanUp = ['smoke', '--cleanup', '--context', 'x']
  const { code, stdout } = await inProcess(cleanUp)
  t.equal(code, 0)
  t.equal(stdout, 'namespace winnode-smoke-1: is removed\nnamespace winnode-smoke-2: is removed\n')
  t.strictSame(Object.keys(stateIn(file).namespaces), ['shop'])
  t.match((await inProcess(cleanUp)).stderr, /no namespace of winnode smoke is left/)
})

t.test('--cleanup says which namespaces are stuck, and which it could not remove', async (t) => {
  const labels = {
    'app.kubernetes.io/managed-by': 'winnode',
    'app.kubernetes.io/component': 'smoke',
  }
  const left = { labels, asked: 0, looks: 0 }
  const stuck = { ...left, terminating: '2026-11-28T10:00:00Z' }
  const namespaces = { 'winnode-smoke-1': stuck, 'winnode-smoke-2': left }
  const cleanUp = ['smoke', '--cleanup', '--context', 'x']
  installed(t, { ...cluster(hybrid), namespaces })
  const { code, stdout } = await inProcess(cleanUp)
  t.equal(code, 0)
  t.equal(
    stdout,
    'namespace winnode-smoke-1: Terminating since 2026-11-28T10:00:00Z: Some resources are remaining: pods. has 1 resource instances\n' +
      'namespace winnode-smoke-2: is removed\n',
  )
  installed(t, { ...cluster(hybrid, 'not removed'), namespaces })
  const failed = await inProcess([...cleanUp, '--json'])
  t.equal(failed.code, exits.failure.code)
  t.match(JSON.parse(failed.stdout), {
    ok: false,
    removed: [],
    terminating: ['winnode-smoke-1'],
    failed: ['winnode-smoke-2'],
  })
})

t.test('a kubectl that hangs does not hold up a signal', async (t) => {
  const { file, folder } = installed(t, cluster(hybrid, 'exec hangs'))
  const run = start([...argv, '--format', 'junit'], folder, { PATH: process.env['PATH'] ?? '' })
  const execs = () => read(file)?.calls.some((call) => call.startsWith('exec')) ?? false
  for (let tries = 0; tries < 300 && !execs(); tries += 1) await sleep(100)
  const sent = performance.now()
  run.kill('SIGINT')
  const { code, stdout, stderr } = await run.ended
  t.ok(performance.now() - sent < 10_000, 'kubectl may take 30 seconds')
  t.equal(code, exits.interrupted.code)
  t.match(stderr, /interrupted: removing namespace winnode-smoke-\w{8}\n/)
  t.match(stdout, /<testsuite .*tests="15" failures="0" errors="0" time="0" skipped="11"/)
  t.strictSame(stateIn(file).namespaces, {})
})

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  t.test(`${signal} while pods start removes the namespace`, async (t) => {
    const { file, folder } = installed(t, cluster(hybrid, 'never scheduled'))
    const run = start(argv, folder, { PATH: process.env['PATH'] ?? '' })
    const looks = () =>
      existsSync(file) && Object.values(read(file)?.namespaces ?? {}).some((one) => one.looks > 0)
    for (let tries = 0; tries < 300 && !looks(); tries += 1) await sleep(100)
    run.kill(signal)
    const { code, stderr } = await run.ended
    t.equal(code, exits[signal === 'SIGINT' ? 'interrupted' : 'terminated'].code)
    t.match(stderr, /interrupted: namespace winnode-smoke-\w{8} is removed/)
    t.strictSame([stateIn(file).namespaces, stateIn(file).objects], [{}, {}])
  })

t.test('a signal after which the namespace stays is an error that says so', async (t) => {
  const { file, folder } = installed(t, cluster(hybrid, 'never scheduled', 'not removed'))
  const run = start(argv, folder, { PATH: process.env['PATH'] ?? '' })
  const looks = () => Object.values(read(file)?.namespaces ?? {}).some((one) => one.looks > 0)
  for (let tries = 0; tries < 300 && !looks(); tries += 1) await sleep(100)
  run.kill('SIGTERM')
  const { code, stderr } = await run.ended
  t.equal(code, exits.terminated.code)
  t.match(stderr, /namespace winnode-smoke-\w{8} was not removed: namespaces is forbidden/)
})

/** `undefined` while the stand-in writes it. */
function read(file: string): State | undefined {
  try {
    return stateIn(file)
  } catch {
    return undefined
  }
}

t.test('the namespace has the run as a label, and the level that HostProcess needs', async (t) => {
  const state = cluster(hybrid, 'not removed')
  const { notRemoved } = await smoke(state)
  t.equal(notRemoved, 'namespaces is forbidden')
  t.match(state.namespaces['winnode-smoke-1a2b']?.labels, {
    'app.kubernetes.io/instance': '1a2b',
    'pod-security.kubernetes.io/enforce': 'privileged',
  })
})

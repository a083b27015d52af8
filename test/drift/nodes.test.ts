// winnode drift of nodes: what each says of itself, a fleet that says the same, and the way back.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  constants,
  cpSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { t } from 'tap'
import { answersOf } from '../../src/commands/drift/nodes.ts'
import { nodeDrifts } from '../../src/drift/node-object.ts'
import { compareProblem } from '../../src/drift/snapshot.ts'
import { nodesAt, nodesOf } from '../../src/io/drift/node-files.ts'
import { splitter } from '../../src/io/drift/split-json.ts'
import type { Json, JsonObject } from '../../src/model/json.ts'
import { drifts as doneByHand } from '../host/by-hand.ts'
import { succeeded, token as joinToken } from '../host/course.ts'
import { member, tick } from '../host/days.ts'
import { flagsOf, versionOf } from '../host/rendered.ts'
import { scenario } from '../host/stage.ts'
import { compileBuiltin } from '../tools/bundle.ts'
import { writeFleet } from '../tools/fleet.mjs'
import { inProcess, program as winnode, root, shell, spawned } from '../tools/run.ts'
import { ask, copyOf, scratch, profile, rendered, swap } from './asking.ts'
import { everything } from '../tools/everything.ts'
import { differs, fleet, health, snapshot, steps } from './nodes.ts'

t.test('a node that holds no steps says why', async (t) => {
  const failed = { ...snapshot(), steps: [], exitCode: 2, message: 'no administrator' }
  t.equal(compareProblem(failed), 'the script failed with exit code 2: no administrator')
  t.equal(compareProblem({ ...failed, exitCode: 0 }), 'it contains no steps')
})

t.test('a stream is split into its documents wherever it is cut', async (t) => {
  const documents = ['{"a":"\\\\","b":"{\\"}"}', '{"c":{"d":"\\\\\\""}}']
  const stream = documents.join('\n')
  for (let cut = 1; cut < stream.length; cut += 1) {
    const { push, rest } = splitter()
    // A decoder returns nothing for half a character of UTF-16.
    const parts = [stream.slice(0, cut), '', stream.slice(cut)]
    const pieces = parts.flatMap((chunk) => push(chunk))
    t.strictSame(
      pieces.map(({ text, whole }) => (whole ? text : `stray ${text}`)),
      documents,
      `after ${stream.slice(0, cut)}`,
    )
    t.equal(rest(), '')
  }
})

t.test('the counter on a terminal is erased', async (t) => {
  const folder = fleet({ 'a.json': snapshot() })
  const written: string[] = []
  const terminal = new Writable({
    write(text, _, done) {
      written.push(String(text))
      done()
    },
  })
  let time = 0
  t.intercept(performance, 'now', { value: () => (time += 1000) })
  const evidence = { kind: 'nodes', shown: folder, place: folder } as const
  for await (const one of answersOf([evidence], [], { terminal }))
    t.match(one, { unread: /no profile/ })
  t.match(written, ['\r1 nodes read', /^\r +\r$/])
})

t.test('reports of a node, and the exit code', async (t) => {
  const check = { id: 'revision', verdict: 'fail', passed: false, message: 'Windows is too old' }
  const rows: readonly [name: string, content: unknown, exit: number, told: readonly string[]][] = [
    ['as described', snapshot(), 0, []],
    ['a step differs', steps(differs), 4, ['step-differs node.json#steps.power-plan']],
    [
      'a step with a reboot pending',
      steps({ 'page-file': ['Waiting', ''] }),
      0,
      ['step-waits node.json#steps.page-file'],
    ],
    [
      'a step that could not be read',
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
    ['it does not work', health('fail'), 7, ['node-not-working node.json#health.hns']],
    [
      'it differs, and does not work',
      { ...health('fail'), steps: steps(differs).steps },
      4,
      ['node-not-working node.json#health.hns', 'step-differs node.json#steps.power-plan'],
    ],
    ['unknown whether it works', health('unknown'), 6, ['node-unknown node.json#health.hns']],
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
      'an unknown state',
      steps({ 'page-file': ['constructor', ''], 'power-plan': ['unchanged', ''] }),
      6,
      ['step-unknown node.json#steps.page-file', 'step-unknown node.json#steps.power-plan'],
    ],
    ['an unknown verdict', health('fine'), 6, ['node-unknown node.json#health.hns']],
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
    [
      'an end that is no number',
      snapshot({}, { exitCode: '4' }),
      6,
      ['node-unknown node.json#exitCode'],
    ],
    ['a form to come', snapshot({}, { apiVersion: 'winnode/v9' }), 6, ['evidence-unreadable']],
    ['no form', snapshot({}, { apiVersion: null }), 6, ['evidence-unreadable']],
    // As ConvertTo-Json of Windows PowerShell writes it again: alone, counted, or cut at a depth.
    [
      'a check alone',
      snapshot({}, { preflight: check }),
      4,
      ['check-fails node.json#preflight.revision'],
    ],
    [
      'checks with their count',
      snapshot({}, { preflight: { value: [check], Count: 1 } }),
      4,
      ['check-fails node.json#preflight.revision'],
    ],
    [
      'checks that are cut',
      snapshot({}, { preflight: ['@{id=revision; passed=False}'] }),
      6,
      ['node-unknown node.json#preflight'],
    ],
    [
      'a part that is cut',
      snapshot({}, { health: 'System.Object[]' }),
      6,
      ['node-unknown node.json#health'],
    ],
    [
      'a step that is cut',
      snapshot({}, { steps: [...snapshot().steps, '@{id=x}'] as Json }),
      6,
      ['evidence-unreadable'],
    ],
    [
      'a result of no step',
      snapshot({}, { steps: [{}, ...snapshot().steps] as Json }),
      6,
      ['step-unknown node.json#steps'],
    ],
    ['an id of Object', { ...snapshot(), kind: 'constructor' }, 6, ['evidence-unreadable']],
    ['cut off', '{"kind": "NodeSnapshot", "steps": [', 6, ['evidence-unreadable']],
    ['nothing', '', 6, ['evidence-unreadable']],
  ]
  for (const [name, content, exit, told] of rows) {
    const folder = fleet({ 'win-1.json': content })
    const answer = await ask(profile, folder)
    t.equal(answer.exit, exit, name)
    const junit = await inProcess(['drift', profile, folder, '--format', 'junit'])
    t.equal(/ failures="[1-9]/.test(junit.stdout), exit !== 0, `${name}: JUnit fails with the run`)
    t.notOk(junit.stdout.includes(`name="${folder}" time="0"/>`), `${name}: the folder is no case`)
    const ids = answer.drift.map(({ id, subject }) =>
      id === 'evidence-unreadable' ? id : `${id} ${subject}`,
    )
    t.strictSame(ids.sort(), [...told].sort(), name)
  }
  t.equal((await ask(profile, fleet({}))).exit, 6, 'a folder without a snapshot')
  const mute = { id: 'hns', kind: 'hns', verdict: 'fail', evidence: '' }
  const words = await ask(profile, fleet({ 'a.json': snapshot({}, { health: mute, exitCode: 9 }) }))
  t.match(words.drift, [{ message: 'no details' }])
  const end = await inProcess([
    'drift',
    profile,
    fleet({ 'a.json': steps(differs), 'b.json': steps(differs) }),
  ])
  t.match(end.stdout, 'step power-plan on both nodes')
  const unsaid = fleet({ 'a.json': steps({ 'page-file': ['Unknown', 'access denied'] }) })
  t.match(await ask(profile, unsaid), { need: 'nothing' }, 'an unknown state needs nothing')
})

function readStream(bytes: Uint8Array, size: number) {
  const about = { source: 'standard input', name: 'document', problemOf: () => '' }
  return gather(nodesOf(chunks(bytes, size), about))
}

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
      const found = await readStream(bytes, size)
      t.strictSame(
        found.map(({ document }) => document?.['kind']),
        Array.from({ length: nodes }, () => 'NodeSnapshot'),
        `${name}, ${size} bytes at a time`,
      )
    }
  }
  const text = JSON.stringify({ kind: 'x', text: 'a \\" { } \\\\ ["' })
  const found = await readStream(Buffer.from(`${text}\n${text}{"cut`), 3)
  t.strictSame(
    found.map(({ document, unread }) => (document ? JSON.stringify(document) : unread)),
    [text, text, 'it is cut off, or no JSON'],
  )
  const strays = await readStream(Buffer.from(`{}ssh: no "route\n[{}, 7,{}] end`), 4)
  t.strictSame(
    strays.map(({ document, unread }) => (document ? {} : unread)),
    [{}, 'it is not JSON: ssh: no "route', {}, 'it is not JSON', {}, 'it is not JSON'],
    'what stands between documents is said',
  )
  for (const [few, said] of [
    ['{}', undefined],
    ['no', 'it is not JSON'],
  ] as const) {
    const [only, ...more] = await readStream(Buffer.from(few), 1)
    t.strictSame([only?.unread, more], [said, []], `${few}: fewer bytes than show an encoding`)
  }
  const secret = 'users: [{token: hunter2}]\n'
  const other = await readStream(Buffer.from(secret), 64)
  t.ok(other.length > 0)
  t.notMatch(JSON.stringify(other), 'hunter2', 'a file with credentials is not quoted')
  const { code, stdout } = spawned(['drift', profile, '-', '--format', 'lines'], { input: one })
  t.equal(code, 4)
  t.match(stdout, /^step power-plan on the node \([^)]+\): warning: .*balanced/)
  const unexplained = { input: JSON.stringify(snapshot({}, { exitCode: 4 })) }
  t.match(
    spawned(['drift', profile, '-', '--format', 'lines'], unexplained).stdout,
    /^exit code on the node /,
    'parts of a snapshot have names, too',
  )
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
      `/pipe.json: ${folder}/pipe.json could not be read: it is not a regular file`,
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

const windows = process.platform === 'win32' && 'Windows has no FIFO in a folder'

t.test('only regular files are read, so that no run waits for ever', { skip: windows }, (t) => {
  const home = t.testdir({ empty: {} })
  const fifo = path.join(home, 'fifo')
  const bundle = copyOf()
  t.equal(shell('mkfifo "$0" "$1/more.json"', [fifo, bundle]).code, 0)
  const [command, ...words] = winnode
  const run = (...argv: readonly string[]) => {
    const limit = { timeout: 20_000, killSignal: 'SIGKILL' } as const
    const ended = spawnSync(command, [...words, ...argv], { ...limit, encoding: 'utf8' })
    return {
      code: ended.status,
      said: (ended.stdout + ended.stderr).slice(0, 999).replaceAll(/\s+/g, ' '),
    }
  }
  const unread = /could not be read: it is not a regular file/
  for (const file of [fifo, '/dev/zero', '/dev/urandom']) {
    t.match(run('drift', profile, file), { code: 6, said: unread }, file)
    t.match(run('doctor', file), { code: 6, said: unread }, file)
  }
  t.match(
    run('drift', profile, bundle),
    { code: 0, said: 'no drift' },
    'beside the files of a bundle',
  )
  const drift = ['drift', profile, bundle]
  t.match(run(...drift, '--baseline', fifo), {
    code: 2,
    said: /fifo cannot be read: it is not a regular file/,
  })
  t.match(run(...drift, '--write-baseline', fifo), { code: 2, said: /fifo is not a file/ })
  t.match(run('init', '--from', fifo, '--yes'), { code: 3, said: /it is not a regular file/ })
  const ca = ['--context', 'x', '--configz', 'direct', '--kubelet-ca', fifo]
  t.match(run(...drift, ...ca), { code: 2, said: /fifo cannot be read: it is not a regular file/ })
  t.end()
})

t.test('a pipe that the shell opened is read as a stream', { skip: windows }, async (t) => {
  const home = t.testdir({
    'win-1.json': JSON.stringify(snapshot()),
    'none.json': '{"kind": "DriftBaseline"}',
  })
  const line = 'cat win-1.json | "$@" /dev/stdin && cat win-1.json | "$@" /dev/fd/7 7<&0'
  const argv = [...winnode, 'drift', profile, '--format', 'lines']
  t.match(shell(line, ['sh', ...argv], { cwd: home }), { code: 0, stderr: '' })
  const baseline = 'cat none.json | "$@" win-1.json --baseline /dev/stdin'
  t.match(shell(baseline, ['sh', ...argv], { cwd: home }), { code: 0, stderr: '' })
  const fifo = path.join(home, 'fifo')
  shell('mkfifo "$0"', [fifo])
  // Open for writing too: the run waits for the end of a text that never comes.
  const filled = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK)
  // Its own: Node clears O_NONBLOCK of what it gives to a child.
  const stdin = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
  t.teardown(() => {
    closeSync(filled)
    closeSync(stdin)
  })
  const [command, ...own] = winnode
  for (const words of [['/dev/stdin'], ['win-1.json', '--baseline', '/dev/stdin']])
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      while (takes(filled)) continue
      const child = spawn(command, [...own, 'drift', profile, ...words], {
        cwd: home,
        stdio: [stdin, 'ignore', 'inherit'],
        timeout: 20_000,
        killSignal: 'SIGKILL',
      })
      const ended = once(child, 'exit')
      while (!takes(filled) && child.exitCode === null) await sleep(5)
      await sleep(100)
      child.kill(signal)
      t.strictSame(await ended, [null, signal], `${signal}: ${words.join(' ')}`)
    }
})

/** Whether the pipe has room, which is filled. */
function takes(pipe: number): boolean {
  try {
    return writeSync(pipe, ' '.repeat(4096)) > 0
  } catch {
    return false
  }
}

const linuxOnly = { skip: process.platform !== 'linux' && 'the system has no /proc' }

t.test('a file that cannot be read does not stay open', linuxOnly, async (t) => {
  const files = () => readdirSync('/proc/self/fd').length
  const before = files()
  for (let count = 0; count < 10; count += 1)
    for await (const { unread } of nodesAt('mem', '/proc/self/mem', () => ''))
      t.equal(unread, 'the disk has a fault')
  t.equal(files(), before)
})

t.test('of one file the first unreadable documents are listed, and the rest counted', async (t) => {
  const bare = '{"apiVersion": "winnode/v1", "kind": "NodeSnapshot"}'
  const rows: readonly [text: string, more: string][] = [
    [
      '{}'.repeat(25) + JSON.stringify(snapshot()),
      ', 5 more documents could not be read: only the',
    ],
    [
      '{}'.repeat(1 << 19),
      ', 980 more documents could not be read: reading stopped at document 1000',
    ],
    [`[${'{},'.repeat(1 << 18)}{}]`, ', 980 more documents could not be read: reading stopped'],
    [bare.repeat(3000), ', 980 more documents could not be read: reading stopped'],
    ['x{}'.repeat(3000), ', 980 more documents could not be read: reading stopped'],
    // Where reading stopped, nothing is cut off.
    [`${'{}'.repeat(1100)}{"a":`, ', 980 more documents could not be read: reading stopped'],
  ]
  for (const [text, more] of rows) {
    const file = path.join(fleet({ 'a.json': text }), 'a.json')
    const { drift, nodes } = await ask(profile, file)
    t.equal(drift.length, 21, text.slice(0, 40))
    t.match(drift.at(-1)?.message ?? drift[0]?.message, `${file}${more}`)
    t.equal(nodes, text.includes('steps') ? 1 : 0, 'others are read')
    const { stdout, code } = await inProcess(['doctor', file])
    t.equal(code, 6)
    t.equal(stdout.replaceAll(/\s+/g, ' ').split(' could not be read:').length - 1, 21)
  }
})

t.test('a stream without an end is not read for ever', { skip: windows }, (t) => {
  for (const device of ['/dev/zero', '/dev/urandom']) {
    const line = `timeout -s KILL 60 "$@" - --format lines < ${device}`
    const { stdout } = shell(line, ['sh', ...winnode, 'drift', profile])
    t.match(
      stdout,
      /more than 64 MiB without a document|is longer than 64 MiB|reading stopped at/,
      device,
    )
  }
  t.end()
})

t.test('what nodes wrote is read beside a bundle, too', async (t) => {
  const [bundle, target] = [copyOf(), fleet({ 'win-1.json': steps(differs), 'notes.json': '{}' })]
  cpSync(rendered, path.join(target, 'bundle'), { recursive: true })
  writeFileSync(path.join(bundle, 'win-1.json'), JSON.stringify(steps(differs)))
  for (const folder of [bundle, target]) {
    const { drift, exit } = await ask(profile, folder)
    t.equal(exit, 4)
    t.match(drift, [{ id: 'step-differs' }])
    t.equal(drift.length, 1, 'other files are no evidence')
  }
})

t.test('an annotation names a file, and not a document in it', async (t) => {
  const file = path.join(fleet({ 'all.jsonl': `${JSON.stringify(snapshot())}\n{}\n` }), 'all.jsonl')
  const message = `${file}, document 2 could not be read`
  const said = async (format: string, ...argv: readonly string[]) =>
    (await inProcess(['drift', profile, ...argv, '--format', format])).stdout
  t.match(await said('sarif', file), `"uri": "file://${file}"`)
  const github = await said('github', file)
  t.match(github, `file=${file},line=1,col=1,`)
  t.match(github, message)
  const input = { input: 'no JSON' }
  const piped = spawned(['drift', profile, '-', '--format', 'sarif'], input).stdout
  t.match(piped, 'standard input could not be read')
  t.notMatch(piped, '"uri"', 'standard input is no file')
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
  const made = (day: number) => ({
    ...named,
    kind: 'NodeReport',
    made: `2026-01-0${day}T00:00:00Z`,
  })
  const twice = await ask(profile, fleet({ 'a.json': made(2), 'b.json': made(1), 'c.json': named }))
  t.match(twice.drift[0]?.variants, [
    {
      message:
        /, in \S+a\.json \(made 2026-01-02T00:00:00Z\) and \S+b\.json \(made 2026-01-01T00:00:00Z\)$/,
    },
    { message: /, in \S+a\.json \(made \S+\) and \S+c\.json$/ },
  ])
})

/** With its largest size in MiB; `to` may lead its output elsewhere. */
function measured(argv: readonly string[], to = '') {
  const teller = path.join(root, 'test/tools/report-memory.mjs')
  const told = path.join(scratch, 'memory')
  const line = `exec 3>"$0" ${to}; exec "$@"`
  const program = [process.execPath, '--import', pathToFileURL(teller).href]
  const outcome = shell(line, [told, ...program, path.join(root, 'bin/run.cjs'), 'drift', ...argv])
  return { ...outcome, peak: Number(readFileSync(told, 'utf8')) / 1024 }
}

t.test('a large fleet takes little memory, and no longer for being large', (t) => {
  const count = everything ? 10_000 : 300
  const folder = path.join(scratch, 'large')
  writeFleet(rendered, folder, { nodes: count, lines: 20 })
  const { code, stdout, stderr, peak } = measured([profile, folder])
  t.equal(code, 4, stderr)
  t.match(stdout, `step power-plan on ${count / 10} of ${count} nodes`)
  t.match(stdout, `files/kubelet/config.json#maxPods on ${count / 100} of ${count} nodes`)
  t.ok(peak < 250, `${peak.toFixed(0)} MiB`)
  if (everything) {
    const worst = path.join(scratch, 'worst')
    writeFleet(rendered, worst, { nodes: count, worst: true })
    for (const format of ['json', 'junit', 'html', 'sarif', 'pretty']) {
      const { peak: most } = measured([profile, worst, '--format', format], '>/dev/null')
      t.ok(most < 300, `${format}, where everything differs: ${most.toFixed(0)} MiB`)
    }
  }
  t.end()
})

t.test('the same difference of a fleet is reported once, with the odd ones out', async (t) => {
  const plans = ['balanced', 'balanced', 'saver', undefined, 'balanced', 'balanced', 'saver']
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
  t.match(stdout, /\n {2}4 {2}.*\(balanced\)\n {5}win-0, win-1, win-4, win-5\n/)
  t.match(stdout, /\n {2}2 {2}.*\(saver\)\n {5}win-2, win-6\n/)
  t.match(stdout, /\n {2}not: win-3\n/)
  t.match(stdout, /1 of 7 nodes as described/)
  const unread = { 'win-0.json': steps({ 'power-plan': ['Unknown', 'denied'] }) }
  const unknown = await inProcess(['drift', profile, fleet({ ...files, ...unread })])
  t.match(unknown.stdout, /1 of 7 nodes as described/)
  const { drift, nodes } = await ask(profile, folder)
  t.equal(nodes, 7)
  t.match(drift, [{ message: /\(balanced\); differently on 2 of these nodes$/ }])
  t.equal(drift.length, 1)
})

t.test('the messages after the first variants are not the message of the difference', async (t) => {
  const files = Array.from(
    { length: 60 },
    (_, index) =>
      [`win-${index}.json`, steps({ 'power-plan': ['Different', `plan ${index}`] })] as const,
  )
  const { drift } = await ask(profile, fleet(Object.fromEntries(files)))
  t.match(drift, [{ message: /\(plan 0\); differently on 59 of these nodes$/ }])
})

t.test('a baseline of a fleet accepts the variants that it lists', async (t) => {
  const baseline = path.join(scratch, 'baseline.json')
  const exit = async (plans: readonly string[], flag: string) => {
    const file = (plan: string, at: number) =>
      [`win-${at}.json`, steps({ 'power-plan': ['Different', plan] })] as const
    return (await ask(profile, fleet(Object.fromEntries(plans.map(file))), flag, baseline)).exit
  }
  t.equal(await exit(['balanced', 'saver'], '--write-baseline'), 0)
  t.equal(await exit(['saver'], '--baseline'), 0)
  t.equal(await exit(['balanced', 'custom'], '--baseline'), 4)
})

t.test('every format names ten nodes and counts the others', async (t) => {
  const nodes = (count: number) =>
    fleet(
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `web-${String(index).padStart(2, '0')}.json`,
          index === 0 ? snapshot() : steps(differs),
        ]),
      ),
    )
  const shown = async (format: string, count: number) =>
    (await inProcess(['drift', profile, nodes(count), '--format', format])).stdout
  const ten = Array.from({ length: 10 }, (_, index) => `web-${String(index + 1).padStart(2, '0')}`)
  for (const format of ['lines', 'github', 'sarif', 'markdown']) {
    t.match(await shown(format, 3), '2 of 3 nodes (web-01, web-02)', format)
    t.match(await shown(format, 14), `13 of 14 nodes (${ten.join(', ')} and 3 more)`, format)
  }
  const fingerprint = async (count: number) =>
    /"winnode\/v1": "(.*)"/.exec(await shown('sarif', count))?.[1]
  t.equal(await fingerprint(3), 'step-differs:step power-plan')
  t.equal(await fingerprint(14), await fingerprint(3), 'one more node is no other finding')
})

t.test('a node that needs more than the others is named, and they are not', async (t) => {
  const plan = steps(differs)
  const folder = fleet({
    'web-1.json': plan,
    'web-2.json': plan,
    'web-3.json': steps({ 'feature-containers': ['Different', ''] }),
    'web-4.json': snapshot(),
  })
  const { stdout } = await inProcess(['drift', profile, folder])
  t.match(stdout, /\nto fix: on web-3: Install-WinNode\.ps1 and a restart\n/)
  t.match(stdout, /\nto fix: on web-1, web-2: Install-WinNode\.ps1; on joined nodes/)
})

t.test('another CA hash asks no joined node to join again', async (t) => {
  const hash = (byte: string) => `sha256:${byte.repeat(32)}`
  const endpoint = ['--set', 'join.endpoint=api.example.com:6443']
  const set = (byte: string) => [...endpoint, '--set', `join.caCertHashes=["${hash(byte)}"]`]
  const out = path.join(scratch, 'other-ca')
  await inProcess(['render', profile, '--out', out, ...set('0a')])
  const answer = await ask(profile, out, ...set('0b'))
  t.equal(answer.exit, 4)
  t.equal(answer.need, 'install')
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
        remedy: /reconcile loop/,
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
  t.equal(drift.length, 2, 'and the step is not reported')
})

t.test(
  'a file is as written whatever a node calls itself, and nothing else in it is taken for a name',
  async (t) => {
    const proxy = readFileSync(path.join(rendered, 'files/kube-proxy/config.json'), 'utf8')
    const said = (name: string, text: string) => ({
      ...snapshot({}, { kind: 'NodeReport', facts: { nodeName: name } }),
      configuration: { 'C:\\var\\lib\\kube-proxy\\config.json': text },
    })
    const own = (name: string, mode = 'kernelspace') => {
      const document = JSON.parse(proxy) as JsonObject
      return JSON.stringify({ ...document, mode, hostnameOverride: name, bindAddress: '192.0.2.1' })
    }
    const files = {
      // A node that is called as a word of its file teaches nothing.
      'a.json': said('a', own('kernelspace')),
      'b.json': said('b', own('userspace', 'userspace')),
      'c.json': said('c', own('node-c')),
      'd.json': said('d', own('node-d')),
      'e.json': said('e', own('node-e', 'userspace')),
      'f.json': said('f', own('node-f').replace('"node-f"', '"node-f","hostnameOverride2":"x"')),
      'g.json': said('g', own('node-g').replace('"node-g"', '"node-g\\u0021"')),
      'h.json': said('h', `${own('node-h')} `),
    }
    const { drift } = await ask(profile, fleet(files))
    t.match(
      drift.map(({ subject, nodes }) => [subject, nodes]),
      [
        ['files/kube-proxy/config.json#mode', ['b', 'e']],
        ['files/kube-proxy/config.json#hostnameOverride2', ['f']],
      ],
    )
    t.equal(drift.length, 2)
  },
)

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

t.test('what is worst of bundles and nodes comes last', async (t) => {
  const folder = fleet({
    'a.json': snapshot({ 'power-plan': ['Different', 'x'] }, { node: 'win-1' }),
    'b.json': 'no JSON',
  })
  const { stdout } = await inProcess(['drift', profile, folder])
  const heads = [...stdout.matchAll(/^(\w+)\[([\w-]+)\]/gm)].map(([, severity]) => severity)
  t.strictSame(heads, ['warning', 'error'])
})

/** Manual changes of a node of a profile, by the step that finds them. */
const byHand = {
  'power-plan': doneByHand.find(([id]) => id === 'power')?.[1] ?? '',
  'boot-task': doneByHand.find(([id]) => id === 'boot-task')?.[1] ?? '',
  'file-kubelet-config': `$file = 'C:\\var\\lib\\kubelet\\config.json'
    (Get-Content -LiteralPath $file -Raw).Replace('"maxPods": 110', '"maxPods": 60') | Set-Content -LiteralPath $file -NoNewline`,
}

if (everything)
  for (const name of ['ws2022-flannel-overlay', 'ws2022-flannel-l2bridge'])
    scenario(
      `${name}: three days are no drift, and a manual change is reported until Install`,
      async (t, stage) => {
        const { host } = stage
        const drive = path.join(t.testdir({}), 'c')
        const days = await member(stage, name, drive)
        const flags = [
          ...flagsOf(name, await host.cluster()),
          ...['--set', `kubernetes.version=${versionOf(days.node)}`],
        ]
        const file = path.join(scratch, `${name}.json`)
        const tested = async () => {
          const { result } = await host.run('Test')
          writeFileSync(file, JSON.stringify(result))
          return ask(name, file, ...flags)
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
        const inReport = await ask(name, report, ...flags)
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

t.test('a node that has an older bundle of this name is no node as described', async (t) => {
  const nodeDigest = '0'.repeat(64)
  const { drift, exit } = await ask(profile, fleet({ 'old.json': snapshot({}, { nodeDigest }) }))
  t.equal(exit, 4)
  t.match(drift, [{ id: 'bundle-differs', was: nodeDigest, need: 'install' }])
  t.equal(drift.length, 1)
  const before = fleet({ 'older.json': snapshot({}, { nodeDigest: undefined }) })
  t.equal((await ask(profile, before)).exit, 0, 'an earlier winnode writes none')
})

t.test('a node with a later minor version needs Reset, which Install does not replace', (t) => {
  const { facts } = compileBuiltin(profile)
  const needsOf = (kubelet: string, containerd: string) => {
    const nodeInfo = {
      kubeletVersion: kubelet,
      containerRuntimeVersion: `containerd://${containerd}`,
    }
    return nodeDrifts({ status: { nodeInfo } }, { facts, digest: undefined, oldest: '' })
      .filter(({ id }) => id === 'version-differs')
      .map(({ need, remedy }) => [need, remedy?.includes('Reset-WinNode.ps1')])
  }
  t.strictSame(needsOf('v1.99.0', '2.99.0'), [
    ['join', true],
    ['join', true],
  ])
  t.strictSame(needsOf('v1.30.0', '1.7.0'), [
    ['install', false],
    ['install', false],
  ])
  t.end()
})

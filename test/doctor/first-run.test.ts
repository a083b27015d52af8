// winnode doctor --first-run: measurements of a real Windows Server beside the assumptions of the simulated one.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { t, type Test } from 'tap'
import { compareFirstRun } from '../../src/doctor/first-run.ts'
import { windowsAssumptions } from '../../src/matrix/windows-assumptions.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { prettyFirstRun } from '../../src/present/first-run.ts'
import { plainScreen } from '../../src/present/screen.ts'
import { readFirstRun } from '../../src/report/first-run.ts'
import { breaches } from '../tools/json-schema.ts'
import { inProcess, root } from '../tools/run.ts'

interface Row {
  readonly id: string
  readonly value?: unknown
  readonly notMeasured?: unknown
}

/** Everything as assumed. */
const asAssumed: readonly Row[] = windowsAssumptions.map(({ id, assumed }) => ({
  id,
  value: assumed,
}))

const header = {
  apiVersion: 'winnode/v1',
  kind: 'FirstRun',
  windows: '20348.3091',
  powershell: '5.1.20348.2849',
  cluster: 'real',
}

/** A file with these rows in place of the assumed ones. */
function fileOf(t: Test, rows: readonly Row[], change: object = {}): string {
  const merged = asAssumed.map((row) => rows.find(({ id }) => id === row.id) ?? row)
  const others = rows.filter(({ id }) => !asAssumed.some((row) => row.id === id))
  const file = path.join(t.testdir({}), 'first-run.json')
  writeFileSync(file, JSON.stringify({ ...header, rows: [...merged, ...others], ...change }))
  return file
}

const schema = JSON.parse(
  readFileSync(path.join(root, 'docs/first-run.schema.json'), 'utf8'),
) as JsonObject

interface Answer extends JsonObject {
  readonly rows: readonly { readonly id: string; readonly result: string; readonly why: string }[]
}

async function answerOf(t: Test, file: string): Promise<Answer> {
  const { stdout } = await inProcess(['doctor', '--first-run', file, '--json'])
  const answer = JSON.parse(stdout) as Answer
  t.strictSame(breaches(schema, answer), [], 'as docs/first-run.schema.json says')
  return answer
}

const resultsOf = ({ rows }: Answer, id: string) => rows.find((row) => row.id === id)

t.test('the places in the simulated host exist', async (t) => {
  for (const { id, host } of windowsAssumptions) {
    if (host === undefined) continue
    const [file = '', place = ''] = host.split(/, (.*)/)
    t.ok(existsSync(path.join(root, file)), `${id}: ${file}`)
    t.match(readFileSync(path.join(root, file), 'utf8'), place, `${id}: ${place}`)
  }
})

t.test('a text is one of the words of its row', async (t) => {
  for (const { id, assumed, words, compare } of windowsAssumptions) {
    t.equal(typeof assumed === 'string', words !== undefined, id)
    if (typeof assumed === 'string') t.ok(words?.includes(assumed), id)
    if (compare) t.type(assumed, 'number', id)
  }
})

t.test('a server as assumed', async (t) => {
  const file = fileOf(t, [])
  const { code, stdout, stderr } = await inProcess(['doctor', '--first-run', file])
  t.strictSame({ code, stderr }, { code: 0, stderr: '' })
  t.match(stdout, /^Windows 20348\.3091, PowerShell 5\.1\.20348\.2849, API server: real\n/)
  t.match(stdout, /\nROW +ASSUMED +MEASURED +RESULT\n/)
  t.match(stdout, /\nloop-seconds +at most 10 +10 +same\n/)
  t.match(stdout, `\n${windowsAssumptions.length} same, 0 differ, 0 not measured\n`)
  t.strictSame((await inProcess(['doctor', '--first-run', file, '-q'])).stdout, '')
  t.ok((await answerOf(t, file)).rows.every(({ result }) => result === 'same'))
})

t.test('a row that differs names its consequence', async (t) => {
  const file = fileOf(t, [
    { id: 'overlay-network-after-crash', value: 'kept' },
    { id: 'loop-seconds', value: 10.5 },
    { id: 'service-stop-seconds', value: 0 },
  ])
  const { code, stdout } = await inProcess(['doctor', '--first-run', file])
  t.equal(code, 0, 'as doctor: every file was read, whatever was found')
  t.match(stdout, /\noverlay-network-after-crash +gone +kept +differs\n/)
  t.match(stdout, /\n {2}measured: kept\n {2}changes: the loop: /)
  t.match(stdout, /\n {2}assumed in: test\/host\/parts\/network\.ps1, Restart-HostHns\n/)
  t.match(stdout, /\nloop-seconds +at most 10 +10\.5 +differs\n/)
  t.match(stdout, /\nservice-stop-seconds +at most 8 +0 +same\n/, 'less is no difference')
  t.match(stdout, ' same, 2 differ, 0 not measured\n')
  const quiet = await inProcess(['doctor', '--first-run', file, '-q'])
  t.match(quiet.stdout, /^loop-seconds\n/)
  t.notMatch(quiet.stdout, ' same')
  const page = await inProcess(['doctor', '--first-run', file, '--format', 'markdown'])
  t.match(
    page.stdout,
    /\n\| \[`loop-seconds`\]\(https:[^|]+\| at most 10 \| 10\.5 \| differs \| the/,
  )
  const data = await inProcess(['doctor', '--first-run', file, '--format', 'json'])
  t.match(JSON.parse(data.stdout), { version: 1, cluster: 'real' })
  const run = readFirstRun(readFileSync(file, 'utf8'))
  if (typeof run === 'string') return t.fail(run)
  const report = { comparison: compareFirstRun(run), unreadable: [] }
  const lines = prettyFirstRun(report, { ...plainScreen, columns: 80 }).split('\n')
  t.ok(
    lines.every((line) => line.length <= 80 || line.includes('https:')),
    'no line is longer than a terminal',
  )
})

t.test('what was not measured is never the same', async (t) => {
  const file = fileOf(
    t,
    [{ id: 'address-moves', notMeasured: 'the network is missing' }],
    // Even if the file has a value.
    { cluster: 'stand-in' },
  )
  const answer = await answerOf(t, file)
  const result = 'not measured'
  t.match(resultsOf(answer, 'address-moves'), { result, why: 'the network is missing' })
  for (const { id, cluster } of windowsAssumptions)
    if (cluster) t.match(resultsOf(answer, id), { result, why: 'there was no real API server' })
  const { stdout } = await inProcess(['doctor', '--first-run', file])
  t.match(stdout, /\nnot measured \(there was no real API server\): sandboxes-lose-endpoint,/)
  const short = await answerOf(t, fileOf(t, [], { rows: [] }))
  t.ok(short.rows.every((row) => row.result === result && row.why === 'missing in the file'))
})

t.test('values that no row can have', async (t) => {
  const wrong: readonly Row[] = [
    { id: 'address-moves', value: 'true' },
    { id: 'task-priority', value: true },
    { id: 'loop-own-events', value: -1 },
    { id: 'loop-seconds', value: null },
    { id: 'task-account', value: '\u001b[2J' },
    { id: 'hns-process-alone', value: { toString: 'x' } },
    { id: 'stop-event', value: [true] },
    { id: 'crash-event', notMeasured: 7 },
  ]
  const answer = await answerOf(t, fileOf(t, wrong))
  for (const { id } of wrong)
    t.match(resultsOf(answer, id), { result: 'not measured', why: 'the value cannot be read' }, id)
})

t.test('texts of the file reach no terminal as they are', async (t) => {
  const rude = '\u001b]0;x\u0007\n::error::a'
  const file = fileOf(
    t,
    [
      { id: 'address-moves', notMeasured: `${rude}${'x'.repeat(9999)}` },
      { id: 'stop-event', notMeasured: '--token abcdef.0123456789abcdef' },
      { id: rude, value: 1 },
      { id: '__proto__', value: true },
    ],
    { windows: rude, powershell: 'x'.repeat(999) },
  )
  for (const format of ['pretty', 'markdown', 'json']) {
    const { code, stdout } = await inProcess(['doctor', '--first-run', file, '--format', format])
    t.equal(code, 0)
    t.notMatch(stdout, /[\u0000-\u0009\u000b-\u001f]|^\s*::/m)
    t.notMatch(stdout, 'abcdef.0123456789abcdef')
    t.ok(stdout.length < 60_000)
  }
  const { stdout } = await inProcess(['doctor', '--first-run', file])
  t.match(stdout, /^Windows unknown, PowerShell unknown, API server: real\n/)
  t.match(stdout.replaceAll(/\s+/g, ' '), 'rows that this winnode does not know: \\u001b]0;x')
})

t.test('files that are no first run', async (t) => {
  const rows: readonly (readonly [text: string, why: string])[] = [
    ['', 'it is cut off, or no JSON'],
    ['{"kind": "FirstR', 'it is cut off, or no JSON'],
    ['[1]', 'it is cut off, or no JSON'],
    ['['.repeat(100_000), 'it is cut off, or no JSON'],
    ['{"kind": "NodeReport"}', 'Measure-WinNode.ps1 did not write it'],
    ['{"kind": "FirstRun", "apiVersion": "winnode/v9"}', 'its apiVersion is not winnode/v1'],
    [JSON.stringify(header), 'it has no measurements'],
    [JSON.stringify({ ...header, rows: [], cluster: 'x' }), 'it has no measurements'],
    [JSON.stringify({ ...header, rows: { length: 1 } }), 'it has no measurements'],
    [JSON.stringify({ ...header, rows: [null] }), 'a row has no id'],
    [JSON.stringify({ ...header, rows: [{ id: 1 }] }), 'a row has no id'],
    [JSON.stringify({ ...header, rows: [{ id: 'a' }, { id: 'a' }] }), 'a is in it twice'],
    [
      JSON.stringify({ ...header, rows: Array.from({ length: 1001 }, (_, id) => ({ id })) }),
      'it has more than 1000 rows',
    ],
  ]
  const file = path.join(t.testdir({}), 'f.json')
  for (const [text, why] of rows) {
    writeFileSync(file, text)
    const { code, stdout } = await inProcess(['doctor', '--first-run', file])
    t.equal(code, 6, why)
    t.match(stdout.replaceAll(/\s+/g, ' '), `f.json could not be read: ${why}`)
    t.match(await answerOf(t, file), { ok: false, exit: 6, unread: [{ why }] })
    t.equal((await inProcess(['doctor', '--first-run', file, '-q'])).stdout, stdout)
  }
  const folder = path.dirname(file)
  for (const args of [[path.join(folder, 'none.json')], [folder], [file, file]]) {
    const { code, stderr } = await inProcess(['doctor', '--first-run', ...args])
    t.equal(code, 2)
    t.match(stderr, /^error: /)
  }
})

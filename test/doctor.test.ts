// winnode doctor: each diagnosis is found in the report of its trouble, alone, and in none of a node that works.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { diagnoses } from '../src/doctor/diagnoses/index.ts'
import { diagnose } from '../src/doctor/diagnose.ts'
import { parts } from '../src/doctor/report.ts'
import type { Json, JsonObject } from '../src/model/json.ts'
import { cited } from './doctor/cited.ts'
import { installed, member, memberDocument, reportOf } from './doctor/member.ts'
import { type Changes, changed, changesOf } from './doctor/recorded.ts'
import { simulated, unjoined } from './doctor/simulated.ts'
import { scenario } from './host/stage.ts'
import { breaches } from './tools/json-schema.ts'
import { inProcess, root } from './tools/run.ts'

const read = (name: string): JsonObject =>
  JSON.parse(readFileSync(path.join(root, 'test/doctor', name), 'utf8')) as JsonObject
const healthy = read('healthy.json')
const recorded = read('simulated.json') as Readonly<Record<string, Changes>>
const spoils = { ...simulated, ...unjoined }

const found = (report: JsonObject): readonly string[] =>
  diagnose(report).found.map(({ diagnosis }) => diagnosis.id)

/** What the health check of the Node says until the Node says something. */
const ill: Changes = {
  'health node': {
    id: 'node',
    kind: 'node',
    verdict: 'fail',
    evidence: 'the Node is not Ready: it does not say so yet',
    remedy: 'kubectl describe node says more; the kubelet’s log says what it lacks',
  },
}

t.test('nothing is found on a node that works', async (t) => {
  t.strictSame(diagnose(healthy), { found: [], unexplained: [], missing: [], blind: 0 })
})

t.test('each trouble of the simulated host has one cause', async (t) => {
  for (const id of Object.keys(spoils)) {
    const report = changed(healthy, recorded[id] ?? {})
    const { found: all } = diagnose(report)
    t.strictSame(
      all.map(({ diagnosis }) => diagnosis.id),
      [id],
    )
    t.ok(all[0]?.evidence.length, `${id} is shown`)
  }
})

t.test('memory that Windows says is short', async (t) => {
  const row = { FreePhysicalMemory: '307200', TotalVirtualMemorySize: '20971520' }
  const report = changed(healthy, { 'memory 0': { ...row, FreeVirtualMemory: '524288' } })
  t.match(diagnose(report).found, [
    {
      diagnosis: { id: 'memory-short' },
      evidence: ['memory: 300 MiB free', 'memory: 512 of 20480 MiB left to promise'],
    },
  ])
  const silent = changed(healthy, { 'memory 0': { ...row, FreeVirtualMemory: null } })
  const [alone] = diagnose(silent).found
  t.strictSame(alone?.evidence, ['memory: 300 MiB free'], 'what is not said is not 0')
})

t.test('a full drive comes with what containerd keeps', async (t) => {
  const report = changed(healthy, recorded['disk-full'] ?? {})
  t.equal(diagnose(report).found[0]?.evidence.at(-1), 'containerd keeps images: 1, 0.0 GiB')
})

t.test('the words of each report have one cause', async (t) => {
  for (const [id, { log, line, ill: needed }] of Object.entries(cited)) {
    const lines: Json = `an earlier line\n${line}\na later line`
    const report = changed(healthy, { [`logs ${log}`]: lines, ...(needed && ill) })
    t.strictSame(found(report), [id], line)
    if (needed)
      t.strictSame(found(changed(healthy, { [`logs ${log}`]: lines })), [], 'as long as it works')
  }
})

t.test('recorded verdicts are what is cited', async (t) => {
  for (const { line, from } of Object.values(cited).filter((one) => one.from.startsWith('test/')))
    t.match(readFileSync(path.join(root, from), 'utf8'), line, from)
})

t.test('every diagnosis is tried, and its consequences are diagnoses', async (t) => {
  const ids = diagnoses.map(({ id }) => id)
  t.equal(new Set(ids).size, ids.length, 'each id once')
  const tried = new Set([...Object.keys(spoils), ...Object.keys(cited)])
  t.strictSame(
    ids.filter((id) => !tried.has(id)),
    [],
  )
  t.strictSame(
    [...tried].filter((id) => !ids.includes(id)),
    [],
  )
  const follows = diagnoses.flatMap((one) => one.follows ?? [])
  t.strictSame(
    follows.filter((id) => !ids.includes(id)),
    [],
  )
  t.ok(ids.length >= 40, `${ids.length} diagnoses`)
  for (const { id, cause, fix, see } of diagnoses) {
    t.match(cause, /^\S.*\.$/, `${id} says its cause`)
    t.match(fix, /^\S.*\.$/, `${id} says what to do`)
    t.match(see, /^https:\/\//, `${id} has a source`)
  }
})

t.test('a report without parts says what was not looked for', async (t) => {
  const { apiVersion = null, kind = null, steps = null } = healthy
  const answer = diagnose({ apiVersion, kind, steps, logs: { error: 'no right to read' } })
  t.strictSame(answer.found, [])
  t.strictSame(
    answer.missing,
    parts.filter((part) => part !== 'steps'),
  )
  t.ok(answer.blind > 10 && answer.blind < diagnoses.length, `${answer.blind} were not looked for`)
})

t.test('what is not well and has no known cause is said', async (t) => {
  const answer = diagnose(changed(healthy, ill))
  t.match(answer, { found: [], unexplained: [/^health node: the Node is not Ready/] })
  t.match(answer.unexplained.at(-1), 'not in the report: snapshots (there is no ctr.exe)')
})

t.test('no secret of a report is told again', (t) => {
  const token = 'abcdef.0123456789abcdef'
  const fails = { id: 'hns', kind: 'hns', verdict: 'fail', evidence: `token ${token}`, remedy: '' }
  const said = [
    diagnose(changed(healthy, { 'health hns': fails })),
    diagnose(changed(healthy, { 'health node': { ...fails, id: 'node', kind: 'node' } })),
    diagnose(
      changed(healthy, {
        'steps feature': {
          id: 'feature',
          kind: 'windowsFeature',
          state: 'Different',
          detail: token,
        },
      }),
    ),
  ]
  t.ok(
    said.some(({ found: all }) => all.length > 0) &&
      said.some(({ unexplained }) => unexplained.length > 0),
  )
  t.notMatch(JSON.stringify(said), token)
  t.end()
})

t.test('the command', async (t) => {
  const folder = t.testdir({
    'well.json': JSON.stringify(healthy),
    'ill.json': JSON.stringify({
      ...changed(healthy, recorded['containerd-stopped'] ?? {}),
      facts: { nodeName: 'node-b' },
    }),
  })
  const file = (name: string) => path.join(folder, name)
  const well = await inProcess(['doctor', file('well.json')])
  t.match(well, { code: 0, stdout: 'nothing found on 1 node\n' })
  const both = await inProcess(['doctor', folder])
  t.equal(both.code, 0)
  t.match(both.stdout, /^error\[containerd-stopped\] node-b\n {2}containerd does not run/)
  t.match(both.stdout, /\n {2}\| service containerd: Stopped, start 2\n/)
  t.match(both.stdout, /\n1 of 2 nodes: containerd-stopped\n$/)
  const page = await inProcess(['doctor', file('ill.json'), '--format', 'markdown'])
  t.match(page.stdout, '## node-b\n\n**error** [`containerd-stopped`](https://')
  const asked = async (name: string) =>
    JSON.parse((await inProcess(['doctor', name, '--json'])).stdout) as JsonObject
  const data = await asked(folder)
  writeFileSync(file('cut.json'), '{"kind": "NodeRep')
  const schema = JSON.parse(
    readFileSync(path.join(root, 'docs/doctor.schema.json'), 'utf8'),
  ) as JsonObject
  const answers = [data, await asked(file('well.json')), await asked(file('cut.json'))]
  for (const answer of answers)
    t.strictSame(breaches(schema, answer), [], 'the answer is as docs/doctor.schema.json says')
  t.match(data, {
    ok: true,
    nodes: [{ node: 'node-b', found: [{ id: 'containerd-stopped', confidence: 'sure' }] }, {}],
  })
})

t.test('what is no report', async (t) => {
  const folder = t.testdir({
    'other.json': '{"kind": "Pod"}',
    'cut.json': '{"kind": "NodeRep',
    bundle: { 'node.json': '{}' },
  })
  const { code, stdout } = await inProcess([
    'doctor',
    path.join(folder, 'other.json'),
    path.join(folder, 'cut.json'),
  ])
  t.equal(code, 6)
  t.match(stdout, /other\.json could not be read: it is neither a snapshot nor a report/)
  t.match(stdout, /cut\.json could not be read: it is cut off, or no JSON/)
  t.equal((await inProcess(['doctor', path.join(folder, 'bundle')])).code, 2)
  t.equal((await inProcess(['doctor', path.join(folder, 'nowhere')])).code, 2)
  const twice = await inProcess(['doctor', '-', '-'])
  t.match(twice, { code: 2, stderr: /standard input is named twice/ })
  t.equal((await inProcess(['doctor'])).code, 2)
})

/** They are made anew, all or these: `WINNODE_ALL=1 WINNODE_RECORD=disk-full,name-long`; first `healthy`, alone. */
const anew = process.env['WINNODE_RECORD']?.split(',')

if (process.env['WINNODE_ALL'])
  scenario('the recorded reports are what Export writes', async (t, { host, machineAfter }) => {
    const reports: Record<string, Changes> = { ...recorded }
    if (anew?.includes('healthy')) {
      const drive = await machineAfter(member, memberDocument)
      const text = JSON.stringify(await reportOf(host, drive), null, 2)
      writeFileSync(path.join(root, 'test/doctor/healthy.json'), `${text}\n`)
      return
    }
    for (const [id, spoil] of Object.entries(spoils)) {
      if (anew && !anew.includes(id)) continue
      const drive = await machineAfter(id in unjoined ? installed : member, memberDocument)
      await host.ps(spoil)
      const report = await reportOf(host, drive)
      if (anew) reports[id] = changesOf(healthy, report)
      else t.strictSame(changesOf(changed(healthy, recorded[id] ?? {}), report), {}, id)
    }
    const text = JSON.stringify(reports, null, 2)
    if (anew) writeFileSync(path.join(root, 'test/doctor/simulated.json'), `${text}\n`)
  })

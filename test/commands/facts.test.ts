// winnode facts, and rows that --facts adds.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { stringify } from 'yaml'
import { kubernetesMinors } from '../../src/matrix/kubernetes.ts'
import { defects } from '../../src/matrix/defects.ts'
import { lastRow } from '../../src/matrix/nearest.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { inProcess } from '../tools/run.ts'

const folder = t.testdir({})
const minor = lastRow(kubernetesMinors, () => true)
const patch = `${minor.minor}.99`
const checked = '2026-11-27'
const day = ['--as-of', '2026-11-27']

function fileOf(name: string, rows: JsonObject): string {
  const file = path.join(folder, name)
  const head = { apiVersion: 'winnode/v1', kind: 'Facts', why: 'Tested in staging.' }
  writeFileSync(file, stringify({ ...head, ...rows }))
  return file
}

interface Shown {
  readonly findings: readonly { id: string; severity: string; message: string }[]
}

t.test('upgrade and solve check with the rows, and other commands take them', async (t) => {
  const defect = {
    ...{ id: 'corp-broken', component: 'kubelet', range: `>=${minor.minor}`, severity: 'error' },
    ...{ effect: 'it hangs', fixedIn: [], see: 'https://example.com/17', checked },
  }
  const facts = ['--facts', fileOf('broken.yaml', { defects: [defect] }), ...day]
  const profile = 'ws2022-flannel-overlay'
  const from = ['--set', 'kubernetes.version=1.36']
  const plan = ['upgrade', profile, ...from, '--to', minor.minor]
  t.equal((await inProcess([...plan, ...day])).code, 0)
  t.match(await inProcess([...plan, ...facts]), { code: 3, stderr: /no step to[^]*it hangs/ })
  const solved = async (...more: readonly string[]) => {
    const { stdout } = await inProcess(['solve', profile, '--json', ...more])
    const { choices }: { choices: { field: string; value: string }[] } = JSON.parse(stdout)
    return choices.find(({ field }) => field === 'kubernetes.version')?.value
  }
  t.match(await solved(...day), new RegExp(`^${minor.minor}\\.`))
  t.notMatch(await solved(...facts), new RegExp(`^${minor.minor}\\.`))
  for (const command of ['mirror', 'bom'])
    t.equal((await inProcess([command, profile, ...from, ...facts])).code, 0, command)
})

async function findingsOf(...argv: readonly string[]) {
  const { stdout } = await inProcess([
    'validate',
    'ws2022-flannel-overlay',
    ...day,
    ...argv,
    '--json',
  ])
  return (JSON.parse(stdout) as Shown).findings
}

t.test('winnode facts', async (t) => {
  const { stdout, code } = await inProcess(['facts', ...day])
  t.equal(code, 0, 'no row is older than 60 days')
  t.match(stdout, /^kubernetes +\d+ +2026-/m)
  const later = await inProcess(['facts', '--as-of', '2027-06-01'])
  t.equal(later.code, 4)
  t.match(later.stdout, 'https://kubernetes.io/releases/')
})

t.test('a new patch', async (t) => {
  const set = ['--set', `kubernetes.version=${patch}`]
  const before = await findingsOf(...set)
  t.ok(before.some(({ id }) => id === 'patch-newer-than-tables'))
  const file = fileOf('patch.yaml', { kubernetes: [{ ...minor, newestPatch: patch, checked }] })
  const after = await findingsOf(...set, '--facts', file)
  t.notOk(after.some(({ id }) => id === 'patch-newer-than-tables'))
  const behind = await findingsOf(
    '--set',
    `kubernetes.version=${minor.newestPatch}`,
    '--facts',
    file,
  )
  const found = behind.find(({ id }) => id === 'kubernetes-patch-behind')
  t.match(found?.message, new RegExp(`${patch} \\(facts: .*patch.yaml\\)$`), 'it is marked')
})

t.test('a defect of an own build, and one that a fork has fixed', async (t) => {
  const own = {
    id: 'corp-storage',
    component: 'kubelet',
    range: '*',
    severity: 'warning',
    effect: 'it hangs with the storage of corp',
    fixedIn: [],
    see: 'https://example.com/incident',
    checked,
  }
  const [sockets] = defects.filter(({ id }) => id === 'kubelet-sockets')
  const file = fileOf('defects.yaml', { defects: [own, { ...sockets, range: '<1.0' }] })
  const set = ['--set', 'kubernetes.version=1.31.0']
  const before = await findingsOf(...set)
  t.ok(before.some(({ id, severity }) => id === 'kubelet-sockets' && severity === 'error'))
  const after = await findingsOf(...set, '--facts', file)
  t.match(after.find(({ id }) => id === own.id)?.message, /of corp \(facts: /)
  t.notOk(after.some(({ id }) => id === 'kubelet-sockets'))
})

t.test('a bundle names the file, its digest, and what it turned into less', async (t) => {
  const [wmic] = defects.filter(({ id }) => id === 'kubelet-sockets')
  const file = fileOf('fork.yaml', { defects: [{ ...wmic, range: '<1.0' }] })
  const out = path.join(folder, 'out')
  const done = await inProcess([
    ...['render', 'ws2022-flannel-overlay', ...day, '--set', 'kubernetes.version=1.31.0'],
    ...['--facts', file, '--for', 'zip', '--out', out],
  ])
  t.equal(done.code, 0, done.stderr)
  const manifest = JSON.parse(readFileSync(path.join(out, 'winnode.json'), 'utf8')) as JsonObject
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex')
  t.strictSame(manifest['facts'], { name: file, sha256 })
  const readme = readFileSync(path.join(out, 'bundle/README.md'), 'utf8')
  t.match(readme, sha256)
  t.match(readme, /no longer an error: kubelet-sockets.*Tested in staging\./)
})

t.test('a file with a fault is refused, with its place', async (t) => {
  const wrong: readonly (readonly [rows: JsonObject, says: string])[] = [
    [{ kubernetes: [{ ...minor, newestPatch: 'latest' }] }, 'kubernetes.0.newestPatch'],
    [{ kubernetes: [{ ...minor, containerd: 'new ones' }] }, 'containerd: new ones is not a range'],
    [{ kubernetes: [{ ...minor, minor: 'x' }] }, 'kubernetes.0.minor'],
    [{ minors: [] }, 'minors'],
    [{ why: '' }, 'why'],
  ]
  for (const [rows, says] of wrong) {
    const { code, stderr } = await inProcess([
      ...['validate', 'ws2022-flannel-overlay', '--facts', fileOf('wrong.yaml', rows)],
    ])
    t.equal(code, 2, says)
    t.match(stderr, says)
  }
  const none = await inProcess(['validate', 'ws2022-flannel-overlay', '--facts', 'none.yaml'])
  t.match(none, { code: 2, stderr: /none\.yaml: no such file/ })
})

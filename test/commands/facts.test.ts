// winnode facts, and rows that --facts adds.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { t, type Test } from 'tap'
import { stringify } from 'yaml'
import { kubernetesMinors } from '../../src/matrix/kubernetes.ts'
import { windowsOf } from '../../src/matrix/windows.ts'
import { containerdOf } from '../../src/matrix/containerd.ts'
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
  readonly findings: readonly { id: string; severity: string; message: string; remedy?: string }[]
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
  const { tables: all } = JSON.parse((await inProcess(['facts', ...day, '--json'])).stdout) as {
    readonly tables: readonly { name: string; oldest: string | null }[]
  }
  t.strictSame(
    all.map(({ name }) => `${name}.json`).toSorted(),
    readdirSync('src/matrix/tables').toSorted(),
    'every table is listed',
  )
  for (const { name, oldest } of all)
    t.equal(new RegExp(`^${name} +no date`, 'm').test(stdout), oldest === null, name)
  const later = await inProcess(['facts', '--as-of', '2027-06-01'])
  t.equal(later.code, 4)
  t.match(later.stdout, 'https://kubernetes.io/releases/')
})

t.test('winnode facts lists the rows of a file', async (t) => {
  const see = 'https://example.com/old'
  const sixtyDays = '2026-09-28'
  const file = fileOf('old.yaml', {
    defects: [{ ...broken, see, checked: '2025-01-01' }],
    kubernetes: [{ ...minor, checked: sixtyDays }],
  })
  const { stdout, code } = await inProcess(['facts', '--facts', file, ...day])
  t.equal(code, 4, 'a row is older than 60 days')
  t.match(stdout, see)
  const { stdout: json } = await inProcess(['facts', '--facts', file, ...day, '--json'])
  const { tables } = JSON.parse(json) as { readonly tables: readonly { file?: string }[] }
  t.match(
    tables.filter((one) => one.file !== undefined),
    [
      { name: 'kubernetes', file, rows: 1, oldest: sixtyDays, old: [] },
      { name: 'defects', file, rows: 1, oldest: '2025-01-01', old: [{ see }] },
    ],
  )
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

t.test('a new minor', async (t) => {
  const next = `1.${Number(minor.minor.split('.')[1]) + 1}`
  const row = { ...minor, minor: next, newestPatch: `${next}.1`, endOfLife: '2099-01-01', checked }
  const facts = ['--facts', fileOf('minor.yaml', { kubernetes: [row] })]
  const upgrade = ['upgrade', 'ws2022-flannel-overlay', '--to', next, ...facts]
  t.match(await inProcess(upgrade), { code: 0, stdout: new RegExp(`: nodes to ${next}\\.1\\n`) })
  const { stdout } = await inProcess(['matrix', '--cni', 'flannel', '--json', ...facts])
  const { cells } = JSON.parse(stdout) as { readonly cells: readonly { kubernetes: string }[] }
  t.ok(cells.some(({ kubernetes }) => kubernetes === next))
  const named = path.join(folder, 'named.yaml')
  const of = (version: string) =>
    `apiVersion: winnode/v1\nkind: NodeProfile\nextends: ws2022-flannel-overlay\nfacts: ./minor.yaml\nkubernetes: { version: '${version}' }\n`
  const rows: readonly (readonly [version: string, target: readonly string[]])[] = [
    [minor.minor, ['--to', next]],
    [next, ['--latest']],
  ]
  for (const [version, target] of rows) {
    writeFileSync(named, of(version))
    const refused = { code: 2, stderr: /\n {2}a version of a facts file needs --facts FILE,/ }
    t.match(await inProcess(['upgrade', named, ...target]), refused)
    t.match(await inProcess(['upgrade', named, ...target, ...facts]), { code: 0 })
  }
  const lacking = fileOf('patch.yaml', { kubernetes: [minor] })
  for (const more of [[named, '--facts', lacking], ['ws2022-flannel-overlay']]) {
    const { code, stderr } = await inProcess(['upgrade', ...more, '--to', next])
    t.strictSame([code, stderr.includes('facts file')], [2, false], 'no profile names another file')
  }
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
  t.match(
    after.find(({ id }) => id === 'facts-clear-error'),
    { severity: 'info', message: /kubelet-sockets: .*; Tested in staging\. \(facts: / },
  )
})

t.test('no version is suggested that a defect of the file affects', async (t) => {
  const set = ['--set', 'kubernetes.version=1.31.0']
  const remedies = async (...argv: readonly string[]) =>
    (await findingsOf(...set, ...argv)).flatMap(({ remedy }) => remedy ?? []).join('\n')
  const [, newest] = /Set kubernetes\.version to (1\.31\.\d+)\./.exec(await remedies()) ?? []
  t.ok(newest)
  const own = {
    ...{ id: 'corp-newest', component: 'kubelet', range: String(newest), severity: 'error' },
    ...{ effect: 'it hangs', fixedIn: [], see: 'https://example.com/18', checked },
  }
  const after = await remedies('--facts', fileOf('newest.yaml', { defects: [own] }))
  t.notMatch(after, `Set kubernetes.version to ${newest}.`)
  t.match(after, /kubernetes\.version/)
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

t.test('one advisory can be about several components', async (t) => {
  const advisory = {
    ...{ id: 'CVE-2026-1', severity: 'high', applies: 'yes', affected: '>=1', fixedIn: [] },
    ...{ summary: 'Pods can read files.', see: 'https://example.com/17', checked },
  }
  const rows = ['kubelet', 'containerd'].map((component) => ({ ...advisory, component }))
  const found = await findingsOf('--facts', fileOf('cve.yaml', { advisories: rows }))
  const about = found.flatMap(({ message }) => /^(\S+) .*CVE-2026-1 /.exec(message)?.[1] ?? [])
  t.strictSame(about, ['kubelet', 'containerd'])
  const twice = fileOf('twice.yaml', { advisories: [...rows, ...rows] })
  const { code, stderr } = await inProcess(['validate', 'ws2022-flannel-overlay', '--facts', twice])
  t.equal(code, 2)
  t.match(stderr, 'two rows have ["CVE-2026-1","kubelet"]')
})

t.test('a file with a fault is refused, with its place', async (t) => {
  const wrong: readonly (readonly [rows: JsonObject, says: string])[] = [
    [
      { kubernetes: [{ ...minor, newestPatch: 'latest' }] },
      'wrong.yaml:9:18: kubernetes[0].newestPatch: ',
    ],
    [
      { kubernetes: [{ ...minor, containerd: 'new ones' }] },
      'kubernetes[0].containerd: new ones is not a range',
    ],
    [{ kubernetes: [{ ...minor, minor: 'x' }] }, 'kubernetes[0].minor'],
    [{ minors: [] }, 'minors'],
    [{ why: '' }, 'why'],
    [{ kubernetes: [minor, minor] }, 'kubernetes[1]: two rows have '],
    [
      { defects: [broken, { ...broken, severity: 'info' }] },
      'defects[1]: two rows have "corp-broken"',
    ],
    [
      { defects: [{ ...broken, id: 'windows-release-unsupported' }] },
      'defects[0].id: windows-release-unsupported is the id of a rule',
    ],
    [
      { defects: [{ ...broken, checked: '9999-01-01' }] },
      'wrong.yaml:12:14: defects[0].checked: 9999-01-01 is in the future; write the day',
    ],
    ...['javascript:alert(1)', 'file:///etc/hosts', 'ftp://example.com/17'].map(
      (see): readonly [JsonObject, string] => [
        { defects: [{ ...broken, see }] },
        'wrong.yaml:11:10: defects[0].see: not an https or http URL; write the page where',
      ],
    ),
    [{ defects: [{ ...broken, see: 'none' }] }, 'defects[0].see: not a URL; write the page'],
  ]
  for (const [rows, says] of wrong) {
    const { code, stderr } = await inProcess([
      ...['validate', 'ws2022-flannel-overlay', '--facts', fileOf('wrong.yaml', rows)],
    ])
    t.equal(code, 2, says)
    t.match(stderr.replaceAll(/\s+/g, ' '), says)
  }
  const none = await inProcess(['validate', 'ws2022-flannel-overlay', '--facts', 'none.yaml'])
  t.match(none, { code: 2, stderr: /none\.yaml: no such file/ })
})

const head = 'apiVersion: winnode/v1\nkind: NodeProfile\n'
const broken = {
  ...{ id: 'corp-broken', component: 'kubelet', range: '>=1.36', severity: 'error' },
  ...{ effect: 'it hangs', fixedIn: [], see: 'https://example.com/17', checked },
}
const named = { apiVersion: 'winnode/v1', kind: 'Facts', why: 'Tested.', defects: [broken] }
const warning = { ...named, defects: [{ ...broken, id: 'corp-slow', severity: 'warning' }] }

/** Two pools of one base; the second one names other facts. */
function pools(t: Test): string {
  return t.testdir({
    '.winnode-root': '',
    'corp.facts.yaml': stringify(named),
    'slow.facts.yaml': stringify(warning),
    'base.yaml': `${head}extends: ws2022-flannel-overlay\nfacts: ./corp.facts.yaml\n`,
    pools: {
      'a.yaml': `${head}extends: ../base.yaml\n`,
      'b.yaml': `${head}extends: ../base.yaml\nfacts: ../slow.facts.yaml\n`,
      'c.yaml': `${head}extends: ../base.yaml\nfacts: null\n`,
      'old.yaml': `${head}extends: ../base.yaml\nkubernetes: { version: "1.35" }\n`,
      'free.yaml': `${head}extends: base\nfacts: ../corp.facts.yaml\n`,
    },
  })
}

t.test('facts of a profile, for each command', async (t) => {
  const place = pools(t)
  const profile = (name: string) => path.join(place, 'pools', `${name}.yaml`)
  const version = ['--set', 'kubernetes.version=1.36', ...day]
  const [a, b, c] = ['a', 'b', 'c'].map(profile)
  const several = await inProcess(['validate', ...[a, b, c].map(String), ...version, '--json'])
  t.equal(several.code, 3)
  const { profiles } = JSON.parse(several.stdout) as { profiles: Shown[] }
  const own = profiles.map(({ findings }) =>
    findings.filter(({ id }) => id.startsWith('corp-')).map(({ message }) => message),
  )
  const says = (file: string) => [`kubelet 1.36.6: it hangs (facts: ${file})`]
  t.strictSame(own, [says('./corp.facts.yaml'), says('../slow.facts.yaml'), []], 'each has its own')
  const refuses = { code: 3, stderr: /it hangs[^]*\.\/corp\.facts\.yaml\)/ }
  for (const argv of [
    ['bom', profile('a'), ...version],
    ['drift', profile('a'), place, ...version],
    ['lock', profile('a'), '--check', ...version],
    ['mirror', profile('a'), ...version],
    ['render', profile('a'), '--out', place, '--dry-run', ...version],
    ['upgrade', profile('old'), '--to', '1.36', ...day],
  ])
    t.match(await inProcess(argv), refuses, argv.join(' '))
  const { stdout } = await inProcess(['solve', profile('free'), ...day, '--json'])
  t.match(stdout, /"kubernetes\.version",\s+"value": "1\.35\./, 'solve avoids the defect')
  const instead = ['--facts', path.join(place, 'slow.facts.yaml')]
  t.match(await inProcess(['validate', profile('a'), ...version, ...instead]), { code: 0 })
})

t.test('matrix and solve mark what the rows cause', async (t) => {
  const file = path.join(pools(t), 'corp.facts.yaml')
  const { stdout } = await inProcess(['matrix', '--kubernetes', '1.36', '--facts', file, ...day])
  t.match(stdout, / no /)
  t.match(stdout.replaceAll(/\s+/g, ' '), `it hangs (facts: ${file})`)
})

t.test('ends of support are those that the rows give', async (t) => {
  const file = path.join(folder, 'longer.yaml')
  const top = 'apiVersion: winnode/v1\nkind: Facts\nwhy: A contract for extended support.\n'
  const release = { ...windowsOf('ws2022'), id: undefined, extendedEnd: '2040-10-09', checked }
  const row = { ...minor, endOfLife: '2039-01-01', checked }
  writeFileSync(file, top + stringify({ windows: { ws2022: release }, kubernetes: [row] }))
  const late = ['--facts', file, '--as-of', '2033-01-01']
  const { stdout } = await inProcess(['matrix', '--cni', 'flannel', ...late])
  t.match(stdout, '(ws2022)')
  const pinned = ['--set', `kubernetes.version=${minor.minor}`, '--set', 'containerd.version=2.3']
  const solved = await inProcess(['solve', 'ws2022-flannel-overlay', ...pinned, ...late, '--json'])
  t.match(JSON.parse(solved.stdout), { supportedUntil: containerdOf('2.3').row.endOfLife })
})

t.test('a bundle names the facts of its profile as the profile does', async (t) => {
  const place = pools(t)
  const out = path.join(folder, 'pool-b')
  const argv = ['render', path.join(place, 'pools/b.yaml'), ...day, '--for', 'zip', '--out', out]
  const done = await inProcess([...argv, '--set', 'kubernetes.version=1.36'])
  t.equal(done.code, 0, done.stderr)
  const manifest = JSON.parse(readFileSync(path.join(out, 'winnode.json'), 'utf8')) as JsonObject
  const bytes = readFileSync(path.join(place, 'slow.facts.yaml'))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  t.strictSame(manifest['facts'], { name: '../slow.facts.yaml', sha256 })
})

t.test('facts that a profile cannot have', async (t) => {
  const place = t.testdir({
    'corp.facts.yaml': stringify(named),
    'wrong.yaml': stringify({ ...named, why: '' }),
    nodes: { folder: {}, '.winnode-root': '' },
  })
  const file = path.join(place, 'nodes/it.yaml')
  const cases = [
    ['../corp.facts.yaml', 'facts-leaves-folder', '../corp.facts.yaml is outside'],
    ['/etc/hosts', 'facts-not-relative', '/etc/hosts'],
    ['./none.yaml', 'facts-unknown', 'none.yaml: no such file'],
    ['./folder', 'facts-invalid', 'folder'],
    ['[a]', 'facts-not-text', 'this is a list'],
    ['3', 'facts-not-text', 'this is the number 3'],
    ['""', 'facts-not-text', 'empty'],
    ['./it.yaml', 'facts-invalid', 'kind'],
  ] as const
  for (const [reference, id, says] of cases) {
    writeFileSync(file, `${head}extends: base\nfacts: ${reference}\n`)
    const { code, stdout } = await inProcess(['validate', file, '--json'])
    t.equal(code, 3, reference)
    t.match(
      JSON.parse(stdout),
      { findings: [{ id, message: new RegExp(says), place: { line: 4 } }] },
      reference,
    )
  }
  writeFileSync(file, `${head}extends: base\nfacts: 3\n`)
  const above = path.join(place, 'nodes/above.yaml')
  writeFileSync(above, `${head}extends: ./it.yaml\nfacts: null\n`)
  const replaced = await inProcess(['validate', above, '--format', 'lines'])
  t.match(replaced, { code: 3, stdout: /it\.yaml:4:8: error: facts names one file/ }, 'below null')
  writeFileSync(file, `${head}extends: base\nfacts: ./rows.yaml\n`)
  writeFileSync(path.join(place, 'nodes/rows.yaml'), stringify(named))
  for (const [written, code] of [
    ['', 3],
    [' # none', 3],
    [' null', 0],
  ] as const) {
    writeFileSync(above, `${head}extends: ./it.yaml\nfacts:${written}\n`)
    const without = await inProcess(['validate', above, '--format', 'lines'])
    t.equal(without.code, code, `facts:${written}`)
    const said = 'above.yaml:4:1: error: facts names one file; this is nothing'
    t.equal(without.stdout.includes(said), code === 3, `facts:${written}`)
  }
  writeFileSync(file, `${head}extends: base\nfacts: ../wrong.yaml\n`)
  const wide = await inProcess(['validate', file, '--root', place])
  t.match(wide, { code: 3, stdout: /the facts cannot be used: \.\.\/wrong\.yaml:3:6: why: / })
  const set = await inProcess(['validate', 'base', '--set', 'facts=./a.yaml'])
  t.match(set.stdout, /facts belongs to a file/)
})

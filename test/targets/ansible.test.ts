// The Ansible role: what its programs say of it, and a play on a simulated machine.
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { t, type Test } from 'tap'
import { inProcess, root } from '../tools/run.ts'
import { everything, sampleOf, testOfAll } from '../tools/everything.ts'

const profile = 'ws2022-flannel-overlay'
const token = 'abcdef.0123456789abcdef'
const script = `C:\\Windows\\winnode-${profile}.ps1`

const starts = (program: string) =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0
const skip = !starts('ansible-playbook') && 'ansible-playbook is not on PATH: no role was played'
const skipLint = !starts('ansible-lint') && 'ansible-lint is not on PATH: no role was given to it'

async function render(t: Test, ...more: readonly string[]): Promise<string> {
  const out = path.join(t.testdir({}), 'out')
  const set = 'targets.ansible.inventory=["win-1,127.0.0.1"]'
  const argv = ['render', profile, '--as-of', '2026-11-20', '--for', 'ansible', '--out', out]
  const { code, stderr } = await inProcess([...argv, '--set', set, ...more])
  t.equal(code, 0, stderr)
  return out
}

interface Answer {
  readonly rc: number
  readonly stdout: string
  readonly stderr?: string
}

const answer = (rc: number, ...states: readonly string[]): Answer => ({
  rc,
  stdout: JSON.stringify({
    kind: 'NodeResult',
    exitCode: rc,
    message: rc === 0 ? '' : 'what went wrong',
    steps: states.map((state, index) => ({ id: `step-${index}`, state, detail: `of ${state}` })),
    preflight: [{ id: 'disk', verdict: 'fail', passed: rc !== 2, message: 'too small a disk' }],
    health: [],
  }),
})

const changed = answer(0, 'Changed', 'Unchanged')
const unchanged = answer(0, 'Unchanged')
const restart = answer(3010, 'Changed')

type Answers = Readonly<Record<'Install' | 'Join' | 'Test', readonly Answer[]>>

/** Files of a machine, and of the folder that prepare.sh creates. */
function machineIn(
  out: string,
  files: readonly string[] = ['discovery.conf', 'kube-proxy.conf', 'flannel.conf', 'token'],
) {
  const machine = path.join(out, 'machine')
  mkdirSync(machine)
  mkdirSync(path.join(out, 'for-the-nodes'))
  for (const name of files)
    writeFileSync(path.join(out, 'for-the-nodes', name), name === 'token' ? `${token}\n` : name)
  return machine
}

function play(out: string, answers: Answers, ...more: readonly string[]) {
  const machine = path.join(out, 'machine')
  writeFileSync(path.join(machine, 'answers.json'), JSON.stringify(answers))
  writeFileSync(path.join(machine, 'journal'), '')
  const python = process.env['ANSIBLE_PYTHON_INTERPRETER'] ?? '/usr/bin/python3'
  const variables = [
    'ansible_connection=local',
    `ansible_python_interpreter=${python}`,
    'winnode_poll_seconds=1',
  ]
  const argv = [
    '-i',
    'inventory.yml',
    'playbook.yml',
    '-vv',
    ...variables.flatMap((one) => ['-e', one]),
  ]
  const { status, stdout, stderr } = spawnSync('ansible-playbook', [...argv, ...more], {
    cwd: out,
    encoding: 'utf8',
    env: {
      ...process.env,
      ANSIBLE_COLLECTIONS_PATH: path.join(root, 'test/host/ansible'),
      ANSIBLE_NOCOLOR: '1',
      WINNODE_MACHINE: machine,
    },
  })
  const journal = readFileSync(path.join(machine, 'journal'), 'utf8').trim().split('\n')
  const recap = /win-1 +: (.*)/.exec(stdout)?.[1]?.replaceAll(/ +/g, ' ') ?? ''
  return { code: status, output: stdout + stderr, journal, recap }
}

const run = (command: string) => `run ${script} ${command} -AsJson`
const joined = `${run('Join')} with ${token}`
const copies = ['discovery', 'kube-proxy', 'flannel'].map(
  (name) => `copy C:\\etc\\kubernetes\\${name}.conf`,
)

t.test(
  'ansible-lint and the parser of Ansible take the role',
  { skip: skip || skipLint },
  async (t) => {
    const out = await render(t)
    const env = {
      ...process.env,
      ANSIBLE_COLLECTIONS_PATH: path.join(root, 'test/host/ansible'),
      NO_COLOR: '1',
    }
    const lint = spawnSync('ansible-lint', ['--offline', '-q', '--profile', 'production'], {
      cwd: out,
      env,
      encoding: 'utf8',
    })
    t.equal(lint.status, 0, lint.stdout + lint.stderr)
    const syntax = ['--syntax-check', '-i', 'inventory.yml', 'playbook.yml']
    const { status, stdout, stderr } = spawnSync('ansible-playbook', syntax, {
      cwd: out,
      env,
      encoding: 'utf8',
    })
    t.equal(status, 0, stdout + stderr)
  },
)

t.test(
  'a play installs, restarts on 3010, joins, tests; a second changes nothing',
  { skip },
  async (t) => {
    const out = await render(t)
    machineIn(out)
    const first = play(
      out,
      { Install: [restart, restart, changed], Join: [changed], Test: [unchanged] },
      // A text, as Ansible takes each variable of its command line.
      ...['-e', 'winnode_restarts=5'],
    )
    t.equal(first.code, 0, first.output)
    t.strictSame(first.journal, [
      `copy ${script}`,
      run('Install'),
      'restart',
      run('Install'),
      'restart',
      run('Install'),
      ...copies,
      joined,
      run('Test -Wait'),
    ])
    t.notMatch(first.output, token, 'its output has no token')
    t.match(first.output, /"changed": \[\s*"step-0"\s*\]/, 'it says which steps changed')

    const second = play(out, { Install: [unchanged], Join: [unchanged], Test: [unchanged] })
    t.equal(second.code, 0, second.output)
    t.strictSame(second.journal, [run('Install'), run('Join'), run('Test -Wait')])
    t.match(second.recap, /changed=0 /)

    appendFileSync(path.join(out, 'for-the-nodes/flannel.conf'), 'rotated')
    const rotated = play(
      out,
      { Install: [unchanged], Join: [changed], Test: [unchanged] },
      '-e',
      '{ "winnode_replace_credentials": true }',
    )
    t.equal(rotated.code, 0, rotated.output)
    t.strictSame(rotated.journal, [
      run('Install'),
      'copy C:\\etc\\kubernetes\\flannel.conf',
      run('Join'),
      run('Test -Wait'),
    ])
  },
)

t.test('a play stops at the first command that fails, and says why', { skip }, async (t) => {
  for (const rc of sampleOf([1, 2, 22], (code) => code === 2)) {
    const out = await render(t)
    machineIn(out)
    const { code, output, journal } = play(out, {
      Install: [answer(rc, 'Failed')],
      Join: [],
      Test: [],
    })
    t.equal(code, 2, output)
    t.strictSame(journal, [`copy ${script}`, run('Install')])
    t.match(output, /"message": "what went wrong"/)
    t.match(output, '"detail": "of Failed"')
    t.equal(output.includes('too small a disk'), rc === 2, 'failed checks only')
  }
  const out = await render(t)
  machineIn(out)
  const torn = { rc: 1, stdout: '', stderr: 'the bundle is damaged' }
  const damaged = play(out, { Install: [torn], Join: [], Test: [] })
  t.equal(damaged.code, 2)
  t.match(damaged.output, /"message": "the bundle is damaged"/, 'what is no JSON is said as it is')
  if (everything) {
    const other = { rc: 1, stdout: 'another program' }
    const strange = play(out, { Install: [other], Join: [], Test: [] })
    t.match(strange.output, /"message": "another program"/, 'wherever it is')
  }
  const never = play(out, { Install: [changed], Join: [answer(1)], Test: [] })
  t.equal(never.code, 2)
  t.strictSame(never.journal, [run('Install'), ...copies, joined], 'Test does not run')
  t.notMatch(never.output, token)
  const ill = play(out, { Install: [unchanged], Join: [unchanged], Test: [answer(7)] })
  t.equal(ill.code, 2, 'a node that does not work is a failure')
})

testOfAll('a play gives up after five restarts', { skip }, async (t) => {
  const out = await render(t)
  machineIn(out)
  const { code, output, journal } = play(out, {
    Install: Array(9).fill(restart),
    Join: [],
    Test: [],
  })
  t.equal(code, 2)
  t.equal(journal.filter((line) => line === 'restart').length, 5)
  t.match(output, 'Install asks for another restart after 5')
})

testOfAll('missing credentials are named before the join', { skip }, async (t) => {
  const out = await render(t)
  machineIn(out, ['discovery.conf', 'flannel.conf'])
  const { code, output, journal } = play(out, { Install: [changed], Join: [], Test: [] })
  t.equal(code, 2)
  t.match(
    output,
    /for-the-nodes does not contain kube-proxy\.conf, token: run cluster\/prepare\.sh/,
  )
  t.strictSame(journal, [`copy ${script}`, run('Install')])
  writeFileSync(path.join(out, 'for-the-nodes/kube-proxy.conf'), '')
  const given = play(
    out,
    { Install: [unchanged], Join: [changed], Test: [unchanged] },
    '-e',
    `winnode_token=${token}`,
  )
  t.equal(given.code, 0, given.output)
  t.notMatch(given.output, token)
  t.strictSame(
    given.journal,
    [run('Install'), ...copies, joined, run('Test -Wait')],
    'a token of Ansible Vault needs no file',
  )
})

testOfAll('an image does not join, and check mode runs nothing', { skip }, async (t) => {
  const out = await render(t)
  const machine = machineIn(out)
  const check = play(out, { Install: [], Join: [], Test: [] }, '--check')
  t.equal(check.code, 0, check.output)
  t.strictSame(check.journal, [''])
  t.notOk(existsSync(path.join(machine, 'C:')))
  const image = play(
    out,
    { Install: [changed], Join: [], Test: [] },
    '-e',
    '{ "winnode_join": false }',
  )
  t.equal(image.code, 0, image.output)
  t.strictSame(image.journal, [`copy ${script}`, run('Install')])
  const typed = play(
    out,
    { Install: [changed], Join: [], Test: [] },
    '-e',
    'winnode_join=false winnode_replace_credentials=false',
  )
  t.strictSame(typed.journal, [run('Install')], 'the text false')
})

testOfAll(
  'files that Join deletes go only to a machine that has not joined',
  { skip },
  async (t) => {
    const out = await render(t, '--set', 'join.tokenFile=C:\\etc\\kubernetes\\first')
    machineIn(out)
    const first = play(out, { Install: [changed], Join: [changed], Test: [unchanged] })
    t.equal(first.code, 0, first.output)
    t.ok(first.journal.includes('copy C:\\etc\\kubernetes\\first'))
    t.ok(first.journal.includes(run('Join')), 'Join reads the file')
    const replaced = play(
      out,
      { Install: [unchanged], Join: [unchanged], Test: [unchanged] },
      '-e',
      '{ "winnode_replace_credentials": true }',
    )
    t.equal(replaced.code, 0, replaced.output)
    t.strictSame(replaced.journal, [run('Install'), run('Join'), run('Test -Wait')])
  },
)

t.test('what Ansible would read as something else is refused', async (t) => {
  const refused = async (...settings: readonly string[]) => {
    const argv = ['validate', profile, '--as-of', '2026-11-20', '--for', 'ansible']
    const own = settings.flatMap((setting) => ['--set', setting])
    const { code, stdout, stderr } = await inProcess([...argv, ...own])
    t.equal(code, 3, settings.join())
    return stdout + stderr
  }
  for (const template of ['{{ a }}', '{# a #}'])
    t.match(
      await refused(`join.discoveryFile=C:\\${template}\\b`),
      /Ansible takes .* for a template/,
      template,
    )
  for (const host of ['a[1:9]', 'a:22', '-a', 'a,b,c', 'a b', '{{ a }}'])
    t.match(await refused(`targets.ansible.inventory=["${host}"]`), 'NAME or NAME,ADDRESS', host)
  t.match(await refused('targets.ansible.inventory=["a,1.2.3.4",a]'), 'each machine once')
  for (const host of ['all', 'winnode,10.0.0.1', 'ungrouped'])
    t.match(await refused(`targets.ansible.inventory=["${host}"]`), /other\s+names/, host)
  const two = await refused('join.discoveryFile=C:\\{{ a }}', 'targets.ansible.inventoryFile=a.csv')
  for (const message of [/for a template/, /a\.csv: no such file/]) t.match(two, message, 'both')
})

t.test('a CSV file makes the inventory, or is refused with its line', async (t) => {
  const machines = path.join(t.testdir({}), 'machines.csv')
  const written = async (csv: string | Buffer, out: string, ...more: readonly string[]) => {
    writeFileSync(machines, csv)
    const head = `apiVersion: winnode/v1\nkind: NodeProfile\nextends: ${profile}\n`
    const file = path.join(t.testdirName, 'fleet.yaml')
    writeFileSync(file, `${head}targets: { ansible: { inventoryFile: machines.csv } }\n`)
    const argv = ['render', file, '--as-of', '2026-11-20', '--for', 'ansible', '--out', out]
    const { code, stderr } = await inProcess([...argv, ...more])
    return { code, said: stderr.replaceAll(/\s+/g, ' ') }
  }
  const rows = [
    '\ufeffname,address,ansible_port,zone',
    'win-1,10.0.0.11,5986,a b: #c',
    'WIN-2 , win-2.example.com,,true',
    '',
    '0123,fd00::1,,null',
    'win-4,,22,- x',
    'win-5,,22,',
  ]
  const out = path.join(t.testdirName, 'out')
  const good = await written(rows.join('\r\n'), out)
  t.equal(good.code, 0, good.said)
  await t.test('as Ansible reads it', { skip }, (t) => {
    const argv = ['-i', path.join(out, 'inventory.yml'), '--list']
    const { status, stdout, stderr } = spawnSync('ansible-inventory', argv, { encoding: 'utf8' })
    t.equal(status, 0, stderr)
    const { _meta: meta, winnode } = JSON.parse(stdout)
    t.strictSame([...winnode.hosts].sort(), ['0123', 'WIN-2', 'win-1', 'win-4', 'win-5'])
    t.strictSame(meta.hostvars, {
      'win-1': { ansible_host: '10.0.0.11', ansible_port: '5986', zone: 'a b: #c' },
      'WIN-2': { ansible_host: 'win-2.example.com', zone: 'true' },
      '0123': { ansible_host: 'fd00::1', zone: 'null' },
      'win-4': { ansible_port: '22', zone: '- x' },
      'win-5': { ansible_port: '22' },
    })
    t.end()
  })
  t.equal((await written('name,address\nwin-9,\n', out, '--check')).code, 4, 'other machines')
  const header = 'name,address,zone\n'
  const refused: readonly (readonly [csv: string | Buffer, message: string])[] = [
    ['', 'machines.csv:1: the columns are "", expected "name,address"'],
    ['name;address\na;10.0.0.1\n', 'machines.csv:1: the columns are "name;address"'],
    ['address,name\n', 'machines.csv:1: the columns are "address,name"'],
    ['name,address,a,a\n', 'machines.csv:1: two columns are a'],
    ['name,address,a-b\n', 'machines.csv:1: "a-b" is no name of a variable'],
    ['name,address,\n', 'machines.csv:1: "" is no name of a variable'],
    ['name,address,1a\n', 'machines.csv:1: "1a" is no name of a variable'],
    ['name,address,ansible_password\n', 'Ansible Vault'],
    ['name,address,CLIENT_SECRET\n', 'machines.csv:1: CLIENT_SECRET is a secret'],
    ['name,address,joinToken\n', 'machines.csv:1: joinToken is a secret'],
    ['name,address,ansible_host\n', 'ansible_host is the column address'],
    [header, 'machines.csv names no machine'],
    [`${header}a,10.0.0.1,x\nA,10.0.0.2,x\n`, 'machines.csv:3: A (10.0.0.2) has the name or the'],
    [`${header}a,10.0.0.1,x\n\nb,10.0.0.1,x\n`, 'the address of machines.csv:2'],
    [`${header}a,10.0.0.300,x\n`, 'machines.csv:2: "10.0.0.300" is no address'],
    [`${header}a,10.0.0.1/24,x\n`, '"10.0.0.1/24" is no address'],
    [`${header}a,10.0.0.1:5986,x\n`, '"10.0.0.1:5986" is no address'],
    [`${header}a,http://a,x\n`, '"http://a" is no address'],
    [`${header}a,b..c,x\n`, '"b..c" is no address'],
    [`${header}a,{{ b }},x\n`, '"{{ b }}" is no address'],
    [`${header}a[1:9],,x\n`, '"a[1:9]" is no name of a machine'],
    ...['all', 'ungrouped', 'winnode'].map(
      (group) => [`${header}${group},,x\n`, `"${group}" is no name of a machine`] as const,
    ),
    [`${header},10.0.0.1,x\n`, '"" is no name of a machine'],
    [`${header}a,10.0.0.1\n`, 'machines.csv:2: 2 values, expected 3'],
    [`${header}a,10.0.0.1,"x"\n`, 'machines.csv:2: a value is quoted'],
    [`${header}a,10.0.0.1,"x\ny"\n`, 'machines.csv:2: a value is quoted'],
    ...['{{ zone }}', '{% zone %}', '{# zone #}'].map(
      (value) => [`${header}a,10.0.0.1,${value}\n`, `takes ${value} for a template`] as const,
    ),
    [`${header}a,10.0.0.1,b\u0000c\n`, 'machines.csv:2: a value has a control character'],
    [Buffer.from(`\ufeff${header}a,10.0.0.1,x\n`, 'utf16le'), 'machines.csv is not UTF-8'],
  ]
  const none = path.join(t.testdirName, 'none')
  for (const [csv, message] of refused) {
    const { code, said } = await written(csv, none)
    t.equal(code, 3, message)
    t.match(said, message)
    t.match(said, 'fleet.yaml:4:', 'with the line of the field')
  }
  const both = await written(header, none, '--set', 'targets.ansible.inventory=[a]')
  t.match(both.said, 'targets.ansible.inventory and inventoryFile both name machines')
  t.notOk(existsSync(none), 'nothing is written')
})

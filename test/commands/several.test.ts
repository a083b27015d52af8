// Several profiles in one run: which are meant, what each gets, and how the run ends.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Test, t } from 'tap'
import { BaseCommand } from '../../src/commands/base.ts'
import { worstOf } from '../../src/commands/exit.ts'
import { Failure } from '../../src/commands/failure.ts'
import { profilesAround } from '../../src/io/profiles/selection.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { breaches } from '../tools/json-schema.ts'
import { inProcess, program, root, shell, winnode } from '../tools/run.ts'

const head = 'apiVersion: winnode/v1\nkind: NodeProfile\n'
const pool = (more: string) => `${head}extends: ../base/site.yaml\n${more}`

/** The layout of a repository of profiles, with files that are none. */
function repository(t: Test): string {
  const folder = t.testdir({
    '.winnode-root': '',
    base: { 'site.yaml': `${head}extends: ws2022-flannel-overlay\n` },
    prod: {
      'web.yaml': pool('name: web\n'),
      'batch.yml': pool('name: batch\n'),
      'test.layer.yaml': `${head}kubelet: {maxPods: 9}\n`,
      'manifest.yaml': 'apiVersion: v1\nkind: Pod\n',
    },
    bad: { 'bad.yaml': pool('kubelet: {maxPods: lots}\n') },
    empty: { 'notes.txt': '' },
  })
  return folder
}

interface OfProfile {
  readonly profile: string
  readonly ok: boolean
  readonly exit: number
}

async function ask(folder: string, ...argv: readonly string[]) {
  const cwd = process.cwd()
  process.chdir(folder)
  try {
    const { stdout, code } = await inProcess([...argv, '--json'])
    const answer = JSON.parse(stdout) as {
      readonly exit: number
      readonly profiles?: readonly OfProfile[]
      readonly error?: { readonly message: string }
    }
    return { ...answer, code, named: answer.profiles?.map(({ profile }) => profile) }
  } finally {
    process.chdir(cwd)
  }
}

async function text(folder: string, ...argv: readonly string[]) {
  const cwd = process.cwd()
  process.chdir(folder)
  try {
    return await inProcess(argv)
  } finally {
    process.chdir(cwd)
  }
}

/** root may read every folder. */
const asNobody = (cwd: string, ...argv: readonly string[]) => {
  const as = 'setpriv --reuid=65534 --regid=65534 --clear-groups'
  return shell(`exec ${process.geteuid?.() === 0 ? as : ''} "$0" "$@"`, [...program, ...argv], {
    cwd,
  })
}

const windows = process.platform === 'win32' && 'has no such permissions'

t.test('a file or a folder that cannot be read is not skipped', { skip: windows }, (t) => {
  const pod = 'apiVersion: v1\nkind: Pod\n'
  const good = `${head}extends: ws2022-flannel-overlay\n`
  const folder = t.testdir({
    '.winnode-root': '',
    'a.yaml': good,
    'a.json': pod,
    'old.yaml': `${good}kubernetes: { version: '1.36' }\n`,
    below: { 'b.yaml': good },
    files: { 'a.yaml': good, 'b.yaml': good, 'c.yaml': t.fixture('symlink', '/dev/null') },
  })
  const below = path.join(folder, 'below')
  chmodSync(below, 0)
  for (const argv of [
    ['validate', '.'],
    ['validate', '**/*.yaml'],
    ['lint', '.'],
  ])
    t.match(
      asNobody(folder, ...argv),
      { code: 1, stdout: '', stderr: /^error: cannot read (?:\.\/)?below: permission denied\n$/ },
      argv.join(' '),
    )
  for (const argv of [
    ['lock', './a.yaml', '--check'],
    ['upgrade', './old.yaml', '--latest'],
  ])
    t.notMatch(asNobody(folder, ...argv).stderr, 'below', `${argv[0]} asks for the file alone`)
  chmodSync(below, 0o755)
  chmodSync(path.join(folder, 'files/b.yaml'), 0)
  const { stdout, code } = asNobody(folder, 'validate', 'files')
  t.equal(code, 3)
  t.match(stdout, /files\/b\.yaml:1:1\n {2}the file cannot be read: permission denied\n/)
  t.match(stdout, /files\/c\.yaml:1:1\n {2}the file cannot be read: it is not a regular file\n/)
  t.match(stdout, /\n3 profiles: 1 valid, 2 rejected\n$/)
  t.end()
})

t.test('below a folder that the user did not name is only read what can extend', async (t) => {
  const good = `${head}extends: ws2022-flannel-overlay\n`
  const folder = t.testdir({
    'a.yaml': good,
    'b.yml': good,
    below: { 'c.yaml': good, 'd.yaml': `${head}extends: ../b.yml\n` },
  })
  // The repository of these tests is a root, too.
  const alone = mkdtempSync(path.join(tmpdir(), 'winnode-alone-'))
  t.teardown(() => rmSync(alone, { recursive: true }))
  cpSync(folder, alone, { recursive: true })
  const around = async (at: string, within?: string) =>
    (await profilesAround(at, { root, within })).profiles
      // The folders above can contain profiles, too.
      .filter((one) => [folder, alone].some((own) => one.startsWith(own)))
      .map((one) => path.relative(at, one))
  t.strictSame(await around(alone), ['a.yaml', 'b.yml'])
  t.strictSame(await around(path.join(alone, 'below')), ['c.yaml', 'd.yaml', '../a.yaml'])
  t.strictSame(await around(alone, alone), ['a.yaml', 'below/c.yaml', 'below/d.yaml'])
  writeFileSync(path.join(folder, '.winnode-root'), '')
  t.strictSame(await around(folder), ['a.yaml', 'below/c.yaml', 'below/d.yaml'])
  t.strictSame(await around(path.join(folder, 'below')), ['../a.yaml', 'c.yaml', 'd.yaml'])
  // Below the parent of this one is all that the machine has.
  const { code, stderr } = await inProcess(['lock', '/no-such-profile.yaml'])
  t.match({ code, stderr }, { code: 2, stderr: /^error: \/no-such-profile\.yaml: no such file\n/ })
})

t.test('a name that is not UTF-8 is not skipped', { skip: process.platform !== 'linux' }, (t) => {
  const folder = t.testdir({ 'a.yaml': `${head}extends: ws2022-flannel-overlay\n` })
  const name = Buffer.concat([
    Buffer.from(`${folder}/b`),
    Buffer.from([0xff]),
    Buffer.from('.yaml'),
  ])
  writeFileSync(name, head)
  t.match(asNobody(folder, 'validate', '.'), { code: 2, stderr: /b\uFFFD\.yaml: no such file\n/ })
  t.end()
})

t.test('four dots are a name', async (t) => {
  for (const name of ['./....[', '....*', '..../*.yaml']) {
    const { code, stderr } = await inProcess(['validate', name])
    t.equal(code, 2, name)
    t.match(stderr, /^error: .*: no such file/, name)
  }
})

t.test('no rule has passed for a file that cannot be read', async (t) => {
  const folder = t.testdir({ 'torn.yaml': 'kind: NodeProfile\na: [\n' })
  const { stdout } = await text(folder, 'validate', 'torn.yaml', '--format', 'junit')
  t.match(stdout, /<testsuite [^>]* tests="1" failures="1" /)
})

t.test('a profile is found in its folder however its keys are written', async (t) => {
  const keys = { apiVersion: 'winnode/v1', kind: 'NodeProfile', extends: 'ws2022-flannel-overlay' }
  const texts = {
    'json.yaml': JSON.stringify(keys, undefined, 2),
    'line.yml': JSON.stringify(keys),
    'quoted.yaml':
      '"apiVersion": winnode/v1\n"kind" : NodeProfile\nextends: ws2022-flannel-overlay\n',
  }
  const others = { 'map.yaml': 'kind: ConfigMap\ndata:\n  a.yaml: |\n    kind: NodeProfile\n' }
  const folder = t.testdir({ pools: { ...texts, ...others } })
  const found = await ask(folder, 'validate', 'pools')
  t.strictSame(
    found.named,
    Object.keys(texts).map((name) => `pools/${name}`),
  )
})

t.test('folders, globs, --profile and arguments name profiles', async (t) => {
  const folder = repository(t)
  const rows: readonly [argv: readonly string[], named: readonly string[]][] = [
    [['prod'], ['prod/batch.yml', 'prod/web.yaml']],
    [['prod/'], ['prod/batch.yml', 'prod/web.yaml']],
    [['prod/*.yaml'], ['prod/web.yaml']],
    [
      ['**/*.y{a,}ml', '--set', 'kubelet.maxPods=30'],
      ['bad/bad.yaml', 'prod/batch.yml', 'prod/web.yaml'],
    ],
    [['.'], ['./bad/bad.yaml', './prod/batch.yml', './prod/web.yaml']],
    [['prod/web.yaml', 'base/site.yaml'], ['prod/web.yaml']],
    [
      ['--profile', 'prod/web.yaml', '--profile', 'ws2025-flannel-overlay'],
      ['prod/web.yaml', 'ws2025-flannel-overlay'],
    ],
    [['prod/web.yaml', '--profile', './prod/web.yaml'], ['prod/web.yaml']],
  ]
  for (const [argv, named] of rows)
    t.strictSame((await ask(folder, 'validate', ...argv)).named, named, argv.join(' '))
  t.equal((await ask(folder, 'validate', 'prod/web.yaml')).named, undefined, 'one is as ever')
  t.match(await ask(folder, 'validate', 'empty'), {
    code: 2,
    error: { message: 'empty: no profile found' },
  })
  t.match(await ask(folder, 'validate', 'no/*.yaml'), { code: 2 })
  t.match(await ask(folder, 'validate'), { code: 2, error: { message: /^missing profile/ } })
  const { stderr } = await text(folder, 'validate', 'prod/web.yaml', 'base/site.yaml')
  t.match(stderr, 'base/site.yaml: extended by another profile, skipped')
})

t.test('what is no profile is skipped and named, a typo in a header is not', async (t) => {
  const folder = repository(t)
  writeFileSync(path.join(folder, 'prod/map.yaml'), 'apiVersion: v1\nkind: ConfigMap\n')
  writeFileSync(path.join(folder, 'prod/none.yaml'), '')
  const { stderr, stdout } = await text(folder, 'validate', 'prod')
  t.match(stderr, /prod\/map\.yaml, prod\/none\.yaml: no apiVersion: [^]* skipped$/m)
  t.match(stdout, /\n\n2 profiles: 2 valid\n$/)
  const typo = pool('name: typo\n').replace('kind: NodeProfile', 'kind: Profile')
  writeFileSync(path.join(folder, 'prod/typo.yaml'), typo)
  t.match((await text(folder, 'validate', 'prod')).stdout, /\n3 profiles: 2 valid, 1 rejected\n$/)
  t.match((await text(folder, 'validate', 'prod', '-q')).stdout, /1 error: header-wrong\n$/)
})

t.test('validate: one document, and the worst exit code', async (t) => {
  const folder = repository(t)
  const answer = await ask(folder, 'validate', '.')
  t.equal(answer.code, 3)
  t.strictSame(
    answer.profiles?.map(({ exit }) => exit),
    [3, 0, 0],
  )
  const pretty = await text(folder, 'validate', 'prod')
  t.match(pretty.stdout, /^prod\/batch\.yml:\n\n[^]*\n\nprod\/web\.yaml:\n\n/)
  const sarif = JSON.parse((await text(folder, 'validate', '.', '--format', 'sarif')).stdout) as {
    readonly runs: readonly object[]
  }
  t.equal(sarif.runs.length, 3)
  const junit = (await text(folder, 'validate', '.', '--format', 'junit')).stdout
  t.equal(junit.match(/<testsuite /g)?.length, 3)
  t.equal(junit.match(/<testsuites /g)?.length, 1)
  const markdown = (await text(folder, 'validate', 'prod', '--format', 'markdown')).stdout
  t.match(
    markdown,
    /^## winnode validate: prod\/batch\.yml\n[^]*\n## winnode validate: prod\/web\.yaml\n/,
  )
})

t.test('a file has one name in a run, and a layer given twice its findings once', async (t) => {
  const folder = t.testdir({
    '.winnode-root': '',
    'site.yaml': `${head}extends: base\nhost: 3\n`,
    'web.yaml': `${head}extends: ./site.yaml\nhost: 4\n`,
    sub: { 'db.yaml': `${head}extends: ../site.yaml\nhost: 5\n` },
    'no-header.yaml': 'host: 6\n',
  })
  const rows: readonly [argv: readonly string[], files: readonly string[]][] = [
    [['.'], ['./site.yaml', './sub/db.yaml', './site.yaml', './web.yaml']],
    [['./web.yaml'], ['./site.yaml', './web.yaml']],
    [['web.yaml'], ['site.yaml', 'web.yaml']],
    [['sub/db.yaml'], ['site.yaml', 'sub/db.yaml']],
    [
      ['web.yaml', '--layer', 'no-header.yaml', '--layer', 'no-header.yaml'],
      ['no-header.yaml', 'no-header.yaml', 'site.yaml', 'web.yaml'],
    ],
  ]
  for (const [argv, files] of rows) {
    const { stdout } = await text(folder, 'validate', ...argv, '--format', 'lines')
    const said = stdout.match(/^[^:\n]+(?=:\d+:\d+: error)/gm)
    t.strictSame(said, files, `${argv.join(' ')}: ${stdout}`)
  }
})

t.test('render: a folder for each, and no two in one', async (t) => {
  const folder = repository(t)
  const answer = await ask(folder, 'render', '.', '--out', 'out')
  t.equal(answer.code, 3, 'the rejected one decides')
  t.strictSame(readdirSync(path.join(folder, 'out')).sort(), ['batch', 'web'])
  t.equal((await ask(folder, 'render', 'prod', '--out', 'out')).code, 0)
  t.match(await ask(folder, 'render', 'prod', '--out', '-', '--only', 'node.json'), { code: 2 })
  writeFileSync(path.join(folder, 'prod/other.yaml'), pool('name: web\n'))
  const twice = await ask(folder, 'render', 'prod', '--out', 'twice')
  t.equal(twice.code, 2)
  t.match(twice.error?.message, /^prod\/other\.yaml and prod\/web\.yaml both write twice\/web/)
  t.notOk(existsSync(path.join(folder, 'twice')), 'nothing is written')
})

t.test('drift: bundles and nodes by the name of the bundle', async (t) => {
  const folder = repository(t)
  await text(folder, 'render', 'prod', '--out', 'out')
  const clean = await ask(folder, 'drift', 'prod', 'out')
  t.equal(clean.code, 0)
  t.strictSame(clean.named, ['prod/batch.yml', 'prod/web.yaml'])
  const config = path.join(folder, 'out/web/files/kubelet/config.json')
  writeFileSync(config, readFileSync(config, 'utf8').replace('"maxPods": 110', '"maxPods": 9'))
  const edited = await ask(folder, 'drift', '--profile', 'prod', 'out')
  t.strictSame(
    edited.profiles?.map(({ exit }) => exit),
    [0, 4],
  )
  t.equal(edited.code, 4)
  t.strictSame(
    (await ask(folder, 'drift', 'prod', 'out/web')).profiles?.map(({ exit }) => exit),
    [6, 4],
  )
  const partial = await text(folder, 'drift', 'prod', 'out/web')
  t.match(partial, {
    code: 4,
    stdout: /prod\/batch\.yml was not compared: no\s+bundle and no node/,
  })
  t.notMatch(partial.stdout, /could not be read|permissions/)
  // In a pipe, a group of differences is whole.
  for (const field of [1, 2, 3].map((at) => `${'field'.repeat(30)}${at}`)) {
    const edit = readFileSync(config, 'utf8').replace('{', `{ "${field}": "${'x'.repeat(90)}",`)
    writeFileSync(config, edit)
  }
  const { stdout: grouped } = await text(folder, 'drift', 'prod/web.yaml', 'out/web')
  t.match(grouped, /4 fields\n[^]*: x{90} → missing\n/)
  t.notMatch(grouped, '…')
  const snapshots = path.join(folder, 'snapshots')
  mkdirSync(snapshots)
  for (const name of ['batch', 'web', 'other']) {
    const steps = [{ id: 'power-plan', state: 'Unchanged' }]
    const node = { apiVersion: 'winnode/v1', kind: 'NodeSnapshot', name, steps, node: `${name}-1` }
    writeFileSync(path.join(snapshots, `${name}.json`), JSON.stringify(node))
  }
  const { stdout } = await text(folder, 'drift', 'prod', 'snapshots')
  t.match(stdout, /^prod\/batch\.yml:\n[^]*of 1 node/)
  t.match(stdout, 'other.json could not be read: its bundle is other')
  t.notMatch(stdout, 'no bundle and no node', 'a node is evidence without a bundle')
  for (const refused of [
    ['--context', 'x'],
    ['--baseline', 'x'],
    ['--format', 'html'],
  ])
    t.equal((await ask(folder, 'drift', 'prod', 'out', ...refused)).code, 2, refused.join(' '))
})

t.test('drift: no two profiles of one name', async (t) => {
  const folder = repository(t)
  await text(folder, 'render', 'prod', '--out', 'out')
  writeFileSync(path.join(folder, 'prod/other.yaml'), pool('name: web\n'))
  t.match(await text(folder, 'drift', 'prod', 'out/web'), {
    code: 2,
    stdout: '',
    stderr: /^error: prod\/other\.yaml and prod\/web\.yaml both have the name web\n/m,
  })
})

t.test('drift: the answer about several profiles is as its schema says', async (t) => {
  const folder = repository(t)
  const schema = JSON.parse(
    readFileSync(path.join(root, 'docs/drift.schema.json'), 'utf8'),
  ) as JsonObject
  await text(folder, 'render', 'prod', '--out', 'out')
  mkdirSync(path.join(folder, 'none'))
  const rows = [
    ['prod', 'out', '--json'],
    ['prod', 'out', '--format', 'json'],
    ['--profile', 'prod', '--profile', 'bad', 'out', '--json'],
    ['--profile', 'prod', '--profile', 'bad', 'out', '--format', 'json'],
    ['--profile', 'prod/web.yaml', '--profile', 'none.yaml', 'out', '--json'],
    ['prod', 'nowhere', '--json'],
  ]
  for (const row of rows) {
    const { stdout } = await text(folder, 'drift', ...row)
    t.strictSame(breaches(schema, JSON.parse(stdout) as JsonObject), [], row.join(' '))
  }
})

t.test('the worst exit code, in this order', (t) => {
  const order = [
    'failure',
    'usage',
    'conflict',
    'rejected',
    'drift',
    'incomplete',
    'not-working',
    'done',
  ] as const
  for (const [at, exit] of order.entries()) t.equal(worstOf(order.slice(at).toReversed()), exit)
  t.end()
})

t.test('a signal ends the run, and no other profile begins', async (t) => {
  const begun: string[] = []
  class Interrupted extends BaseCommand {
    async run(): Promise<object> {
      return this.forEach([{ profile: 'a' }, { profile: 'b' }], true, ({ profile }) => {
        begun.push(profile)
        throw new Failure('terminated', 'interrupted: nothing was written')
      })
    }
  }
  const commands = { ...winnode.commands, schema: async () => ({ default: Interrupted }) }
  const { code, stderr } = await inProcess(['schema'], { ...winnode, commands })
  t.equal(code, 143)
  t.equal(stderr, 'error: interrupted: nothing was written\n')
  t.strictSame(begun, ['a'])
})

t.test('a profile that PowerShell wrote as UTF-16 is not skipped', async (t) => {
  const folder = t.testdir({ nodes: {} })
  writeFileSync(path.join(folder, 'nodes/a.yaml'), `${head}extends: ws2022-flannel-overlay\n`)
  const wide = `\ufeff${head}extends: ws2022-flannel-overlay\nname: wide\n`
  writeFileSync(path.join(folder, 'nodes/wide.yaml'), wide, 'utf16le')
  const { code, stdout } = await text(folder, 'validate', 'nodes', '--format', 'lines')
  t.equal(code, 3)
  t.match(stdout, /nodes\/wide\.yaml:1:1: error: .* \[not-utf8\]/)
})

t.test('two profiles whose machines would download one archive are refused', async (t) => {
  const folder = repository(t)
  const url = (target: string) => ['--set', `targets.${target}.bundleURL=https://example.com/a.zip`]
  for (const target of ['userdata', 'capi']) {
    const argv = ['render', 'prod', '--for', target, '--out', 'out', ...url(target)]
    const { code, stderr } = await text(folder, ...argv)
    t.equal(code, 2, target)
    t.match(stderr, /prod\/batch\.yml and prod\/web\.yaml both have the bundle https:\/\/example/)
  }
  const zip = await text(folder, 'render', 'prod', '--for', 'zip', '--out', 'out', ...url('capi'))
  t.equal(zip.code, 0, 'another target downloads nothing')
})

t.test('in GitHub Actions, files are named from the root of the checkout', async (t) => {
  const folder = repository(t)
  const before = process.env['GITHUB_WORKSPACE']
  t.teardown(() => {
    if (before === undefined) delete process.env['GITHUB_WORKSPACE']
    else process.env['GITHUB_WORKSPACE'] = before
  })
  const file = async (checkout: string, cwd: string, typed: string) => {
    process.env['GITHUB_WORKSPACE'] = checkout
    const github = await text(path.join(folder, cwd), 'validate', typed, '--format', 'github')
    const sarif = await text(path.join(folder, cwd), 'validate', typed, '--format', 'sarif')
    const files = new Set(github.stdout.match(/(?<=file=)[^,]+/g))
    const uris = new Set(sarif.stdout.match(/(?<="uri": ")[^"]+/g))
    t.strictSame([...uris], [...files], 'the same in SARIF')
    return [...files].join()
  }
  const bad = 'bad/bad.yaml'
  t.equal(await file(folder, '', bad), bad, 'in the root')
  t.equal(await file(folder, 'bad', './bad.yaml'), bad, 'in a folder of it')
  t.equal(await file(folder, 'prod', '../bad/bad.yaml'), bad, 'in another folder')
  t.equal(await file(path.join(folder, 'prod'), 'bad', './bad.yaml'), 'bad.yaml', 'outside')
  t.equal(await file('', 'bad', './bad.yaml'), 'bad.yaml', 'not in GitHub Actions')
})

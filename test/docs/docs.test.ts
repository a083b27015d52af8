// The docs: what is generated is what is checked in, and what is written works.
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { t, type Test } from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import pjson from '../../package.json' with { type: 'json' }
import { flagsOf } from '../../src/components/flags.ts'
import { jsonText } from '../../src/commands/output-text.ts'
import type { Json, JsonObject } from '../../src/model/json.ts'
import type { Setting, Settings } from '../../src/model/setting.ts'
import { profileJsonSchema } from '../../src/profile/json-schema.ts'
import { parseProfile } from '../../src/profile/parse.ts'
import { renderBundle } from '../host/bundle.ts'
import { scripts } from '../host/host.ts'
import { promises } from '../host/promises.ts'
import { scenario } from '../host/stage.ts'
import { dependenciesPage } from './dependencies.ts'
import { doctorPage } from './doctor.ts'
import { fields } from '../../src/profile/catalogue.ts'
import { allCases } from './cases.ts'
import { filesPage } from './files.ts'
import { networksPage } from './networks.ts'
import { onlyInTestAll } from './only-in-test-all.ts'
import { anchor } from './markdown.ts'
import { withTables } from './node-side.ts'
import {
  blocksOf,
  commandsIn,
  datedLine,
  fencesOf,
  type Fence,
  filesIn,
  runLine,
  withExits,
  withOutputs,
  withRuns,
  withSession,
  withSupport,
  linesOf,
  unrun,
} from './readme.ts'
import { profilePage } from './profile.ts'
import { rulesPage, workloadRulesPage } from './rules.ts'
import { rulesNotAppliedPage } from './rules-not-applied.ts'
import { situationsPage } from './situations.ts'
import {
  documentsOf,
  isAround,
  flagsIn,
  leavesOf,
  means,
  rendered,
  servicesOf,
} from './rendered.ts'
import { smokePage } from './smoke.ts'
import { checkedIn } from '../tools/checked-in.ts'
import { missing } from '../tools/powershell.ts'
import { inProcess, root } from '../tools/run.ts'
import { keys, noSessions, sessionOf, useDefault, useAllDefaults } from '../tools/session.ts'
import { testOfAll } from '../tools/everything.ts'

t.test('generated pages are what is checked in', async (t) => {
  checkedIn(t, 'docs/profile.schema.json', jsonText(profileJsonSchema()))
  checkedIn(t, 'docs/profile.md', profilePage())
  checkedIn(t, 'docs/rules.md', rulesPage())
  checkedIn(t, 'docs/rules-not-applied.md', rulesNotAppliedPage())
  checkedIn(t, 'docs/situations.md', situationsPage())
  checkedIn(t, 'docs/networks.md', networksPage())
  checkedIn(t, 'docs/workload-rules.md', workloadRulesPage())
  checkedIn(t, 'docs/smoke.md', smokePage())
  checkedIn(t, 'docs/dependencies.md', dependenciesPage())
  checkedIn(t, 'docs/doctor.md', doctorPage())
  checkedIn(t, 'docs/files.md', await filesPage())
  const installed = ['ws2022-flannel-overlay', 'ws2025-flannel-overlay']
  const cases = await Promise.all(installed.map((name) => rendered(name, name, {})))
  for (const page of ['docs/node-side.md', 'docs/security-model.md'])
    checkedIn(t, page, withTables(page, cases))
})

t.test('what is promised of a node is shown by a scenario', async (t) => {
  const folder = path.join(root, 'test/node')
  const tests = readdirSync(folder).filter((name) => name.endsWith('.test.ts'))
  const text = tests.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('')
  const calls = ['scenario', 'scenarioOfAll', 'plays']
  for (const { shown } of promises)
    t.ok(
      calls.some((call) => text.includes(`${call}('${shown}'`)),
      shown,
    )
})

t.test('what only npm run test:all runs is listed', async (t) => {
  checkedIn(t, 'test/golden/only-in-test-all.txt', onlyInTestAll())
  t.match(pjson.scripts, { test: /^tap$/, 'test:all': /^tap --test-arg=--all$/ })
})

t.test('every field teaches', async (t) => {
  for (const field of fields) {
    const name = field.path.join('.')
    t.match(field.what, /^\S.*[.)/]$/, `${name} is a sentence`)
    t.notMatch(`${field.what} ${field.why}`, /\]\(/, `${name} is plain text, as on a terminal`)
    if (field.group || field.required) continue
    t.ok(field.why ?? field.derived ?? field.when, `${name} says why`)
    const given = field.example ?? field.fallback
    t.not(given, undefined, `${name} shows a value`)
    const patch = field.path.reduceRight<Json>((inner, key) => ({ [key]: inner }), given ?? null)
    const { findings } = parseProfile(patch as JsonObject)
    t.strictSame(findings, [], `${name} takes its example`)
  }
  t.ok(fields.length > 70, `${fields.length} fields`)
})

t.test('every setting of every rendered file is explained, and nothing else', async (t) => {
  const used = new Set<Setting>()
  const tables = new Set<Settings>()
  for (const { name, plan, files } of await allCases()) {
    for (const file of plan.files) {
      const documents = documentsOf(file, files.get(file.path) ?? '')
      const table = file.settings ?? {}
      tables.add(table)
      const mute = documents
        .flatMap((document) => leavesOf(document))
        .filter((leaf) => {
          const rows = Object.entries(table)
          for (const [pattern, setting] of rows) if (isAround(pattern, leaf)) used.add(setting)
          return rows.filter(([pattern]) => means(pattern, leaf)).length !== 1
        })
      t.strictSame(mute, [], `${name}: ${file.path}`)
    }
    for (const service of servicesOf(plan)) {
      const table = flagsOf(service.name) ?? {}
      tables.add(table)
      const mute = flagsIn(service).filter((flag) => {
        const setting = table[flag.name]
        if (setting) used.add(setting)
        return !setting
      })
      t.strictSame(mute, [], `${name}: ${service.name}`)
    }
  }
  const rows = [...tables].flatMap((table) => Object.entries(table))
  t.strictSame(
    rows.filter(([, setting]) => !used.has(setting) && !setting.why.startsWith('Not written')),
    [],
    'each reason is of a key that a case in test/docs/cases.ts writes',
  )
  for (const [name, { why, see }] of rows) {
    t.match(why, /^\S.*\.$/, `${name} has a reason`)
    t.match(see, /^https:\/\/\S+$/, `${name} has a source`)
  }
})

t.test('winnode schema prints the checked-in schema', async (t) => {
  const { stdout } = await inProcess(['schema'])
  t.equal(stdout, jsonText(profileJsonSchema()))
})

t.test('editors find the schema of each built-in profile', async (t) => {
  const folder = path.join(root, 'profiles')
  for (const name of readdirSync(folder)) {
    const text = readFileSync(path.join(folder, name), 'utf8')
    const schema = /^# yaml-language-server: \$schema=(\S+)$/m.exec(text)?.[1] ?? 'nothing'
    t.ok(existsSync(path.join(folder, schema)), `${name} names ${schema}`)
  }
})

/** What a runner has: a checkout of profiles, and winnode in PATH. */
function checkout(t: Test): string {
  const start = `exec '${process.execPath}' '${root}/bin/run.cjs' "$@"\n`
  const good = 'apiVersion: winnode/v1\nkind: NodeProfile\nextends: ws2022-flannel-overlay\n'
  const folder = t.testdir({
    bin: { winnode: `#!/bin/sh\n${start}` },
    repository: {
      nodes: {
        'a b.yaml': good,
        'bad.yaml': `${good}kubernetes: { version: "1.99" }\n`,
        'good.yaml': good,
        small: { 'one.yaml': `${good}machine: { cpu: 2 }\n` },
      },
    },
  })
  chmodSync(path.join(folder, 'bin/winnode'), 0o755)
  return folder
}

/** A step as a runner starts it: bash as GitHub does, sh as a plain image does. */
function step(folder: string, argv: readonly string[], env: Readonly<Record<string, string>>) {
  const [program = '', ...rest] = argv
  const { status, stdout } = spawnSync(program, rest, {
    cwd: path.join(folder, 'repository'),
    env: { PATH: `${folder}/bin:${process.env['PATH']}`, ...env },
    encoding: 'utf8',
  })
  return { code: status, stdout }
}

const posix = process.platform === 'win32' && 'the steps of runners are for a shell of POSIX'

t.test('what is copied into a pipeline runs there', { skip: posix }, async (t) => {
  const read = (name: string) => readFileSync(path.join(root, 'docs/ci', name), 'utf8')
  // A name that the registry does not have can be taken by others.
  for (const name of ['action.yml', 'gitlab.yml', 'pre-commit-config.yaml'])
    t.notMatch(read(name), /\bnp(?:x|m) /, name)
  const folder = checkout(t)
  const has = (name: string) => existsSync(path.join(folder, 'repository', name))

  const { inputs, runs } = parse(read('action.yml'))
  const [check] = runs.steps
  t.strictSame([runs.using, runs.steps.length, check.shell], ['composite', 1, 'bash'])
  t.notMatch(check.run, '${{', 'no input is part of the script')
  const bash = ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', check.run]
  const github = (PROFILES: string, more = {}) => {
    const given: Record<string, string> = { PROFILES, ...more }
    const values = Object.entries<string>(check.env).map(([name, from]) => {
      const [, input = ''] = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(from) ?? []
      return [name, given[name] ?? given[input] ?? inputs[input].default]
    })
    return step(folder, bash, Object.fromEntries(values))
  }
  const all = github('nodes/*.yaml\n\n')
  t.equal(all.code, 3, 'one is rejected')
  t.match(all.stdout, /^::error title=\S+,file=nodes\/bad\.yaml,line=4,/m)
  t.match(all.stdout, /^::notice [^:]*file=nodes\/good\.yaml,/m, 'those behind it are checked')
  t.match(all.stdout, /^::notice [^:]*file=nodes\/a b\.yaml,/m, 'a blank is part of a name')
  const sarif = (part: number) =>
    JSON.parse(
      readFileSync(path.join(folder, `repository/winnode-sarif/${part}/winnode.sarif`), 'utf8'),
    )
  t.match(sarif(1), { version: '2.1.0', runs: [{}, {}, {}] }, 'a run for each profile')
  t.strictSame(readdirSync(path.join(folder, 'repository/winnode-sarif')), ['1'])
  t.equal(github('nodes/good.yaml').code, 0)
  t.equal(github('nodes/small/one.yaml').code, 0)
  t.equal(github('nodes/small/one.yaml', { STRICT: 'true' }).code, 3, 'warnings fail too')
  t.equal(github('nodes/good.yaml', { for: 'capi' }).code, 3, 'Cluster API needs more')
  t.equal(github('nodes/good.yaml', { for: 'zip,single-file' }).code, 0)
  t.equal(github('\n').code, 2, 'none is named')
  const none = github('nodes/$(touch made).yaml', { SARIF: 'other' })
  t.equal(none.code, 2, 'none of that name')
  t.notOk(has('made') || has('other/1'))
  mkdirSync(path.join(folder, 'repository/many'))
  for (let index = 0; index < 41; index += 1)
    cpSync(
      path.join(folder, 'repository/nodes/good.yaml'),
      path.join(folder, `repository/many/${index}.yaml`),
    )
  t.equal(github('many').code, 0)
  const runsOf = (part: number): readonly { automationDetails: { id: string } }[] =>
    sarif(part).runs
  const parts = [1, 2, 3].map((part) => runsOf(part).map((run) => run.automationDetails.id))
  t.strictSame(
    parts.map(({ length }) => length),
    [20, 20, 1],
    'GitHub takes 20 runs of a file',
  )
  t.equal(new Set(parts.flat()).size, 41, 'no profile is lost')

  const job = parse(read('gitlab.yml')).winnode
  const gitlab = (WINNODE_PROFILES: string, more = {}) =>
    step(folder, ['sh', '-e', '-c', job.script.join('\n')], {
      ...job.variables,
      WINNODE_PROFILES,
      ...more,
    })
  t.equal(job.variables.WINNODE_PROFILES, 'nodes/*.yaml')
  const both = gitlab('nodes/bad.yaml nodes/good.yaml')
  t.equal(both.code, 3)
  t.match(both.stdout, /^nodes\/bad\.yaml:4:\d+: error: /m)
  t.equal(job.artifacts.reports.junit, 'winnode-junit.xml')
  const junit = readFileSync(path.join(folder, 'repository/winnode-junit.xml'), 'utf8')
  t.match(junit, /^<\?xml [^]*<\/testsuites>\n$/)
  t.equal([...junit.matchAll(/<testsuite /g)].length, 2, 'a suite for each profile')
  t.equal(gitlab('nodes/good.yaml').code, 0)
  t.equal(gitlab('nodes/good.yaml', { WINNODE_FLAGS: '--for capi' }).code, 3)

  const [hook] = parse(read('pre-commit-config.yaml')).repos[0].hooks
  t.match('nodes/a.yml', new RegExp(hook.files))
  const commit = (...files: readonly string[]) =>
    step(folder, [...hook.entry.split(' '), ...files], {})
  t.equal(commit('nodes/bad.yaml', 'nodes/good.yaml').code, 3)
  t.equal(commit('nodes/a b.yaml', 'nodes/good.yaml').code, 0)
})

t.test('committed outputs are checked in a pipeline', { skip: posix }, (t) => {
  const folder = checkout(t)
  rmSync(path.join(folder, 'repository/nodes/bad.yaml'))
  const [github, gitlab] = blocksOf('docs/ci/README.md', 'yaml').flatMap((text) =>
    text.includes('--check') ? [parse(text)] : [],
  )
  const steps = [
    ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', github[0].run],
    ['sh', '-e', '-c', gitlab.outputs.script.join('\n')],
  ]
  const codes = () => steps.map((argv) => step(folder, argv, {}).code)
  t.strictSame(codes(), [4, 4], 'nothing is committed')
  step(folder, ['winnode', 'render', 'nodes', '--out', 'out'], {})
  t.strictSame(codes(), [0, 0])
  appendFileSync(path.join(folder, 'repository/nodes/good.yaml'), 'kubelet: { maxPods: 60 }\n')
  t.strictSame(codes(), [4, 4], 'a profile was changed, and its bundle was not')
  t.end()
})

interface Step {
  readonly run?: string
  readonly uses?: string
  readonly if?: string
  readonly env?: Readonly<Record<string, string>>
  readonly 'working-directory'?: string
}

/** As checkout(), with stand-ins for Packer and the scripts of the user, and a snapshot of the node good. */
function site(t: Test): string {
  const folder = checkout(t)
  const repository = path.join(folder, 'repository')
  // Of a profile without a node, drift says that there is no evidence.
  for (const name of ['bad.yaml', 'a b.yaml']) rmSync(path.join(repository, 'nodes', name))
  const programs = {
    'bin/packer': `#!/bin/sh\necho "packer $*, secret $PKR_VAR_client_secret" >> "${folder}/packer.log"\n[ "$1" != build ] || echo '{}' > manifest.json\n`,
    'repository/install-winnode.sh': '#!/bin/sh\n',
    'repository/collect-snapshots.sh': `#!/bin/sh\nmkdir -p snapshots && cp ${folder}/good.json snapshots/win-1.json\n`,
  }
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(path.join(folder, name), text)
    chmodSync(path.join(folder, name), 0o755)
  }
  mkdirSync(path.join(repository, 'images'))
  writeFileSync(path.join(repository, 'images/web.pkrvars.hcl'), '')
  const good = readFileSync(path.join(repository, 'nodes/good.yaml'), 'utf8')
  const image = `${good}targets: { packer: { builder: azure-arm } }\n`
  writeFileSync(path.join(repository, 'images/web.yaml'), image)
  step(folder, ['winnode', 'render', 'nodes', '--out', 'out'], {})
  writeFileSync(
    path.join(folder, 'good.json'),
    snapshotOf(path.join(repository, 'out/good/node.json')),
  )
  return folder
}

/** The exit codes of the steps of a job that have a script, as a runner of GitHub starts them. */
function play(folder: string, steps: readonly Step[]): readonly (number | null)[] {
  const codes: (number | null)[] = []
  for (const { run, if: when, env = {}, 'working-directory': inside = '.' } of steps) {
    if (run === undefined || (codes.some((code) => code !== 0) && when !== 'always()')) continue
    const summary = { GITHUB_STEP_SUMMARY: path.join(folder, 'summary.md') }
    const values = Object.entries(env).map(([name, value]) => [
      name,
      value.replace(/^\$\{\{ secrets\.(\w+) \}\}$/, 'the $1'),
    ])
    const argv = ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', `cd ${inside}\n${run}`]
    codes.push(step(folder, argv, { ...summary, ...Object.fromEntries(values) }).code)
  }
  return codes
}

testOfAll('workflows and jobs for a pipeline run as far as they go', { skip: posix }, (t) => {
  const read = (name: string) => parse(readFileSync(path.join(root, 'docs/ci', name), 'utf8'))
  const folder = site(t)
  const edit = (name: string, text: string) =>
    appendFileSync(path.join(folder, 'repository', name), text)
  const actions: string[] = []
  const github = (name: string, job: string) => {
    const { steps } = read(`github-${name}.yml`).jobs[job] as { steps: readonly Step[] }
    actions.push(...steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses])))
    return play(folder, steps)
  }
  const gitlab = (job: string) => {
    const script: readonly string[] = read('gitlab-jobs.yml')[job].script
    return step(folder, ['sh', '-e', '-c', script.join('\n')], {
      PKR_VAR_client_secret: 'of GitLab',
    }).code
  }
  const snippet = (mark: string) =>
    parse(blocksOf('docs/ci/README.md', 'yaml').find((text) => text.includes(mark)) ?? '')
  const azure = () =>
    play(
      folder,
      snippet('vmImage').steps.map((one: { script?: string; condition?: string }) => ({
        run: one.script,
        if: one.condition === undefined ? undefined : 'always()',
      })),
    )
  const tekton = () => {
    const [{ script }] = snippet('tekton.dev').spec.steps
    writeFileSync(path.join(folder, 'tekton.sh'), script)
    chmodSync(path.join(folder, 'tekton.sh'), 0o755)
    return step(folder, [path.join(folder, 'tekton.sh')], {}).code
  }
  const all = () => ({
    'pull request': github('pull-request', 'profiles'),
    profiles: github('night', 'profiles'),
    nodes: github('night', 'nodes'),
    gitlab: gitlab('winnode-night'),
    azure: azure(),
    tekton: tekton(),
  })
  t.strictSame(all(), {
    'pull request': [0, 0],
    profiles: [0, 0],
    nodes: [0, 0, 0],
    gitlab: 0,
    azure: [0, 0, 0],
    tekton: 0,
  })
  const summary = readFileSync(path.join(folder, 'summary.md'), 'utf8')
  t.match(summary, '## winnode validate: nodes/good.yaml')
  t.match(readFileSync(path.join(folder, 'repository/winnode-drift.xml'), 'utf8'), '<testsuites ')

  t.strictSame(github('image', 'image'), [0, 0, 0])
  t.equal(gitlab('winnode-image'), 0)
  const built = ['init .', 'validate -var-file ../images/web.pkrvars.hcl .']
  const build = 'build -color=false -var-file ../images/web.pkrvars.hcl .'
  const calls = ['the PACKER_CLIENT_SECRET', 'of GitLab'].flatMap((secret) =>
    [...built, build].map((call) => `packer ${call}, secret ${secret}`),
  )
  t.strictSame(readFileSync(path.join(folder, 'packer.log'), 'utf8').trim().split('\n'), calls)
  for (const file of ['winnode.pkr.hcl', 'manifest.json'])
    t.ok(existsSync(path.join(folder, 'repository/image', file)), file)
  const template = readFileSync(path.join(folder, 'repository/image/winnode.pkr.hcl'), 'utf8')
  const brought = [...template.matchAll(/(?:destination|output) += "\$\{path\.root\}\/([^"]+)"/g)]
  t.ok(brought.length > 1, template)
  for (const [, file = ''] of brought)
    for (const name of ['github-image.yml', 'gitlab-jobs.yml'])
      t.match(readFileSync(path.join(root, 'docs/ci', name), 'utf8'), `image/${file}`, 'is kept')

  edit('nodes/good.yaml', 'kubelet: { maxPods: 60 }\n')
  const snapshot = readFileSync(path.join(folder, 'good.json'), 'utf8')
  writeFileSync(path.join(folder, 'good.json'), snapshot.replace('Unchanged', 'Different'))
  t.strictSame(
    all(),
    {
      'pull request': [0, 4],
      profiles: [0, 0],
      nodes: [0, 0, 4],
      gitlab: 4,
      azure: [0, 0, 4],
      tekton: 4,
    },
    'a profile was changed without its bundle, and so was a node',
  )
  edit('nodes/good.yaml', 'kubernetes: { version: "1.99" }\n')
  t.match(
    all(),
    { profiles: [0, 3], gitlab: /[346]/, azure: [0, 3, 3], tekton: 3 },
    'a profile is rejected',
  )
  const pinned = /^(?:[\w-]+\/[\w/-]+@[0-9a-f]{40}|\.\/\.github\/actions\/winnode)$/
  t.strictSame(
    actions.filter((name) => !pinned.test(name)),
    [],
    'actions are pinned by commit',
  )
  t.end()
})

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['docs', 'docs/ci', 'docs/pipelines'].flatMap((folder) =>
    readdirSync(path.join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
]

const tutorial = 'docs/first-node.md'

t.test('each exit code has its row', async (t) => {
  checkedIn(t, 'docs/commands.md', withExits('docs/commands.md'))
})

t.test('README.md lists what is supported', async (t) => {
  checkedIn(t, 'README.md', withSupport('README.md'))
  t.ok(linesOf('README.md').length <= 150, 'in at most 150 lines')
})

t.test('README.md has the numbers of docs/judged.md', async (t) => {
  const rows = linesOf('docs/judged.md')
    .filter((line) => line.startsWith('| `') && line.includes(' %)'))
    .map((line) => line.split('|').map((cell) => Number.parseInt(cell)))
  const sum = (column: number) =>
    rows.reduce((total, row) => total + (row[column] ?? 0), 0).toLocaleString('en-US')
  t.match(
    readFileSync(path.join(root, 'README.md'), 'utf8').replaceAll('\n', ' '),
    `${sum(5)} settings were tried with real kubelets, kube-proxies, containerds, API servers and Calico's operator. A profile can contain ${sum(6)} of them; winnode accepts or refuses ${sum(7)} as they do:`,
  )
})

t.test('pages show what commands print', async (t) => {
  for (const name of ['README.md', tutorial, 'docs/choose-versions.md', 'docs/commands.md'])
    checkedIn(t, name, withOutputs(name, t.testdir(filesIn(name))))
})

/** Of a node that matches its bundle. */
function snapshotOf(document: string): string {
  const { steps, ...bundle } = JSON.parse(readFileSync(document, 'utf8')) as {
    name: string
    steps: readonly { id: string; kind: string; phase: string }[]
  }
  return jsonText({
    ...{ apiVersion: 'winnode/v1', kind: 'NodeSnapshot', name: bundle.name, exitCode: 0 },
    ...{ restart: false, message: '', suspended: '', preflight: [] },
    steps: steps
      .filter(({ phase }) => phase === 'image')
      .map(({ id, kind }) => ({ id, kind, state: 'Unchanged', restart: false, detail: '' })),
  })
}

/** What a page talks of without showing it: a profile, its bundle, snapshots of two nodes, and a report. */
async function evidence(t: Test, name: string): Promise<string> {
  const smallest = 'apiVersion: winnode/v1\nkind: NodeProfile\nextends: ws2022-flannel-overlay\n'
  const folder = t.testdir({ snapshots: {}, reports: {}, nodes: { base: {} } })
  for (const [file, text] of Object.entries({ 'node.yaml': smallest, ...filesIn(name) }))
    writeFileSync(path.join(folder, file), text)
  const { code, output } = await ran('winnode render node.yaml --out win-node', folder)
  t.equal(code, 0, `${name}: node.yaml: ${output}`)
  const snapshot = snapshotOf(path.join(folder, 'win-node/node.json'))
  const report = readFileSync(path.join(root, 'test/doctor/healthy.json'), 'utf8')
  const given = {
    ...{ 'snapshots/win-1.json': snapshot, 'snapshots/win-2.json': snapshot },
    ...{ 'winnode-report.json': report, 'reports/win-1.json': report },
    'winnode-first-run.json': jsonText({
      ...{ apiVersion: 'winnode/v1', kind: 'FirstRun', windows: '20348.3091' },
      ...{ powershell: '5.1.20348.2849', cluster: 'stand-in', rows: [] },
    }),
  }
  for (const [file, text] of Object.entries(given)) writeFileSync(path.join(folder, file), text)
  return folder
}

t.test('every command of winnode on a page works', { skip: posix }, async (t) => {
  const unused = new Set(unrun)
  let run = 0
  for (const name of pages) {
    const commands = blocksOf(name, 'sh').flatMap(commandsIn)
    if (commands.length === 0) continue
    const folder = await evidence(t, name)
    for (const command of commands) {
      const exception = unrun.find(([pattern]) => pattern.test(command))
      if (exception) {
        unused.delete(exception)
        continue
      }
      run += 1
      const { code, output } = await ran(command, folder)
      t.equal(code, 0, `${name}: ${command}: ${output.slice(-400)}`)
    }
  }
  t.ok(run > 50, `${run} commands run`)
  t.strictSame([...unused], [], 'each exception is needed')
})

/** Without a shell where a line has nothing for one: a process takes ten times as long. */
async function ran(
  command: string,
  folder: string,
): Promise<{ code: number | null; output: string }> {
  const words = command.replace(/ +# .*/, '')
  if (!/^winnode [\w./:=,@ -]+$/.test(words) || words.includes('github'))
    return runLine(command, folder)
  const before = process.cwd()
  process.chdir(folder)
  try {
    const { code, stdout, stderr } = await inProcess(datedLine(words).split(' ').slice(1))
    return { code, output: stdout + stderr }
  } finally {
    process.chdir(before)
  }
}

/** Pages whose blocks are classified, and the README files of bundles, whose blocks run in test/node. */
const fences = [...pages, ...goldenReadmes()].flatMap(fencesOf)

function goldenReadmes(): readonly string[] {
  return readdirSync(path.join(root, 'test/golden'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      ['README.md', 'cluster/README.md'].map((file) => `test/golden/${name}/bundle/${file}`),
    )
    .filter((name) => existsSync(path.join(root, name)))
}

/** What happens to a block of a page in the tests; undefined: unclassified. */
function classOf({ language, notRun, text }: Fence): string | undefined {
  const commands = language === 'sh' ? commandsIn(text) : []
  const run =
    commands.some((command) => !unrun.some(([pattern]) => pattern.test(command))) ||
    (language === 'console' && /^(?:\$ winnode |PS C:\\win-node> )/.test(text))
  if (run) return notRun ? undefined : 'run'
  if (/^(?:sh|powershell)$/.test(language)) return notRun ? 'not run' : undefined
  if (notRun) return undefined
  return { json: 'parsed', yaml: 'parsed', hcl: 'run', mermaid: 'shown', text: 'shown' }[language]
}

t.test('each block of a page is run, parsed or marked', async (t) => {
  const counts: Record<string, number> = {}
  for (const name of pages) {
    const lines = linesOf(name).filter((line) => /^ *(?:```|~~~)/.test(line))
    t.equal(lines.length, 2 * fencesOf(name).length, `${name}: each fence is recognized`)
    for (const fence of fencesOf(name)) {
      const found = classOf(fence)
      t.ok(found, `${fence.place}: add or remove not-run behind the language of the block`)
      counts[found ?? 'unclassified'] = (counts[found ?? 'unclassified'] ?? 0) + 1
    }
  }
  t.comment(`blocks of pages: ${JSON.stringify(counts)}`)
})

t.test('blocks with data are parsed', async (t) => {
  for (const { place, language, text } of fences) {
    if (language === 'json') t.doesNotThrow(() => JSON.parse(text), place)
    if (language === 'yaml')
      t.strictSame(
        parseAllDocuments(text).flatMap(({ errors }) => errors.map(String)),
        [],
        place,
      )
  }
})

t.test('blocks for a shell are parsed', { skip: posix }, async (t) => {
  const blocks = fences.filter(({ language }) => /^(?:sh|bash)$/.test(language))
  for (const { place, text } of blocks) {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' })
    t.equal(status, 0, `${place}: ${stderr}`)
  }
  t.ok(blocks.length > 40, `${blocks.length} blocks`)
})

t.test('blocks for PowerShell are parsed', { skip: missing('pwsh') }, async (t) => {
  const blocks = fences.filter(({ language }) => language === 'powershell')
  const script = `$blocks = [Console]::In.ReadToEnd() | ConvertFrom-Json
    foreach ($block in $blocks) {
      $problems = $null
      $null = [Management.Automation.Language.Parser]::ParseInput($block.text, [ref]$null, [ref]$problems)
      foreach ($problem in $problems) { '{0}: {1}' -f $block.place, $problem }
    }`
  const { status, stdout } = spawnSync('pwsh', ['-NoProfile', '-Command', script], {
    input: JSON.stringify(blocks),
    encoding: 'utf8',
  })
  t.strictSame({ status, stdout }, { status: 0, stdout: '' })
  t.ok(blocks.length > 15, `${blocks.length} blocks`)
})

t.test('the tutorial shows a session of init', { skip: noSessions }, async (t) => {
  const session = sessionOf(t, ['--as-of', '2026-11-20'], { env: { NO_COLOR: '1' } })
  const { type, until } = session
  await until(/Kubernetes API server version[^]*ctrl-c quit/)
  type('1.36', keys.enter)
  await until(/Windows Server release[^]*ctrl-c quit/)
  await useDefault(session)
  await useDefault(session)
  await useDefault(session)
  type('api.example.com:6443', keys.enter)
  await until(/Cluster CA public key hash[^]*ctrl-c quit/)
  type(`sha256:${'0123456789abcdef'.repeat(4)}`, keys.enter)
  await until(/✔ Cluster CA[^]*ctrl-c quit/)
  await useAllDefaults(session)
  type(keys.enter)
  await session.ended
  checkedIn(t, tutorial, withSession(tutorial, await session.screen()))
})

scenario('the tutorial shows a run on a machine', async (t, { host, artifacts }) => {
  const drive = path.join(t.testdir({}), 'c')
  renderBundle('ws2022-flannel-overlay', path.join(drive, 'win-node'), artifacts)
  await host.fresh(drive)
  const page = await withRuns(tutorial, async (command) => {
    const script = scripts.find((name) => command === `.\\${name}-WinNode.ps1`)
    if (script) return (await host.talk(script)).talk
    t.equal(command, 'Restart-Computer')
    await host.restart()
    return []
  })
  checkedIn(t, tutorial, page)
})

t.test('profiles in the docs are profiles', async (t) => {
  const found = pages.flatMap((name) =>
    blocksOf(name, 'yaml').flatMap((text) =>
      text.includes('kind: NodeProfile') && !text.startsWith('# mistakes') ? [{ name, text }] : [],
    ),
  )
  t.ok(found.length >= 4, `${found.length} profiles`)
  for (const { name, text } of found) {
    const folder = t.testdir({ nodes: { base: {} } })
    const shown = { ...filesIn(name), 'node.yaml': text }
    for (const [file, body] of Object.entries(shown)) writeFileSync(path.join(folder, file), body)
    const file = /^# (\S+\.yaml)\n/.exec(text)?.[1] ?? 'node.yaml'
    const { code, stdout } = await inProcess(['validate', path.join(folder, file)])
    t.equal(code, 0, `${name}: ${stdout.split('\n', 2).join(': ')}`)
  }
})

/** Of all headings; a repeated one has a number. */
function anchorsOf(text: string): readonly string[] {
  const prosaic = text.replace(/^```[^]*?^```$/gm, '')
  const all = [...prosaic.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    anchor(heading.replace(/\]\([^)]*\)/g, '')),
  )
  return all.map((one, at) => {
    const before = all.slice(0, at).filter((other) => other === one).length
    return before === 0 ? one : `${one}-${before}`
  })
}

t.test('links between pages lead somewhere', async (t) => {
  for (const name of pages) {
    const text = readFileSync(path.join(root, name), 'utf8')
    for (const [, target = '', part = ''] of text.matchAll(/\]\((?!https?:)([^)#]*)(#[^)]*)?\)/g)) {
      const page = target === '' ? name : path.join(path.dirname(name), target)
      const file = path.join(root, page)
      t.ok(existsSync(file), `${name} leads to ${target}`)
      if (part !== '' && page.endsWith('.md'))
        t.ok(anchorsOf(readFileSync(file, 'utf8')).includes(part), `${name}: ${target}${part}`)
    }
  }
})

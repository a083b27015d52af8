// winnode validate: which findings there are, where, in which form, and what never is in one.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { check } from '../../src/check.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { findingsTogether } from '../../src/rules/together.ts'
import { breaches } from '../tools/json-schema.ts'
import { inProcess, root } from '../tools/run.ts'
import { contentsOf } from '../io/bundles.ts'

const node = 'ws2022-flannel-overlay'
const asOfDay = ['--as-of', '2026-11-20']

t.test('JSON says of an advisory whether it applies, and what fixes it', async (t) => {
  const version = ['--set', 'kubernetes.version=1.33.0', '--as-of', '2026-11-20']
  const { stdout } = await inProcess(['validate', 'ws2022-flannel-overlay', ...version, '--json'])
  const { findings }: { findings: { id: string; advisory: { fixedIn: string[] } | null }[] } =
    JSON.parse(stdout)
  const found = findings.filter(({ advisory }) => advisory)
  t.ok(found.length > 0)
  for (const { id, advisory } of found) {
    t.equal(id, 'version-has-advisory')
    t.match(advisory, {
      id: /^(CVE|GHSA|\S)/,
      component: /^\S+$/,
      version: /^\d/,
      applies: /^\w+$/,
    })
    for (const fixed of advisory?.fixedIn ?? []) t.match(fixed, /^\d+\.\d+\.\d+/)
  }
  t.ok(
    findings.every((one) => 'advisory' in one),
    'the key is always there',
  )
})

t.test('a finding is not at the place of a flag that does not speak of it', async (t) => {
  const argv = ['validate', 'base', '--set', 'kubernetes.version=1.99', '--format', 'lines']
  const { stdout } = await inProcess(argv)
  t.match(stdout, /^artifacts\.sha256: info: /m)
  t.match(stdout, /^--set kubernetes\.version:1:20: /m)
})

t.test('a finding is where a person can edit its field', async (t) => {
  const head = 'apiVersion: winnode/v1\nkind: NodeProfile\n'
  const folder = t.testdir({
    'bare.yaml': head,
    'own.yaml': `${head}extends: ${node}\nhost:\n  firewall: {}\n`,
    'pod.yaml': `${head}pod: {a: 1}\n`,
    'site.yaml': `${head}host:\n  timeServers: [10.0.0.1]\n`,
  })
  const at = (name: string) => path.join(folder, name)
  const [self, open, release] = [
    'kubelet-serves-self-signed',
    'kubelet-port-open-to-all',
    'windows-in-extended-support',
  ]
  const rows: readonly [name: string, argv: readonly string[], id: string, where: string][] = [
    [
      'a default of a file',
      [at('bare.yaml')],
      open,
      `${at('bare.yaml')}:1:1 host.firewall.kubeletFrom (not set)`,
    ],
    [
      'a map that the file has',
      [at('own.yaml')],
      open,
      `${at('own.yaml')}:5:3 host.firewall.kubeletFrom (not set)`,
    ],
    [
      'a value of the extended built-in profile',
      [at('own.yaml')],
      release,
      `${at('own.yaml')}:1:1 windows.release (built-in ${node}:8)`,
    ],
    [
      'the stronger of two files',
      [at('bare.yaml'), '--layer', at('site.yaml')],
      open,
      `${at('site.yaml')}:3:1 host.firewall.kubeletFrom (not set)`,
    ],
    ['built-in profiles are not changed', [node], open, 'host.firewall.kubeletFrom (not set)'],
    ['and what it sets', [node], release, `windows.release (built-in ${node}:8)`],
    [
      'a flag beside the field',
      [node, '--set', 'kubelet.taints=[]'],
      self,
      'kubelet.servingCertificateApprover (not set)',
    ],
    [
      'a flag that sets it',
      [node, '--set', 'windows.release=ws2022'],
      release,
      '--set windows.release:1:17',
    ],
    ['a flag that makes a map', [node, '--set', 'pod.a.b=1'], 'unknown-field', '--set pod.a.b:1:1'],
    [
      'a flag that makes a map of text',
      [node, '--set', 'windows.release.a=1'],
      'unknown-choice',
      '--set windows.release.a:1:1',
    ],
    [
      'a flag in a map that a file made',
      [at('pod.yaml'), '--set', 'pod.b=1'],
      'unknown-field',
      `${at('pod.yaml')}:3:1`,
    ],
    [
      'a flag of a rule that cannot be ignored',
      [node, '--set', 'ignore.secret-in-profile.reason=so'],
      'ignored-rule-is-error',
      '--set ignore.secret-in-profile.reason:1:1',
    ],
  ]
  for (const [name, argv, id, where] of rows) {
    const { stdout } = await inProcess(['validate', ...argv, '--as-of', '2030-01-01', '--verbose'])
    t.equal(new RegExp(`^\\w+\\[${id}\\] (.*)$`, 'm').exec(stdout)?.[1], where, name)
  }
})

t.test('ignore: what was considered is not said again', async (t) => {
  const head = `apiVersion: winnode/v1\nkind: NodeProfile\nextends: ${node}\nignore:\n`
  const open = 'kubelet-port-open-to-all'
  const entry = (id: string, more = '') => `  ${id}: {reason: We looked at it.${more}}\n`
  const all = [open, 'kubelet-serves-self-signed', 'download-digest-from-publisher']
  const folder = t.testdir({
    'all.yaml': head + all.map((id) => entry(id)).join(''),
    'until.yaml': head + entry(open, ', until: 2026-12-31'),
    'unknown.yaml': head + entry('kubelet-port-opn-to-all'),
    'error.yaml': `${head}${entry('flannel-vni-out-of-range')}network: {flannel: {vni: 1}}\n`,
    'weighed.yaml': head + entry('version-has-advisory'),
    'silent.yaml': `${head}  ${open}: {}\n`,
    'blank.yaml': `${head}  ${open}: {reason: ' '}\n`,
    'lapsed.yaml': head + entry('field-edited', ', until: 2020-12-31'),
    'nameless.yaml': head + entry('""'),
    'never.yaml': head + entry(open, ', until: 2026-02-30'),
  })
  const rows: readonly [
    name: string,
    file: string,
    argv: readonly string[],
    code: number,
    said: RegExp,
  ][] = [
    ['nothing is left to warn of', 'all', ['--strict'], 0, /^(?!.*warning)[^]*2 notes, 3 ignored/],
    [
      'it is said on demand',
      'all',
      ['--verbose'],
      0,
      /^ignored\[kubelet-port-open-to-all\] port 10250 .* \(We looked at it\.\)$/m,
    ],
    ['programs see it', 'all', ['--json'], 0, /"ignored": \[\n[^\]]*"reason": "We looked at it\."/],
    ['until its last day', 'until', ['--as-of', '2026-12-31'], 0, /^(?!.*to-all\])[^]*1 ignored/],
    [
      'and not beyond',
      'until',
      ['--as-of', '2027-01-01'],
      0,
      /^note\[exposure\] .*kubelet port[^]*^warning\[ignored-too-long\] \S+:5:3\n.* expired on 2026-12-31\n/m,
    ],
    [
      'a rule that is none',
      'unknown',
      [],
      0,
      /warning\[ignored-rule-unknown\] \S+:5:3\n[^]*fix: Did you mean kubelet-port-open-to-all\?/,
    ],
    [
      'an error stays, and is printed',
      'error',
      [],
      3,
      /error\[flannel-vni-out-of-range\][^]*error\[ignored-rule-is-error\]|error\[ignored-rule-is-error\][^]*error\[flannel-vni-out-of-range\]/,
    ],
    [
      'a difference that it accepted too long',
      'lapsed',
      [],
      0,
      /^warning\[ignored-too-long\] \S+:5:3\n.*ignoring field-edited expired on 2020-12-31\n/m,
    ],
    ['a rule without a name', 'nameless', [], 0, /^ {2}unknown rule ""/m],
    ['a rule that only warns at times', 'weighed', [], 0, /^(?!.*ignored-rule)/s],
    ['without a reason', 'silent', [], 3, /error\[missing-field\]/],
    [
      'with an empty one',
      'blank',
      [],
      3,
      /^(?!.*missing-field)[^]*error\[bad-value\][^]*a\s+reason,\s+as\s+one\s+sentence[^]*\n1 error: bad-value;/,
    ],
    [
      'until a day that is none',
      'never',
      [],
      3,
      /error\[bad-value\][^]*a\s+day\s+such\s+as\s+2027-06-30/,
    ],
  ]
  for (const [name, file, argv, code, said] of rows) {
    const day = argv.includes('--as-of') ? [] : asOfDay
    const profile = path.join(folder, `${file}.yaml`)
    const outcome = await inProcess(['validate', profile, ...argv, ...day])
    t.match(outcome, { code, stdout: said }, name)
  }
  const bundles: ReturnType<typeof contentsOf>[] = []
  for (const day of ['2026-12-31', '2027-01-01']) {
    const out = path.join(folder, day)
    const profile = path.join(folder, 'until.yaml')
    t.match(await inProcess(['render', profile, '--out', out, '--as-of', day]), { code: 0 })
    bundles.push(contentsOf(out))
  }
  t.strictSame(bundles[0], bundles[1], 'the day changes no byte of a bundle')
})

t.test('validate: findings for people, for editors and for programs', async (t) => {
  const folder = t.testdir({
    'bad.yaml': 'apiVersion: winnode/v1\nkind: NodeProfile\nnetwork: {flannel: {vni: 1}}\n',
  })
  const file = path.join(folder, 'bad.yaml')
  const clean = [
    ...['kubelet.servingCertificateApprover=a', 'host.firewall.kubeletFrom=[10.0.0.0/24]'].flatMap(
      (one) => ['--set', one],
    ),
  ]
  for (const command of [
    ['profiles', 'show', file],
    ['sizing', '--profile', file],
  ])
    t.match(
      (await inProcess([...command, '-q'])).stderr,
      /\n1 error: flannel-vni-out-of-range\n$/,
      `${command[0]} -q prints errors alone`,
    )
  const rows: readonly [name: string, argv: readonly string[], code: number, stdout: RegExp][] = [
    [
      'pretty',
      [file],
      3,
      /^error\[flannel-vni-out-of-range\] .*bad\.yaml:3:26\n {2}VNI 1 .*\n {2}3 \| network: \{flannel: \{vni: 1\}\}\n {4}\| +\^\n {2}fix: /,
    ],
    [
      'its last line counts, and names the errors',
      [file],
      3,
      /\n1 error: flannel-vni-out-of-range; and 1 warning, 1 note: --verbose\n$/,
    ],
    ['errors come alone', [file], 3, /^(?![^]*(?:warning|note)\[)/],
    ['notes are one line', [node], 0, /^(?:note\[[\w-]+\] .*\n){2,}\nvalid; 2 notes/],
    ['quietly, nothing is said of what does not reject', [node, '-q'], 0, /^$/],
    ['and errors alone', [file, '-q'], 3, /^error\[[^]*\n1 error: flannel-vni-out-of-range\n$/],
    [
      'but all is said on demand',
      [file, '--verbose'],
      3,
      /^note\[[\w-]+\] .*\n {2}.*\n[^]*and 1 warning, 5 notes; 7 findings grouped as 3 without\s+--verbose\n$/,
    ],
    [
      'and how many they are without that',
      [node, '--verbose'],
      0,
      /\nvalid; 6 notes; 6 findings grouped as 2 without --verbose\n$/,
    ],
    [
      'lines',
      [file, '--format', 'lines'],
      3,
      /^\S+bad\.yaml:3:26: error: VNI 1 .* \[flannel-vni-out-of-range\]\n/,
    ],
    ['json', [file, '--format', 'json'], 3, /^\[\n {2}\{\n {4}"id": "flannel-vni-out-of-range"/],
    ['--json', [file, '--json'], 3, /^\{\n {2}"ok": false,\n {2}"exit": 3,\n {2}"findings": \[/],
    ['a good profile', [node], 0, /^(?!.*warning)[^]*2 notes/],
    [
      'a good profile, strictly',
      [node, '--strict', '--as-of', '2028-01-01'],
      3,
      /warnings?: [\w-]+[^]*; --strict\s+rejects\s+warnings\n$/,
    ],
    [
      'an error with warnings, strictly: the notes are only counted',
      [node, '--strict', '--set', 'kubernetes.version=1.31.0'],
      3,
      /^(?:error|warning)\[(?![^]*^note)[^]*and \d notes?: --verbose/m,
    ],
    [
      'as of a day in its support',
      [node, '--as-of', '2028-10-14', '--format', 'lines'],
      0,
      /^(?!.*windows-in-extended-support)/s,
    ],
    [
      'as of a day after it',
      [node, '--as-of', '2028-10-15', '--format', 'lines'],
      0,
      /windows-in-extended-support/,
    ],
    [
      'with what it warns of set',
      [node, ...clean, '--format', 'lines'],
      0,
      /^(?!.*kubelet-port-open-to-all)/s,
    ],
  ]
  for (const [name, argv, code, stdout] of rows) {
    const day = argv.includes('--as-of') ? [] : asOfDay
    const stderr = /^(?:more about a finding: winnode explain [\w-]+\n)?$/
    t.match(await inProcess(['validate', ...argv, ...day]), { code, stdout, stderr }, name)
  }
})

const everyFormat = ['pretty', 'lines', 'json', 'sarif', 'junit', 'markdown', 'github']

t.test('formats for other programs', async (t) => {
  const sarifSchema = JSON.parse(
    readFileSync(path.join(root, 'test/commands/sarif/sarif-schema-2.1.0.json'), 'utf8'),
  ) as JsonObject
  const folder = t.testdir({
    'node.yaml': `apiVersion: winnode/v1\nkind: NodeProfile\nextends: ws2022-flannel-overlay\nnetwork:\n  flannel:\n    vni: 3\n`,
  })
  const file = path.join(folder, 'node.yaml')
  const out = path.join(folder, 'out')
  const bundle = path.join(folder, 'bundle')
  await inProcess(['render', 'ws2022-flannel-overlay', '--out', bundle])
  const config = path.join(bundle, 'files/kubelet/config.json')
  writeFileSync(config, readFileSync(config, 'utf8').replace('"maxPods": 110', '"maxPods": 60'))
  const runs: readonly [argv: readonly string[], code: number, id: string][] = [
    [['validate', file], 3, 'flannel-vni-out-of-range'],
    [['render', file, '--out', out], 3, 'flannel-vni-out-of-range'],
    [['drift', 'ws2022-flannel-overlay', bundle], 4, 'field-edited'],
  ]
  for (const [argv, code, id] of runs) {
    for (const format of everyFormat) {
      const name = `${argv[0] ?? ''} --format ${format}`
      const answer = await inProcess([...argv, '--format', format])
      t.equal(answer.code, code, name)
      t.match(format === 'pretty' ? answer.stdout + answer.stderr : answer.stdout, id, name)
      if (format === 'sarif') {
        const document = JSON.parse(answer.stdout) as JsonObject
        t.strictSame(breaches(sarifSchema, document, name), [])
        t.notMatch(answer.stdout, `"text": "${id}"`, 'each rule has its help')
      }
    }
  }
  t.notOk(existsSync(out))
  const good = await inProcess([
    'render',
    'ws2022-flannel-overlay',
    '--out',
    out,
    '--format',
    'github',
  ])
  t.match(good.stdout, /^(::(warning|notice) .*\n)*$/, 'and nothing else')
  const both = await inProcess(['render', 'base', '--out', out, '--diff', '--format', 'sarif'])
  t.equal(both.code, 2, 'stdout has one of them')
})

t.test('a secret in a profile is on no screen and in no log', async (t) => {
  const token = 'abcdef.0123456789abcdef'
  const password = 'https://user:hunter22@mirror.example.com'
  const account = `eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(20)}.${'c'.repeat(20)}`
  const key = '-----BEGIN RSA PRIVATE KEY-----MIIEpAIBAAKCAQEA'
  const rows: readonly (readonly [name: string, line: string, secret: string])[] = [
    ['where a field holds it', `name: ${token}`, token],
    ['under a key that is no field', `token: ${token}`, token],
    ['in a value of the wrong form', `join: {endpoint: "${password}"}`, 'hunter22'],
    ['beside another mistake', `kubelet: {maxPods: 0, labels: {a: "${account}"}}`, account],
    ['where the line cannot be read', `name: "${token}`, token],
    ['in a list', `kubelet: {taints: ["${key}"]}`, 'MIIEpAIB'],
    [
      'where a long value is cut',
      `sandboxImage: "${'x '.repeat(27)}${token} ${'y '.repeat(50)}"`,
      'abcde',
    ],
  ]
  for (const [name, line, secret] of rows) {
    const file = path.join(
      t.testdir({ 'node.yaml': `apiVersion: winnode/v1\nkind: NodeProfile\n${line}\n` }),
      'node.yaml',
    )
    const formats = everyFormat.map((format) => ['--format', format])
    for (const argv of [...formats, ['--json']]) {
      const { code, stdout, stderr } = await inProcess(['validate', file, ...argv])
      t.equal(code, 3, name)
      t.notOk(`${stdout}${stderr}`.includes(secret), `${name}: ${argv.join(' ')}`)
    }
    for (const argv of [[], ['--json']]) {
      const { stdout, stderr } = await inProcess(['profiles', 'show', file, ...argv])
      t.notOk(`${stdout}${stderr}`.includes(secret), `${name}: profiles show ${argv.join('')}`)
    }
  }
  for (const set of [token, `join.token ${token}`, `kubelet.labels."${token}"=x`])
    for (const format of everyFormat) {
      const argv = ['validate', 'base', '--set', set, '--format', format]
      const { code, stdout, stderr } = await inProcess(argv)
      t.equal(code, 3, set)
      t.notOk(`${stdout}${stderr}`.includes(token), `${set}: ${format}`)
    }
  const pretty = await inProcess(['validate', 'base', '--set', `join.token=${token}`])
  t.match(
    pretty.stdout,
    /^ {2}1 \| join\.token=\*{23}\n {4}\| \^{10}$/m,
    'and the caret stays right',
  )
})

t.test('of a file that is no profile no line is shown', async (t) => {
  const secret = 'hunter2'
  const folder = t.testdir({
    token: `raw-token-${secret}\n`,
    list: `- ${secret}\n`,
    broken: `a: "${secret}" b\n`,
    config: `apiVersion: v1\nkind: Config\nusers: [{token: ${secret}}, "]\n`,
    env: `TOKEN: ${secret}\nTOKEN: ${secret}2\n`,
    'ours.yaml': 'apiVersion: winnode/v1\nkind: NodeProfile\nsummary: "a" b\n',
  })
  for (const name of ['token', 'list', 'broken', 'config', 'env']) {
    const file = path.join(folder, `${name}.yaml`)
    symlinkSync(name, file)
    for (const format of ['pretty', 'json', 'sarif']) {
      const { code, stdout, stderr } = await inProcess(['validate', file, '--format', format])
      t.equal(code, 3)
      t.notMatch(stdout + stderr, secret, `${name}, ${format}`)
    }
  }
  const ours = await inProcess(['validate', path.join(folder, 'ours.yaml')])
  t.match(ours.stdout, '3 | summary: "a" b')
})

t.test('of a kind of findings the first hundred are shown, and the others counted', async (t) => {
  const folder = t.testdir()
  const file = path.join(folder, 'profile.yaml')
  const keys = Array.from({ length: 250 }, (_, index) => `  key${index}: 1\n`).join('')
  writeFileSync(
    file,
    `apiVersion: winnode/v1\nkind: NodeProfile\nextends: ws2022-flannel-overlay\nkubelet:\n${keys}`,
  )
  const { code, stdout } = await inProcess(['validate', file, '--format', 'lines'])
  t.equal(code, 3)
  t.equal(stdout.match(/\[unknown-field\]/g)?.length, 100)
  t.ok(stdout.includes('error: 150 more of unknown-field are not shown [more-of-a-kind]'), stdout)
})

t.test('a long value is shortened', async (t) => {
  const long = 'x'.repeat(500_000)
  const rows: readonly (readonly [name: string, line: string, told: RegExp])[] = [
    [
      'a value',
      `network: {cni: ${long}}`,
      /cni is "x+… \(499\d\d\d characters more\) …x+"; it must be/,
    ],
    ['a key', `kubelet: {${long}: 1}`, /kubelet\.x+… \(\d+ characters more\) …x+/],
    ['a key beside what is right', `kubelet: {labels: {${long}: a}}`, /characters more/],
    [
      'a value in the words of a rule',
      `registry: {mirrors: {docker.io: [{url: "ftp://${long}"}]}}`,
      /characters more/,
    ],
    ['an id in a remedy', `ignore: {${long}: {reason: It is so.}}`, /characters more/],
    ['the profile that it extends', `extends: ${long}`, /characters more/],
  ]
  for (const [name, line, told] of rows) {
    const head = 'apiVersion: winnode/v1\nkind: NodeProfile\n'
    const file = path.join(t.testdir({ 'node.yaml': `${head}${line}\n` }), 'node.yaml')
    for (const format of everyFormat) {
      const { stdout } = await inProcess(['validate', file, '--format', format])
      t.ok(stdout.length < 60_000, `${name}: ${stdout.length} characters of ${format}`)
      if (format === 'lines') t.match(stdout, told, name)
    }
  }
})

t.test('limits of a file', async (t) => {
  const folder = t.testdir()
  const file = path.join(folder, 'profile.yaml')
  const list = (length: number) => `[${Array.from({ length }, () => '1').join()}]`
  const rows: readonly (readonly [config: string, told: RegExp | undefined])[] = [
    [`a: ${list(1000)}`, undefined],
    [`a: ${list(1001)}`, /a map or list has more than 1000 entries \[too-many-entries\]/],
    [Array.from({ length: 9 }, (_, at) => `a${at}: ${list(1000)}`).join(), undefined],
    [
      Array.from({ length: 11 }, (_, at) => `a${at}: ${list(1000)}`).join(),
      /the file has more than 10000 values \[too-large\]/,
    ],
  ]
  for (const [config, told] of rows) {
    writeFileSync(
      file,
      `apiVersion: winnode/v1\nkind: NodeProfile\nkubeProxy: {config: {${config}}}\n`,
    )
    const { stdout } = await inProcess(['validate', file, '--format', 'lines'])
    t.equal(/too-many-entries|too-large/.test(stdout), told !== undefined, stdout.slice(0, 400))
    if (told) t.match(stdout, told)
  }
  const words = Array.from({ length: 4001 }, () => 'x')
  const { code, stderr } = await inProcess(['validate', ...words])
  t.equal(code, 2)
  t.ok(stderr.includes('the command line has more than 4000 words'), stderr)
  const deep = await inProcess(['validate', 'base', '--set', `${'a.'.repeat(60_000)}a=1`])
  t.equal(deep.code, 3)
})

t.test('validate --for reports what render --for would, at the same places', async (t) => {
  const head = `apiVersion: winnode/v1\nkind: NodeProfile\nextends: ${node}\n`
  const folder = t.testdir({
    'capi.yaml': `${head}targets:\n  capi:\n    provider: azure\n    machineVersion: v1beta2\n`,
    'packer.yaml': `${head}targets:\n  packer:\n    builder: other\n`,
    'userdata.yaml': `${head}targets:\n  userdata:\n    channels: [ec2, gce]\n`,
    'both.yaml': `${head}targets: {}\n`,
    'eks.yaml': `${head.replace(node, 'ws2022-eks')}network: { eks: { clusterName: prod } }\n`,
    'broken.yaml': `${head}network: { flannel: { vni: 1 } }\n`,
  })
  const rows: readonly [name: string, target: string, code: number, found: RegExp][] = [
    [
      'capi',
      'capi',
      3,
      /^\S+capi\.yaml:7:21: error: provider azure serves no .* \[unfit-for-capi\]$/m,
    ],
    ['capi', 'capi', 3, /^\S+capi\.yaml:5:3: error: .* lacks vmSize \[unfit-for-capi\]$/m],
    ['packer', 'packer', 3, /^\S+packer\.yaml:5:3: error: .* \[unfit-for-packer\]$/m],
    ['userdata', 'userdata', 3, /^\S+userdata\.yaml:6:15: error: user data of ec2 would /m],
    ['both', 'packer,capi', 3, /\[unfit-for-capi\]\n[^]*\[unfit-for-packer\]\n/],
    ['eks', 'single-file', 3, /\[unfit-for-single-file\]$/m],
    ['broken', 'capi', 3, /\[flannel-vni-out-of-range\]$/m],
    ['capi', 'zip,plain', 0, /: info: /],
  ]
  for (const [name, target, code, found] of rows) {
    const file = path.join(folder, `${name}.yaml`)
    const more = ['--for', target, ...asOfDay, '--format', 'lines']
    const validated = await inProcess(['validate', file, ...more])
    t.match(validated, { code, stdout: found }, `${name} for ${target}`)
    const rendered = await inProcess(['render', file, ...more, '--out', path.join(folder, 'out')])
    t.match(rendered, { code, stdout: validated.stdout }, 'as render')
    t.equal(existsSync(path.join(folder, 'out')), code === 0)
  }
  const file = path.join(folder, 'capi.yaml')
  t.equal((await inProcess(['validate', file])).code, 0, 'without --for no target is asked')
  const sarif = await inProcess(['validate', file, '--for', 'capi', '--format', 'sarif'])
  t.match(sarif.stdout, '"id": "unfit-for-capi"')
  const { findings } = JSON.parse(
    (await inProcess(['validate', file, '--for', 'capi', '--json'])).stdout,
  )
  t.match(findings[0], { id: 'unfit-for-capi', severity: 'error', path: 'kubernetes.version' })
})

t.test('profiles of one Windows build run kube-proxy in the same way', async (t) => {
  const head = `apiVersion: winnode/v1\nkind: NodeProfile\nextends: ${node}\n`
  const pods = `${head}kubeProxy:\n  runsAs: hostProcess\n`
  const endpoint = (name: string) => `join:\n  endpoint: ${name}.example.com:6443\n`
  const folder = t.testdir({
    'service.yaml': head,
    'pods.yaml': pods,
    'a.yaml': `${head}${endpoint('a')}`,
    'b.yaml': `${pods}${endpoint('b')}`,
    'ours.yaml': `${head}${endpoint('b').replace('\n', '\n')}`,
    'accepted.yaml': `${pods}ignore:\n  kube-proxy-runs-twice: { reason: tainted by hand }\n`,
    'newer.yaml': pods.replace(node, 'ws2025-flannel-overlay'),
    'none.yaml': head.replace(node, 'ws2022-none'),
  })
  const found = async (...names: readonly string[]) => {
    const files = names.map((name) => path.join(folder, `${name}.yaml`))
    const { stdout } = await inProcess(['validate', ...files, '--format', 'lines', ...asOfDay])
    return stdout.split('\n').filter((line) => line.includes('kube-proxy is a service'))
  }
  const both = await found('service', 'pods')
  t.match(
    both[0],
    /service\.yaml:1:1: .*kube-proxy is a service here and a DaemonSet in .*pods\.yaml/,
  )
  t.match(both[1], /pods\.yaml:5:11: .*service in .*service\.yaml and a DaemonSet here/)
  t.equal(both.length, 2)
  for (const others of [
    ['pods'],
    ['service', 'a'],
    ['a', 'b'],
    ['service', 'newer'],
    ['none', 'pods'],
  ])
    t.strictSame(await found(...others), [], others.join())
  t.equal((await found('service', 'b')).length, 2, 'the cluster of one is not known')
  t.equal(
    (await found('a', 'b', 'ours', 'pods')).length,
    4,
    'one service of cluster a, all pods, one service of cluster b',
  )
  t.equal((await found('accepted', 'service')).length, 1, 'ignored by the one, not by the other')
  const files = ['accepted', 'service'].map((name) => path.join(folder, `${name}.yaml`))
  const { stdout } = await inProcess(['validate', ...files, '--json', ...asOfDay])
  const [accepted, service] = JSON.parse(stdout).profiles
  const id = 'kube-proxy-runs-twice'
  t.match(accepted.ignored, [{ id, reason: 'tainted by hand' }])
  t.notMatch(JSON.stringify(accepted.findings), /ignored-rule-unknown|runs-twice/)
  t.strictSame(service.ignored, [])
})

t.test('profiles of a fleet are not compared each with each', (t) => {
  const { facts } = check([], node, { today: '2026-11-20' })
  const readsOf = (count: number) => {
    let reads = 0
    const all = Array.from({ length: count }, (_, at) => ({
      profile: `${at}`,
      get facts() {
        reads += 1
        return facts
      },
    }))
    findingsTogether(all)
    return reads
  }
  t.equal(readsOf(400), 2 * readsOf(200))
  t.end()
})

t.test('--offline sets host.offline', async (t) => {
  for (const command of ['validate', 'render', 'mirror']) {
    const argv = [
      command,
      'ws2022-flannel-overlay',
      '--offline',
      ...(command === 'render' ? ['--out', 'x'] : []),
    ]
    const { code, stdout, stderr } = await inProcess(argv)
    t.equal(code, 3, command)
    t.match(stdout + stderr, /error\[internet-needed\]/, command)
  }
})

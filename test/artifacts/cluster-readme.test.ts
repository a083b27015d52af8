// What the pages of a bundle say, and what a shell does where the cluster is not as they think.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { renderBundle } from '../host/bundle.ts'
import {
  blocksOf,
  get,
  netConfBefore,
  netConfOf,
  nodesOf,
  openShell,
  put,
  runBlocks,
  type Shell,
  unreachable,
} from '../host/shell.ts'
import { changedAndBack } from '../host/shell-walk.ts'
import { scenario, scenarioOfAll, type Stage } from '../host/stage.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { compileBuiltin, requiredFieldsOf, renderCompiled, textsOf } from '../tools/bundle.ts'
import { root } from '../tools/run.ts'

const builtins = readdirSync(path.join(root, 'profiles'))
  .map((name) => name.replace(/\.yaml$/, ''))
  .filter((name) => name !== 'base')
const goldens = readdirSync(path.join(root, 'test/golden'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => path.join('test/golden', name, 'profile.yaml'))

type Files = ReadonlyMap<string, string>

async function filesOf(profile: string, ...over: readonly JsonObject[]): Promise<Files> {
  return textsOf(await renderCompiled(compileBuiltin(profile, requiredFieldsOf(profile), ...over)))
}

/** A test with a shell before a cluster; what the pages make in order is held by test/node/bundles.test.ts. */
function walk(name: string, body: (t: Test, open: Open) => Promise<void>, plays = scenario): void {
  if (unreachable !== false) {
    t.test(name, { skip: unreachable }, async () => undefined)
    return
  }
  plays(name, async (t, stage) =>
    body(t, async (profile, flags) => opened(t, stage, profile, flags)),
  )
}
const walkOfAll: typeof walk = (name, body) => walk(name, body, scenarioOfAll)
type Open = (profile: string, flags?: readonly string[]) => Promise<Shell>

/** A bundle for the cluster of a fresh machine, in its own folder. */
async function opened(
  t: Test,
  { host, artifacts }: Stage,
  profile: string,
  flags: readonly string[] = [],
): Promise<Shell> {
  const folder = t.testdir({})
  await host.fresh(path.join(folder, 'c'))
  const { endpoint, ca } = await host.cluster()
  const of = profile.includes('without-kubeadm')
    ? ['--set', `join.endpoint=${endpoint}`, '--set', `join.ca=${JSON.stringify(ca)}`]
    : []
  const bundle = path.join(folder, 'bundle')
  renderBundle(profile, bundle, artifacts, [...of, ...flags])
  return openShell(host, bundle)
}

const overlay = 'ws2022-flannel-overlay'
const withoutKubeadm = 'test/golden/ws2022-flannel-overlay-without-kubeadm/profile.yaml'

/** The line that runs commands of prepare.sh. */
const prepare = (...commands: readonly string[]) => `sh cluster/prepare.sh ${commands.join(' ')}`

walk('the way back leads to what was before', async (t, open) => {
  for (const profile of [overlay, 'ws2022-flannel-l2bridge']) {
    const shell = await open(profile)
    const { code, stderr } = await runBlocks(shell, [prepare('edit-flannel', 'change-flannel')])
    t.equal(code, 0, stderr)
    await changedAndBack(t, shell)
  }
})

walkOfAll('a page works in bash, too, and a second time', async (t, open) => {
  const shell = await open(overlay)
  for (const name of ['bash', 'sh']) {
    const once = blocksOf(shell.page).map(({ text }) => text.replace(/^sh /gm, `${name} `))
    const { code, stderr } = await runBlocks(
      shell,
      once.filter((text) => !text.includes('revert-flannel')),
      { shell: name },
    )
    t.equal(code, 0, `${name}: ${stderr}`)
  }
  t.strictSame(
    JSON.parse(readFileSync(path.join(nodesOf(shell), 'net-conf.before.json'), 'utf8')),
    netConfBefore,
    'what was before is what was before the first change',
  )
})

/** Runs prepare.sh of a bundle before a kubectl that does what `kubectl` says. */
function stubbed(
  t: Test,
  files: Files,
  commands: readonly string[],
  { kubectl = 'exit 0', from = 'bundle', env = {}, more = {} } = {},
) {
  const folder = t.testdir({
    ...more,
    bin: {},
    bundle: {
      'node.json': '{}',
      cluster: { 'prepare.sh': files.get('cluster/prepare.sh') ?? '' },
      files: { kubernetes: {} },
    },
  })
  writeFileSync(path.join(folder, 'bin/kubectl'), `#!/bin/sh\n${kubectl}\n`, { mode: 0o755 })
  writeFileSync(path.join(folder, 'bin/sleep'), '#!/bin/sh\necho waits >&2\n', { mode: 0o755 })
  const script = path.join(folder, 'bundle/cluster/prepare.sh')
  const { status, stdout, stderr } = spawnSync('sh', [script, ...commands], {
    cwd: path.join(folder, from),
    env: { PATH: `${folder}/bin:${process.env['PATH'] ?? ''}`, HOME: folder, ...env },
    encoding: 'utf8',
  })
  return { status, stdout, stderr, folder }
}

const endpoint = {
  join: { endpoint: 'api.example.com:6443', caCertHashes: [`sha256:${'a'.repeat(64)}`] },
}
const posix = process.platform === 'win32' && 'prepare.sh is for a POSIX shell'

t.test('prepare.sh works from any folder', { skip: posix }, async (t) => {
  const files = await filesOf(overlay, endpoint)
  for (const from of ['bundle', 'bundle/cluster', 'bin']) {
    const { status, stdout, folder } = stubbed(t, files, ['apply', 'compare-flannel'], {
      kubectl: `echo "kubectl $*" >&2; echo '{"Network": "10.244.0.0/16"}'`,
      from,
      env: { CDPATH: '/' },
    })
    t.equal(status, 0)
    t.match(stdout, /Network +10\.244\.0\.0\/16/)
    t.ok(readdirSync(folder).includes('for-the-nodes'), from)
    t.equal(statSync(path.join(folder, 'for-the-nodes')).mode & 0o777, 0o700)
  }
})

t.test('prepare.sh keeps the mode of another folder', { skip: posix }, async (t) => {
  const files = await filesOf(overlay, endpoint)
  const kubectl = `echo '{"Network": "10.244.0.0/16"}'`
  const more = { other: { '.gitignore': 'mine\n' } }
  const env = { FOR_THE_NODES: '../other' }
  const kept = stubbed(t, files, ['compare-flannel', 'compare-flannel'], { kubectl, env, more })
  t.equal(kept.status, 0)
  const other = path.join(kept.folder, 'other')
  t.not(statSync(other).mode & 0o777, 0o700)
  t.equal(readFileSync(path.join(other, '.gitignore'), 'utf8'), 'mine\n')
  t.equal(statSync(path.join(other, 'net-conf.today.json')).mode & 0o777, 0o600)
})

t.test('prepare.sh refuses other commands before it runs one', { skip: posix }, async (t) => {
  const files = await filesOf(overlay, endpoint)
  const kubectl = 'echo "kubectl $*"'
  const help = stubbed(t, files, ['--help'], { kubectl })
  t.match(help, { status: 0, stderr: '' })
  t.match(help.stdout, /^Usage: sh cluster\/prepare\.sh COMMAND[^]*^ {2}apply [^]*^ {2}token /m)
  t.notOk(help.stdout.split('\n').some((line) => line.length > 100))
  t.match(stubbed(t, files, [], { kubectl }), { status: 2, stdout: '', stderr: help.stdout })
  t.match(stubbed(t, files, ['apply', 'tokens'], { kubectl }), {
    status: 2,
    stdout: '',
    stderr: 'prepare.sh: unknown command tokens; see sh cluster/prepare.sh --help\n',
  })
  const alone = t.testdir({ cluster: { 'prepare.sh': files.get('cluster/prepare.sh') ?? '' } })
  const { status, stderr } = spawnSync('sh', [path.join(alone, 'cluster/prepare.sh'), 'apply'], {
    encoding: 'utf8',
  })
  t.match({ status, stderr }, { status: 1, stderr: /is not a bundle: node\.json not found/ })
})

const shellcheck = spawnSync('shellcheck', ['--version']).status === 0

t.test('prepare.sh is parsed for each profile', { skip: posix }, async (t) => {
  const parsed = new Set<string>()
  for (const profile of [...builtins, ...goldens]) {
    const script = (await filesOf(profile)).get('cluster/prepare.sh') ?? ''
    const input = script.replace(/^# .*$/gm, '#').replaceAll(profile, 'profile')
    if (parsed.has(input)) continue
    parsed.add(input)
    for (const [program, ...flags] of [
      ['sh', '-n'],
      ['bash', '-n'],
      ...(shellcheck ? [['shellcheck', '--shell=sh', '-']] : []),
    ]) {
      const { status, stdout, stderr } = spawnSync(program ?? '', flags, {
        input,
        encoding: 'utf8',
      })
      t.equal(status, 0, `${profile}: ${program}: ${stdout}${stderr}`)
    }
  }
})

t.test(
  'prepare.sh has no findings of shellcheck',
  { skip: shellcheck ? false : 'shellcheck is not on PATH' },
  async () => undefined,
)

t.test('no bootstrap token is made where the CA cannot be read', { skip: posix }, async (t) => {
  const files = await filesOf(withoutKubeadm)
  const kubectl = 'echo "kubectl $*"'
  const { status, stdout, stderr } = stubbed(t, files, ['bootstrap-kubeconfig'], { kubectl })
  t.equal(status, 1)
  t.notMatch(stdout, /kubectl create/)
  t.match(stderr, /no CA in .*ca\.crt: bootstrap-kubelet\.conf was not written/)
})

t.test('a Secret that cannot be read ends the command', { skip: posix }, async (t) => {
  const credentials = { kubeconfig: 'C:\\etc\\kubernetes\\kube-proxy.conf' }
  const files = await filesOf(overlay, { ...endpoint, kubeProxy: { credentials } })
  const said = 'Error from server (Forbidden): secrets is forbidden'
  const kubectl = `echo '${said}' >&2; exit 1`
  const { stderr, status } = stubbed(t, files, ['credentials'], { kubectl })
  t.equal(status, 1)
  t.match(stderr, `${said}\nprepare.sh: kube-proxy.conf was not written\n`)
  t.notMatch(stderr, /waits|contains no token/)
  const empty = stubbed(t, files, ['credentials'], { kubectl: 'exit 0' })
  t.match(empty.stderr, /waits/, 'an empty one is waited for')
  t.match(empty.stderr, /the Secret winnode-kube-proxy contains no token/)
})

t.test('a page says how to remove what it made', async (t) => {
  const page = (await filesOf(overlay)).get('cluster/README.md') ?? ''
  t.match(
    page,
    /## After the last Windows node is removed\n\nRun `kubectl delete --ignore-not-found -f cluster\/`/,
  )
  t.notMatch(page, /client certificate stays valid/)
  t.match(page, /a field is immutable/)
  t.match(page, /`kubectl\.kubernetes\.io\/last-applied-configuration` is missing/)
  const pipelines = readFileSync(path.join(root, 'docs/pipelines/cluster-api.md'), 'utf8')
  t.ok(pipelines.includes('=out/for-the-nodes/flannel.conf'))
  t.ok(pipelines.includes('kubectl apply --server-side -f -'))
})

walk('flannel is not touched where its file is not right', async (t, open) => {
  const shell = await open(overlay)
  t.equal((await runBlocks(shell, [prepare('compare-flannel')])).code, 0)
  const right = { Network: '10.244.0.0/16', Backend: { Type: 'vxlan', VNI: 4096, Port: 4789 } }
  const text = JSON.stringify(right, null, 2)
  const rows: readonly (readonly [name: string, text: string, says: RegExp])[] = [
    ['a comma too many', text.replace('4789', '4789,'), /is not valid JSON for flanneld/],
    ['a comma too few', text.replace('4096,', '4096'), /is not valid JSON for flanneld/],
    ['a brace too few', text.replace(/\}$/, ''), /is not valid JSON for flanneld/],
    ['a comment', text.replace('{', '{ // new'), /is not valid JSON for flanneld/],
    ['nothing', '', /is not valid JSON for flanneld|DIFFERS/],
    ['an old VNI', text.replace('4096', '1'), /VNI +1 +4096 +DIFFERS/],
    [
      'a way around the tunnel',
      text.replace('4789', '4789, "DirectRouting": true'),
      /DirectRouting +true +false +DIFFERS/,
    ],
    ['group policies', text.replace('4789', '4789, "gbp": true'), /GBP +true +false +DIFFERS/],
  ]
  for (const [name, wrong, says] of rows) {
    writeFileSync(path.join(nodesOf(shell), 'net-conf.new.json'), wrong)
    const { code, stderr, printed } = await runBlocks(shell, [prepare('change-flannel')])
    t.not(code, 0, name)
    t.match(stderr + printed.join(''), says, name)
    t.strictSame(await netConfOf(shell), netConfBefore, name)
  }
  // As in the recorded verdict unknown-key: flanneld starts with it.
  const lists = { Networks: ['10.244.0.0/16', '10.245.0.0/16'], Others: [] }
  const file = path.join(nodesOf(shell), 'lists.json')
  writeFileSync(file, JSON.stringify({ ...right, ...lists }, null, 2))
  const read = await runBlocks(shell, [`EDITOR='cp ${file}' ${prepare('edit-flannel')}`])
  t.equal(read.code, 0, `lists: ${read.stderr}`)
})

walk('what the cluster does not have is not taken for an empty answer', async (t, open) => {
  const shell = await open(overlay)
  const flannel = await runBlocks(shell, [`FLANNEL_NAMESPACE=other ${prepare('compare-flannel')}`])
  t.not(flannel.code, 0)
  t.match(flannel.stderr, 'kube-flannel-cfg in other has no net-conf.json')
  t.notMatch(flannel.printed.join(''), /BUNDLE/, 'nothing is compared')

  const info = '/api/v1/namespaces/kube-public/configmaps/cluster-info'
  await shell.host.ps('[WinNodeHost.ApiServer]::Remove($with.info)', { info })
  const discovery = await runBlocks(shell, [prepare('credentials')])
  t.not(discovery.code, 0)
  t.match(discovery.stderr, 'discovery.conf was not written')
  await put(shell.host, info, { data: {} })
  const empty = await runBlocks(shell, [prepare('credentials')])
  t.not(empty.code, 0)
  t.strictSame(readdirSync(nodesOf(shell)), ['.gitignore'], 'no file is left')

  const antrea = await open('ws2022-antrea', [
    '--set',
    'join.endpoint=api.example.com:6443',
    '--set',
    `join.caCertHashes=[sha256:${'a'.repeat(64)}]`,
  ])
  const at = '/api/v1/namespaces/kube-system/configmaps/antrea-config'
  await antrea.host.ps('[WinNodeHost.ApiServer]::Remove($with.at)', { at })
  const asked = await runBlocks(antrea, [prepare('show-antrea')])
  t.not(asked.code, 0)
  t.notMatch(asked.printed.join(''), 'the defaults')
})

/** What spoils a file of credentials, what is said then, and the address where it is another. */
type Spoiled = readonly [
  name: string,
  spoil: (shell: Shell) => Promise<unknown>,
  says: RegExp,
  server?: string,
]
const account = '/api/v1/namespaces/kube-system/secrets/winnode-kube-proxy'
const nobody =
  (token: string) =>
  async ({ host }: Shell) =>
    host.ps('Set-HostToken -Token $with.token', { token })
const asNobody =
  (token: string) =>
  async ({ host }: Shell) =>
    host.ps(
      "Set-HostToken -Token $with.token -User 'system:bootstrap:abcdef system:bootstrappers'",
      { token },
    )
const nothing = async () => undefined
const address: readonly Spoiled[] = [
  ['no https', nothing, /expected https:/, 'http://127.0.0.1:1'],
  ['no address', nothing, /expected https:/, ''],
  ['no server', nothing, /refused/, 'https://127.0.0.1:1'],
]
async function refuses(
  t: Test,
  shell: Shell,
  call: string,
  files: readonly string[],
  [name, spoil, says, server = shell.server]: Spoiled,
) {
  for (const file of files) writeFileSync(path.join(nodesOf(shell), file), 'of yesterday')
  await spoil(shell)
  const command = call === 'bootstrap-kubeconfig' ? call : 'credentials'
  // Only this call, for this address.
  const script = shell.script
    .replace(
      /^credentials\(\) \{\n[^]*?^\}$/m,
      `credentials() {\n  enter\n  find_server\n  ${call}\n}`,
    )
    .replace(/^ {2}server=.*$/m, `  server='${server}'`)
  writeFileSync(path.join(shell.bundle, 'cluster/prepare.sh'), script)
  const { code, stderr } = await runBlocks(shell, [prepare(command)])
  t.equal(code, 1, `${name}: ${stderr}`)
  t.match(stderr, says, name)
  for (const file of files)
    t.equal(
      readFileSync(path.join(nodesOf(shell), file), 'utf8'),
      'of yesterday',
      `${name}: the old one stays`,
    )
  t.strictSame(
    readdirSync(nodesOf(shell)).filter((one) => /\.(new|try|csr)$/.test(one)),
    [],
    name,
  )
}

walk('no kubeconfig is written that does not work', async (t, open) => {
  const call = 'kubeconfig_for winnode-kube-proxy kube-proxy.conf services'
  const rows: readonly Spoiled[] = [
    [
      'no token',
      async ({ host }) => host.ps('[WinNodeHost.ApiServer]::Remove($with.account)', { account }),
      /contains no token/,
    ],
    [
      'an unknown token',
      nobody('secret-of-winnode-kube-proxy'),
      /provide credentials|Unauthorized/,
    ],
    ['no permission', asNobody('secret-of-winnode-kube-proxy'), /Forbidden|forbidden/],
    ...address,
  ]
  for (const row of rows) {
    const shell = await open(overlay)
    const look =
      'kubectl -n kube-system get secret winnode-kube-proxy winnode-kube-proxy > /dev/null'
    const applied = await runBlocks(shell, [prepare('apply'), look, 'mkdir ../for-the-nodes'])
    t.equal(applied.code, 0, applied.stderr)
    await refuses(t, shell, call, ['kube-proxy.conf'], row)
  }
})

/** The commands of the page for a leaked token: those in the list after the blocks that create the tokens. */
const renewals = (page: string) =>
  [...page.matchAll(/^- `(kubectl -n kube-system delete \S+ winnode-\S+)`$/gm)].map(
    ([, command = '']) => command,
  )

t.test('after a leak the account goes, as a new Secret holds the old token', async (t) => {
  for (const profile of [overlay, 'test/golden/ws2022-flannel-l2bridge-1.30/profile.yaml']) {
    const files = await filesOf(profile)
    const page = files.get('cluster/README.md') ?? ''
    const script = files.get('cluster/prepare.sh') ?? ''
    const accounts = [...script.matchAll(/^ {2}kubeconfig_for (\S+) /gm)].map(([, name]) => name)
    t.ok(accounts.length > 0, profile)
    t.strictSame(
      renewals(page),
      accounts.map((name) => `kubectl -n kube-system delete serviceaccount ${name}`),
    )
    t.notMatch(page, /delete the Secret/)
  }
  const join = readFileSync(path.join(root, 'docs/join.md'), 'utf8').replace(/\s+/g, ' ')
  t.ok(
    join.includes(
      'After a leak, delete the ServiceAccount, as the section "Credentials" of `cluster/README.md` describes',
    ),
  )
})

walk('a renewed kubeconfig has another token, and the leaked one stays dead', async (t, open) => {
  const shell = await open(overlay)
  const make = prepare('apply', 'credentials')
  const tokenOf = () =>
    /token: (\S+)/.exec(readFileSync(path.join(nodesOf(shell), 'kube-proxy.conf'), 'utf8'))?.[1]
  const first = await runBlocks(shell, [make])
  t.equal(first.code, 0, first.stderr)
  const leaked = tokenOf()
  const leakedFile = path.join(nodesOf(shell), 'leaked.conf')
  writeFileSync(leakedFile, readFileSync(path.join(nodesOf(shell), 'kube-proxy.conf')))
  const again = await runBlocks(shell, [...renewals(shell.page), make])
  t.equal(again.code, 0, again.stderr)
  t.not(tokenOf(), leaked)
  const thief = await runBlocks(shell, [
    `kubectl --kubeconfig '${leakedFile}' get --raw /api/v1/services`,
  ])
  t.not(thief.code, 0, 'the API server refuses the leaked token')
  t.match(thief.stderr, /provide credentials|Unauthorized/)
})

walkOfAll('nor a token, a certificate or a bootstrap kubeconfig', async (t, open) => {
  const token: readonly [string, readonly string[]] = [
    'token_for winnode-flannel flannel.token nodes',
    ['flannel.token'],
  ]
  const pair: readonly [string, readonly string[]] = [
    'certificate_for winnode-kube-proxy kube-proxy services',
    ['kube-proxy.crt', 'kube-proxy.key'],
  ]
  const file: readonly [string, readonly string[]] = [
    'bootstrap-kubeconfig',
    ['bootstrap-kubelet.conf'],
  ]
  const rows: readonly (readonly [readonly [string, readonly string[]], Spoiled])[] = [
    [
      ['token_for winnode-flannel flannel.token secrets', ['flannel.token']],
      ['no permission', nothing, /does not let .* read/],
    ],
    [
      token,
      [
        'no account',
        async ({ host }) =>
          host.ps(
            "[WinNodeHost.ApiServer]::Remove('/api/v1/namespaces/kube-system/serviceaccounts/winnode-flannel')",
          ),
        /not found/,
      ],
    ],
    [
      token,
      [
        'no CA',
        async ({ host }) =>
          host.ps(
            "[WinNodeHost.ApiServer]::Remove('/api/v1/namespaces/kube-system/configmaps/kube-root-ca.crt')",
          ),
        /was not written/,
      ],
    ],
    [
      [
        'certificate_for winnode-kube-proxy kube-proxy nodes/a',
        ['kube-proxy.crt', 'kube-proxy.key'],
      ],
      ['no permission', nothing, /were not written/],
    ],
    [pair, ['no server', nothing, /refused/, 'https://127.0.0.1:1']],
    [file, ['no server', nothing, /refused/, 'https://127.0.0.1:1']],
    [file, ['no address', nothing, /expected https:/, '']],
  ]
  for (const [[call, files], row] of rows) {
    const shell = await open(withoutKubeadm)
    const applied = await runBlocks(shell, [prepare('apply'), 'mkdir ../for-the-nodes'])
    t.equal(applied.code, 0, applied.stderr)
    await refuses(t, shell, call, files, row)
  }
})

/** A folder for programs that come before all others. */
function programsFor({ bundle }: Shell): string {
  const folder = path.join(path.dirname(bundle), 'first')
  mkdirSync(folder)
  return folder
}

/** `date` of BSD and macOS, and of busybox: the one takes -r for seconds, the other no words. */
const dates = {
  bsd: 'case "$*" in *-d*) exit 1;; *-r*) exec /bin/date -u -d "@$3" "$4";; *) exec /bin/date "$@";; esac',
  busybox: 'case "$*" in *hour*) exit 1;; *) exec /bin/date "$@";; esac',
  broken: 'exit 1',
}

walk('a bootstrap token ends, whatever date can do', async (t, open) => {
  for (const [name, text] of Object.entries(dates)) {
    const shell = await open(withoutKubeadm)
    const first = programsFor(shell)
    writeFileSync(path.join(first, 'date'), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
    const { code, stderr } = await runBlocks(shell, [prepare('bootstrap-kubeconfig')], { first })
    const paths = await shell.host.ps<readonly string[]>('[WinNodeHost.ApiServer]::Paths()')
    const at = paths.find((one) => one.includes('bootstrap-token-'))
    if (name === 'broken') {
      t.not(code, 0)
      t.equal(at, undefined, 'no token without an end')
      continue
    }
    t.equal(code, 0, stderr)
    const { stringData } = (await get(shell.host, at ?? '')) as {
      stringData: { expiration: string }
    }
    const hour = (Date.parse(stringData.expiration) - Date.now()) / 3_600_000
    t.ok(hour > 0.9 && hour < 1.01, `${name}: ${stringData.expiration}`)
  }
})

walk('no secret stands in a command line', async (t, open) => {
  const shell = await open(withoutKubeadm, [
    '--set',
    'network.flannel.credentials.tokenFile=null',
    '--set',
    'network.flannel.credentials.kubeconfig=C:\\etc\\kubernetes\\flannel.conf',
  ])
  const first = programsFor(shell)
  const log = path.join(first, 'calls')
  for (const name of ['kubectl', 'openssl', 'base64', 'tr', 'mv', 'cat', 'rm']) {
    const text = `#!/bin/sh\nprintf '%s\\n' "${name} $*" >> '${log}'\nPATH=\${PATH#*:}\nexec ${name} "$@"\n`
    writeFileSync(path.join(first, name), text, { mode: 0o755 })
  }
  const all = blocksOf(shell.page).map(({ text }) => text)
  const { code, stderr } = await runBlocks(
    shell,
    all.filter((text) => !text.includes('-flannel')),
    { first },
  )
  t.equal(code, 0, stderr)
  const calls = readFileSync(log, 'utf8')
  t.match(calls, /^kubectl --kubeconfig bootstrap-kubelet\.conf\.new get --raw/m, 'calls are seen')
  const secrets = [
    /secret-of-winnode-flannel/,
    /[0-9a-f]{6}\.[0-9a-f]{16}/,
    Buffer.from('secret-of-').toString('base64').slice(0, 12),
  ]
  for (const one of secrets) t.notMatch(calls, one)
})

t.test('the page depends on the profile', async (t) => {
  const pageOf = async (...over: readonly JsonObject[]) =>
    (await filesOf(overlay, ...over)).get('cluster/README.md')
  const join = { endpoint: 'api.example.com:6443', caCertHashes: [`sha256:${'a'.repeat(64)}`] }
  const credentials = { kubeconfig: null, certificate: 'C:\\k\\a.crt', key: 'C:\\k\\a.key' }
  const files = await filesOf('ws2022-flannel-overlay', { kubeProxy: { credentials }, join })
  t.match(
    files.get('cluster/README.md'),
    'common name `system:serviceaccount:kube-system:winnode-kube-proxy`',
  )
  t.notMatch(files.get('cluster/10-kube-proxy.yaml'), /kind: Secret/, 'no unused token')
  t.notMatch(files.get('cluster/20-flannel.yaml'), /kind: Secret/, 'a token in a file needs none')
  t.match((await filesOf(overlay)).get('cluster/20-flannel.yaml'), /kind: Secret/)

  const plain = await pageOf()
  t.match(plain, /fits every cluster with the\s+pod CIDR `10\.244\.0\.0\/16`/)
  t.match(plain, /API server rejects\s+anonymous requests/)
  t.notMatch(plain, 'serving certificate')
  const approved = await pageOf({ kubelet: { servingCertificateApprover: 'kubelet-csr-approver' } })
  t.match(approved, 'Until `kubelet-csr-approver` approves the CSR')
  t.match(approved, 'kubectl certificate approve')
  const other = await pageOf({ network: { flannel: { vni: 5000 } }, join })
  const script = (await filesOf(overlay, { network: { flannel: { vni: 5000 } }, join })).get(
    'cluster/prepare.sh',
  )
  t.match(script, 'line "$1" VNI 5000 1\n')
  t.match(script, 'server=https://api.example.com:6443\n')
  t.match(other, '`ip -d link show flannel.5000`')
  t.match(
    other,
    /API server rejects\s+anonymous requests/,
    'kubeadm reads it with an endpoint, too',
  )
})

t.test('a page names what it needs, and what else has its names', async (t) => {
  const page = async (profile: string) => (await filesOf(profile)).get('cluster/README.md')
  t.match(await page(overlay), /^- `kubectl`, 1\.24 or later.*\n- `kubeadm`, .*\n\n/m)
  t.match(await page(withoutKubeadm), /^- `kubectl`, .*\n- `openssl`, .*\n\n/m)
  const classes = await filesOf(overlay, { kubelet: { taints: [] } })
  for (const name of ['cluster/README.md', 'cluster/30-runtime-class.yaml'])
    t.match(classes.get(name), /RuntimeClass|Bundles for one Windows release share the name/, name)
  t.match(
    classes.get('cluster/README.md'),
    /^Bundles for the same Windows release have a RuntimeClass of the same name[^]*rejects a pod whose `nodeSelector`/m,
  )
  t.match(classes.get('cluster/30-runtime-class.yaml'), /contradicting nodeSelector is\n# rejected/)
  t.match(
    (await filesOf('ws2022-antrea')).get('README.md'),
    '`Prepare-AntreaAgent.ps1 -RunOVSServices $false`',
  )
})

t.test('files that go where Install makes no folder', async (t) => {
  const join = {
    endpoint: 'api.example.com:6443',
    caCertHashes: [`sha256:${'a'.repeat(64)}`],
    tokenFile: 'C:\\own files\\token',
  }
  const credentials = { kubeconfig: null, tokenFile: 'C:\\ETC\\Kubernetes\\kube-proxy.token' }
  const files = await filesOf(overlay, { kubeProxy: { credentials }, join })
  const lines = blocksOf(files.get('README.md')).flatMap(({ text }) => text.trimEnd().split('\n'))
  const made = lines.filter((line) => line.includes('New-Item'))
  t.strictSame(made, ["$null = New-Item -ItemType Directory -Path 'C:\\own files' -Force"])
  t.ok(
    lines.indexOf(made[0] ?? '') < lines.findIndex((line) => line.startsWith('Copy-Item')),
    'before they are copied',
  )
  t.match(
    files.get('README.md'),
    /does not restrict them\.[^]*icacls\.exe FOLDER[^]*^- `C:\\own files`$/m,
  )
  const given = files.get('cluster/README.md')
  t.match(given, '- `token`: copied to `C:\\own files\\token`')
  t.notMatch(given, '-TokenFile', 'no second way to name it')
  t.notMatch((await filesOf(overlay)).get('README.md'), 'New-Item')
})

/** Each line for PowerShell, and what it requires; the simulated host runs them in test/node/bundles.test.ts. */
const powershell: readonly (readonly [
  line: RegExp,
  holds: (files: Files, found: RegExpExecArray) => boolean,
])[] = [
  [
    /^\.\\([\w-]+\.ps1)((?: -\w+)*(?: -TokenFile \(Join-Path -Path \$from -ChildPath 'token'\))?)$/,
    scriptTakes,
  ],
  [/^Restart-Computer$/, () => true],
  [/^\$null = New-Item -ItemType Directory -Path '[^']+' -Force$/, () => true],
  [/^\$from = 'C:\\for-the-nodes'$/, () => true],
  [
    /^Copy-Item -LiteralPath \(Join-Path -Path \$from -ChildPath '([\w.-]+)'\) -Destination '(.+)'$/,
    // A file that cluster/prepare.sh creates under that name.
    (files, [, name = '', target = '']) =>
      files.get('cluster/README.md')?.includes(`- \`${name}\`: copied to \`${target}\``) === true,
  ],
]

/** Whether the bundle has a script of that name with these parameters. */
function scriptTakes(files: Files, [, name = '', words = '']: RegExpExecArray): boolean {
  const text = files.get(name) ?? ''
  const given = [...words.replace(/\(.*\)/, '').matchAll(/-(\w+)/g)].map(([, word = '']) => word)
  const takes = (word: string) =>
    word === 'WhatIf' ? text.includes('SupportsShouldProcess') : text.includes(`    $${word} =`)
  return text !== '' && given.every(takes)
}

/** A provider's image installs the node: test/artifacts/eks.test.ts. */
const installed = [...builtins, ...goldens].filter((profile) => !profile.includes('eks'))

for (const profile of installed) {
  t.test(`README.md of ${profile}`, async (t) => {
    const files = await filesOf(profile)
    const page = files.get('README.md') ?? ''
    const blocks = blocksOf(page)
    t.strictSame(
      blocks.filter(({ language }) => language !== 'powershell'),
      [],
      'all of it is for the node',
    )
    const lines = blocks.flatMap(({ text }) => text.trimEnd().split('\n'))
    for (const line of lines) {
      const rows = powershell.flatMap(([pattern, holds]) => {
        const found = pattern.exec(line)
        return found ? [holds(files, found)] : []
      })
      t.strictSame(rows, [true], `known, and right: ${line}`)
    }
    const order = [
      'cluster/README.md',
      '.\\Install-',
      'Restart-',
      '$from',
      '.\\Join-',
      '.\\Test-',
      '- 2: nothing was changed',
      '.\\Reset-',
    ]
    const places = order.map((word) => page.indexOf(word))
    t.strictSame(
      places,
      places.toSorted((a, b) => a - b),
      'in the order in which a person does it',
    )
    t.notOk(places.includes(-1))
    const { facts } = compileBuiltin(profile, requiredFieldsOf(profile))
    t.equal(page.includes('-TokenFile'), facts.spec.join.method === 'kubeadm')
    for (const file of ['README.md', 'cluster/README.md'])
      t.notMatch(
        files.get(file)?.replace(/^```[^]*?^```$/gm, 'block'),
        /\n\n\n|[^\n]\n#/,
        `${file}: an empty line before a heading, and never two`,
      )
  })
}

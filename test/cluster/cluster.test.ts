// How a cluster is read with kubectl: what is run, what its answers mean, and what is said where it fails.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { accessOf } from '../../src/cluster/access.ts'
import { openClient } from '../../src/cluster/client.ts'
import { detect } from '../../src/cluster/detect.ts'
import { type Kubectl, kubectlOf } from '../../src/cluster/kubectl.ts'
import { redactedCommand } from '../../src/cluster/redact-command.ts'
import { redactor } from '../../src/cluster/redact.ts'
import type { Json, JsonObject } from '../../src/model/json.ts'
import { inProcess } from '../tools/run.ts'
import { authority, type Behaviour, client, type Handler, refuse, send } from './api-server.ts'
import {
  ask,
  type Asking,
  kubeconfigOf,
  noKubectl,
  problemOf,
  readsOnly,
  realKubectl,
  said,
  secret,
  standInProcess,
  start,
  version,
} from './asking.ts'
import { identity } from './certificates.ts'
import { base64, empty, nodes } from './clusters.ts'
import { plugin, writes } from './exec-plugin.ts'

const get = async (t: Test, port: number, asking: Asking) =>
  (await ask(t, port, asking)).get('/version')

const quick: NonNullable<Asking['limits']> = { request: 1500, retries: 1500, plugin: 10_000 }

// --- The same of the stand-in and of the kubectl of this machine

const kubectls: readonly (readonly [name: string, skip: string | false, kubectl: Kubectl])[] = [
  ['the stand-in', false, standInProcess],
  ['kubectl', noKubectl, realKubectl],
]

const at = (handler: Handler): Behaviour => ({ handlers: { '/version': handler } })
const forbidden = `User "jane" cannot get path "/version" ${secret}\nin the namespace x`
const stranger = identity({ name: 'stranger', hosts: ['127.0.0.1'] })
const expired = identity({ name: 'old', by: authority, hosts: ['127.0.0.1'], days: -0.5 })
const other = identity({ name: 'other', by: authority, hosts: ['other.test'] })
const found = { kind: 'found' } as const
const pair = {
  'client-certificate-data': base64(client.cert),
  'client-key-data': base64(client.key),
}

type Row = readonly [
  what: string,
  behaviour: Behaviour,
  asking: Asking,
  answer: Readonly<Record<string, string | RegExp | object>>,
  sent?: string,
]

const bearer = `Bearer ${secret}`

const answers: readonly Row[] = [
  ['a token', { objects: version }, {}, found, bearer],
  ['a client certificate', { objects: version, knows: 'admin' }, { user: pair }, found, 'admin'],
  [
    'a token of a plugin',
    { objects: version },
    { user: plugin(writes({ token: secret })) },
    found,
    bearer,
  ],
  [
    'a user without credentials',
    { objects: version },
    { user: {} },
    {
      message: 'the user of the kubeconfig has no credentials',
      problem: { subject: 'kubeconfig' },
    },
  ],
  [
    'credentials that are not known',
    { knows: 'nobody' },
    {},
    { kind: 'unauthorized', message: 'You must be logged in to the server (Unauthorized)' },
    bearer,
  ],
  [
    'a refusal of two lines',
    at((_, response) => refuse(response, 403, forbidden)),
    {},
    {
      kind: 'forbidden',
      message: `User "jane" cannot get path "/version" *** in the namespace x`,
    },
    bearer,
  ],
  [
    'nothing at that path',
    {},
    {},
    { kind: 'missing', message: 'the server could not find the requested resource' },
    bearer,
  ],
  [
    'an expired list',
    at((_, response) => refuse(response, 410, 'too old')),
    {},
    { kind: 'expired', message: 'too old' },
    bearer,
  ],
  [
    'an error of the server',
    at((_, response) => refuse(response, 500, 'etcd')),
    {},
    { kind: 'failed', message: 'kubectl: Error from server: etcd' },
    bearer,
  ],
  [
    'a refusal that calls itself 200',
    at((_, response) => {
      const status = { kind: 'Status', status: 'Failure', code: 403, message: `no ${secret}` }
      response.end(JSON.stringify(status))
    }),
    {},
    { kind: 'forbidden', message: 'no ***' },
    bearer,
  ],
  [
    'a page of a portal',
    at((_, response) => response.end('<html>')),
    {},
    { kind: 'failed', message: /not JSON/ },
    bearer,
  ],
  [
    'silence',
    at(() => undefined),
    { limits: quick },
    {
      kind: 'failed',
      message: /^kubectl: (?:Unable to connect to the server: .*(?:Timeout|deadline)|no answer)/,
    },
    bearer,
  ],
  [
    'an end without a word',
    at((request) => request.socket.destroy()),
    {},
    { kind: 'failed', message: 'kubectl: Unable to connect to the server: EOF' },
    bearer,
  ],
  [
    'an answer that is cut off',
    at((request, response) => {
      response.write('{"git')
      void setTimeout(50).then(() => request.socket.destroy())
    }),
    {},
    {
      kind: 'failed',
      message: 'kubectl: unexpected EOF',
      problem: { subject: 'connection' },
    },
    bearer,
  ],
  [
    'an endless answer',
    at((_, response) => void setInterval(() => response.write('x'.repeat(65_536)), 1).unref()),
    { limits: { bytes: 100_000 } },
    { kind: 'failed', message: /too long for/ },
    bearer,
  ],
  [
    'a busy server that never says for how long',
    at((_, response) => response.writeHead(429).end('{}')),
    {},
    { kind: 'failed', message: /TooManyRequests/ },
    bearer,
  ],
  [
    'a server that asks for an hour',
    at((_, response) => response.writeHead(429, { 'Retry-After': '3600' }).end('{}')),
    { limits: quick },
    { kind: 'failed', message: /no answer within 3 seconds|TooManyRequests/ },
    bearer,
  ],
  [
    'a certificate of an unknown CA',
    { objects: version, identity: stranger },
    {},
    { kind: 'failed', message: /^kubectl: .*x509: certificate signed by unknown authority/ },
  ],
  [
    'a certificate that the kubeconfig does not trust, and no CA',
    { objects: version },
    { cluster: { 'certificate-authority-data': undefined } },
    { kind: 'failed', message: /x509: certificate signed by unknown authority/ },
  ],
  [
    'a certificate that has expired',
    { objects: version, identity: expired },
    {},
    { kind: 'failed', message: /x509: certificate has expired/ },
  ],
  [
    'a certificate for another name',
    { objects: version, identity: other },
    {},
    { kind: 'failed', message: /x509: / },
  ],
  [
    'a name for the certificate',
    { objects: version, identity: other },
    { cluster: { 'tls-server-name': 'other.test' } },
    found,
    bearer,
  ],
  [
    'an unchecked certificate, as the kubeconfig says',
    { objects: version, identity: stranger },
    { cluster: { 'certificate-authority-data': undefined, 'insecure-skip-tls-verify': true } },
    found,
    bearer,
  ],
  [
    'an exec plugin that fails',
    { objects: version },
    { user: plugin(`console.error('error: ${secret}'); process.exit(3)`) },
    {
      message: /^no credentials from the exec plugin: executable .* failed with exit code 3$/,
      problem: { subject: 'credentials' },
    },
  ],
  [
    'an exec plugin that does not exist',
    { objects: version },
    { user: plugin('', { command: '/no/such/program' }) },
    { message: /^no credentials from the exec plugin: .*\/no\/such\/program/ },
  ],
  [
    'an exec plugin that writes no JSON',
    { objects: version },
    { user: plugin(`console.log('${secret}')`) },
    { message: /^no credentials from the exec plugin: decoding stdout/ },
  ],
  [
    'an exec plugin without a status',
    { objects: version },
    { user: plugin(writes({}, { status: null })) },
    { message: /^no credentials from the exec plugin: exec plugin didn't return a status field/ },
  ],
  [
    'an exec plugin whose token is none',
    { objects: version },
    { user: plugin(writes({ token: `${secret}\r\nX-Evil: y` })) },
    { message: 'the token has characters that no token has' },
  ],
  [
    'an exec plugin of an unknown version',
    { objects: version },
    { user: plugin('', { apiVersion: 'client.authentication.k8s.io/v9' }) },
    {
      message: /exec plugin: invalid apiVersion/,
      problem: { hints: [/needs kubectl 1\.22 or newer/] },
    },
  ],
  [
    'an exec plugin that does not end',
    { objects: version },
    { user: plugin('setInterval(() => {}, 1000)'), limits: { ...quick, plugin: 500 } },
    { kind: 'failed', message: /no answer within 3\.5 seconds/ },
  ],
]

for (const [name, skip, kubectl] of kubectls)
  t.test(`answers of ${name}`, { skip }, async (t) => {
    for (const [what, behaviour, asking, answer, sent] of answers)
      await t.test(what, async (t) => {
        const server = await start(t, behaviour)
        const before = Date.now()
        const got = await get(t, server.port, { ...asking, kubectl })
        t.match(got, answer)
        t.notMatch(JSON.stringify(got), secret)
        t.ok(Date.now() - before < 25_000)
        readsOnly(t, server)
        const [first] = server.seen
        const shown = first?.authorization ?? first?.peer ?? ''
        t.equal(shown, sent ?? '', 'what was sent')
      })
  })

// --- What is run, and how

/** A kubectl that is a shell script. */
function scripted(t: Test, script: string): Kubectl {
  const folder = t.testdir({ kubectl: `#!/bin/sh\n${script}` })
  chmodSync(path.join(folder, 'kubectl'), 0o755)
  return kubectlOf({ ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` })
}

const limits = { time: 5000, bytes: 1000 }

t.test('kubectl is the one of PATH', async (t) => {
  const folder = t.testdir({ kubectl: '#!/bin/sh\necho here', folder: { kubectl: {} } })
  const program = path.join(folder, 'kubectl')
  const missing = /^kubectl: not found in PATH\n.*kubectl 1\.20 or newer \(1\.22 for exec plugins/
  const absent = async (PATH: string) => said(await problemOf(() => kubectlOf({ PATH })))
  t.match(await absent(folder), missing, 'not what cannot be run')
  chmodSync(program, 0o755)
  t.match(await absent(path.relative('.', folder)), missing, 'not a program in a relative folder')
  t.match(await absent(`.:${path.join(folder, 'folder')}`), missing, 'not a folder')
  t.match(await kubectlOf({ PATH: folder })([], limits), { stdout: 'here\n' })

  const before = process.env['PATH']
  t.teardown(() => (process.env['PATH'] = before))
  process.env['PATH'] = ''
  for (const argv of [
    ['init', '--from-cluster', '--yes', '--out', '-'],
    ['drift', 'ws2022-flannel-overlay', '--kubeconfig', kubeconfigOf(t, 1)],
  ])
    t.match(await inProcess(argv), { code: 2, stdout: '', stderr: /kubectl: not found in PATH/ })
})

t.test('kubectl runs without input, in English and without a kuberc', async (t) => {
  const kubectl = scripted(t, 'echo "$LC_ALL $KUBERC $KUBECTL_KUBERC $*"; read line || echo none')
  t.match(await kubectl(['a b', '$(x)'], limits), {
    kind: 'ended',
    code: 0,
    stdout: 'C off false a b $(x)\nnone\n',
  })
  t.match(await scripted(t, 'echo x >&2; exit 3')([], limits), { code: 3, stderr: 'x\n' })
  const endless = scripted(t, 'yes >&2 & yes')
  t.match(await endless([], limits), { kind: 'too-long' })
})

t.test('kubectl and what it started are killed after a while', async (t) => {
  const file = path.join(t.testdir(), 'pid')
  const kubectl = kubectlOf({ PATH: programs(t, `sleep 60 & echo $! > ${file}; wait`) })
  const before = Date.now()
  t.strictSame(await kubectl([], { time: 1000, bytes: 1000 }), { kind: 'late' })
  t.ok(Date.now() - before < 5000)
  const pid = Number(readFileSync(file, 'utf8'))
  while (isRunning(pid) && Date.now() - before < 20_000) await setTimeout(20)
  t.notOk(isRunning(pid))
})

function programs(t: Test, script: string): string {
  const folder = path.join(t.testdirName, 'bin')
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'kubectl'), `#!/bin/sh\nPATH=/usr/bin:/bin\n${script}`)
  chmodSync(path.join(folder, 'kubectl'), 0o755)
  return folder
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A zombie whose parent is gone counts as ended.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Answers at once, and notes what is asked. */
function noting(config: Json = {}) {
  const calls: (readonly string[])[] = []
  let running = 0
  const most: number[] = []
  const kubectl: Kubectl = async (args) => {
    calls.push(args)
    if (args.includes('view'))
      return { kind: 'ended', code: 0, stdout: JSON.stringify(config), stderr: '' }
    running += 1
    most.push(running)
    await setTimeout(20)
    running -= 1
    return { kind: 'ended', code: 0, stdout: '{"items":[]}', stderr: '' }
  }
  const open = (over: { allow?: boolean; kubeconfig?: string; context?: string } = {}) =>
    openClient({
      ...{ kubectl, kubeconfig: over.kubeconfig, context: over.context },
      allow: () => Promise.resolve(over.allow ?? true),
      log: () => undefined,
    })
  return { calls, most, open }
}

const configOf = (cluster: JsonObject, user: JsonObject = {}) => ({
  clusters: [{ name: 'c', cluster }],
  users: [{ name: 'u', user }],
})

t.test(
  'the first request runs alone, so that a login happens once; then eight at a time',
  async (t) => {
    const { most, open } = noting(configOf({ server: 'https://a.test' }))
    const opened = await open()
    await Promise.all(Array.from({ length: 30 }, () => opened.get('/version')))
    t.equal(most[0], 1)
    t.equal(most[1], 1, 'the second starts when the first has ended')
    t.equal(Math.max(...most), 8)
    t.equal(most.length, 30)
  },
)

t.test('the requests of kubectl', async (t) => {
  const file = path.join(t.testdir({ config: '{}' }), 'config')
  const { calls, open } = noting(configOf({ server: 'https://a.test/k8s/clusters/c-1/' }))
  const opened = await open({ kubeconfig: file, context: 'prod' })
  await opened.get('/version')
  await opened.list('/api/v1/nodes?labelSelector=a%3Db')
  const flags = [`--kubeconfig=${file}`, '--context=prod']
  const timeout = '--request-timeout=15s'
  const base = '/k8s/clusters/c-1'
  t.strictSame(calls, [
    [
      ...flags,
      '--server=http://127.0.0.1:0',
      ...['config', 'view', '--minify', '--flatten', '--raw', '--output=json'],
    ],
    [...flags, 'get', `--raw=${base}/version`, timeout],
    [...flags, 'get', `--raw=${base}/api/v1/nodes?labelSelector=a%3Db&limit=100`, timeout],
  ])
})

t.test('why a kubeconfig cannot be used, and what to do', async (t) => {
  const two = { contexts: [{ name: 'prod' }, { name: 'stage' }] }
  const noContext = 'current-context must exist in order to minify'
  const choose = 'choose one with --context: "prod", "stage"'
  const rows: readonly [error: string, config: Json, told: string][] = [
    ['cannot locate context prd', two, 'the kubeconfig has no context "prd"\ndid you mean "prod"?'],
    ['cannot locate context other', two, `the kubeconfig has no context "other"\n${choose}`],
    [noContext, two, `the kubeconfig has no current-context\n${choose}`],
    [noContext, {}, 'no kubeconfig with a context found\nname one with --kubeconfig'],
    [
      'open /etc/ca.crt: no such file or directory',
      two,
      'kubectl config view: open /etc/ca.crt: no such file or directory',
    ],
    [
      `error converting YAML to JSON: yaml: line 3: found ${secret}`,
      two,
      'kubectl config view: the kubeconfig cannot be read: line 3\nthe text may hold a secret and is not shown: kubectl config view shows what is wrong',
    ],
  ]
  for (const [error, config, told] of rows) {
    const kubectl: Kubectl = (args) => {
      const words = args.filter((word) => !word.startsWith('--')).join(' ')
      const isWhole =
        words === 'config view' && !args.some((word) => /^--(?:minify|context=)/.test(word))
      const [code, stdout, stderr] = isWhole
        ? [0, JSON.stringify(config), '']
        : [1, '', `error: ${error}\n`]
      return Promise.resolve({ kind: 'ended', code, stdout, stderr })
    }
    const allow = () => Promise.resolve(true)
    const asked = { kubectl, kubeconfig: undefined, context: 'prd', allow, log: () => undefined }
    t.equal(said(await problemOf(() => openClient(asked))), told, error)
  }
})

t.test('an exec plugin is shown before a request is sent', async (t) => {
  const exec = { command: '/bin/login', args: ['--client-secret', secret, `--token=${secret}`] }
  for (const server of ['https://a.test', 'http://a.test']) {
    const { calls, open } = noting(configOf({ server }, { exec }))
    const problem = await problemOf(() => open({ allow: false }))
    t.equal(
      said(problem),
      'no credentials from the exec plugin: /bin/login --client-secret *** --token=*** was not allowed to run',
    )
    t.equal(calls.length, 1, 'only config view ran')
  }
  const provider = { 'auth-provider': { name: 'gcp', config: { 'cmd-path': '/bin/x' } } }
  const { open } = noting(configOf({ server: 'https://a.test' }, provider))
  t.match(said(await problemOf(() => open())), /auth-provider "gcp", which may run programs/)
})

t.test('before the consent kubectl runs no plugin', { skip: noKubectl }, async (t) => {
  const server = await start(t, { objects: version })
  const ran = path.join(t.testdirName, 'ran')
  const user = plugin(`require('node:fs').writeFileSync(${JSON.stringify(ran)}, '')`)
  const allow = () => Promise.resolve(false)
  await problemOf(() => ask(t, server.port, { user, allow, kubectl: realKubectl }))
  t.notOk(existsSync(ran))
  t.strictSame(server.seen, [])
})

t.test('commands are shown without what may be secret', (t) => {
  const rows: readonly [args: string[], shown: string][] = [
    [['get-token', '--cluster', 'a b'], 'p get-token --cluster "a b"'],
    [['--client-secret', 'x y'], 'p --client-secret ***'],
    [['--oidc-client-secret=abc', '--ok=1'], 'p --oidc-client-secret=*** --ok=1'],
    [['--oidc-client-secret=abc', 'get'], 'p --oidc-client-secret=*** get'],
    [['--password', '--next'], 'p --password --next'],
    [['-t', 'abcdef.0123456789abcdef'], `p -t ${'*'.repeat(23)}`],
    [['\u001b[2Jx'], 'p "\\u001b[2Jx"'],
  ]
  for (const [args, shown] of rows) t.equal(redactedCommand('p', args), shown)
  t.end()
})

t.test('of two secrets, the longer one is hidden as a whole', (t) => {
  t.equal(redactor(['abcd', 'abcd-efgh'])('abcd-efgh, abcd'), '***, ***')
  t.end()
})

t.test('a secret is hidden in base64, too', (t) => {
  t.equal(redactor(['abcd-efgh'])(`header ${base64('abcd-efgh')}`), 'header ***')
  t.end()
})

function accessTo(cluster: JsonObject) {
  const config = { clusters: [{ name: 'c', cluster }], users: [{ name: 'u', user: {} }] }
  const kubectl = () =>
    Promise.resolve({ kind: 'ended', code: 0, stdout: JSON.stringify(config), stderr: '' } as const)
  return accessOf(kubectl, [], 'kubeconfig')
}

t.test('a server with the name of a user in its address is refused', async (t) => {
  await t.rejects(accessTo({ server: 'https://bob@api.example.com:6443' }), {
    message: /^server holds a name /,
  })
})

t.test('a node does not have what the kubeconfig needs to reach the server', async (t) => {
  const rows: readonly (readonly [more: JsonObject, indirect: boolean])[] = [
    [{}, false],
    [{ 'insecure-skip-tls-verify': true }, true],
    [{ 'tls-server-name': 'other.test' }, true],
    [{ 'proxy-url': 'http://proxy.test:3128' }, true],
  ]
  for (const [more, indirect] of rows)
    t.equal(
      (await accessTo({ server: 'https://api.test:6443', ...more })).indirect,
      indirect,
      JSON.stringify(more),
    )
})

t.test('a list that changes between pages is read again, once', async (t) => {
  let calls = 0
  const changing: Handler = (_, response) => {
    calls += 1
    if (calls === 2) refuse(response, 410, 'expired')
    else
      send(response, 200, {
        metadata: calls === 4 ? {} : { continue: 'more' },
        items: [{ n: calls }],
      })
  }
  const server = await start(t, { handlers: { [nodes]: changing } })
  const opened = await ask(t, server.port)
  t.strictSame(await opened.list(nodes), { kind: 'found', items: [{ n: 3 }, { n: 4 }] })
})

t.test('a list without an end', async (t) => {
  const endless: Handler = (_, response) =>
    send(response, 200, { metadata: { continue: 'more' }, items: [{}] })
  const server = await start(t, { handlers: { [nodes]: endless } })
  const opened = await ask(t, server.port, { limits: { pages: 5 } })
  t.match(await opened.list(nodes), { kind: 'failed' })
  t.equal(server.seen.length, 5)
})

t.test('detection ends at once without an answer, or the credentials are not known', async (t) => {
  const silent = await start(
    t,
    at((request) => request.socket.destroy()),
  )
  const late = await problemOf(async () => detect(await ask(t, silent.port)))
  t.equal(said(late), 'kubectl: Unable to connect to the server: EOF')
  t.equal(silent.seen.length, 1)
  const unknown = await start(t, { knows: 'nobody' })
  const refused = await problemOf(async () => detect(await ask(t, unknown.port)))
  t.match(said(refused), /does not know these credentials/)
  t.equal(refused.subject, 'credentials')
  t.equal(unknown.seen.length, 1)
  const half = await start(t, {
    objects: empty.objects ?? {},
    handlers: { [nodes]: (request) => request.socket.destroy() },
  })
  const detection = await detect(await ask(t, half.port))
  t.strictSame(detection.unread.map(({ what, why }) => `${what}: ${why}`).at(-1), 'nodes: failed')
  const ended = await start(t, {
    objects: empty.objects ?? {},
    refusals: { [nodes]: { code: 401, message: 'Unauthorized' } },
  })
  const noMore = await problemOf(async () => detect(await ask(t, ended.port)))
  t.match(said(noMore), /does not know these credentials/, 'they expired after the first answer')
})

t.test('a busy server is asked again when it says so', async (t) => {
  let calls = 0
  const busy = at((_, response) => {
    calls += 1
    if (calls > 2) send(response, 200, { gitVersion: 'v1.37.1' })
    else response.writeHead(429, { 'Retry-After': '1' }).end('{}')
  })
  const server = await start(t, busy)
  t.match(await get(t, server.port, { kubectl: standInProcess }), { kind: 'found' })
  t.equal(server.seen.length, 3)
})

t.test('over http no token is sent', { skip: noKubectl }, async (t) => {
  const seen: (string | undefined)[] = []
  const plain = createServer(({ headers }, response) => {
    seen.push(headers.authorization)
    response.end('{}')
  })
  await new Promise<void>((ready) => plain.listen(0, '127.0.0.1', ready))
  t.teardown(() => plain.close())
  const { port } = plain.address() as AddressInfo
  const cluster = { server: `http://127.0.0.1:${port}`, 'certificate-authority-data': undefined }
  t.match(await get(t, port, { cluster, kubectl: realKubectl }), { kind: 'found' })
  t.strictSame(new Set(seen), new Set([undefined]))
})

// How a cluster is read over HTTPS: who asks, how it is trusted and reached, and what is said where it fails.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { detect } from '../../src/cluster/detect.ts'
import { proxyFor } from '../../src/cluster/proxy/choose.ts'
import { shownCommand } from '../../src/cluster/shown-command.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { secret, type Asking, ask, start, readsOnly, problemOf, said, version } from './asking.ts'
import { base64, nodes, daemonSets, empty } from './clusters.ts'
import { plugin, writes } from './exec-plugin.ts'
import {
  authority,
  type Behaviour,
  client,
  type Handler,
  refuse,
  send,
  serving,
  startApiServer,
} from './api-server.ts'
import { identity } from './certificates.ts'
import { startHttpProxy, startSocksProxy } from './proxies.ts'

// --- Who asks

const get = (t: Test, port: number, asking: Asking) =>
  ask(t, port, asking).then((opened) => opened.get('/version'))

t.test('credentials are those that client-go would send', async (t) => {
  const folder = t.testdir({
    token: ` ${secret}-file\n`,
    none: ' \n',
    cert: client.cert,
    key: client.key,
  })
  const at = (name: string) => path.join(folder, name)
  const rows: readonly [what: string, user: JsonObject, known: string][] = [
    ['a token', { token: secret }, `Bearer ${secret}`],
    ['a token file', { tokenFile: at('token') }, `Bearer ${secret}-file`],
    [
      'a token file wins over a token',
      { token: 'x', tokenFile: at('token') },
      `Bearer ${secret}-file`,
    ],
    ['a token without its file', { token: secret, tokenFile: at('absent') }, `Bearer ${secret}`],
    ['a token with an empty file', { token: secret, tokenFile: at('none') }, `Bearer ${secret}`],
    ['a password', { username: 'me', password: secret }, `Basic ${base64(`me:${secret}`)}`],
    [
      'a client certificate',
      { 'client-certificate-data': base64(client.cert), 'client-key-data': base64(client.key) },
      'admin',
    ],
    [
      'a client certificate in files',
      { 'client-certificate': at('cert'), 'client-key': at('key') },
      'admin',
    ],
    ['a token of a plugin', plugin(writes({ token: secret })), `Bearer ${secret}`],
    [
      'a certificate of a plugin',
      plugin(writes({ clientCertificateData: client.cert, clientKeyData: client.key })),
      'admin',
    ],
    [
      'a token wins over a plugin, which does not run',
      { token: secret, ...plugin('process.exit(1)') },
      `Bearer ${secret}`,
    ],
  ]
  for (const [what, user, known] of rows) {
    await t.test(what, async (t) => {
      const server = await start(t, { objects: version, knows: known })
      t.match(await get(t, server.port, { user }), { kind: 'found' })
      readsOnly(t, server)
    })
  }

  await t.test('nothing, where the kubeconfig has no such user', async (t) => {
    const server = await start(t, { objects: version })
    t.match(await get(t, server.port, { user: {} }), { kind: 'found' })
    t.equal(server.seen[0]?.authorization, undefined)
  })

  await t.test('impersonation', async (t) => {
    const server = await start(t, { objects: version })
    const user = {
      token: secret,
      as: 'jane',
      'as-uid': '7',
      'as-groups': ['a', 'b'],
      'as-user-extra': { 'a/b': ['x'] },
    }
    await get(t, server.port, { user })
    t.match(server.seen[0]?.headers, {
      'impersonate-user': 'jane',
      'impersonate-uid': '7',
      'impersonate-group': 'a, b',
      'impersonate-extra-a%2fb': 'x',
    })
  })
})

t.test('an exec plugin', async (t) => {
  await t.test('is shown before it runs', async (t) => {
    const server = await start(t, { objects: version })
    const shown: string[] = []
    await get(t, server.port, {
      user: plugin(writes({ token: secret }), {
        args: ['-e', '0', '--client-secret', secret, `--token=${secret}`],
      }),
      allow: (command) => Promise.resolve(shown.push(command) < 0),
    }).catch(() => undefined)
    t.strictSame(shown, [`${process.execPath} -e 0 --client-secret *** --token=***`])
    t.strictSame(server.seen, [], 'and nothing is sent without it')
  })

  await t.test('is told of the cluster, where it asks for that', async (t) => {
    const server = await start(t, { objects: version, knows: 'Bearer it-is' })
    const script = `const {spec,kind,apiVersion}=JSON.parse(process.env.KUBERNETES_EXEC_INFO);
      const c=spec.cluster; const ok=kind==='ExecCredential' && spec.interactive===false && c.server==='https://127.0.0.1:${server.port}'
        && c['tls-server-name']==='api.test' && c.config.audience==='us' && Buffer.from(c['certificate-authority-data'],'base64').toString().startsWith('-----BEGIN')
        && process.env.MINE==='yes';
      console.log(JSON.stringify({kind,apiVersion,status:{token:ok?'it-is':'it-is-not'}}))`
    const env = [
      { name: 'NODE_OPTIONS', value: '' },
      { name: 'MINE', value: 'yes' },
    ]
    const extension = { name: 'client.authentication.k8s.io/exec', extension: { audience: 'us' } }
    const answer = await get(t, server.port, {
      user: plugin(script, { provideClusterInfo: true, env }),
      cluster: { 'tls-server-name': 'api.test', extensions: [extension] },
    })
    t.match(answer, { kind: 'found' })
  })

  await t.test('is asked once more where its token is refused', async (t) => {
    const folder = t.testdir()
    const count = JSON.stringify(path.join(folder, 'count'))
    const script = `const fs=require('node:fs'); fs.appendFileSync(${count},'x'); const n=fs.readFileSync(${count},'utf8').length;
      console.log(JSON.stringify({kind:'ExecCredential',apiVersion:'client.authentication.k8s.io/v1',status:{token:'t'+n}}))`
    const server = await start(t, { objects: { ...version, ...empty.objects }, knows: 'Bearer t2' })
    let asked = 0
    const opened = await ask(t, server.port, {
      user: plugin(script),
      allow: () => Promise.resolve((asked += 1) > 0),
    })
    const answers = await Promise.all([nodes, daemonSets, '/version'].map((at) => opened.get(at)))
    t.strictSame(
      answers.map(({ kind }) => kind),
      ['found', 'found', 'found'],
    )
    t.equal(asked, 1, 'a person is asked once')
    t.equal(readFileSync(path.join(folder, 'count'), 'utf8'), 'xx')
  })

  const failures: readonly [what: string, user: JsonObject, says: RegExp][] = [
    [
      'ends with an error',
      plugin(`console.error('${secret}'); process.exit(3)`),
      /failed with exit code 3/,
    ],
    ['is killed', plugin(`process.kill(process.pid, 'SIGKILL')`), /failed with signal SIGKILL/],
    ['does not end', plugin('setInterval(() => {}, 1000)'), /did not end within 0\.5 seconds/],
    [
      'leaves a child behind that holds the pipe',
      plugin(
        `require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(()=>{},1000)'], {stdio: 'inherit'}); setInterval(()=>{}, 1000)`,
      ),
      /did not end within/,
    ],
    [
      'writes for ever',
      plugin(`(function f() { process.stdout.write('${secret}'.repeat(1000), f) })()`),
      /wrote more than credentials/,
    ],
    [
      'is not there',
      plugin('', { command: '/no/such/program', installHint: `get \u001b[2Jit: token=${secret}` }),
      /\/no\/such\/program is not there[^]*get \\u001b\[2Jit/,
    ],
    ['writes no JSON', plugin(`console.log('${secret}')`), /did not write an ExecCredential/],
    [
      'writes another version',
      plugin(writes({ token: secret }, { apiVersion: 'client.authentication.k8s.io/v1beta1' })),
      /another apiVersion/,
    ],
    ['writes no status', plugin(writes({}, { status: null })), /wrote no status/],
    ['writes nothing in its status', plugin(writes({})), /neither a token nor/],
    [
      'writes half a pair',
      plugin(writes({ clientCertificateData: client.cert })),
      /only one of certificate and key/,
    ],
    [
      'has a token that is none',
      plugin(writes({ token: `${secret}\nX: y` })),
      /characters that no token has/,
    ],
    [
      'wants to talk',
      plugin(writes({ token: secret }), { interactiveMode: 'Always' }),
      /talk to a person/,
    ],
    [
      'is of an unknown version',
      plugin('', { apiVersion: 'client.authentication.k8s.io/v9' }),
      /apiVersion "client/,
    ],
  ]
  for (const [what, user, says] of failures) {
    await t.test(what, async (t) => {
      const server = await start(t, { objects: version })
      const problem = await problemOf(() =>
        get(t, server.port, {
          user,
          limits: String(says).includes('did not end') ? { plugin: 500 } : {},
        }),
      )
      t.match(said(problem), says)
      t.notMatch(said(problem), secret)
      t.equal(problem.concerns, 'credentials')
      t.strictSame(server.seen, [])
    })
  }
})

t.test('an interruption ends what is under way', async (t) => {
  await t.test('a plugin', async (t) => {
    const file = path.join(t.testdir(), 'pid')
    const script = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`
    const { signal, interrupt } = interruption()
    const waiting = problemOf(() => ask(t, 1, { user: plugin(script), signal }))
    while (!existsSync(file) || readFileSync(file, 'utf8') === '')
      await new Promise((later) => setTimeout(later, 50))
    interrupt()
    t.match(said(await waiting), /was stopped/)
    const pid = Number(readFileSync(file, 'utf8'))
    const deadline = Date.now() + 5000
    while (isRunning(pid) && Date.now() < deadline)
      await new Promise((later) => setTimeout(later, 20))
    t.notOk(isRunning(pid))
  })

  await t.test('a request', async (t) => {
    const { signal, interrupt } = interruption()
    const server = await start(t, { handlers: { '/version': () => interrupt() } })
    const before = Date.now()
    t.match(await get(t, server.port, { signal }), { kind: 'failed' })
    t.ok(Date.now() - before < 5000, 'long before the limit of 10 seconds')
  })
})

function interruption() {
  const controller = new AbortController()
  return { signal: controller.signal, interrupt: () => controller.abort() }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

t.test('commands are shown without what may be secret', async (t) => {
  const rows: readonly [args: string[], shown: string][] = [
    [['get-token', '--cluster', 'a b'], 'p get-token --cluster "a b"'],
    [['--client-secret', 'x y'], 'p --client-secret ***'],
    [['--oidc-client-secret=abc', '--ok=1'], 'p --oidc-client-secret=*** --ok=1'],
    [['--password', '--next'], 'p --password --next'],
    [['-t', 'abcdef.0123456789abcdef'], `p -t ${'*'.repeat(23)}`],
    [['\u001b[2Jx'], 'p "\\u001b[2Jx"'],
  ]
  for (const [args, shown] of rows) t.equal(shownCommand('p', args), shown)
})

// --- How it is trusted

t.test('certificates', async (t) => {
  const stranger = identity({ name: 'stranger', hosts: ['127.0.0.1'] })
  const expired = identity({ name: 'old', by: authority, hosts: ['127.0.0.1'], days: -0.5 })
  const other = identity({ name: 'other', by: authority, hosts: ['other.test'] })
  const insecure = { 'certificate-authority-data': undefined, 'insecure-skip-tls-verify': true }
  type Row = readonly [
    what: string,
    server: Behaviour,
    cluster: Record<string, unknown>,
    says: RegExp | undefined,
  ]
  const rows: readonly Row[] = [
    ['of the CA', {}, {}, undefined],
    ['of a stranger', { identity: stranger }, {}, /signed by nobody whom the kubeconfig trusts/],
    [
      'of a stranger whom the kubeconfig trusts by itself',
      { identity: stranger },
      { 'certificate-authority-data': base64(stranger.cert) },
      undefined,
    ],
    [
      'of a leaf that stands in the list of CAs',
      {},
      { 'certificate-authority-data': base64(serving.cert) },
      undefined,
    ],
    ['of a stranger, unchecked', { identity: stranger }, insecure, undefined],
    [
      'of another CA than those of the system',
      {},
      { 'certificate-authority-data': undefined },
      /signed by nobody/,
    ],
    ['that has expired', { identity: expired }, {}, /has expired/],
    ['for another name', { identity: other }, {}, /for another name/],
    [
      'for the name of tls-server-name',
      { identity: other },
      { 'tls-server-name': 'other.test' },
      undefined,
    ],
    [
      'for another than tls-server-name',
      {},
      { 'tls-server-name': 'third.test' },
      /for another name/,
    ],
    ['with an address as tls-server-name', {}, { 'tls-server-name': '127.0.0.1' }, undefined],
  ]
  for (const [what, behaviour, cluster, says] of rows) {
    await t.test(what, async (t) => {
      const server = await start(t, { objects: version, ...behaviour })
      const answer = await get(t, server.port, { cluster: cluster as JsonObject })
      if (says) t.match(answer, { kind: 'failed', message: says })
      else t.match(answer, { kind: 'found' })
      if (says) t.strictSame(server.seen, [], 'nothing was sent')
      const name = cluster['tls-server-name']
      if (!says) t.equal(server.seen[0]?.serverName, name === 'other.test' ? name : false)
    })
  }

  await t.test('a key that is none says nothing of itself', async (t) => {
    const server = await start(t, { objects: version })
    const user = {
      'client-certificate-data': base64(client.cert),
      'client-key-data': base64(secret),
    }
    const answer = await get(t, server.port, { user })
    t.match(answer, { kind: 'failed', message: /cannot be used/ })
    t.notMatch(JSON.stringify(answer), secret)
  })
})

// --- How it is reached

t.test('proxies', async (t) => {
  type Made = Awaited<ReturnType<typeof startHttpProxy>>
  const pair = `me:${secret}`
  const noTrust = { 'certificate-authority-data': base64(authority.cert) }
  type Row = readonly [
    what: string,
    make: (port: number) => Promise<Made>,
    through: (proxy: Made) => Asking,
    asked: (port: number) => readonly string[],
    says?: RegExp,
  ]
  const basic = `Basic ${base64(pair)}`
  const by = (url: string): Asking => ({ cluster: { ...noTrust, 'proxy-url': url } })
  const rows: readonly Row[] = [
    [
      'http',
      (to) => startHttpProxy(to),
      ({ port }) => by(`http://127.0.0.1:${port}`),
      (to) => [`127.0.0.1:${to}`],
    ],
    [
      'http with a password',
      (to) => startHttpProxy(to, false, pair),
      ({ port }) => by(`http://me:${secret}@127.0.0.1:${port}`),
      (to) => [`127.0.0.1:${to} ${basic}`],
    ],
    [
      'http with a wrong password',
      (to) => startHttpProxy(to, false, 'other:one'),
      ({ port }) => by(`http://me:${secret}@127.0.0.1:${port}`),
      (to) => [`127.0.0.1:${to} ${basic}`],
      /the proxy answered 407/,
    ],
    [
      'https',
      (to) => startHttpProxy(to, true),
      ({ port }) => by(`https://127.0.0.1:${port}`),
      (to) => [`127.0.0.1:${to}`],
    ],
    [
      'socks5',
      (to) => startSocksProxy(to),
      ({ port }) => by(`socks5://127.0.0.1:${port}`),
      (to) => [`127.0.0.1:${to}`],
    ],
    [
      'socks5 with a password and a name that only it knows',
      (to) => startSocksProxy(to, pair),
      ({ port }) => ({
        cluster: {
          ...noTrust,
          'proxy-url': `socks5://me:${secret}@127.0.0.1:${port}`,
          server: 'https://api.test:7',
        },
      }),
      () => ['api.test:7'],
    ],
    [
      'socks5 with a wrong password',
      (to) => startSocksProxy(to, 'a:b'),
      ({ port }) => by(`socks5://me:${secret}@127.0.0.1:${port}`),
      () => [],
      /refuses the name and password/,
    ],
    [
      'the environment’s',
      (to) => startHttpProxy(to),
      ({ port }) => ({
        cluster: { ...noTrust, server: 'https://api.test:7' },
        env: { HTTPS_PROXY: `127.0.0.1:${port}` },
      }),
      () => ['api.test:7'],
    ],
  ]
  for (const [what, make, through, asked, says] of rows) {
    await t.test(what, async (t) => {
      const server = await start(t, { objects: version, knows: `Bearer ${secret}` })
      const proxy = await make(server.port)
      t.teardown(() => proxy.stop())
      const answer = await get(t, server.port, through(proxy))
      t.match(answer, says ? { kind: 'failed', message: says } : { kind: 'found' })
      t.strictSame(proxy.asked, asked(server.port))
      t.notMatch(JSON.stringify(answer), secret)
    })
  }
})

t.test('the environment names a proxy as Go reads it', async (t) => {
  const rows: readonly (readonly [
    server: string,
    env: Record<string, string>,
    proxy: string | undefined,
  ])[] = [
    ['https://api.test', { HTTPS_PROXY: 'http://p:1' }, 'http://p:1/'],
    ['https://api.test', { https_proxy: 'p:1' }, 'http://p:1/'],
    ['https://api.test', { HTTP_PROXY: 'http://p:1' }, undefined],
    ['http://api.test', { HTTP_PROXY: 'http://p:1' }, 'http://p:1/'],
    ['https://api.test', { HTTPS_PROXY: 'socks5://p:1' }, 'socks5://p:1'],
    ['https://api.test', { HTTPS_PROXY: 'socks5h://p:1' }, 'socks5://p:1'],
    ['https://localhost', { HTTPS_PROXY: 'http://p:1' }, undefined],
    ['https://127.3.4.5', { HTTPS_PROXY: 'http://p:1' }, undefined],
    ['https://[::1]:6443', { HTTPS_PROXY: 'http://p:1' }, undefined],
    ...(
      [
        ['*', false],
        ['api.test', false],
        ['test', false],
        ['.test', false],
        ['*.test', false],
        ['.api.test', true],
        ['pi.test', true],
        ['API.TEST:6443', false],
        ['api.test:443', true],
        [' a.example , api.test ', false],
      ] as const
    ).map(
      ([rule, proxied]) =>
        [
          'https://api.test:6443',
          { HTTPS_PROXY: 'http://p:1', NO_PROXY: rule },
          proxied ? 'http://p:1/' : undefined,
        ] as const,
    ),
    ...(
      [
        ['10.0.0.0/8', false],
        ['10.0.0.5', false],
        ['10.0.0.5:6443', false],
        ['10.0.0.5:443', true],
        ['10.0.0.6', true],
        ['0.0.6', true],
        // A rule that is no address is a name, and the end of an address is one too.
        ['0.0.5', false],
      ] as const
    ).map(
      ([rule, proxied]) =>
        [
          'https://10.0.0.5:6443',
          { HTTPS_PROXY: 'http://p:1', NO_PROXY: rule },
          proxied ? 'http://p:1/' : undefined,
        ] as const,
    ),
    ...(
      [
        ['münchen.test', false],
        ['MÜNCHEN.test:6443', false],
        ['.münchen.test', true],
        ['api.münchen.test', true],
        ['xn--mnchen-3ya.test', false],
        ['*.test', false],
        ['münchen', true],
      ] as const
    ).map(
      ([rule, proxied]) =>
        [
          'https://münchen.test:6443',
          { HTTPS_PROXY: 'http://p:1', NO_PROXY: rule },
          proxied ? 'http://p:1/' : undefined,
        ] as const,
    ),
    [
      'https://[fd00::5]:6443',
      { HTTPS_PROXY: 'http://p:1', NO_PROXY: '[fd00::5]:6443' },
      undefined,
    ],
    ['https://[fd00::5]:6443', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'fd00::/8' }, undefined],
    ['https://[fd00::5]:6443', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'fd00::5' }, undefined],
  ]
  for (const [server, env, proxy] of rows)
    t.equal(proxyFor(new URL(server), env)?.href, proxy, `${server} ${JSON.stringify(env)}`)
})

t.test('servers that do not answer as they should', async (t) => {
  const at = (handler: Handler): Behaviour => ({ handlers: { '/version': handler } })
  const rows: readonly [
    what: string,
    behaviour: Behaviour,
    answer: { readonly kind: string; readonly message?: string | RegExp },
  ][] = [
    ['401', { knows: 'nobody' }, { kind: 'unauthorized', message: 'Unauthorized' }],
    [
      '403',
      { forbids: () => `no, not with ${secret}\u001b[2J` },
      { kind: 'forbidden', message: 'no, not with ***\\u001b[2J' },
    ],
    ['404', {}, { kind: 'missing' }],
    [
      '500',
      at((_, response) => refuse(response, 500, 'etcd')),
      { kind: 'failed', message: 'it answered 500: etcd' },
    ],
    [
      'a redirect, which is not followed',
      at((_, response) => response.writeHead(302, { Location: 'https://evil.test' }).end()),
      { kind: 'failed', message: 'it answered 302' },
    ],
    [
      'a page of a portal',
      at((_, response) => response.end('<html>')),
      { kind: 'failed', message: /no JSON/ },
    ],
    [
      'a refusal that calls itself 200',
      at((_, response) => {
        const status = { kind: 'Status', status: 'Failure', code: 403, message: `no ${secret}` }
        response.end(JSON.stringify(status))
      }),
      { kind: 'forbidden', message: 'no ***' },
    ],
    ['silence', at(() => undefined), { kind: 'failed', message: /did not answer in time/ }],
    [
      'half an answer',
      at((_, response) => response.write('{"git')),
      { kind: 'failed', message: /did not answer in time/ },
    ],
    [
      'an answer that is cut off',
      at((request, response) => {
        response.write('{"git')
        setTimeout(() => request.socket.destroy(), 50)
      }),
      { kind: 'failed', message: /ended the connection/ },
    ],
    [
      'an end without a word',
      at((request) => request.socket.destroy()),
      { kind: 'failed', message: /ended the connection/ },
    ],
    [
      'an endless answer',
      at((_, response) => void setInterval(() => response.write('x'.repeat(65536)), 1).unref()),
      { kind: 'failed', message: /longer than any/ },
    ],
  ]
  for (const [what, behaviour, answer] of rows) {
    await t.test(what, async (t) => {
      const server = await start(t, behaviour)
      const late = String(answer.message).includes('in time')
      t.match(
        await get(t, server.port, {
          limits: { bytes: 1024 * 1024, ...(late ? { request: 500 } : {}) },
        }),
        answer,
      )
      t.equal(server.seen.length, 1)
    })
  }

  await t.test('a closed port, and one without TLS', async (t) => {
    const server = await startApiServer({})
    await server.stop()
    t.match(await get(t, server.port, {}), { kind: 'failed', message: /nothing listens there/ })
    const plain = await startHttpProxy(1)
    t.teardown(() => plain.stop())
    t.match(await get(t, plain.port, {}), { kind: 'failed', message: /does not speak TLS/ })
  })

  await t.test('a busy server is asked again when it says so', async (t) => {
    let calls = 0
    const busy = at((_, response) => {
      calls += 1
      if (calls > 2) send(response, 200, { gitVersion: 'v1.37.1' })
      else response.writeHead(429, { 'Retry-After': calls === 1 ? '1' : '0' }).end('{}')
    })
    const server = await start(t, busy)
    const before = Date.now()
    t.match(await get(t, server.port, {}), { kind: 'found' })
    t.ok(Date.now() - before >= 1000)
    t.equal(server.seen.length, 3)
  })

  await t.test('but not for ever', async (t) => {
    const busy = at((_, response) => response.writeHead(503, { 'Retry-After': '1' }).end('{}'))
    const server = await start(t, busy)
    t.match(await get(t, server.port, {}), { kind: 'failed', message: 'it answered 503' })
    t.equal(server.seen.length, 4)
    const later = await start(
      t,
      at((_, response) => response.writeHead(429, { 'Retry-After': '3600' }).end('{}')),
    )
    t.match(await get(t, later.port, {}), { kind: 'failed' })
    t.equal(later.seen.length, 1)
  })

  await t.test('a list that changes between pages is begun anew, once', async (t) => {
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

  await t.test('a list without an end', async (t) => {
    const endless: Handler = (_, response) =>
      send(response, 200, { metadata: { continue: 'more' }, items: [{}] })
    const server = await start(t, { handlers: { [nodes]: endless } })
    const opened = await ask(t, server.port, { limits: { pages: 5 } })
    t.match(await opened.list(nodes), { kind: 'failed' })
    t.equal(server.seen.length, 5)
  })

  await t.test('detection ends at once where nobody answers, or nobody knows us', async (t) => {
    const short: Asking = { limits: { request: 1500 } }
    const silent = await start(
      t,
      at(() => undefined),
    )
    const late = await problemOf(async () => detect(await ask(t, silent.port, short)))
    t.match(said(late), /^the API server 127\.0\.0\.1:\d+: it did not answer in time$/)
    t.equal(silent.seen.length, 1)
    const unknown = await start(t, { knows: 'nobody' })
    const stranger = await problemOf(async () => detect(await ask(t, unknown.port)))
    t.match(said(stranger), /does not know these credentials/)
    t.equal(stranger.concerns, 'credentials')
    t.equal(unknown.seen.length, 1)
    const half = await start(t, {
      objects: empty.objects ?? {},
      handlers: { [nodes]: () => undefined },
    })
    const detection = await detect(await ask(t, half.port, short))
    t.strictSame(detection.unread.map(({ what, why }) => `${what}: ${why}`).at(-1), 'nodes: failed')
  })
})

// Kubeconfigs are found, merged and refused as client-go does, and kubectl sends the same.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { accessOf } from '../../src/cluster/access.ts'
import { homeOf } from '../../src/cluster/kubeconfig/home.ts'
import { listedIn, loadKubeconfig } from '../../src/cluster/kubeconfig/load.ts'
import { openCluster } from '../../src/cluster/open.ts'
import { ClusterProblem } from '../../src/cluster/problem.ts'
import type { JsonObject } from '../../src/model/json.ts'
import {
  secret,
  never,
  quick,
  type Asking,
  ask,
  start,
  problemOf,
  said,
  version,
} from './asking.ts'
import { base64 } from './clusters.ts'
import { writes } from './exec-plugin.ts'
import { authority, client, type Seen, serving } from './api-server.ts'

interface Files {
  readonly files: Readonly<Record<string, string | JsonObject>>
  readonly env?: Readonly<Record<string, string>>
  readonly kubeconfig?: string
  readonly context?: string
}

const config = (name: string, over: JsonObject = {}): JsonObject => ({
  kind: 'Config',
  apiVersion: 'v1',
  clusters: [{ name, cluster: { server: `https://${name}.test:6443` } }],
  users: [{ name, user: { token: `${secret}-${name}` } }],
  contexts: [{ name, context: { cluster: name, user: name } }],
  'current-context': name,
  ...over,
})

function accessIn(t: Test, { files, env = {}, kubeconfig, context }: Files) {
  const folder = t.testdir()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(
      path.join(folder, name),
      typeof content === 'string' ? content : JSON.stringify(content),
    )
  }
  const loaded = loadKubeconfig({ file: kubeconfig, cwd: folder, env: { HOME: folder, ...env } })
  return { folder, access: accessOf(loaded, context) }
}

t.test('KUBECONFIG lists files as Go splits it', async (t) => {
  const rows: readonly (readonly [listed: string, windows: boolean, files: readonly string[]])[] = [
    [String.raw`C:\a;C:\b`, true, [String.raw`C:\a`, String.raw`C:\b`]],
    [String.raw`"C:\a b\c";C:\c`, true, [String.raw`C:\a b\c`, String.raw`C:\c`]],
    [String.raw`"C:\a;b\c";C:\"d e"\f`, true, [String.raw`C:\a;b\c`, String.raw`C:\d e\f`]],
    ['a;"b;c', true, ['a', 'b;c']],
    ['"a";a;"";', true, ['a', '']],
    ['a:"b c":a', false, ['a', '"b c"']],
    ['a;b', false, ['a;b']],
  ]
  for (const [listed, windows, files] of rows)
    t.strictSame(listedIn(listed, windows), files, listed)
})

t.test('kubeconfigs are found and merged as client-go does', async (t) => {
  const a = config('a')
  const b = config('b')
  type Row = readonly [what: string, files: Files, host: string, token: string | undefined]
  const rows: readonly Row[] = [
    ['the one at home', { files: { '.kube/config': a } }, 'a.test', 'a'],
    [
      'KUBECONFIG wins over home',
      { files: { '.kube/config': a, b }, env: { KUBECONFIG: 'b' } },
      'b.test',
      'b',
    ],
    [
      '--kubeconfig wins over KUBECONFIG',
      { files: { a, b }, env: { KUBECONFIG: 'b' }, kubeconfig: 'a' },
      'a.test',
      'a',
    ],
    [
      'the first current-context wins',
      { files: { a, b }, env: { KUBECONFIG: 'none::a:b:a' } },
      'a.test',
      'a',
    ],
    [
      'a context of a later file',
      { files: { a, b }, env: { KUBECONFIG: 'a:b' }, context: 'b' },
      'b.test',
      'b',
    ],
    [
      'an empty current-context is none',
      { files: { a: { ...a, 'current-context': '' }, b }, env: { KUBECONFIG: 'a:b' } },
      'b.test',
      'b',
    ],
    [
      'the first file that has a name wins whole',
      {
        files: { a: { users: [{ name: 'b', user: {} }], clusters: null }, b },
        env: { KUBECONFIG: 'a:b' },
      },
      'b.test',
      '',
    ],
    [
      'an empty file is no file',
      { files: { a: '', b }, env: { KUBECONFIG: 'a:b' } },
      'b.test',
      'b',
    ],
    [
      'a user that is not there is nobody',
      { files: { a: { ...a, users: [] } }, kubeconfig: 'a' },
      'a.test',
      undefined,
    ],
    [
      'over http nothing secret is sent',
      {
        files: {
          a: config('a', { clusters: [{ name: 'a', cluster: { server: 'a.test:8080' } }] }),
        },
        kubeconfig: 'a',
      },
      'a.test',
      undefined,
    ],
    [
      'YAML',
      {
        files: {
          a: 'clusters: [{name: a, cluster: {server: "https://a.test/p/?x=1#y", extensions: }}]\nusers: [{name: a, user: {token: "123456"}}]\ncontexts: [{name: a, context: {cluster: a, user: a}}]\ncurrent-context: a\n',
        },
        kubeconfig: 'a',
      },
      'a.test',
      '123456',
    ],
  ]
  for (const [what, files, host, token] of rows) {
    await t.test(what, async (t) => {
      const { access } = accessIn(t, files)
      t.equal(access.server.hostname, host)
      t.equal(access.user?.token.replace(`${secret}-`, ''), token)
      t.equal(access.server.search + access.server.hash, '')
    })
  }

  await t.test('paths are those of the file that names them', async (t) => {
    const user = {
      'client-certificate': 'pki/me.crt',
      'client-key': '/abs/me.key',
      tokenFile: '../t',
    }
    const exec = { command: './bin/login', apiVersion: 'client.authentication.k8s.io/v1beta1' }
    const files = {
      'sub/a': config('a', { users: [{ name: 'a', user: { ...user, exec } }] }),
      'sub/b': config('b', {
        users: [{ name: 'b', user: { exec: { ...exec, command: 'login' } } }],
      }),
    }
    const one = accessIn(t, { files, kubeconfig: 'sub/a' })
    t.match(one.access.user, {
      certificate: { file: path.join(one.folder, 'sub/pki/me.crt') },
      key: { file: '/abs/me.key' },
      tokenFile: path.join(one.folder, 't'),
      exec: { command: path.join(one.folder, 'sub/bin/login'), interactiveMode: 'IfAvailable' },
    })
    const other = accessIn(t, { files, kubeconfig: 'sub/b' })
    t.equal(other.access.user?.exec?.command, 'login')
  })

  await t.test('home on Windows', async (t) => {
    const folder = t.testdir({ full: { '.kube': { config: '' } }, bare: {} })
    const at = (name: string) => path.join(folder, name)
    const none = { HOME: at('absent'), USERPROFILE: at('bare') }
    t.equal(homeOf({ ...none, USERPROFILE: at('full') }, true), at('full'))
    t.equal(homeOf({ ...none, HOMEDRIVE: folder, HOMEPATH: '/full' }, true), at('full'))
    t.equal(homeOf(none, true), at('bare'))
    t.equal(homeOf({ USERPROFILE: at('absent') }, true), at('absent'))
    t.equal(homeOf({ HOME: '' }, false), undefined)
  })
})

t.test('kubeconfigs that cannot be used, and what is said of them', async (t) => {
  const cluster = (over: JsonObject) => ({
    files: {
      a: config('a', { clusters: [{ name: 'a', cluster: { server: 'https://a.test', ...over } }] }),
    },
    kubeconfig: 'a',
  })
  const user = (over: JsonObject) => ({
    files: { a: config('a', { users: [{ name: 'a', user: over }] }) },
    kubeconfig: 'a',
  })
  const whole = (a: string | JsonObject) => ({ files: { a }, kubeconfig: 'a' })
  const pem = base64(`-----BEGIN PRIVATE KEY-----\n${secret}`)
  const exec = {
    command: 'x',
    apiVersion: 'client.authentication.k8s.io/v1',
    interactiveMode: 'Never',
  }
  const rows: readonly [what: string, files: Files, says: RegExp][] = [
    ['none at all', { files: {} }, /no kubeconfig: .*\.kube\/config: it is not there/],
    [
      'nothing in KUBECONFIG',
      { files: { '.kube/config': config('a') }, env: { KUBECONFIG: ':' } },
      /KUBECONFIG names no file/,
    ],
    [
      'none of KUBECONFIG',
      { files: {}, env: { KUBECONFIG: 'x:y' } },
      /x, y: of those in KUBECONFIG, none is there/,
    ],
    ['not the one that was named', { files: {}, kubeconfig: 'x' }, /^x is not there$/m],
    ['a folder', { files: { 'x/y': '' }, kubeconfig: 'x' }, /^x is a folder/],
    [
      'no context',
      whole(config('a', { 'current-context': '' })),
      /has no current-context\nchoose one with --context: "a"/,
    ],
    [
      'a context that was mistyped',
      { ...whole(config('prod')), context: 'prdo' },
      /no context "prdo"\ndid you mean "prod"\?/,
    ],
    [
      'a context that is not there',
      { ...whole(config('a')), context: 'other' },
      /no context "other"\nchoose one/,
    ],
    [
      'no cluster',
      whole(config('a', { clusters: [] })),
      /context "a" names cluster "a", which is not there/,
    ],
    [
      'a context without a cluster',
      whole(config('a', { contexts: [{ name: 'a', context: {} }] })),
      /names no cluster/,
    ],
    ['another kind', whole({ kind: 'Secret', data: { token: secret } }), /is no kubeconfig/],
    [
      'two of a name',
      whole(config('a', { users: [{ name: 'a' }, { name: 'a', user: { token: secret } }] })),
      /two users have the name "a"/,
    ],
    [
      'YAML with an error in the line of a secret',
      whole(`users:\n- name: a\n  user: {token: ${secret}\n`),
      /^a:\d+:\d+: cannot be read as a kubeconfig: yaml-syntax/,
    ],
    [
      'a secret for a key',
      whole(`${secret}: 1\n${secret}: 2\n`),
      /^a:2:1: cannot be read as a kubeconfig: duplicate-key/,
    ],
    [
      'a token that is a number',
      user({ token: 123456 }),
      /^a: users\[0\]\.user\.token is not text/,
    ],
    [
      'a token that is a map',
      user({ token: { [secret]: secret } }),
      /^a: users\[0\]\.user\.token is not text/,
    ],
    [
      'a flag that is text',
      cluster({ 'insecure-skip-tls-verify': secret }),
      /is not true or false/,
    ],
    ['a list that is text', whole({ clusters: secret }), /^a: clusters is not a list/],
    [
      'data that is not base64',
      user({ 'client-key-data': `${secret}!` }),
      /client-key-data is not base64/,
    ],
    ['no server', cluster({ server: '' }), /cluster "a" has no server/],
    [
      'a server that is no address',
      cluster({ server: `https://[${secret}` }),
      /server is no address/,
    ],
    [
      'a server with a password',
      cluster({ server: `https://me:${secret}@a.test` }),
      /holds a name or a password/,
    ],
    [
      'a CA twice',
      cluster({ 'certificate-authority': 'x', 'certificate-authority-data': pem }),
      /where one is enough/,
    ],
    [
      'a CA that is not checked',
      cluster({ 'certificate-authority-data': pem, 'insecure-skip-tls-verify': true }),
      /contradict each other/,
    ],
    [
      'a CA that is not there',
      cluster({ 'certificate-authority': 'no.crt' }),
      /certificate-authority .*no\.crt cannot be read: it is missing/,
    ],
    [
      'a proxy of an unknown kind',
      cluster({ 'proxy-url': `ftp://me:${secret}@x` }),
      /does not begin with http/,
    ],
    ['a token and a password', user({ token: secret, password: secret }), /only one can be sent/],
    [
      'a certificate twice',
      user({ 'client-certificate': 'x', 'client-certificate-data': pem, 'client-key-data': pem }),
      /client-certificate-data, where one/,
    ],
    [
      'a key twice',
      user({ 'client-certificate': 'x', 'client-key': 'x', 'client-key-data': pem }),
      /client-key-data, where one/,
    ],
    [
      'a certificate without its key',
      user({ 'client-certificate': 'x' }),
      /without its client-key/,
    ],
    [
      'a plugin and a provider',
      user({ exec, 'auth-provider': { name: 'oidc', config: { 'id-token': secret } } }),
      /only one can be asked/,
    ],
    ['a plugin without a command', user({ exec: { ...exec, command: '' } }), /without a command/],
    [
      'a plugin without a version',
      user({ exec: { ...exec, apiVersion: '' } }),
      /without an apiVersion/,
    ],
    [
      'a plugin with a nameless variable',
      user({ exec: { ...exec, env: [{ value: secret }] } }),
      /a variable that has no name/,
    ],
    [
      'a plugin that does not say whether it talks',
      user({ exec: { ...exec, interactiveMode: '' } }),
      /interactiveMode is none of/,
    ],
    ['groups without a user', user({ 'as-groups': ['a'] }), /without as$/m],
  ]
  for (const [what, files, says] of rows) {
    await t.test(what, async (t) => {
      const problem = await problemOf(() => accessIn(t, files))
      t.match(said(problem), says)
      t.notMatch(said(problem), secret)
      t.equal(problem.concerns, 'kubeconfig')
    })
  }

  await t.test('a provider that is part of kubectl', async (t) => {
    const asking: Asking = {
      user: { 'auth-provider': { name: 'oidc', config: { 'id-token': secret } } },
    }
    const problem = await problemOf(() => ask(t, 1, asking))
    t.match(said(problem), /auth-provider "oidc", which is part of kubectl/)
    t.notMatch(said(problem), secret)
  })

  const notRoot = process.getuid?.() === 0 && 'root reads every file'
  await t.test('a file that nobody may read', { skip: notRoot }, async (t) => {
    const file = path.join(t.testdir({ a: '' }), 'a')
    chmodSync(file, 0)
    t.match(
      said(await problemOf(() => accessIn(t, { files: {}, kubeconfig: file }))),
      /permission denied/,
    )
  })
})

// --- The same by kubectl

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0
const noKubectl = !hasKubectl && 'kubectl is not on PATH: nothing was compared with it'

/** What kubectl's client-go makes of a kubeconfig: how it ends; the server notes what it sends. */
async function kubectl(file: string, cwd: string): Promise<number> {
  const env = { ...process.env, KUBECONFIG: file, HOME: cwd, NODE_OPTIONS: '', NO_PROXY: '' }
  const child = spawn('kubectl', ['get', '--raw', '/version', '--request-timeout=5s'], {
    cwd,
    env,
    stdio: 'ignore',
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return code ?? 1
}

t.test('kubectl sends the same, and refuses the same', { skip: noKubectl }, async (t) => {
  const folder = t.testdir({ token: ` ${secret}-file\n`, cert: client.cert, key: client.key })
  const trust = { 'certificate-authority-data': base64(authority.cert) }
  const exec = {
    command: process.execPath,
    args: ['-e', writes({ token: secret })],
    apiVersion: 'client.authentication.k8s.io/v1',
    interactiveMode: 'Never',
  }
  const pair = {
    'client-certificate-data': base64(client.cert),
    'client-key-data': base64(client.key),
  }
  const pem = base64(authority.cert)
  type Row = readonly [what: string, user: JsonObject, cluster?: JsonObject, over?: JsonObject]
  // Where a user has nothing to show, kubectl asks for a name and a password: that is left out.
  const rows: readonly Row[] = [
    ['a token', { token: secret }],
    ['a number for a token', { token: 123456 }],
    ['a token file', { tokenFile: 'token' }],
    ['a token and its file', { token: 'x', tokenFile: 'token' }],
    ['a token without its file', { token: secret, tokenFile: 'absent' }],
    ['a token file that is not there', { tokenFile: 'absent' }],
    ['a password', { username: 'me', password: secret }],
    ['a certificate', pair],
    ['a certificate in files', { 'client-certificate': 'cert', 'client-key': 'key' }],
    ['a certificate and a token', { ...pair, token: secret }],
    [
      'impersonation',
      {
        token: secret,
        as: 'jane',
        'as-uid': '7',
        'as-groups': ['a', 'b'],
        'as-user-extra': { 'a/b(c)': ['x'] },
      },
    ],
    ['a plugin', { exec }],
    ['a plugin beside a token', { token: secret, exec }],
    ['a plugin beside a certificate', { ...pair, exec }],
    [
      'a plugin of the old version',
      {
        exec: {
          ...exec,
          args: [
            '-e',
            writes({ token: secret }, { apiVersion: 'client.authentication.k8s.io/v1beta1' }),
          ],
          apiVersion: 'client.authentication.k8s.io/v1beta1',
          interactiveMode: '',
        },
      },
    ],
    [
      'a plugin of an unknown version',
      { exec: { ...exec, apiVersion: 'client.authentication.k8s.io/v1alpha1' } },
    ],
    ['a plugin that says no mode', { exec: { ...exec, interactiveMode: '' } }],
    ['a plugin without a command', { exec: { ...exec, command: '' } }],
    ['a plugin without a version', { exec: { ...exec, apiVersion: '' } }],
    ['a plugin with a nameless variable', { exec: { ...exec, env: [{ value: 'x' }] } }],
    [
      'a plugin that answers in another version',
      {
        exec: {
          ...exec,
          args: [
            '-e',
            writes({ token: secret }, { apiVersion: 'client.authentication.k8s.io/v1beta1' }),
          ],
        },
      },
    ],
    ['a plugin that fails', { exec: { ...exec, args: ['-e', 'process.exit(1)'] } }],
    [
      'a plugin that writes half a pair',
      { exec: { ...exec, args: ['-e', writes({ clientCertificateData: client.cert })] } },
    ],
    ['a token and a password', { token: secret, username: 'me' }],
    ['a certificate twice', { 'client-certificate': 'cert', ...pair }],
    ['a key twice', { 'client-key': 'key', ...pair }],
    ['a certificate without a key', { 'client-certificate': 'cert' }],
    ['a key that is none', { ...pair, 'client-key-data': base64('x') }],
    ['groups without a user', { token: secret, 'as-groups': ['a'] }],
    ['data that is not base64', { 'client-key-data': '!' }],
    ['a name of the server', { token: secret }, { 'tls-server-name': 'api.test' }],
    ['a wrong name of the server', { token: secret }, { 'tls-server-name': 'other.test' }],
    ['a CA that is not checked', { token: secret }, { ...trust, 'insecure-skip-tls-verify': true }],
    [
      'no check at all',
      { token: secret },
      { 'certificate-authority-data': undefined, 'insecure-skip-tls-verify': true },
    ],
    ['a leaf for a CA', { token: secret }, { 'certificate-authority-data': base64(serving.cert) }],
    ['a CA twice', { token: secret }, { ...trust, 'certificate-authority': 'cert' }],
    [
      'a CA that is no certificate',
      { token: secret },
      { 'certificate-authority-data': base64('x') },
    ],
    [
      'a CA that is not there',
      { token: secret },
      { 'certificate-authority-data': undefined, 'certificate-authority': 'absent' },
    ],
    ['a proxy of an unknown kind', { token: secret }, { 'proxy-url': 'ftp://127.0.0.1:1' }],
    [
      'two users of a name',
      { token: secret },
      {},
      { users: [{ name: 'u' }, { name: 'u', user: {} }] },
    ],
    ['another kind', { token: secret }, {}, { kind: 'Pod' }],
    ['a kubeconfig of v2', { token: secret }, {}, { apiVersion: 'v2' }],
    ['no contexts', { token: secret }, {}, { contexts: [] }],
    ['no current context', { token: secret }, {}, { 'current-context': '' }],
    ['a flag that is text', { token: secret }, { 'insecure-skip-tls-verify': 'yes' }],
    ['a context that is text', { token: secret }, {}, { contexts: 'x' }],
    ['a PEM that is no base64', { token: secret }, { 'certificate-authority-data': pem.slice(1) }],
  ]
  for (const [index, [what, user, cluster = {}, over = {}]] of rows.entries()) {
    await t.test(what, async (t) => {
      const server = await start(t, { objects: version })
      const name = `config-${index}`
      const file = path.join(folder, name)
      writeFileSync(
        file,
        JSON.stringify({
          kind: 'Config',
          apiVersion: 'v1',
          clusters: [
            {
              name: 'c',
              cluster: { server: `https://127.0.0.1:${server.port}`, ...trust, ...cluster },
            },
          ],
          users: [{ name: 'u', user }],
          contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
          'current-context': 'x',
          ...over,
        }),
      )
      const code = await kubectl(file, folder)
      // Some kubectls ask for the version twice, to run the one that fits.
      const [theirs] = server.seen.splice(0).map(brief)
      const env = { ...process.env, NODE_OPTIONS: '', NO_PROXY: '' }
      const opened = await openCluster({
        kubeconfig: file,
        context: undefined,
        cwd: folder,
        env,
        limits: quick,
        allow: () => Promise.resolve(true),
        signal: never,
      }).catch((thrown: unknown) => {
        if (thrown instanceof ClusterProblem) return undefined
        throw thrown
      })
      t.teardown(() => opened?.close())
      const answer = await opened?.get('/version')
      t.equal(answer?.kind === 'found', code === 0, 'both take it, or neither does')
      t.strictSame(server.seen.map(brief), theirs ? [theirs] : [])
    })
  }
})

/** What a server can tell one client from another by. */
function brief({ url, headers, serverName, authorization, peer }: Seen) {
  const impersonated = Object.entries(headers).filter(([name]) => name.startsWith('impersonate-'))
  return {
    url: url.replace(/\?.*/, ''),
    authorization,
    serverName,
    peer,
    impersonated: impersonated.toSorted(),
  }
}

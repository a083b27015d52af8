// Kubeconfigs that are broken or hostile, read by the real kubectl: each ends soon, and shows no secret.
import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { openClient } from '../../src/cluster/client.ts'
import { ClusterError } from '../../src/cluster/cluster-error.ts'
import { kubectlOf } from '../../src/cluster/kubectl.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { noKubectl } from './asking.ts'

const secret = 'hunter2hunter2'
/** No server listens there. */
const server = 'https://127.0.0.1:1'

interface Parts {
  readonly user?: JsonObject
  readonly cluster?: JsonObject
  readonly more?: JsonObject
}

function configOf({ user = { token: secret }, cluster = {}, more = {} }: Parts): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    clusters: [{ name: 'k', cluster: { server, ...cluster } }],
    users: [{ name: 'u', user }],
    ...more,
  })
}

/** An exec plugin in `folder`, a script. */
const plugin = (folder: string, args: readonly string[] = []) => ({
  exec: {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: path.join(folder, 'plugin'),
    args,
    interactiveMode: 'Never',
  },
})

const credential = (token: string) =>
  JSON.stringify({
    kind: 'ExecCredential',
    apiVersion: 'client.authentication.k8s.io/v1',
    status: { token },
  })

const many = (count: number, row: (index: number) => JsonObject) =>
  Array.from({ length: count }, (_, index) => row(index))

const letters = 'abcdefghijklm'.match(/./g) ?? []
const bomb = letters
  .map((name, index) => {
    const before = letters[index - 1]
    return `${name}: &${name} [${Array(9)
      .fill(before === undefined ? '1' : `*${before}`)
      .join(', ')}]`
  })
  .join('\n')

interface Row {
  readonly text: (folder: string) => string
  /** The script of the exec plugin. */
  readonly script?: string
  readonly env?: Readonly<Record<string, string>>
  readonly allow?: false
  /** Runs before, in the folder. */
  readonly make?: string
}

const by = (parts: Parts, more: Omit<Row, 'text'> = {}): Row => ({
  text: () => configOf(parts),
  ...more,
})
const byPlugin = (script: string, more: Omit<Row, 'text' | 'script'> = {}): Row => ({
  text: (folder) => configOf({ user: plugin(folder, ['--password', secret, `--token=${secret}`]) }),
  script,
  ...more,
})
const proxy = `http://bob:${secret}@127.0.0.1:1`

const rows: Readonly<Record<string, Row>> = {
  empty: { text: () => '' },
  garbage: { text: () => '\u0000\u0001\u0002' },
  'a list': { text: () => '[]' },
  'an alias bomb': { text: () => bomb },
  'a token that YAML takes for an alias': { text: () => `users: [{ token: *${secret} }]` },
  'a token that YAML takes for a number': { text: () => `users: [{ token: !!int ${secret} }]` },
  'a token in the place of the kind': { text: () => `{ apiVersion: v1, kind: ${secret} }` },
  'a token in the place of the version': { text: () => `{ apiVersion: ${secret}, kind: Config }` },
  'nested lists': { text: () => `a: ${'['.repeat(200_000)}` },
  'a mebibyte of users': by({
    more: { users: many(22_000, (index) => ({ name: `u${index}`, user: { token: secret } })) },
  }),
  'a mebibyte of contexts': by({
    more: {
      contexts: many(20_000, (index) => ({ name: `c${index}`, context: { cluster: 'k' } })),
      'current-context': 'nope',
    },
  }),
  'a context __proto__': by({ more: { 'current-context': '__proto__' } }),
  'a cluster constructor': by({
    more: { contexts: [{ name: 'c', context: { cluster: 'constructor', user: 'u' } }] },
  }),
  'a CA that is a folder': by({ cluster: { 'certificate-authority': '/etc' } }),
  'a CA that is no certificate': by({ cluster: { 'certificate-authority': '/etc/passwd' } }),
  'a CA without an end': by({ cluster: { 'certificate-authority': '/dev/zero' } }),
  'a token file that is a FIFO': {
    text: (folder) => configOf({ user: { tokenFile: path.join(folder, 'fifo') } }),
    make: 'mkfifo fifo',
  },
  'a token file without an end': by({ user: { tokenFile: '/dev/zero' } }),
  'a key in the CA': by({
    cluster: {
      'certificate-authority-data': Buffer.from(
        `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`,
      ).toString('base64'),
    },
  }),
  'a password in the address': by({ cluster: { server: `https://bob:${secret}@127.0.0.1:1` } }),
  'a password in the proxy': by({ cluster: { 'proxy-url': proxy } }),
  'a password in HTTPS_PROXY': by(
    { cluster: { server: 'https://api.invalid:1' } },
    { env: { HTTPS_PROXY: proxy, NO_PROXY: '' } },
  ),
  'HTTPS_PROXY and a loopback address': by({}, { env: { HTTPS_PROXY: proxy, NO_PROXY: '' } }),
  'a file as the server': by({ cluster: { server: 'file:///etc/passwd' } }),
  'an escape in the address': by({ cluster: { server: `${server}/\u001b[31m` } }),
  'a name and a password': by({ user: { username: 'bob', password: secret } }),
  'a plugin without consent': byPlugin(`echo '${credential(secret)}'`, { allow: false }),
  'a plugin that speaks': byPlugin(`echo ${secret} >&2; echo '${credential(secret)}'`),
  'a plugin without an end': byPlugin(`exec yes ${secret}`),
  'a plugin that fails': byPlugin(`echo ${secret}; exit 3`),
  'a plugin that sleeps': byPlugin('exec sleep 600'),
  'a header in the token': byPlugin(`echo '${credential(`a\\r\\nX-Evil: ${secret}`)}'`),
}

for (const [name, { text, script = 'true', env = {}, allow, make }] of Object.entries(rows))
  t.test(name, { skip: noKubectl }, async (t) => {
    const folder = t.testdir({})
    const kubeconfig = path.join(folder, 'config')
    writeFileSync(kubeconfig, text(folder))
    writeFileSync(path.join(folder, 'plugin'), `#!/bin/sh\n${script}\n`)
    chmodSync(path.join(folder, 'plugin'), 0o755)
    if (make !== undefined) spawnSync('sh', ['-c', make], { cwd: folder })
    const shown: string[] = []
    const began = Date.now()
    const kubectl = kubectlOf({ ...process.env, HTTPS_PROXY: '', ...env })
    try {
      const client = await openClient({
        kubeconfig,
        context: undefined,
        kubectl: (args, limits, input) =>
          kubectl(args, { ...limits, time: Math.min(limits.time, 5000) }, input),
        limits: { request: 2000, retries: 1000, plugin: 1000, bytes: 8 * 1024 * 1024 },
        allow: (command) => {
          shown.push(command)
          return Promise.resolve(allow ?? true)
        },
        log: (line) => shown.push(line),
      })
      const answer = await client.get('/version')
      shown.push(JSON.stringify(answer))
      t.not(answer.kind, 'found', 'no server answers')
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error
      shown.push(error.message, ...error.hints)
    }
    t.ok(Date.now() - began < 60_000, 'it ends soon')
    t.ok(shown.join('').length > 0, 'it says why')
    t.notOk(shown.join('\n').includes(secret), shown.join('\n'))
  })

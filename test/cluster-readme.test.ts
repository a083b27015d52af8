// The commands of cluster/README.md, as a shell and the real kubectl run them against a small API server.
import { spawn, spawnSync } from 'node:child_process'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import type { JsonObject } from '../src/model/json.ts'
import { compileBuiltin, renderCompiled, textsOf } from './tools/bundle.ts'

async function pageOf(...over: readonly JsonObject[]): Promise<string> {
  const files = textsOf(await renderCompiled(compileBuiltin('ws2022-flannel-overlay', ...over)))
  return files.get('cluster/README.md') ?? ''
}

/** The blocks for a shell, in order. */
const blocksOf = (page: string) =>
  [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block)

const blockWith = (page: string, word: string) =>
  blocksOf(page).find((block) => block.includes(word)) ?? 'exit 9'

const base64 = (text: string) => Buffer.from(text).toString('base64')
const token = 'the-token-of-the-account'

/** A key and a certificate for this machine, in one text; empty where openssl is missing. */
const { stdout: identity } = spawnSync(
  'openssl',
  [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
    ...['-days', '2', '-subj', '/CN=test', '-addext', 'subjectAltName=IP:127.0.0.1'],
    ...['-keyout', '-', '-out', '-'],
  ],
  { encoding: 'utf8' },
)
const ca = base64(
  /-----BEGIN CERTIFICATE-----[^]*-----END CERTIFICATE-----\n/.exec(identity)?.[0] ?? '',
)

/** Answers kubectl's questions: what there is, one Secret, and its version to whom it knows. */
async function apiServer(secrets: readonly JsonObject[]): Promise<Server> {
  const left = [...secrets]
  const resources = [{ name: 'secrets', namespaced: true, kind: 'Secret', verbs: ['get'] }]
  const server = createServer(
    { key: identity, cert: identity },
    ({ url = '', headers }, response) => {
      const answer = (code: number, body: JsonObject) => {
        response.writeHead(code, { 'content-type': 'application/json' })
        response.end(JSON.stringify(body))
      }
      const { pathname } = new URL(url, 'http://localhost')
      if (pathname === '/api') answer(200, { kind: 'APIVersions', versions: ['v1'] })
      else if (pathname === '/apis') answer(200, { kind: 'APIGroupList', groups: [] })
      else if (pathname === '/api/v1')
        answer(200, { kind: 'APIResourceList', groupVersion: 'v1', resources })
      else if (pathname === '/version')
        answer(headers.authorization === `Bearer ${token}` ? 200 : 401, { gitVersion: 'v1.37.1' })
      else {
        const data = (left.length > 1 ? left.shift() : left[0]) ?? {}
        answer(200, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data })
      }
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0
const skip = hasKubectl && ca !== '' ? false : 'kubectl or openssl is not on PATH'

interface Ran {
  readonly code: number | null
  readonly stderr: string
  readonly folder: string
}

/** `kubeconfig_for` of a bundle in a folder that holds a ca.crt of somebody else. */
async function kubeconfigFor(
  test: { testdir: typeof t.testdir },
  secrets: readonly JsonObject[],
): Promise<Ran> {
  const page = await pageOf({ join: { endpoint: 'api.example.com:6443', caCertHashes: [hash] } })
  const server = await apiServer(secrets)
  const { port } = server.address() as AddressInfo
  const folder = test.testdir({
    bin: {},
    'ca.crt': 'of somebody else',
    'admin.conf': JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'c',
          cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority-data': ca },
        },
      ],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      users: [{ name: 'u', user: { token: 'admin' } }],
      'current-context': 'c',
    }),
  })
  writeFileSync(path.join(folder, 'bin/sleep'), '#!/bin/sh\n', { mode: 0o755 })
  const script = [
    blockWith(page, 'server=$('),
    blockWith(page, 'kubeconfig_for() ('),
    'kubeconfig_for winnode-kube-proxy kube-proxy.conf',
  ].join('\n')
  const env = {
    ...process.env,
    PATH: `${path.join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
    KUBECONFIG: path.join(folder, 'admin.conf'),
    HOME: folder,
  }
  const stdio: ('ignore' | 'pipe')[] = ['ignore', 'ignore', 'pipe']
  const child = spawn('sh', ['-c', script], { cwd: folder, env, stdio, timeout: 60_000 })
  let stderr = ''
  child.stderr?.on('data', (chunk) => (stderr += String(chunk)))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  server.close()
  server.closeAllConnections()
  return { code, stderr, folder }
}

const hash = `sha256:${'a'.repeat(64)}`
const whole = { token: base64(token), 'ca.crt': ca }

t.test('a kubeconfig is written once the Secret holds its token', { skip }, async (t) => {
  const { code, stderr, folder } = await kubeconfigFor(t, [{}, { 'ca.crt': ca }, {}, whole])
  t.equal(code, 0, stderr)
  const text = readFileSync(path.join(folder, 'kube-proxy.conf'), 'utf8')
  t.match(text, token)
  t.match(text, `certificate-authority-data: ${ca}`)
  t.notOk(existsSync(path.join(folder, 'kube-proxy.conf.new')))
  t.equal(readFileSync(path.join(folder, 'ca.crt'), 'utf8'), 'of somebody else')
})

t.test('none is left where it would not work', { skip }, async (t) => {
  const rows: readonly (readonly [name: string, secret: JsonObject, says: RegExp])[] = [
    ['no token', { 'ca.crt': ca }, /the Secret winnode-kube-proxy holds no token/],
    ['no CA', { token: base64(token) }, /holds no token/],
    [
      'a token that the API server does not know',
      { ...whole, token: base64('other') },
      /401|logged/,
    ],
  ]
  for (const [name, secret, says] of rows) {
    const { code, stderr, folder } = await kubeconfigFor(t, [secret])
    t.equal(code, 1, name)
    t.match(stderr, says, name)
    for (const file of ['kube-proxy.conf', 'kube-proxy.conf.new'])
      t.notOk(existsSync(path.join(folder, file)), `${name}: ${file}`)
  }
})

t.test('every block is a script that a shell can read', async (t) => {
  const endpoint = 'api.example.com:6443'
  const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
  const pages = await Promise.all([
    pageOf(),
    pageOf({ kubelet: { servingCertificateApprover: 'approver' } }),
    pageOf({ join: { method: 'bootstrapKubeconfig', endpoint, ca: certificate } }),
  ])
  for (const block of pages.flatMap(blocksOf)) {
    const { status, stderr } = spawnSync('sh', ['-n'], { input: block })
    t.equal(status, 0, String(stderr))
  }
})

t.test('what a page says of its profile', async (t) => {
  const certificates = {
    kubeProxy: {
      credentials: { kubeconfig: null, certificate: 'C:\\k\\a.crt', key: 'C:\\k\\a.key' },
    },
    join: { endpoint: 'api.example.com:6443', caCertHashes: [hash] },
  }
  const files = textsOf(
    await renderCompiled(compileBuiltin('ws2022-flannel-overlay', certificates)),
  )
  t.match(
    files.get('cluster/README.md'),
    'common name `system:serviceaccount:kube-system:winnode-kube-proxy`',
  )
  t.notMatch(files.get('cluster/10-kube-proxy.yaml'), /kind: Secret/, 'no token that nobody uses')
  t.match(files.get('cluster/20-flannel.yaml'), /kind: Secret/)

  const plain = await pageOf()
  t.match(plain, 'serves every cluster with the pod network `10.244.0.0/16`')
  t.notMatch(plain, 'Serving certificates')
  const approved = await pageOf({ kubelet: { servingCertificateApprover: 'kubelet-csr-approver' } })
  t.match(approved, 'Until `kubelet-csr-approver` approves the request')
  t.match(approved, 'kubectl certificate approve')
})

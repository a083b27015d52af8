// What the smoke test runs, with the kubectl of this machine: the stand-in answers as it does. `exec` needs a kubelet.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import t, { type Test } from 'tap'
import { openClient } from '../../src/cluster/client.ts'
import type { Kubectl } from '../../src/cluster/kubectl.ts'
import { removeLeftovers, removeNamespace } from '../../src/commands/smoke/clean-up.ts'
import { create } from '../../src/commands/smoke/run.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { isKubectlForSmoke } from '../../src/matrix/smoke-images.ts'
import { chooseImage } from '../../src/smoke/image.ts'
import { namespaceOf, objectsOf } from '../../src/smoke/objects.ts'
import { noKubectl, realKubectl } from '../cluster/asking.ts'
import { nodeOf } from '../workloads/objects.ts'
import { cluster, hybrid, kubectl } from './cluster.ts'

const run = '1a2b'
const namespace = `winnode-smoke-${run}`
const refusal = 'Pod "client" is forbidden: error looking up service account'

interface Request {
  readonly method: string
  readonly path: string
  readonly body: string
}

/** The API server of a cluster where the account of a new namespace is late. */
async function apiServer(t: Test): Promise<{ readonly port: number; readonly seen: Request[] }> {
  const seen: Request[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (some: Buffer) => (body += some.toString()))
    request.on('end', () => {
      const { method = '', url = '' } = request
      const one = { method, path: url.replace(/\?.*/, ''), body }
      seen.push(one)
      respond(one, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, seen }
}

const resource = (name: string, kind: string, namespaced: boolean) => ({
  ...{ name, singularName: '', namespaced, kind, verbs: ['create', 'delete', 'get', 'list'] },
})
const discovery: Readonly<Record<string, object>> = {
  '/api': { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] },
  '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: [] },
  '/api/v1': {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: [
      resource('namespaces', 'Namespace', false),
      resource('services', 'Service', true),
      resource('pods', 'Pod', true),
    ],
  },
}
const pod = {
  ...{ kind: 'Pod', apiVersion: 'v1', metadata: { name: 'server', namespace } },
  spec: { containers: [{ name: 'main' }] },
}

function respond({ method, path: at, body }: Request, response: ServerResponse): void {
  const send = (code: number, object: object) => {
    response.writeHead(code, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(object))
  }
  const fail = (code: number, reason: string, message: string) =>
    send(code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, code })
  const found = discovery[at]
  if (found) send(200, found)
  else if (method === 'POST' && at.endsWith('/pods')) fail(403, 'Forbidden', refusal)
  else if (method === 'POST') send(201, JSON.parse(body) as object)
  else if (method === 'DELETE' && at.endsWith('/missing')) fail(404, 'NotFound', 'not found')
  else if (method === 'DELETE')
    send(200, { kind: 'Namespace', apiVersion: 'v1', metadata: { name: at.replace(/^.*\//, '') } })
  else if (at === '/api/v1/namespaces')
    send(200, {
      ...{ kind: 'NamespaceList', apiVersion: 'v1', metadata: {} },
      items: [{ metadata: { name: namespace } }],
    })
  else if (at.endsWith('/pods/server')) send(200, pod)
  else if (at.endsWith('/log')) response.end('Started HTTP server on port 8080\n')
  else fail(404, 'NotFound', 'the server could not find the requested resource')
}

function standIn(): Kubectl {
  const state = cluster(hybrid)
  return (args, _, input) => Promise.resolve({ kind: 'ended', ...kubectl(state, args, input) })
}

const programs: readonly (readonly [name: string, skip: string | false, of: () => Kubectl])[] = [
  ['the stand-in', false, standIn],
  ['kubectl', noKubectl, () => realKubectl],
]

const facts = nodeOf('ws2022-flannel-overlay')
const nodes = { first: 'win-1', second: 'win-2', linux: 'linux-1' }
const objects = objectsOf(facts, { namespace, image: chooseImage(facts).image, nodes })
const named = (name: string) =>
  objects.find(({ metadata }) => (metadata as JsonObject)['name'] === name) ?? {}

for (const [name, skip, kubectlOf] of programs)
  t.test(`${name}: creates, reads logs and deletes`, { skip }, async (t) => {
    const { port, seen } = await apiServer(t)
    const kubeconfig = path.join(t.testdir({}), 'config')
    const config = {
      ...{ kind: 'Config', apiVersion: 'v1', 'current-context': 'x' },
      clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${port}` } }],
      users: [{ name: 'u', user: {} }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    }
    writeFileSync(kubeconfig, JSON.stringify(config))
    const client = await openClient({
      ...{ kubectl: kubectlOf(), kubeconfig, context: 'x' },
      allow: () => Promise.resolve(true),
      log: () => undefined,
    })
    const version = await client.run(['version', '--client', '--output=json'])
    if (version.kind !== 'found') return t.fail(version.message)
    const { clientVersion } = JSON.parse(version.text) as {
      readonly clientVersion: { readonly gitVersion: string }
    }
    t.ok(isKubectlForSmoke(clientVersion.gitVersion), clientVersion.gitVersion)
    t.match(await create(client, namespaceOf(run)), {
      kind: 'ready',
      object: { metadata: { name: namespace } },
    })
    t.match(await create(client, named('client')), {
      kind: 'refused',
      why: `error when creating "STDIN": ${refusal}`,
    })
    // Now the account exists, in the stand-in.
    const account = `/api/v1/namespaces/${namespace}/serviceaccounts/default`
    await Promise.all([client.get(account), client.get(account)])
    await create(client, named('server'))
    t.match(await client.run(['logs', `--namespace=${namespace}`, 'server']), {
      kind: 'found',
      text: 'Started HTTP server on port 8080\n',
    })
    t.match(await removeNamespace(client, 'missing'), {
      kind: 'found',
      text: '',
    })
    t.strictSame(await removeLeftovers(client), [
      { name: namespace, outcome: 'removed', state: 'is removed' },
    ])
    if (name !== 'kubectl') return
    t.strictSame(
      seen.filter(({ method }) => method === 'DELETE').map((one) => one.path),
      ['/api/v1/namespaces/missing', `/api/v1/namespaces/${namespace}`],
    )
    const posted = seen.filter(({ method }) => method === 'POST').map(({ body }) => body)
    t.strictSame(JSON.parse(posted[0] ?? ''), namespaceOf(run), 'sent as it is')
    t.strictSame(JSON.parse(posted[1] ?? ''), named('client'), 'sent as it is')
  })

// The stand-in for an API server of a first run: what kubelet, flanneld, kube-proxy and kubectl ask of it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { t } from 'tap'
import type { JsonObject } from '../../src/model/json.ts'
import { missing } from '../tools/powershell.ts'
import { root } from '../tools/run.ts'

const folder = t.testdir({})
const port = 16_443 + (process.pid % 1000)
const file = (name: string): string => path.join(folder, name)

function start(): ChildProcess {
  const script = path.join(root, 'test/first-run/Start-StandIn.ps1')
  const flags = ['-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-File', script]
  const args = ['-Folder', folder, '-NodeName', 'node-a', '-Port', String(port), '-Minutes', '5']
  return spawn('pwsh', [...flags, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
}

interface Answer {
  readonly code: number
  readonly body: JsonObject
}

/** With a client that trusts only its CA. */
async function ask(verb: string, at: string, type = '', body = ''): Promise<Answer> {
  const ca = readFileSync(file('ca.crt'))
  const headers = type === '' ? {} : { 'content-type': type, 'content-length': body.length }
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path: at, method: verb, ca, headers },
      (answer) => {
        let text = ''
        answer.on('data', (piece: Buffer) => (text += piece.toString()))
        answer.on('end', () => {
          resolve({ code: answer.statusCode ?? 0, body: JSON.parse(text) })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

const protobuf = 'application/vnd.kubernetes.protobuf'
const strategic = 'application/strategic-merge-patch+json'
const node = '/api/v1/nodes/node-a'

t.test('the stand-in', { skip: missing('pwsh') }, async (t) => {
  const server = start()
  t.teardown(() => server.kill())
  for (let tries = 0; tries < 120 && !existsSync(file('ready')); tries += 1) await sleep(500)

  t.test('a Node, as the kubelet and flanneld write it', async (t) => {
    t.match(await ask('GET', node), { code: 404, body: { reason: 'NotFound' } })
    t.match(await ask('POST', '/api/v1/nodes', protobuf, 'k8s\0...'), {
      code: 201,
      body: { metadata: { name: 'node-a' }, spec: { podCIDR: '10.244.9.0/24' } },
    })
    const ready = { type: 'Ready', status: 'False', reason: 'KubeletNotReady' }
    const memory = { type: 'MemoryPressure', status: 'False' }
    const patch = async (value: object) =>
      ask('PATCH', `${node}/status`, strategic, JSON.stringify(value))
    await patch({ status: { conditions: [ready, memory], nodeInfo: { osImage: 'Windows' } } })
    await patch({
      status: {
        '$setElementOrder/conditions': [{ type: 'Ready' }, { type: 'MemoryPressure' }],
        conditions: [{ type: 'Ready', status: 'True' }],
      },
    })
    const annotations = { 'flannel.alpha.coreos.com/public-ip': '192.0.2.10', gone: 'x' }
    await ask('PATCH', node, strategic, JSON.stringify({ metadata: { annotations } }))
    const without = { metadata: { annotations: { gone: null } } }
    await ask('PATCH', node, 'application/merge-patch+json', JSON.stringify(without))
    const { body } = await ask('GET', node)
    t.match(body, {
      metadata: { annotations: { 'flannel.alpha.coreos.com/public-ip': '192.0.2.10' } },
      status: {
        nodeInfo: { osImage: 'Windows' },
        conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletNotReady' }, memory],
      },
    })
    t.notMatch(body, { metadata: { annotations: { gone: 'x' } } })
    const list = await ask('GET', '/api/v1/nodes?fieldSelector=metadata.name%3Dnode-a&limit=500')
    t.match(list.body, { items: [{ metadata: { name: 'node-a' } }] })
    t.match(await ask('PATCH', '/api/v1/nodes/other', strategic, '{}'), { code: 404 })
  })

  t.test('what it only accepts', async (t) => {
    const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'
    t.match(await ask('GET', `${lease}/node-a`), { code: 404 })
    t.match(await ask('POST', lease, protobuf, 'k8s'), {
      code: 201,
      body: { metadata: { name: 'node-a' } },
    })
    t.match(await ask('PUT', `${lease}/node-a`, protobuf, 'k8s'), { code: 200 })
    const event = JSON.stringify({ kind: 'Event', metadata: { name: 'e1' } })
    const events = '/api/v1/namespaces/default/events'
    t.match(await ask('POST', events, 'application/json', event), { code: 201 })
    t.match(await ask('GET', `${events}/e1`), { code: 200, body: { kind: 'Event' } })
    t.match(await ask('GET', '/apis/node.k8s.io/v1/runtimeclasses'), { body: { items: [] } })
    t.match(await ask('GET', '/api/v1/pods?fieldSelector=x'), { code: 200, body: { items: [] } })
  })

  t.test('Services and their endpoints', async (t) => {
    const { body } = await ask('GET', '/api/v1/services?labelSelector=x')
    t.match(body, { items: [{ metadata: { name: 'kubernetes' } }, { spec: { ports: [{}, {}] } }] })
    const slices = await ask('GET', '/apis/discovery.k8s.io/v1/endpointslices')
    t.match(slices.body, { items: [{ endpoints: [{ conditions: { ready: true } }] }, {}] })
    const one = await ask('GET', '/api/v1/namespaces/kube-system/services/kube-dns')
    t.match(one.body, { kind: 'Service', spec: { clusterIP: '10.96.0.10' } })
  })

  t.test('a watch and a silent client stop no other', async (t) => {
    const ca = readFileSync(file('ca.crt'))
    const watch = request({ host: '127.0.0.1', port, ca, path: '/api/v1/services?watch=true' })
    watch.on('error', () => undefined)
    watch.end()
    const [code] = await new Promise<readonly number[]>((resolve) => {
      watch.on('response', ({ statusCode = 0 }) => {
        resolve([statusCode])
      })
    })
    t.equal(code, 200)
    t.match(await ask('GET', '/api/v1/services'), { code: 200 })
    watch.destroy()
  })

  const lacks = spawnSync('kubectl', ['version', '--client']).status !== 0
  t.test('kubectl', { skip: lacks && 'kubectl is not on PATH' }, async (t) => {
    writeFileSync(file('version'), '1.36.2\n')
    const asked = (at: string) => {
      const args = ['--kubeconfig', file('kubelet.conf'), 'get', '--raw', at]
      const { stdout, stderr } = spawnSync('kubectl', args, { encoding: 'utf8' })
      t.equal(stderr, '', 'takes its certificate, and the key of the client')
      return JSON.parse(stdout) as JsonObject
    }
    t.match(asked('/version'), { gitVersion: 'v1.36.2', minor: '36' })
    t.match(asked(node), { kind: 'Node' })
  })

  t.test('the client certificate is of the Node, and the key fits', async (t) => {
    const config = JSON.parse(readFileSync(file('kubelet.conf'), 'utf8'))
    const { user } = config.users[0]
    for (const name of ['certificate', 'key'])
      writeFileSync(file(name), Buffer.from(user[`client-${name}-data`], 'base64'))
    const openssl = (...args: readonly string[]) =>
      spawnSync('openssl', args, { encoding: 'utf8' }).stdout
    t.match(
      openssl('x509', '-in', file('certificate'), '-noout', '-subject'),
      /CN ?= ?system:node:node-a, O ?= ?system:nodes/,
    )
    t.equal(
      openssl('x509', '-in', file('certificate'), '-noout', '-pubkey'),
      openssl('rsa', '-in', file('key'), '-pubout'),
    )
    t.match(openssl('verify', '-CAfile', file('ca.crt'), file('certificate')), ': OK')
  })
})

// How a test asks a cluster: by a kubeconfig of its own, of a server that ends with the test.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Test } from 'tap'
import type { ClientLimits } from '../../src/cluster/client.ts'
import { detect, type Detection } from '../../src/cluster/detect.ts'
import { openCluster } from '../../src/cluster/open.ts'
import { ClusterProblem } from '../../src/cluster/problem.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { formatPath } from '../../src/model/path.ts'
import { type ApiServer, authority, type Behaviour, startApiServer } from './api-server.ts'
import { base64 } from './clusters.ts'

/** All that the smallest question needs. */
export const version = { '/version': { gitVersion: 'v1.37.1' } }

export const secret = 'Sup3rS3cretT0ken'

export const never = new AbortController().signal
export const quick: Partial<ClientLimits> = { request: 10_000, plugin: 20_000, patience: 3000 }

export interface Asking {
  readonly user?: JsonObject
  readonly cluster?: JsonObject
  readonly env?: Readonly<Record<string, string>>
  readonly limits?: Partial<ClientLimits>
  readonly allow?: (command: string) => Promise<boolean>
  readonly signal?: AbortSignal
}

/** A kubeconfig in a folder of its own. */
export function kubeconfigOf(
  t: Test,
  port: number,
  { user = { token: secret }, cluster = {} }: Asking = {},
): string {
  const file = path.join(t.testdir(), 'config')
  const trust = { 'certificate-authority-data': base64(authority.cert) }
  writeFileSync(
    file,
    JSON.stringify({
      clusters: [
        { name: 'c', cluster: { server: `https://127.0.0.1:${port}`, ...trust, ...cluster } },
      ],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    }),
  )
  return file
}

/** A client by a kubeconfig of its own. */
export async function ask(t: Test, port: number, asking: Asking = {}) {
  const { env = {}, limits = {} } = asking
  const opened = await openCluster({
    kubeconfig: kubeconfigOf(t, port, asking),
    context: undefined,
    cwd: '/',
    env: { ...process.env, NO_PROXY: '', HTTPS_PROXY: '', ...env },
    limits: { ...quick, ...limits },
    allow: asking.allow ?? (() => Promise.resolve(true)),
    signal: asking.signal ?? never,
  })
  t.teardown(() => opened.close())
  return opened
}

export async function start(t: Test, behaviour: Behaviour): Promise<ApiServer> {
  const server = await startApiServer(behaviour)
  t.teardown(() => server.stop())
  return server
}

export async function detected(
  t: Test,
  behaviour: Behaviour,
  asking: Asking = {},
): Promise<Detection> {
  const server = await start(t, behaviour)
  const detection = await detect(await ask(t, server.port, asking))
  readsOnly(t, server)
  return detection
}

export function readsOnly(t: Test, { seen }: ApiServer): void {
  t.strictSame(
    seen.filter(({ method, url }) => method !== 'GET' || /secrets|watch=|token/i.test(url)),
    [],
    'no verb but GET, and no secrets',
  )
}

export async function problemOf(work: () => unknown): Promise<ClusterProblem> {
  try {
    await work()
  } catch (thrown) {
    if (thrown instanceof ClusterProblem) return thrown
    throw thrown
  }
  throw new Error('it was to fail')
}

export const said = ({ message, hints }: ClusterProblem) => [message, ...hints].join('\n')
export const values = ({ detected: rows }: Detection) =>
  Object.fromEntries(rows.map((row) => [formatPath(row.path), row.value]))
export const wheres = ({ detected: rows }: Detection) =>
  Object.fromEntries(rows.map((row) => [formatPath(row.path), row.where]))

export const caHash = /^sha256:[0-9a-f]{64}$/

// Reads a cluster in a test: through its own kubeconfig, from a server that stops when the test is over.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildSync } from 'esbuild'
import type { Test } from 'tap'
import { type ClientLimits, openClient } from '../../src/cluster/client.ts'
import { detect, type Detection } from '../../src/cluster/detect.ts'
import { type Kubectl, kubectlOf } from '../../src/cluster/kubectl.ts'
import { ClusterError } from '../../src/cluster/cluster-error.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { formatPath } from '../../src/model/path.ts'
import { root } from '../tools/run.ts'
import { type ApiServer, authority, type Behaviour, startApiServer } from './api-server.ts'
import { base64 } from './clusters.ts'
import { standIn } from './stand-in.ts'

/** All that the smallest question needs. */
export const version = { '/version': { gitVersion: 'v1.37.1' } }

export const secret = 'Sup3rS3cretT0ken'

export interface Asking {
  readonly user?: JsonObject
  readonly cluster?: JsonObject
  readonly limits?: Partial<ClientLimits>
  readonly allow?: (command: string) => Promise<boolean>
  readonly tell?: (line: string) => void
  /** Without one, the stand-in answers within this process. */
  readonly kubectl?: Kubectl
}

/** A kubeconfig in its own folder. */
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
      kind: 'Config',
      apiVersion: 'v1',
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

/** The stand-in within this process: fast, and without limits. */
const standInHere: Kubectl = async (args) => ({
  kind: 'ended',
  ...(await standIn(args, process.env)),
})

/** A folder for PATH whose kubectl is the stand-in; it goes with this process. */
function standInFolder(): string {
  const contents = `import { standIn } from './stand-in.ts'
    standIn(process.argv.slice(2), process.env).then(({ code, stdout, stderr }) => {
      process.exitCode = code; process.stdout.write(stdout); process.stderr.write(stderr) })`
  const stdin = { contents, resolveDir: path.join(root, 'test/cluster') }
  const { outputFiles } = buildSync({ stdin, bundle: true, platform: 'node', write: false })
  const folder = mkdtempSync(path.join(tmpdir(), 'winnode-kubectl-'))
  process.once('exit', () => rmSync(folder, { recursive: true }))
  const script = path.join(folder, 'kubectl.cjs')
  writeFileSync(script, outputFiles[0]?.text ?? '')
  const program = path.join(folder, 'kubectl')
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`)
  chmodSync(program, 0o755)
  return folder
}

const env = { ...process.env, NO_PROXY: '', HTTPS_PROXY: '' }

let folder: string | undefined

/** For runs of winnode in this process and below it. */
export function withStandIn(t: Test): void {
  const before = process.env['PATH']
  folder ??= standInFolder()
  process.env['PATH'] = `${folder}${path.delimiter}${before ?? ''}`
  t.teardown(() => (process.env['PATH'] = before))
}

/** The stand-in as a process, which can be killed. */
export const standInProcess: Kubectl = (args, limits) => {
  folder ??= standInFolder()
  return kubectlOf({ ...env, PATH: folder })(args, limits)
}

const kubectlVersion = spawnSync('kubectl', ['version', '--client'], { timeout: 20_000 })
export const noKubectl =
  kubectlVersion.status !== 0 && 'kubectl is not on PATH: nothing was compared with it'

/** The kubectl of this machine. */
export const realKubectl: Kubectl = (...asked) => kubectlOf(env)(...asked)

/** A client by its own kubeconfig. */
export function ask(t: Test, port: number, asking: Asking = {}) {
  return openClient({
    kubeconfig: kubeconfigOf(t, port, asking),
    context: undefined,
    kubectl: asking.kubectl ?? standInHere,
    limits: asking.limits ?? {},
    allow: asking.allow ?? (() => Promise.resolve(true)),
    log: asking.tell ?? (() => undefined),
  })
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

export async function problemOf(work: () => unknown): Promise<ClusterError> {
  try {
    await work()
  } catch (thrown) {
    if (thrown instanceof ClusterError) return thrown
    throw thrown
  }
  throw new Error('it was to fail')
}

export const said = ({ message, hints }: ClusterError) => [message, ...hints].join('\n')
export const values = ({ detected: rows }: Detection) =>
  Object.fromEntries(rows.map((row) => [formatPath(row.path), row.value]))
export const wheres = ({ detected: rows }: Detection) =>
  Object.fromEntries(rows.map((row) => [formatPath(row.path), row.where]))

export const caHash = /^sha256:[0-9a-f]{64}$/

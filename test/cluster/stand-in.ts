// A stand-in for kubectl: answers `config view` and `get --raw` as kubectl does, for machines without it.
//
// Texts and exit codes are as in kubectl and client-go; test/cluster/cluster.test.ts compares them with a kubectl
// where one is present:
//   kubectl pkg/cmd/config/view.go, client-go tools/clientcmd/api/helpers.go (MinifyConfig)    config view
//   kubectl pkg/cmd/util/helpers.go (StandardErrorMessage)                                     errors
//   client-go rest/request.go (RequestURI, Stream), rest/with_retry.go                         paths, repetitions
//   client-go plugin/pkg/client/auth/exec/exec.go                                              exec plugins
//   client-go tools/clientcmd/auth_loaders.go                                                  users without credentials
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request as requestHttp } from 'node:http'
import { request as requestHttps, type RequestOptions } from 'node:https'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Env } from '../../src/cluster/kubectl.ts'

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

interface Cluster {
  readonly server: string
  readonly 'certificate-authority'?: string
  readonly 'certificate-authority-data'?: string
  readonly 'insecure-skip-tls-verify'?: boolean
  readonly 'tls-server-name'?: string
}

interface User {
  readonly token?: string
  readonly tokenFile?: string
  readonly 'client-certificate-data'?: string
  readonly 'client-key-data'?: string
  readonly exec?: {
    readonly command: string
    readonly args?: readonly string[]
    readonly env?: readonly { readonly name: string; readonly value: string }[]
    readonly apiVersion: string
  }
}

interface Config {
  readonly clusters?: readonly { readonly name: string; readonly cluster: Cluster }[]
  readonly users?: readonly { readonly name: string; readonly user: User }[]
  readonly contexts?: readonly {
    readonly name: string
    readonly context: { readonly cluster: string; readonly user: string }
  }[]
  readonly 'current-context'?: string
}

class Failed extends Error {
  readonly stdout: string
  constructor(message: string, stdout = '') {
    super(message)
    this.stdout = stdout
  }
}

export async function standIn(args: readonly string[], env: Env): Promise<Ended> {
  const flags = new Map(
    args
      .filter((word) => word.startsWith('--'))
      .map((word) => /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [])
      .map(([, name = '', value = 'true']) => [name, value] as const),
  )
  const words = args.filter((word) => !word.startsWith('--')).join(' ')
  try {
    const { config, folder } = load(flags.get('kubeconfig') ?? env['KUBECONFIG'])
    if (words === 'config view') return ended(0, view(config, folder, flags))
    if (words !== 'get') throw new Failed(`error: unknown command ${JSON.stringify(words)}`)
    return ended(0, await get(config, folder, flags, env))
  } catch (thrown) {
    if (thrown instanceof Failed) return ended(1, thrown.stdout, `${thrown.message}\n`)
    throw thrown
  }
}

const ended = (code: number, stdout = '', stderr = ''): Ended => ({ code, stdout, stderr })

function load(file: string | undefined): { config: Config; folder: string } {
  if (file === undefined) return { config: {}, folder: '' }
  try {
    const config = JSON.parse(readFileSync(file, 'utf8')) as Config
    return { config, folder: path.dirname(file) }
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new Failed('error: error converting YAML to JSON: yaml: line 1: found a character')
    return { config: {}, folder: '' }
  }
}

function chosen(config: Config, name: string | undefined) {
  const called = name ?? config['current-context'] ?? ''
  if (called === '') throw new Failed('error: current-context must exist in order to minify')
  const context = config.contexts?.find((one) => one.name === called)
  if (!context) throw new Failed(`error: cannot locate context ${called}`)
  const cluster = config.clusters?.find((one) => one.name === context.context.cluster)
  if (!cluster) throw new Failed(`error: cannot locate cluster ${context.context.cluster}`)
  const user = config.users?.find((one) => one.name === context.context.user)
  if (!user) throw new Failed(`error: cannot locate user ${context.context.user}`)
  return { context, cluster, user }
}

function view(config: Config, folder: string, flags: ReadonlyMap<string, string>): string {
  if (!flags.has('minify')) return JSON.stringify(config, null, 4)
  const { context, cluster, user } = chosen(config, flags.get('context'))
  const ca = flags.has('flatten') ? authorityOf(cluster.cluster, folder) : undefined
  const data = ca && {
    'certificate-authority': undefined,
    'certificate-authority-data': Buffer.from(ca).toString('base64'),
  }
  const shown = { ...cluster, cluster: { ...cluster.cluster, ...data } }
  const minified = { kind: 'Config', apiVersion: 'v1', clusters: [shown], users: [user] }
  return JSON.stringify({ ...minified, contexts: [context], 'current-context': context.name })
}

function authorityOf(cluster: Cluster, folder: string): string | undefined {
  const { 'certificate-authority': file, 'certificate-authority-data': data } = cluster
  if (data !== undefined) return Buffer.from(data, 'base64').toString()
  if (file === undefined) return undefined
  const name = path.resolve(folder, file)
  try {
    return readFileSync(name, 'utf8')
  } catch {
    throw new Failed(`error: open ${name}: no such file or directory`)
  }
}

async function get(
  config: Config,
  folder: string,
  flags: ReadonlyMap<string, string>,
  env: Env,
): Promise<string> {
  const { cluster, user } = chosen(config, flags.get('context'))
  const server = new URL(flags.get('server') ?? cluster.cluster.server)
  const target = new URL(flags.get('raw') ?? '/', server)
  const timeout = Number.parseFloat(flags.get('request-timeout') ?? '15s') * 1000
  target.searchParams.set('timeout', `${timeout / 1000}s`)
  target.searchParams.sort()
  const secure = server.protocol === 'https:'
  const credentials = secure ? await credentialsOf(user.user, folder, env) : {}
  const authority = flags.get('certificate-authority')
  const insecure =
    flags.has('insecure-skip-tls-verify') ||
    (authority === undefined && cluster.cluster['insecure-skip-tls-verify'] === true)
  const ca =
    authority === undefined ? authorityOf(cluster.cluster, folder) : readFileSync(authority, 'utf8')
  const serverName = flags.has('server') ? undefined : cluster.cluster['tls-server-name']
  const options: RequestOptions = {
    headers: {
      Accept: 'application/json, */*',
      ...(credentials.token !== undefined && { Authorization: `Bearer ${credentials.token}` }),
    },
    rejectUnauthorized: !insecure,
    allowPartialTrustChain: true,
    ...(ca !== undefined && !insecure && { ca }),
    ...(serverName !== undefined && { servername: serverName }),
    ...credentials.pair,
    agent: false,
  }
  for (let repetitions = 0; ; repetitions += 1) {
    const { status, retryAfter, body, whole } = await sent(target, options, timeout)
    if (status >= 200 && status < 300) {
      if (whole) return body
      throw new Failed('error: unexpected EOF', body)
    }
    const busy = status === 429 || status >= 500
    if (busy && /^\d+$/.test(retryAfter) && repetitions < 10)
      await setTimeout(Number(retryAfter) * 1000)
    else throw new Failed(errorOfStatus(status, body))
  }
}

interface Credentials {
  readonly token?: string | undefined
  readonly pair?: { readonly cert: string; readonly key: string }
}

async function credentialsOf(user: User, folder: string, env: Env): Promise<Credentials> {
  const { token, tokenFile, exec } = user
  const { 'client-certificate-data': cert, 'client-key-data': key } = user
  const text = (data: string) => Buffer.from(data, 'base64').toString()
  if (cert !== undefined && key !== undefined) return { pair: { cert: text(cert), key: text(key) } }
  if (tokenFile !== undefined)
    return { token: readFileSync(path.resolve(folder, tokenFile), 'utf8').trim() }
  if (token !== undefined) return { token }
  if (exec) return ofPlugin(exec, env)
  throw new Failed('error: EOF', 'Please enter Username: ')
}

async function ofPlugin(exec: NonNullable<User['exec']>, env: Env): Promise<Credentials> {
  const { command, args = [], apiVersion } = exec
  if (!/^client\.authentication\.k8s\.io\/v1(?:beta1)?$/.test(apiVersion))
    throw new Failed(`error: exec plugin: invalid apiVersion ${JSON.stringify(apiVersion)}`)
  const failed = (why: string) =>
    new Failed(`Unable to connect to the server: getting credentials: ${why}`)
  const own = Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value]))
  const child = spawn(command, args, {
    env: { ...env, ...own },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (some: string) => (stdout += some))
  const [code] = (await once(child, 'close').catch(() => {
    throw failed(`exec: fork/exec ${command}: no such file or directory`)
  })) as [number | null]
  if (code !== 0) throw failed(`exec: executable ${command} failed with exit code ${String(code)}`)
  let answer: { readonly status?: Record<string, string> }
  try {
    answer = JSON.parse(stdout) as typeof answer
  } catch {
    throw failed(`decoding stdout: couldn't get version/kind; json parse error`)
  }
  const { status } = answer
  if (!status) throw failed(`exec plugin didn't return a status field`)
  const { token, clientCertificateData: cert, clientKeyData: key } = status
  return cert !== undefined && key !== undefined ? { pair: { cert, key } } : { token }
}

interface Reply {
  readonly status: number
  readonly retryAfter: string
  readonly body: string
  /** False where the connection broke off. */
  readonly whole: boolean
}

async function sent(target: URL, options: RequestOptions, timeout: number): Promise<Reply> {
  const request = target.protocol === 'https:' ? requestHttps : requestHttp
  const opened = () => {
    try {
      return request(target, { ...options, signal: AbortSignal.timeout(timeout) })
    } catch (error) {
      throw unconnected(error as Error, target)
    }
  }
  return new Promise((resolve, reject) => {
    const asking = opened()
    asking.on('error', (error) => reject(unconnected(error, target)))
    asking.on('response', (response) => {
      let body = ''
      const done = (whole: boolean) =>
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'] ?? '',
          body,
          whole,
        })
      response.setEncoding('utf8').on('data', (some: string) => {
        body += some
        // kubectl prints while it reads: what is printed so far is enough to be stopped.
        if (body.length > 1_000_000) done(true)
      })
      response.on('error', () => done(false))
      response.on('end', () => done(response.complete))
    })
    asking.end()
  })
}

const unknownAuthority =
  'tls: failed to verify certificate: x509: certificate signed by unknown authority'

const connectionErrors: Readonly<Record<string, string>> = {
  ABORT_ERR: 'net/http: request canceled (Client.Timeout exceeded while awaiting headers)',
  ECONNRESET: 'EOF',
  EPROTO: 'http: server gave HTTP response to HTTPS client',
  ERR_SSL_WRONG_VERSION_NUMBER: 'http: server gave HTTP response to HTTPS client',
  CERT_HAS_EXPIRED:
    'tls: failed to verify certificate: x509: certificate has expired or is not yet valid',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'tls: failed to verify certificate: x509: cannot validate certificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  ERR_INVALID_CHAR: 'net/http: invalid header field value for "Authorization"',
}

function unconnected(error: Error, { host }: URL): Failed {
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ECONNREFUSED')
    return new Failed(
      `The connection to the server ${host} was refused - did you specify the right host or port?`,
    )
  return new Failed(`Unable to connect to the server: ${connectionErrors[code] ?? error.message}`)
}

/** Without a Status in the body, client-go makes one: NewGenericServerResponse in apimachinery. */
const generic: Readonly<Record<number, readonly [reason: string, message: string]>> = {
  401: ['Unauthorized', 'the server has asked for the client to provide credentials'],
  403: ['Forbidden', 'unknown'],
  404: ['NotFound', 'the server could not find the requested resource'],
  429: [
    'TooManyRequests',
    'the server has received too many requests and has asked us to try again later',
  ],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
}

function errorOfStatus(status: number, body: string): string {
  const { reason, message } = statusIn(body, status)
  if (reason === 'Unauthorized') return `error: You must be logged in to the server (${message})`
  return reason === ''
    ? `Error from server: ${message}`
    : `Error from server (${reason}): ${message}`
}

function statusIn(body: string, code: number): { reason: string; message: string } {
  try {
    const { kind, reason = '', message = '' } = JSON.parse(body) as Record<string, string>
    if (kind === 'Status') return { reason, message }
  } catch {
    // Then it is a text.
  }
  const [reason, message] = generic[code] ?? ['', 'unknown']
  return { reason, message: code === 403 && body !== '' ? body : message }
}

// A client for one API server: gets objects and lists through kubectl, and runs its other commands for the smoke test.
import { readRegularFile } from '../io/profiles/read-file.ts'
import { type Access, accessOf } from './access.ts'
import {
  type Answer,
  answerOf,
  listOf,
  type Listed,
  type Ran,
  ranOf,
  refusalOfError,
} from './answer.ts'
import { redactor } from './redact.ts'
import type { Kubectl } from './kubectl.ts'
import { ClusterError } from './cluster-error.ts'
import { redactedCommand } from './redact-command.ts'

interface ClientOptions {
  readonly kubectl: Kubectl
  /** `--kubeconfig` */
  readonly kubeconfig: string | undefined
  /** `--context` */
  readonly context: string | undefined
  /** Asks whether the exec plugin may run. */
  readonly allow: (command: string) => Promise<boolean>
  /** Prints a line before a long wait. */
  readonly log: (line: string) => void
  readonly limits?: Partial<ClientLimits>
}

export interface ClientLimits {
  /** Milliseconds for one request. */
  readonly request: number
  /** Milliseconds for retries of one request: kubectl retries a 429 up to ten times. */
  readonly retries: number
  /** Milliseconds for an exec plugin, which may log in. */
  readonly plugin: number
  readonly bytes: number
  readonly pages: number
}

export interface Client {
  readonly access: Access
  /** Never throws: an error is an answer. `path` begins with a slash. */
  readonly get: (path: string) => Promise<Answer>
  /** The same from another server, named by flags of kubectl. */
  readonly getFrom: (flags: readonly string[], path: string) => Promise<Answer>
  /** Reads all pages. */
  readonly list: (path: string) => Promise<Listed>
  /** Runs any command of kubectl; never throws. Only the smoke test may change a cluster. */
  readonly run: (args: readonly string[], input?: string) => Promise<Ran>
  /** Kills every kubectl that still runs. */
  readonly stop: () => void
}

const defaultLimits: ClientLimits = {
  request: 15_000,
  retries: 15_000,
  plugin: 60_000,
  bytes: 64 * 1024 * 1024,
  pages: 200,
}

/** Concurrent requests. */
const maxConcurrent = 8

/** Reads the kubeconfig only. Throws a `ClusterError` where it cannot be used. */
export async function openClient(options: ClientOptions): Promise<Client> {
  const { kubectl, kubeconfig, context, allow, log } = options
  const { request, retries, plugin, bytes, pages } = { ...defaultLimits, ...options.limits }
  const flags = [
    ...(kubeconfig === undefined ? [] : [`--kubeconfig=${kubeconfig}`]),
    ...(context === undefined ? [] : [`--context=${context}`]),
  ]
  if (kubeconfig !== undefined) checkFile(kubeconfig)
  const where = kubeconfig === undefined ? 'kubeconfig' : `kubeconfig ${kubeconfig}`
  const access = await accessOf(kubectl, flags, where)
  const { exec, secrets } = access.user
  const command = exec && redactedCommand(exec.command, exec.args)
  if (command !== undefined && !(await allow(command)))
    throw new ClusterError(
      'credentials',
      `no credentials from the exec plugin: ${command} was not allowed to run`,
    )
  const redact = redactor(secrets)
  const once = request + (exec ? plugin : 0)
  const aborter = new AbortController()
  const limits = { time: once + retries, bytes, signal: aborter.signal }
  const timeout = `--request-timeout=${once / 1000}s`
  const inTurn = limitConcurrency(maxConcurrent)
  const getFrom = (more: readonly string[], path: string) =>
    inTurn(async () => {
      const args = [...flags, ...more, 'get', `--raw=${path}`, timeout]
      return answerOf(await kubectl(args, limits), limits, redact)
    }).catch(refusalOfError)
  // get --raw replaces the path of the server's address: RequestURI in client-go's rest/request.go.
  const base = access.server.pathname.replace(/\/+$/, '')
  const get = (path: string) => getFrom([], base + path)
  return {
    access,
    get,
    getFrom,
    list: (path) => {
      const what = path.replace(/^.*\/|\?.*$/g, '')
      const onMore = (size: number) =>
        log(`more than ${size} ${what}: reading them in pages of ${size}`)
      return listOf(get, path, { pages, onMore })
    },
    run: (args, input) =>
      inTurn(async () =>
        ranOf(await kubectl([...flags, ...args], limits, input), limits, redact),
      ).catch(refusalOfError),
    stop: () => aborter.abort(),
  }
}

/** kubectl takes a missing file for an empty one, and could read a pipe only once. */
function checkFile(file: string): void {
  const answer = readRegularFile(file, 1)
  if (answer.kind === 'read') return
  throw new ClusterError('kubeconfig', `${file}: ${answer.reason}`)
}

/** The first request runs alone, so that an exec plugin logs in once; then up to `limit` run concurrently. */
function limitConcurrency(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = 1
  let slots = 1
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((go) => waiting.push(go))
    try {
      return await work()
    } finally {
      free += 1 + limit - slots
      slots = limit
      while (free > 0 && waiting.length > 0) {
        free -= 1
        waiting.shift()?.()
      }
    }
  }
}

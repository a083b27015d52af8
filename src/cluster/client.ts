// Client: asks one API server for objects and lists; it can do nothing else.
import { readRegularFile } from '../io/profiles/read-file.ts'
import { type Access, accessOf } from './access.ts'
import { type Answer, answerOf, listOf, type Listed } from './answer.ts'
import { concealing } from './conceal.ts'
import type { Kubectl } from './kubectl.ts'
import { ClusterProblem } from './problem.ts'
import { shownCommand } from './shown-command.ts'

export interface Asked {
  readonly kubectl: Kubectl
  /** `--kubeconfig` */
  readonly kubeconfig: string | undefined
  /** `--context` */
  readonly context: string | undefined
  /** Shows the exec plugin and asks whether it may run. */
  readonly allow: (command: string) => Promise<boolean>
  /** What a person should know before a long wait. */
  readonly tell: (line: string) => void
  readonly limits?: Partial<ClientLimits>
}

export interface ClientLimits {
  /** Milliseconds for one request. */
  readonly request: number
  /** Milliseconds for the repetitions of one request: kubectl repeats what a busy server refused up to ten times. */
  readonly retries: number
  /** Milliseconds for an exec plugin, which may wait for a login. */
  readonly plugin: number
  readonly bytes: number
  readonly pages: number
}

export interface Client {
  readonly access: Access
  /** Never throws: what goes wrong is an answer. `path` begins with a slash. */
  readonly get: (path: string) => Promise<Answer>
  /** The same of another server, named by flags of kubectl. */
  readonly getFrom: (flags: readonly string[], path: string) => Promise<Answer>
  /** All pages. */
  readonly list: (path: string) => Promise<Listed>
}

const usual: ClientLimits = {
  request: 15_000,
  retries: 15_000,
  plugin: 60_000,
  bytes: 64 * 1024 * 1024,
  pages: 200,
}

/** Requests that run at a time. */
const atOnce = 8

/** Sends nothing yet. Throws a `ClusterProblem` where the kubeconfig cannot be used. */
export async function openClient(asked: Asked): Promise<Client> {
  const { kubectl, kubeconfig, context, allow, tell } = asked
  const { request, retries, plugin, bytes, pages } = { ...usual, ...asked.limits }
  const flags = [
    ...(kubeconfig === undefined ? [] : [`--kubeconfig=${kubeconfig}`]),
    ...(context === undefined ? [] : [`--context=${context}`]),
  ]
  if (kubeconfig !== undefined) checkFile(kubeconfig)
  const where = kubeconfig === undefined ? 'kubeconfig' : `kubeconfig ${kubeconfig}`
  const access = await accessOf(kubectl, flags, where)
  const { exec, secrets } = access.user
  const command = exec && shownCommand(exec.command, exec.args)
  if (command !== undefined && !(await allow(command)))
    throw new ClusterProblem(
      'credentials',
      `no credentials from the exec plugin: ${command} was not allowed to run`,
    )
  const conceal = concealing(secrets)
  const once = request + (exec ? plugin : 0)
  const limits = { time: once + retries, bytes }
  const timeout = `--request-timeout=${once / 1000}s`
  const inTurn = turns(atOnce)
  const getFrom = (more: readonly string[], path: string) =>
    inTurn(async () => {
      const args = [...flags, ...more, 'get', `--raw=${path}`, timeout]
      return answerOf(await kubectl(args, limits), limits, conceal)
    })
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
        tell(`more than ${size} ${what}: reading them in pages of ${size}`)
      return listOf(get, path, { pages, onMore })
    },
  }
}

/** kubectl takes a file that is missing for an empty one, and reads a pipe only once. */
function checkFile(file: string): void {
  const answer = readRegularFile(file, 1)
  if (answer.kind === 'read') return
  const why = answer.kind === 'unreadable' ? answer.reason : whyNot[answer.kind]
  throw new ClusterProblem('kubeconfig', `${file}: ${why}`)
}

const whyNot = { missing: 'no such file or directory', folder: 'is a directory, not a kubeconfig' }

/** The first runs alone, so that an exec plugin logs in once; then `limit` run at a time. */
function turns(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
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

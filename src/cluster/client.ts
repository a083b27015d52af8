// Client: asks one API server for objects and lists; it can do nothing else.
import type { Access } from './access.ts'
import { type Answer, answerOf, listOf, type Listed } from './answer.ts'
import { concealing, type Conceal } from './conceal.ts'
import { type Credentials, credentialsOf } from './credentials.ts'
import type { AskPlugin } from './exec-plugin.ts'
import { connectionProblem } from './connection-problem.ts'
import { gate } from './gate.ts'
import { patiently } from './patience.ts'
import { proxyFor } from './proxy/choose.ts'
import { decoded } from './proxy/target.ts'
import { type Limits, openTransport, type Reply, type Transport } from './transport.ts'

export interface ClientOptions {
  readonly limits?: Partial<ClientLimits>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Shows the exec plugin and asks whether it may run. */
  readonly allow: AskPlugin['allow']
  readonly signal: AbortSignal
}

export interface ClientLimits extends Limits {
  readonly plugin: number
  /** Milliseconds that a busy server may ask us to wait, for one answer. */
  readonly patience: number
  readonly pages: number
}

export interface Client {
  readonly access: Access
  /** Never throws: what goes wrong is an answer. `path` begins with a slash. */
  readonly get: (path: string) => Promise<Answer>
  /** All pages. */
  readonly list: (path: string) => Promise<Listed>
  readonly close: () => void
}

const usual: ClientLimits = {
  request: 15_000,
  bytes: 64 * 1024 * 1024,
  plugin: 60_000,
  patience: 20_000,
  pages: 200,
}

interface Session {
  readonly credentials: Credentials
  readonly transport: Transport
  readonly conceal: Conceal
}

/** Runs an exec plugin, if the user has one; sends nothing yet. */
export async function openClient(access: Access, options: ClientOptions): Promise<Client> {
  const limits = { ...usual, ...options.limits }
  const proxy = access.proxy ?? proxyFor(access.server, options.env)
  const ask: AskPlugin = { ...options, limit: limits.plugin }
  let session = await openSession(access, ask, proxy, limits)
  const opened = [session]
  const ended = new AbortController()
  const close = () => {
    options.signal.removeEventListener('abort', close)
    ended.abort()
    opened.forEach(({ transport }) => transport.close())
  }
  options.signal.addEventListener('abort', close)

  // It was allowed to run; requests on the way keep the connection that they have.
  const renew = once(async () => {
    const allowed: AskPlugin = { ...ask, allow: () => Promise.resolve(true) }
    session = await openSession(access, allowed, proxy, limits)
    opened.push(session)
  })
  const inTurn = gate(atOnce)
  const reply = async (path: string): Promise<Reply> => {
    const send = () => inTurn(() => session.transport.get(path))
    const first = await patiently(send, limits.patience, ended.signal)
    if (first.status !== 401 || !session.credentials.renewable) return first
    await renew()
    return send()
  }
  const get = async (path: string): Promise<Answer> => {
    try {
      return answerOf(await reply(path), session.conceal)
    } catch (thrown) {
      const problem = connectionProblem(thrown, access, proxy, session.conceal)
      return { kind: 'failed', message: problem.message, problem }
    }
  }
  return { access, get, list: (path) => listOf(get, path, limits.pages), close }
}

/** As many connections, at most. */
const atOnce = 4

async function openSession(
  access: Access,
  ask: AskPlugin,
  proxy: URL | undefined,
  limits: ClientLimits,
): Promise<Session> {
  const credentials = await credentialsOf(access, ask)
  const ofProxy = proxy ? [proxy.password, decoded(proxy.password)] : []
  return {
    credentials,
    transport: openTransport(access, credentials, proxy, limits),
    conceal: concealing([...credentials.secrets, ...ofProxy]),
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => (running ??= work())
}

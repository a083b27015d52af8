// Runs a smoke test: creates a namespace with pods, makes the checks, and removes the namespace.
import type { Client } from '../../cluster/client.ts'
import type { Ran } from '../../cluster/answer.ts'
import { isKubectlForSmoke } from '../../matrix/smoke-images.ts'
import type { Facts } from '../../model/facts.ts'
import { type JsonObject, parseObject } from '../../model/json.ts'
import { type Attempt, type Check, checksOf } from '../../smoke/checks.ts'
import type { ChosenImage } from '../../smoke/image.ts'
import { chooseNodes, nameOf, type Nodes } from '../../smoke/nodes.ts'
import { namespaceOf, objectsOf } from '../../smoke/objects.ts'
import type { Result, Smoke } from '../../smoke/result.ts'
import { type Started, stateOf } from '../../smoke/started.ts'
import { textAt } from '../../workloads/manifest.ts'
import { Failure } from '../failure.ts'

export interface Options {
  readonly facts: Facts
  readonly image: ChosenImage
  /** `--node` */
  readonly node: string | undefined
  readonly egress: string | undefined
  /** Seconds until every pod must have started. */
  readonly timeout: number
  /** Names the run. */
  readonly run: string
  readonly pause: (seconds: number) => Promise<void>
  /** Seconds of a clock that only goes forward. */
  readonly now: () => number
  /** False once a signal has come. */
  readonly shouldContinue: () => Promise<boolean>
  readonly tell: (line: string) => void
}

/** Seconds between two looks at the pods. */
const interval = 1

/**
 * Of a check: kube-proxy and DNS follow a new pod with a delay, and a name that is not found is cached for 30 seconds.
 * https://github.com/kubernetes/kubernetes/blob/008b3652959ca58af8be3fb5b6ecfe9ae7638282/cluster/addons/dns/coredns/coredns.yaml.base
 */
const attempts = { count: 8, pause: 5 }

/** Throws where nothing could be tested; the namespace is removed in every case. */
export async function runSmoke(client: Client, options: Options): Promise<Smoke> {
  const nodes = await nodesOf(client, options)
  const namespace = nameOf(namespaceOf(options.run))
  const remove = () => removeNamespace(client, [namespace, '--ignore-not-found'])
  const results = await inNamespace(client, { ...options, namespace, nodes }).catch(
    async (thrown: unknown) => {
      const removal = await remove()
      if (removal.kind !== 'found')
        options.tell(`namespace ${namespace} was not removed: ${removal.message}`)
      throw thrown
    },
  )
  const removal = await remove()
  const left = removal.kind === 'found' ? {} : { left: removal.message }
  return { image: options.image.image, namespace, results, ...left }
}

/** Its end takes the node a while: the API server is only asked to begin. */
export function removeNamespace(client: Client, which: readonly string[]): Promise<Ran> {
  return client.run(['delete', 'namespaces', ...which, '--wait=false', '--output=name'])
}

async function nodesOf(client: Client, { facts, node }: Options): Promise<Nodes> {
  const version = await client.run(['version', '--client', '--output=json'])
  const minimum = version.kind === 'found' ? oldKubectl(version.text) : version.message
  if (minimum !== undefined) throw new Failure('usage', `kubectl: ${minimum}`)
  const listed = await client.list('/api/v1/nodes')
  if (listed.kind !== 'found') throw new Failure('incomplete', `nodes: ${listed.message}`)
  const nodes = chooseNodes(listed.items, facts, node)
  if (typeof nodes !== 'string') return nodes
  throw new Failure(node === undefined ? 'incomplete' : 'usage', nodes)
}

interface Within extends Options {
  readonly namespace: string
  readonly nodes: Nodes
}

async function inNamespace(client: Client, options: Within): Promise<readonly Result[]> {
  const { facts, run, namespace, nodes, image, egress, shouldContinue, tell } = options
  if (!(await shouldContinue())) return []
  const created = await create(client, namespaceOf(run))
  if (created.kind === 'refused')
    throw new Failure('failure', `namespace ${namespace}: ${created.why}`)
  tell(`namespace ${namespace} on ${Object.values(nodes).filter(Boolean).join(', ')}`)
  await accountOf(client, options)
  const started = new Map<string, Started>()
  for (const object of objectsOf(facts, { namespace, nodes, image: image.image })) {
    if (!(await shouldContinue())) return []
    started.set(nameOf(object), await create(client, object))
  }
  await waitForPods(client, options, started)
  const clusterDomain = facts.spec.network.clusterDomain
  const results: Result[] = []
  for (const check of checksOf({ namespace, nodes, clusterDomain, egress })) {
    if (!(await shouldContinue())) return results
    results.push(await resultOf(client, check, { options, started, before: results }))
  }
  return results
}

/** Without the account, which a controller creates, the API server refuses pods. */
async function accountOf(client: Client, options: Within): Promise<void> {
  const path = `/api/v1/namespaces/${options.namespace}/serviceaccounts/default`
  for (let left = attempts.count; left > 0; left -= 1) {
    if ((await client.get(path)).kind !== 'missing') return
    await options.pause(interval)
  }
}

/** As it is; what the API server adds comes back. */
export async function create(client: Client, object: JsonObject): Promise<Started> {
  const ran = await client.run(
    ['create', '--validate=false', '--filename=-', '--output=json'],
    JSON.stringify(object),
  )
  return ran.kind === 'found'
    ? { kind: 'ready', object: parseObject(ran.text) ?? object }
    : { kind: 'refused', why: ran.message }
}

/** Replaces each pod in `started` by what became of it. */
async function waitForPods(
  client: Client,
  { namespace, timeout, pause, now, shouldContinue, tell }: Within,
  started: Map<string, Started>,
): Promise<void> {
  tell(`waiting for the pods, ${timeout} seconds at most`)
  const end = now() + timeout
  for (;;) {
    // A look takes time, too: the last one begins when the time is over.
    const isLast = now() >= end
    const listed = await client.list(`/api/v1/namespaces/${namespace}/pods`)
    if (listed.kind !== 'found' && isLast)
      throw new Failure('incomplete', `pods of ${namespace}: ${listed.message}`)
    const pods = listed.kind === 'found' ? listed.items : []
    const states = pods.map((pod) => [nameOf(pod), stateOf(pod)] as const)
    for (const [name, state] of states)
      started.set(name, state.kind === 'waiting' ? { ...state, kind: 'stopped' } : state)
    if (listed.kind === 'found') markGone(started, new Set(states.map(([name]) => name)))
    const waits = listed.kind !== 'found' || states.some(([, { kind }]) => kind === 'waiting')
    if (!waits || isLast || !(await shouldContinue())) return
    await pause(interval)
  }
}

/** Such as a pod that the node evicted, or another controller deleted. */
function markGone(started: Map<string, Started>, listed: ReadonlySet<string>): void {
  for (const [name, one] of started)
    if (one.kind === 'ready' && one.object['kind'] === 'Pod' && !listed.has(name))
      started.set(name, { kind: 'stopped', why: 'it was deleted' })
}

interface Known {
  readonly options: Within
  readonly started: ReadonlyMap<string, Started>
  readonly before: readonly Result[]
}

async function resultOf(client: Client, check: Check, known: Known): Promise<Result> {
  const { id, title, where, needs, starts, impossible, attempt } = check
  const as = (outcome: Result['outcome'], message = '', unread?: true): Result => ({
    ...{ id, title, where, outcome, message },
    ...(unread && { unread }),
  })
  if (impossible !== undefined) return as('skipped', impossible)
  const objects = new Map<string, JsonObject>()
  for (const name of needs) {
    const one = known.started.get(name)
    if (one?.kind === 'ready') objects.set(name, one.object)
    else if (one?.kind === 'stopped')
      return starts
        ? as('failed', `pod ${name}: ${one.why}`)
        : as('skipped', `pod ${name} did not start`, true)
    else return as('skipped', `${name} was not created: ${one?.why ?? 'unknown'}`, true)
  }
  if (!attempt) return as('passed')
  const todo = attempt(objects)
  const isExec = known.before.some((one) => one.id === 'smoke-exec' && one.outcome !== 'passed')
  if (isExec && todo.pod === 'client') return as('skipped', 'kubectl exec does not work', true)
  const { why, unread } = await attempted(client, todo, known.options)
  if (why === undefined) return as('passed')
  const isAboutKubectl = id === 'smoke-exec' || id === 'smoke-logs'
  return unread === 'forbidden' || (unread === 'kubectl' && !isAboutKubectl)
    ? as('skipped', why, true)
    : as('failed', why)
}

interface Tried {
  /** Absent where it passed. */
  readonly why?: string | undefined
  /** kubectl itself failed, or the API server does not permit it. */
  readonly unread?: 'kubectl' | 'forbidden' | undefined
}

async function attempted(client: Client, todo: Attempt, options: Within): Promise<Tried> {
  const { namespace, pause, shouldContinue } = options
  const verb = todo.command ? 'exec' : 'logs'
  const command = todo.command ? ['--', ...todo.command] : []
  for (let left = attempts.count - 1; ; left -= 1) {
    const ran = await client.run([verb, `--namespace=${namespace}`, todo.pod, ...command])
    const tried = triedOf(ran, todo)
    const isFinal = tried.why === undefined || tried.unread === 'forbidden' || left === 0
    if (isFinal || !(await shouldContinue())) return tried
    await pause(attempts.pause)
  }
}

function triedOf(ran: Ran, todo: Attempt): Tried {
  if (ran.kind === 'found') return { why: todo.refuses(ran.text) }
  if (ran.kind === 'forbidden' || ran.kind === 'unauthorized')
    return { why: ran.message, unread: 'forbidden' }
  const isProgram = ran.kind === 'failed' && !ran.problem
  return { why: ran.message, unread: isProgram ? undefined : 'kubectl' }
}

/** The reason why this kubectl cannot be used. */
function oldKubectl(version: string): string | undefined {
  const text = textAt(parseObject(version), ['clientVersion', 'gitVersion'])
  return isKubectlForSmoke(text)
    ? undefined
    : `version ${text || 'unknown'}, 1.24 or newer is required`
}

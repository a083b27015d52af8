// Runs a smoke test: creates a namespace with pods, makes the checks, and removes the namespace.
import type { Client } from '../../cluster/client.ts'
import type { Ran } from '../../cluster/answer.ts'
import { isKubectlForSmoke } from '../../matrix/smoke-images.ts'
import type { Facts } from '../../model/facts.ts'
import { type JsonObject, nameOf, parseObject, textAt } from '../../model/json.ts'
import { type Attempt, type Check, checksOf } from '../../smoke/checks.ts'
import type { ChosenImage } from '../../smoke/image.ts'
import { chooseNodes, type Nodes } from '../../smoke/nodes.ts'
import { namespaceOf, objectsOf } from '../../smoke/objects.ts'
import type { CheckResult, SmokeReport } from '../../smoke/result.ts'
import { type ObjectState, podState } from '../../smoke/pod-state.ts'
import { Failure } from '../failure.ts'
import { removeNamespace } from './clean-up.ts'

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
  /** Aborted once a signal has come. */
  readonly signal: AbortSignal
  readonly log: (line: string) => void
}

/** Seconds between two looks at the pods. */
const interval = 1

/**
 * kube-proxy and DNS notice a new pod with a delay, and CoreDNS caches a missing name for 30 seconds.
 * https://github.com/kubernetes/kubernetes/blob/008b3652959ca58af8be3fb5b6ecfe9ae7638282/cluster/addons/dns/coredns/coredns.yaml.base
 */
const attempts = { count: 8, pause: 5 }

/** Throws where nothing could be tested; the namespace is removed in every case. */
export async function runSmoke(client: Client, options: Options): Promise<SmokeReport> {
  const { signal, log, run, image } = options
  const nodes = await unlessAborted(signal, nodesOf(client, options))
  if (nodes === undefined || isAborted(signal)) return { image: image.image, results: [] }
  const namespace = nameOf(namespaceOf(run))
  const inNamespace = { ...options, namespace, nodes }
  const results: CheckResult[] = []
  const remove = () => removeSurely(client, inNamespace)
  // Not aborted: a request under way could create the namespace after its removal.
  const created = await create(client, namespaceOf(run))
  try {
    if (created.kind === 'refused' && !isAborted(signal))
      throw new Failure('failure', `namespace ${namespace}: ${created.why}`)
    await unlessAborted(signal, runInNamespace(client, inNamespace, results))
  } catch (thrown) {
    const removal = await remove()
    if (removal.kind !== 'found') log(`namespace ${namespace} was not removed: ${removal.message}`)
    throw thrown
  }
  if (isAborted(signal)) log(`interrupted: removing namespace ${namespace}`)
  const removal = await remove()
  const removalProblem = removal.kind === 'found' ? {} : { notRemoved: removal.message }
  const all = isAborted(signal) ? withInterrupted(results, inNamespace) : results
  return { image: image.image, namespace, results: all, ...removalProblem }
}

/** A function, because the compiler takes a property that was read once to stay the same. */
function isAborted({ aborted }: AbortSignal): boolean {
  return aborted
}

/** Resolves to `undefined` as soon as a signal comes: kubectl alone may take half a minute. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    const listener = () => resolve(undefined)
    if (isAborted(signal)) listener()
    signal.addEventListener('abort', listener, { once: true })
  })
  return Promise.race([work, aborted])
}

/** The checks that were not made follow those that were. */
function withInterrupted(
  results: readonly CheckResult[],
  options: NamespaceOptions,
): readonly CheckResult[] {
  const made = new Set(results.map(({ title }) => title))
  const others = checksFor(options).filter(({ title }) => !made.has(title))
  const interrupted = { outcome: 'skipped', message: 'interrupted', couldNotRun: true } as const
  return [
    ...results,
    ...others.map(({ id, title, where }) => ({ id, title, where, ...interrupted })),
  ]
}

/** Tries again if the connection is lost, because pods would be left. */
async function removeSurely(
  client: Client,
  { namespace, signal, pause }: NamespaceOptions,
): Promise<Ran> {
  for (let left = removals - 1; ; left -= 1) {
    const ran = await removeNamespace(client, namespace)
    if (ran.kind !== 'failed' || left === 0 || isAborted(signal)) return ran
    await pause(attempts.pause)
  }
}

const removals = 3

async function nodesOf(client: Client, { facts, node }: Options): Promise<Nodes> {
  const version = await client.run(['version', '--client', '--output=json'])
  const minimum = version.kind === 'found' ? kubectlProblem(version.text) : version.message
  if (minimum !== undefined) throw new Failure('usage', minimum)
  const listed = await client.list('/api/v1/nodes')
  if (listed.kind !== 'found') throw new Failure('incomplete', `nodes: ${listed.message}`)
  const nodes = chooseNodes(listed.items, facts, node)
  if (typeof nodes !== 'string') return nodes
  throw new Failure(node === undefined ? 'incomplete' : 'usage', nodes)
}

interface NamespaceOptions extends Options {
  readonly namespace: string
  readonly nodes: Nodes
}

/** Adds the result of each check to `results`. */
async function runInNamespace(
  client: Client,
  options: NamespaceOptions,
  results: CheckResult[],
): Promise<void> {
  const { facts, namespace, nodes, image, signal, log } = options
  if (isAborted(signal)) return
  log(`namespace ${namespace} on ${Object.values(nodes).filter(Boolean).join(', ')}`)
  await waitForServiceAccount(client, options)
  const started = new Map<string, ObjectState>()
  for (const object of objectsOf(facts, { namespace, nodes, image: image.image })) {
    if (isAborted(signal)) return
    started.set(nameOf(object), await create(client, object))
  }
  await waitForPods(client, options, started)
  for (const check of checksFor(options)) {
    if (isAborted(signal)) return
    const result = await resultOf(client, check, { options, started, before: results })
    // A check that a signal interrupts is not made.
    if (!isAborted(signal)) results.push(result)
  }
}

function checksFor({ facts, namespace, nodes, egress }: NamespaceOptions): readonly Check[] {
  const { clusterDomain } = facts.spec.network
  return checksOf({ namespace, nodes, clusterDomain, egress })
}

/** A controller creates the default service account, and without it the API server rejects pods. */
async function waitForServiceAccount(client: Client, options: NamespaceOptions): Promise<void> {
  const path = `/api/v1/namespaces/${options.namespace}/serviceaccounts/default`
  for (let left = attempts.count; left > 0 && !isAborted(options.signal); left -= 1) {
    if ((await client.get(path)).kind !== 'missing') return
    await options.pause(interval)
  }
}

/** Returns the object with the fields that the API server added. */
export async function create(client: Client, object: JsonObject): Promise<ObjectState> {
  const ran = await client.run(
    ['create', '--validate=false', '--filename=-', '--output=json'],
    JSON.stringify(object),
  )
  if (ran.kind !== 'found') return { kind: 'refused', why: ran.message }
  const stored = parseObject(ran.text)
  return stored
    ? { kind: 'ready', object: stored }
    : { kind: 'refused', why: 'the answer of kubectl is not JSON' }
}

/** Replaces each pod in `started` by its current state. */
async function waitForPods(
  client: Client,
  { namespace, timeout, pause, now, signal, log }: NamespaceOptions,
  started: Map<string, ObjectState>,
): Promise<void> {
  log(`waiting for the pods, ${timeout} seconds at most`)
  const end = now() + timeout
  for (;;) {
    // A look takes time, too: the last one begins when the time is over.
    const isLast = now() >= end
    const listed = await client.list(`/api/v1/namespaces/${namespace}/pods`)
    if (listed.kind !== 'found' && isLast)
      throw new Failure('incomplete', `pods of ${namespace}: ${listed.message}`)
    const pods = listed.kind === 'found' ? listed.items : []
    const states = pods.map((pod) => [nameOf(pod), podState(pod)] as const)
    for (const [name, state] of states)
      started.set(name, state.kind === 'waiting' ? { ...state, kind: 'stopped' } : state)
    if (listed.kind === 'found') markGone(started, new Set(states.map(([name]) => name)))
    const waits = listed.kind !== 'found' || states.some(([, { kind }]) => kind === 'waiting')
    if (!waits || isLast || isAborted(signal)) return
    await pause(interval)
  }
}

/** Marks pods that were deleted, for example evicted by the node. */
function markGone(started: Map<string, ObjectState>, listed: ReadonlySet<string>): void {
  for (const [name, one] of started)
    if (one.kind === 'ready' && one.object['kind'] === 'Pod' && !listed.has(name))
      started.set(name, { kind: 'stopped', why: 'it was deleted' })
}

interface RunState {
  readonly options: NamespaceOptions
  readonly started: ReadonlyMap<string, ObjectState>
  readonly before: readonly CheckResult[]
}

async function resultOf(client: Client, check: Check, known: RunState): Promise<CheckResult> {
  const { id, title, where, needs, mustStart, skipReason, attempt } = check
  const result = (
    outcome: CheckResult['outcome'],
    message = '',
    couldNotRun?: true,
  ): CheckResult => ({
    id,
    title,
    where,
    outcome,
    message,
    ...(couldNotRun && { couldNotRun }),
  })
  if (skipReason !== undefined) return result('skipped', skipReason)
  const objects = new Map<string, JsonObject>()
  for (const name of needs) {
    const one = known.started.get(name)
    if (one?.kind === 'ready') objects.set(name, one.object)
    else if (one?.kind === 'stopped')
      return mustStart
        ? result('failed', `pod ${name}: ${one.why}`)
        : result('skipped', `pod ${name} did not start`, true)
    else return result('skipped', `${name} was not created: ${one?.why ?? 'unknown'}`, true)
  }
  if (!attempt) return result('passed')
  const request = attempt(objects)
  const isExec = known.before.some((one) => one.id === 'smoke-exec' && one.outcome !== 'passed')
  if (isExec && request.pod === 'client')
    return result('skipped', 'kubectl exec does not work', true)
  const { why, blockedBy } = await tryUntilPassed(client, request, known.options)
  if (why === undefined) return result('passed')
  const isAboutKubectl = id === 'smoke-exec' || id === 'smoke-logs'
  return blockedBy === 'forbidden' || (blockedBy === 'kubectl' && !isAboutKubectl)
    ? result('skipped', why, true)
    : result('failed', why)
}

interface AttemptResult {
  /** Absent where it passed. */
  readonly why?: string | undefined
  /** kubectl itself failed, or the API server does not permit it. */
  readonly blockedBy?: 'kubectl' | 'forbidden' | undefined
}

async function tryUntilPassed(
  client: Client,
  todo: Attempt,
  options: NamespaceOptions,
): Promise<AttemptResult> {
  const { namespace, pause, signal } = options
  const verb = todo.command ? 'exec' : 'logs'
  const command = todo.command ? ['--', ...todo.command] : []
  for (let left = attempts.count - 1; ; left -= 1) {
    const ran = await client.run([verb, `--namespace=${namespace}`, todo.pod, ...command])
    const result = attemptResult(ran, todo)
    const isFinal = result.why === undefined || result.blockedBy === 'forbidden' || left === 0
    if (isFinal || isAborted(signal)) return result
    await pause(attempts.pause)
  }
}

function attemptResult(ran: Ran, todo: Attempt): AttemptResult {
  if (ran.kind === 'found') return { why: todo.problemIn(ran.text) }
  if (ran.kind === 'forbidden' || ran.kind === 'unauthorized')
    return { why: ran.message, blockedBy: 'forbidden' }
  const isProgram = ran.kind === 'failed' && !ran.problem
  return { why: ran.message, blockedBy: isProgram ? undefined : 'kubectl' }
}

/** The reason why this kubectl cannot be used. */
function kubectlProblem(version: string): string | undefined {
  const text = textAt(parseObject(version), ['clientVersion', 'gitVersion'])
  return isKubectlForSmoke(text)
    ? undefined
    : `kubectl: version ${text || 'unknown'}, 1.24 or newer is required`
}

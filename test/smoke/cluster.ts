// A cluster for smoke tests: a stand-in for kubectl that creates, runs and deletes pods as a cluster does.
//
// Texts are as in kubectl and the API server:
//   kubectl pkg/cmd/util/helpers.go (StandardErrorMessage, checkErr)            errors, exit codes of exec
//   kubernetes plugin/pkg/admission/serviceaccount/admission.go                 pods without an account
//   kubernetes test/images/agnhost/netexec, connect; curl                       programs of the image
import { isObject, type Json, type JsonObject, textAt, valueAt } from '../../src/model/json.ts'
import { judgeKeys } from '../judge/keys.ts'
import { metadataKeys, smokeKeys } from '../judge/kubernetes-keys.ts'
import type { Ended } from '../cluster/stand-in.ts'

interface NodeShape {
  readonly os?: 'windows' | 'linux'
  readonly build?: string
  readonly ready?: boolean
  readonly taints?: readonly JsonObject[]
}

export function node(
  name: string,
  { os = 'windows', build = '10.0.20348', ready = true, taints = [] }: NodeShape = {},
): JsonObject {
  return {
    metadata: {
      name,
      labels: {
        'kubernetes.io/os': os,
        ...(os === 'windows' && { 'node.kubernetes.io/windows-build': build }),
      },
    },
    spec: { taints },
    status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  }
}

export const hybrid = [node('win-1'), node('win-2'), node('linux-1', { os: 'linux' })]

export type Fault =
  | 'other kubectl'
  | 'no exec'
  | 'no exec permission'
  | 'credentials end'
  | 'no output'
  | 'another answer'
  | 'no logs'
  | 'no pod to pod'
  | 'nat'
  | 'no way across'
  | 'no service'
  | 'no dns'
  | 'no egress'
  | 'no node port'
  | 'no way from linux'
  | 'no way to linux'
  | 'exec dies on linux'
  | 'no image'
  | 'host process fails'
  | 'host process refused'
  | 'late rules'
  | 'never scheduled'
  | 'evicted'
  | 'rejected by the kubelet'
  | 'failed without a reason'
  | 'never seen'
  | 'not removed'
  | 'no namespace'
  | 'no nodes'
  | 'no pods'
  | 'old kubectl'
  | 'removed at the third attempt'
  | 'half of a service'
  | 'exec hangs'

export interface State {
  readonly nodes: readonly JsonObject[]
  readonly faults: readonly Fault[]
  readonly namespaces: Record<
    string,
    { labels: Json | undefined; asked: number; looks: number; terminating?: string }
  >
  readonly objects: Record<string, JsonObject>
  readonly calls: string[]
}

export function cluster(nodes: readonly JsonObject[], ...faults: readonly Fault[]): State {
  return { nodes, faults, namespaces: {}, objects: {}, calls: [] }
}

class Refused extends Error {
  readonly code: number
  constructor(message: string, code = 1) {
    super(message)
    this.code = code
  }
}

/** Changes `state`. */
export function kubectl(state: State, args: readonly string[], input = ''): Ended {
  const end = args.indexOf('--')
  const own = (end === -1 ? args : args.slice(0, end)).filter(
    (word) => !/^--(?:kubeconfig|context|server|request-timeout)=/.test(word),
  )
  state.calls.push([...own, ...(end === -1 ? [] : args.slice(end))].join(' '))
  const [verb = '', ...words] = own.filter((word) => !word.startsWith('--'))
  const flags = new Map(
    own
      .filter((word) => word.startsWith('--'))
      .map((word) => word.slice(2).split(/=(.*)/s) as [string, string | undefined]),
  )
  try {
    const stdout = answer(state, { verb, words, flags, input, command: args.slice(end + 1) })
    return { code: 0, stdout, stderr: '' }
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown
    return { code: thrown.code, stdout: '', stderr: `${thrown.message}\n` }
  }
}

interface Asked {
  readonly verb: string
  readonly words: readonly string[]
  readonly flags: ReadonlyMap<string, string | undefined>
  readonly input: string
  readonly command: readonly string[]
}

function answer(state: State, { verb, words, flags, input, command }: Asked): string {
  const [first = ''] = words
  const namespace = flags.get('namespace') ?? ''
  switch (verb) {
    case 'config':
      return JSON.stringify({
        clusters: [{ name: 'c', cluster: { server: 'https://192.0.2.1:6443' } }],
        users: [{ name: 'u', user: {} }],
      })
    case 'version':
      if (state.faults.includes('other kubectl')) throw new Refused('error: unknown flag: --output')
      return JSON.stringify({
        clientVersion: { gitVersion: state.faults.includes('old kubectl') ? 'v1.23.4' : 'v1.24.0' },
      })
    case 'get':
      return JSON.stringify(get(state, flags.get('raw') ?? ''))
    case 'create':
      if (flags.get('filename') !== '-') throw new Refused('error: must specify one of -f and -k')
      return cut(state, JSON.stringify(create(state, JSON.parse(input) as JsonObject)))
    case 'exec':
      return exec(state, namespace, first, command)
    case 'logs':
      return logs(state, namespace, first)
    case 'delete':
      return remove(state, words.slice(1))
    default:
      throw new Refused(`error: unknown command ${JSON.stringify(verb)}`)
  }
}

function cut({ faults }: State, json: string): string {
  const isCut = faults.includes('half of a service') && json.includes('"server-service"')
  return isCut ? json.slice(0, json.length / 2) : json
}

/** The namespaces with the labels of a selector. */
function selected(state: State, selector: string): readonly string[] {
  const wanted = selector.split(',').map((pair) => pair.split('='))
  return Object.entries(state.namespaces)
    .filter(([, { labels }]) =>
      wanted.every(([key = '', value]) => valueAt(labels, [key]) === value),
    )
    .map(([name]) => name)
}

function get(state: State, raw: string): JsonObject {
  const [path = '', query] = raw.split('?')
  if (path === '/api/v1/namespaces') {
    const selector = new URLSearchParams(query).get('labelSelector') ?? ''
    return {
      items: selected(state, selector).map((name) => namespaceObject(name, state.namespaces[name])),
    }
  }
  if (path === '/api/v1/nodes') {
    if (state.faults.includes('no nodes'))
      throw new Refused('Error from server (Forbidden): nodes is forbidden')
    return { items: state.nodes }
  }
  const [, name = '', what] = /^\/api\/v1\/namespaces\/([^/]+)\/(.+)$/.exec(path) ?? []
  const namespace = state.namespaces[name]
  if (!namespace) throw new Refused(`Error from server (NotFound): namespaces "${name}" not found`)
  if (what === 'serviceaccounts/default') {
    namespace.asked += 1
    if (namespace.asked < 2)
      throw new Refused('Error from server (NotFound): serviceaccounts "default" not found')
    return { kind: 'ServiceAccount' }
  }
  if (state.faults.includes('no pods'))
    throw new Refused('Error from server (Forbidden): pods is forbidden')
  namespace.looks += 1
  const pods = Object.entries(state.objects).filter(
    ([key, { kind }]) =>
      key.startsWith(`${name}/`) &&
      kind === 'Pod' &&
      !(state.faults.includes('evicted') && key.endsWith('/remote')),
  )
  return {
    items: pods.map(([key, pod]) => ({ ...pod, status: statusOf(state, key, namespace.looks) })),
  }
}

function namespaceObject(name: string, namespace: State['namespaces'][string] | undefined) {
  const { terminating } = namespace ?? {}
  if (terminating === undefined) return { metadata: { name } }
  // conditions of kubernetes pkg/controller/namespace/deletion/status_condition_utils.go
  const message = 'Some resources are remaining: pods. has 1 resource instances'
  return {
    metadata: { name, deletionTimestamp: terminating },
    status: {
      conditions: [
        {
          type: 'NamespaceDeletionContentFailure',
          status: 'False',
          message: 'All content deleted',
        },
        { type: 'NamespaceContentRemaining', status: 'True', message },
      ],
    },
  }
}

/** Pods start between the first look and the second. */
function statusOf(state: State, key: string, looks: number): JsonObject {
  const pod = state.objects[key] ?? {}
  const name = textAt(pod, ['metadata', 'name'])
  const has = (fault: Fault) => state.faults.includes(fault)
  if (has('never scheduled'))
    return {
      phase: 'Pending',
      conditions: [
        { type: 'PodScheduled', status: 'False', message: '0/3 nodes are available' },
      ] satisfies Json,
    }
  if (name === 'remote' && has('never seen')) return {}
  // kubernetes pkg/kubelet/kubelet.go (rejectPod), lifecycle/predicate.go: no container was started.
  if (name === 'remote' && has('rejected by the kubelet'))
    return {
      phase: 'Failed',
      message: "Pod was rejected: Node didn't have enough resource: memory",
    }
  if (name === 'remote' && has('failed without a reason')) return { phase: 'Failed' }
  const waiting = (reason: string, message = '') => ({
    phase: 'Pending',
    containerStatuses: [{ state: { waiting: { reason, message } } }],
  })
  if (looks === 1) return waiting('ContainerCreating')
  if (name === 'remote' && has('no image'))
    return waiting('ErrImagePull', 'no match for platform in manifest')
  if (name === 'host-process')
    return has('host process fails')
      ? {
          phase: 'Failed',
          containerStatuses: [{ state: { terminated: { reason: 'Error', exitCode: 1 } } }],
        }
      : { phase: 'Succeeded' }
  return {
    phase: 'Running',
    hostIP: `192.0.2.${name === 'remote' ? 12 : 11}`,
    podIP: addresses[name] ?? '',
    conditions: [{ type: 'Ready', status: 'True' }],
  }
}

const addresses: Readonly<Record<string, string>> = {
  client: '10.244.1.2',
  server: '10.244.1.3',
  remote: '10.244.2.2',
  linux: '10.244.3.2',
  'linux-host': '192.0.2.13',
}

function create(state: State, object: JsonObject): JsonObject {
  const kind = textAt(object, ['kind'])
  const name = textAt(object, ['metadata', 'name'])
  const wrong = judgeKeys(object, { ...metadataKeys, ...smokeKeys[`v1 ${kind}`] }, '1.25.16')
  if (wrong.length > 0)
    throw new Refused(`Error from server (BadRequest): strict decoding error: ${wrong.join(', ')}`)
  const refuse = (why: string) => {
    throw new Refused(
      `Error from server (Forbidden): error when creating "STDIN": ${kind} "${name}" is forbidden: ${why}`,
    )
  }
  if (kind === 'Namespace') {
    if (state.faults.includes('no namespace')) refuse('User "jane" cannot create resource')
    const labels = valueAt(object, ['metadata', 'labels'])
    state.namespaces[name] = { labels, asked: 0, looks: 0 }
    return object
  }
  const within = textAt(object, ['metadata', 'namespace'])
  const namespace = state.namespaces[within]
  if (!namespace)
    throw new Refused(`Error from server (NotFound): namespaces "${within}" not found`)
  if (kind === 'Pod' && namespace.asked < 2) refuse('error looking up service account')
  if (name === 'host-process' && state.faults.includes('host process refused'))
    refuse('HostProcess pods are not allowed here')
  const spec = isObject(object['spec']) ? object['spec'] : {}
  const created =
    kind === 'Service'
      ? {
          ...object,
          spec: { clusterIP: '10.96.0.10', ...spec, ports: [{ port: 80, nodePort: 30_080 }] },
        }
      : object
  state.objects[`${within}/${name}`] = created
  return created
}

function exec(state: State, namespace: string, pod: string, command: readonly string[]): string {
  const has = (fault: Fault) => state.faults.includes(fault)
  if (!state.objects[`${namespace}/${pod}`])
    throw new Refused(`Error from server (NotFound): pods "${pod}" not found`)
  if (has('no exec permission'))
    throw new Refused('Error from server (Forbidden): pods "client" is forbidden: cannot create')
  if (has('credentials end'))
    throw new Refused('error: You must be logged in to the server (Unauthorized)')
  const isLinux = pod.startsWith('linux')
  if ((has('no exec') && !isLinux) || (has('exec dies on linux') && isLinux))
    throw new Refused(
      'Error from server: error dialing backend: dial tcp 192.0.2.11:10250: i/o timeout',
    )
  const failed = (text: string, code: number) =>
    new Refused(`${text}\ncommand terminated with exit code ${code}`, code)
  const [program] = command
  if (program === '/agnhost') {
    const ends = command.includes('--timeout=5s')
    if (has('no egress')) throw failed(ends ? 'TIMEOUT' : 'killed', 1)
    return ''
  }
  if (isLinux !== (program === 'curl')) throw failed('executable file not found', 127)
  if (command.includes('echo') && has('no output')) return ''
  if (command.includes('echo')) return `${command.at(-1) ?? ''}\r\n`
  const url = new URL(command.at(-1) ?? '')
  const late = Object.keys(state.calls.filter((call) => call.includes(url.hostname))).length < 3
  if (blocked(state, pod, url) || (has('late rules') && url.hostname === '10.96.0.10' && late))
    throw failed('curl: (28) Connection timed out after 5001 milliseconds', 28)
  if (url.hostname.endsWith('.svc.cluster.local') && has('no dns'))
    throw failed(`curl: (6) Could not resolve host: ${url.hostname}`, 6)
  if (has('another answer')) return '<html>proxy</html>'
  return `${has('nat') ? '192.0.2.11' : (addresses[pod] ?? '')}:49152`
}

function blocked({ faults }: State, pod: string, { hostname, port }: URL): boolean {
  const rows: readonly (readonly [fault: Fault, is: boolean])[] = [
    ['no pod to pod', pod === 'client' && hostname === addresses['server']],
    ['no way across', pod === 'client' && hostname === addresses['remote']],
    ['no service', hostname === '10.96.0.10'],
    ['no node port', port === '30080' && pod === 'linux-host'],
    ['no way from linux', pod === 'linux'],
    ['no way to linux', hostname === addresses['linux']],
  ]
  return rows.some(([fault, is]) => is && faults.includes(fault))
}

function logs({ objects, faults }: State, namespace: string, pod: string): string {
  if (!objects[`${namespace}/${pod}`])
    throw new Refused(`error: error from server (NotFound): pods "${pod}" not found`)
  if (pod === 'host-process') return faults.includes('no output') ? '' : 'winnode-smoke \r\n'
  return faults.includes('no logs') ? '' : 'Started HTTP server on port 8080\n'
}

function remove(state: State, names: readonly string[]): string {
  if (state.faults.includes('not removed'))
    throw new Refused('Error from server (Forbidden): namespaces is forbidden')
  const removals = state.calls.filter((call) => call.startsWith('delete')).length
  if (state.faults.includes('removed at the third attempt') && removals < 3)
    throw new Refused('Unable to connect to the server: net/http: TLS handshake timeout')
  const found = names.filter((name) => state.namespaces[name])
  for (const name of found) {
    Reflect.deleteProperty(state.namespaces, name)
    for (const key of Object.keys(state.objects))
      if (key.startsWith(`${name}/`)) Reflect.deleteProperty(state.objects, key)
  }
  return found.map((name) => `namespace/${name}\n`).join('')
}

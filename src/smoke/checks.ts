// The checks of a smoke test: the command that each runs in a pod, and the output that passes.
import { type JsonObject, textAt, valueAt } from '../model/json.ts'
import type { Nodes } from './nodes.ts'
import { hostProcessOutput, type PodName, port, type ServiceName } from './objects.ts'

type ObjectName = PodName | ServiceName
/** The names of the objects that a check needs. */
type ObjectsByName = ReadonlyMap<string, JsonObject>

export interface Attempt {
  readonly pod: PodName
  /** The command to run in the pod; if absent, the pod's logs are read. */
  readonly command?: readonly string[]
  /** The problem of the output; `undefined` if it passes. */
  readonly problemIn: (output: string) => string | undefined
}

export interface Check {
  readonly id: keyof typeof checkKinds
  /** Unique in a run. */
  readonly title: string
  /** `win-1 -> win-2` */
  readonly where: string
  readonly needs: readonly ObjectName[]
  /** The check fails if one of its pods does not start; otherwise it is skipped. */
  readonly mustStart?: true
  /** Absent if the check passes once its pods have started. */
  readonly attempt?: (objects: ObjectsByName) => Attempt
  /** Why this cluster cannot run the check. */
  readonly skipReason?: string | undefined
}

/** Every kind of check, with its pass condition. */
export const checkKinds = {
  'smoke-cluster': 'The cluster can be read, and a namespace created.',
  'smoke-image': 'The image of the smoke test has the Windows build of the node.',
  'smoke-pod-start': 'A pod starts on the Windows node.',
  'smoke-exec': 'kubectl exec runs a command in a Windows pod.',
  'smoke-logs': 'kubectl logs reads the output of a Windows pod.',
  'smoke-pod-to-pod':
    'A Windows pod reaches a pod on the same node, with its own address as the source.',
  'smoke-across-nodes':
    'A Windows pod reaches a pod on another Windows node, with its own address as the source.',
  'smoke-service': 'A Windows pod reaches the cluster IP of a Service.',
  'smoke-dns': 'A Windows pod resolves and reaches a headless Service by its name.',
  'smoke-egress': 'A Windows pod reaches an address outside of the pod network.',
  'smoke-node-port': 'A Linux pod with hostNetwork reaches a NodePort of the Windows node.',
  'smoke-linux-to-windows': 'A Linux pod reaches a Windows pod.',
  'smoke-windows-to-linux': 'A Windows pod reaches a Linux pod.',
  'smoke-host-process': 'A HostProcess pod runs a program of the node.',
} as const

interface ChecksInput {
  readonly namespace: string
  readonly nodes: Nodes
  readonly clusterDomain: string
  /** `HOST:PORT`; absent where neither the command line nor the profile has one. */
  readonly egress: string | undefined
}

export function checksOf({
  namespace,
  nodes,
  clusterDomain,
  egress,
}: ChecksInput): readonly Check[] {
  const { first, second, linux } = nodes
  const noSecond = second === undefined ? 'only one Windows node takes the pods' : undefined
  const noLinux = linux === undefined ? 'no Linux node is Ready' : undefined
  const places = { win: first, win2: second ?? 'another node', linux: linux ?? 'Linux' }
  const startCheck = (pod: PodName, where: string, skipReason?: string): Check => ({
    id: 'smoke-pod-start',
    title: `start of pod ${pod}`,
    where,
    needs: [pod],
    mustStart: true,
    skipReason,
  })
  return [
    startCheck('client', places.win),
    startCheck('server', places.win),
    startCheck('remote', places.win2, noSecond),
    {
      id: 'smoke-exec',
      title: 'exec',
      where: places.win,
      needs: ['client'],
      attempt: () => ({
        pod: 'client',
        command: ['cmd', '/c', 'echo', namespace],
        problemIn: (output) =>
          output.includes(namespace) ? undefined : 'the command had no output',
      }),
    },
    {
      id: 'smoke-logs',
      title: 'logs',
      where: places.win,
      needs: ['server'],
      attempt: () => ({
        pod: 'server',
        problemIn: (output) => (output.trim() === '' ? 'the log is empty' : undefined),
      }),
    },
    {
      id: 'smoke-pod-to-pod',
      title: 'pod to pod, one node',
      where: places.win,
      needs: ['client', 'server'],
      attempt: requestToPod('server'),
    },
    {
      id: 'smoke-across-nodes',
      title: 'pod to pod, across nodes',
      where: `${places.win} -> ${places.win2}`,
      needs: ['client', 'remote'],
      attempt: requestToPod('remote'),
      skipReason: noSecond,
    },
    {
      id: 'smoke-service',
      title: 'Service',
      where: places.win,
      needs: ['client', 'server', 'server-service'],
      attempt: (objects) =>
        request('client', urlOf(textIn(objects, 'server-service', ['spec', 'clusterIP']), 80)),
    },
    {
      id: 'smoke-dns',
      title: 'DNS',
      where: places.win,
      needs: ['client', 'server', 'server-direct'],
      attempt: () =>
        request('client', urlOf(`server-direct.${namespace}.svc.${clusterDomain}`, port)),
    },
    {
      id: 'smoke-egress',
      title: 'egress',
      where: `${places.win} -> ${egress ?? '?'}`,
      needs: ['client'],
      attempt: () => ({
        pod: 'client',
        command: ['/agnhost', 'connect', egress ?? '', '--timeout=5s', '--protocol=tcp'],
        problemIn: () => undefined,
      }),
      skipReason:
        egress === undefined
          ? 'the profile has no API server endpoint: name an address with --egress'
          : undefined,
    },
    {
      id: 'smoke-node-port',
      title: 'NodePort',
      where: `${places.linux} -> ${places.win}`,
      needs: ['linux-host', 'server', 'server-service'],
      attempt: (objects) => {
        const nodePort = valueAt(objects.get('server-service'), ['spec', 'ports', 0, 'nodePort'])
        return request(
          'linux-host',
          urlOf(textIn(objects, 'server', ['status', 'hostIP']), Number(nodePort)),
        )
      },
      skipReason: noLinux,
    },
    {
      id: 'smoke-linux-to-windows',
      title: 'Linux to Windows',
      where: `${places.linux} -> ${places.win}`,
      needs: ['linux', 'server'],
      attempt: (objects) => request('linux', urlOf(addressOf(objects, 'server'), port)),
      skipReason: noLinux,
    },
    {
      id: 'smoke-windows-to-linux',
      title: 'Windows to Linux',
      where: `${places.win} -> ${places.linux}`,
      needs: ['client', 'linux'],
      attempt: (objects) => request('client', urlOf(addressOf(objects, 'linux'), port)),
      skipReason: noLinux,
    },
    {
      id: 'smoke-host-process',
      title: 'HostProcess',
      where: places.win,
      needs: ['host-process'],
      mustStart: true,
      attempt: () => ({
        pod: 'host-process',
        problemIn: (output) =>
          output.includes(hostProcessOutput) ? undefined : 'its program had no output',
      }),
    },
  ]
}

function requestToPod(to: PodName): (objects: ObjectsByName) => Attempt {
  return (objects) =>
    request('client', urlOf(addressOf(objects, to), port), addressOf(objects, 'client'))
}

/** netexec returns the client address; `source` is the expected one. */
function request(pod: PodName, url: string, source?: string): Attempt {
  const curl = pod === 'linux' || pod === 'linux-host' ? ['curl'] : ['cmd', '/c', 'curl.exe']
  const options = ['-sSg', '--noproxy', '*', '--connect-timeout', '5', '--max-time', '10']
  return {
    pod,
    command: [...curl, ...options, url],
    problemIn: (output) => {
      const [, address] = /^\[?([\da-f.:]+)\]?:\d+$/.exec(output.trim()) ?? []
      if (address === undefined) return `${url} is not answered by the pod`
      return source === undefined || address === source
        ? undefined
        : `the source address is ${address}, expected ${source}: Kubernetes requires pod traffic without NAT`
    },
  }
}

function urlOf(host: string, targetPort: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${targetPort}/clientip`
}

function addressOf(objects: ObjectsByName, pod: PodName): string {
  return textIn(objects, pod, ['status', 'podIP'])
}

function textIn(objects: ObjectsByName, name: ObjectName, path: readonly string[]): string {
  return textAt(objects.get(name), path)
}

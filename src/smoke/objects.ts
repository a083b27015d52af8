// The namespace, Services and pods of a smoke test.
import { lockedImage } from '../model/locked-image.ts'
import type { Facts } from '../model/facts.ts'
import { hostProcessImage } from '../matrix/host-process-image.ts'
import { windowsVersion } from '../matrix/windows.ts'
import type { JsonObject } from '../model/json.ts'
import { buildLabel, osLabel } from '../workloads/scheduling.ts'
import type { Nodes } from './nodes.ts'

const labels = {
  'app.kubernetes.io/managed-by': 'winnode',
  'app.kubernetes.io/component': 'smoke',
} as const

/** The label of the namespaces of all runs. */
export const smokeSelector = Object.entries(labels)
  .map((pair) => pair.join('='))
  .join(',')

/** TCP only: netexec is started without a UDP port. */
export const port = 8080
const netexec = ['netexec', `--http-port=${port}`, '--udp-port=-1']

export type ServiceName = 'server-service' | 'server-direct'
export type PodName = 'client' | 'server' | 'remote' | 'linux' | 'linux-host' | 'host-process'

/** The HostProcess container runs a program that exists only on the node. */
export const hostProcessOutput = 'winnode-smoke'

/** HostProcess and hostNetwork need the level privileged of Pod Security. */
export function namespaceOf(run: string): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: `winnode-smoke-${run}`,
      labels: {
        ...labels,
        'app.kubernetes.io/instance': run,
        'pod-security.kubernetes.io/enforce': 'privileged',
      },
    },
  }
}

interface SmokeRun {
  readonly namespace: string
  readonly image: string
  readonly nodes: Nodes
}

/** Services first, so that no pod starts before its Service has an address. */
export function objectsOf(facts: Facts, run: SmokeRun): readonly JsonObject[] {
  const { first, second, linux } = run.nodes
  const { image } = run
  return [
    service('server-service', run, {
      type: 'NodePort',
      ports: [{ port: 80, targetPort: port }],
    }),
    service('server-direct', run, { clusterIP: 'None', ports: [{ port }] }),
    pod('client', run, { ...onWindows(facts, first), container: { image, args: netexec } }),
    pod('server', run, { ...onWindows(facts, first), container: { image, args: netexec } }),
    pod('host-process', run, {
      ...onWindows(facts, first),
      hostNetwork: true,
      securityContext: {
        windowsOptions: { hostProcess: true, runAsUserName: 'NT AUTHORITY\\SYSTEM' },
      },
      container: {
        image: lockedImage(hostProcessImage, facts.spec.artifacts),
        command: ['cmd.exe', '/d', '/c', `echo ${hostProcessOutput}`],
      },
    }),
    ...(second === undefined
      ? []
      : [
          pod('remote', run, {
            ...onWindows(facts, second),
            container: { image, args: netexec },
          }),
        ]),
    ...(linux === undefined
      ? []
      : [
          pod('linux', run, { ...onLinux(linux), container: { image, args: netexec } }),
          pod('linux-host', run, {
            ...onLinux(linux),
            hostNetwork: true,
            container: { image, args: ['pause'] },
          }),
        ]),
  ]
}

function onWindows({ spec, windows }: Facts, node: string): JsonObject {
  return {
    os: { name: 'windows' },
    nodeSelector: { [osLabel]: 'windows', [buildLabel]: windowsVersion(windows) },
    tolerations: spec.kubelet.taints.map((taint) => ({ ...taint })),
    affinity: nodeAffinityTo(node),
  }
}

/** Tolerates all taints, because the only Linux node can be a control plane node. */
function onLinux(node: string): JsonObject {
  return {
    os: { name: 'linux' },
    nodeSelector: { [osLabel]: 'linux' },
    tolerations: [{ operator: 'Exists' }],
    affinity: nodeAffinityTo(node),
  }
}

/** Uses affinity, because `nodeName` would bypass the scheduler. */
function nodeAffinityTo(node: string): JsonObject {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }]
  return {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
    },
  }
}

const limits = { cpu: '250m', memory: '256Mi' }

interface PodSpec extends JsonObject {
  readonly container: JsonObject
}

function pod(name: PodName, { namespace }: SmokeRun, { container, ...spec }: PodSpec): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: { ...labels, app: name } },
    spec: {
      ...spec,
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 1,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      containers: [
        {
          name: 'main',
          ...container,
          resources: { limits, requests: limits },
        },
      ],
    },
  }
}

function service(name: ServiceName, { namespace }: SmokeRun, spec: JsonObject): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels },
    spec: { selector: { app: 'server' }, ...spec },
  }
}

// Fluent Bit for Windows nodes: logs of containers from a pod, and event logs of the node from a HostProcess pod.
import { lockedImage } from '../../model/locked-image.ts'
import { reasonsFor } from '../../matrix/reasons.ts'
import type { Artifact } from '../../model/artifact.ts'
import { layout } from '../../model/layout.ts'
import type { NodeSpec } from '../../model/spec.ts'
import { windowsName, windowsVersion } from '../../matrix/windows.ts'

/** Where it records how far it has read. */
const state = 'C:\\var\\lib\\winnode-fluent-bit'

type Output = NonNullable<NodeSpec['cluster']['fluentBit']['output']>

const envOf = ({ host, port, tls }: Output) => [
  { name: 'OUTPUT_HOST', value: host },
  { name: 'OUTPUT_PORT', value: String(port) },
  { name: 'OUTPUT_TLS', value: tls ? 'on' : 'off' },
]

export const fluentBit: Artifact = ({ spec, windows }) => {
  const { enabled, image, eventLogs, output, outputSecretName } = spec.cluster.fluentBit
  if (!enabled || image === undefined) return undefined
  const { containerLogs, podLogs } = layout
  return {
    id: 'cluster-fluent-bit',
    path: 'cluster/64-fluent-bit.yaml',
    summary: `Fluent Bit on nodes with ${windows.name}: logs of containers${eventLogs.length > 0 ? ' and event logs' : ''}.`,
    body: {
      kind: 'template',
      template: 'cluster/fluent-bit.yaml.hbs',
      view: {
        name: `winnode-fluent-bit-${windowsName(windows.id)}`,
        eventsName: `winnode-fluent-bit-events-${windowsName(windows.id)}`,
        build: windowsVersion(windows),
        image: lockedImage(image, spec.artifacts),
        state,
        containerLogs,
        podLogs,
        kubeURL: `https://kubernetes.default.svc.${spec.network.clusterDomain}:443`,
        hasEvents: eventLogs.length > 0,
        channels: eventLogs.join(','),
        eventsDatabase: `${state}\\events.db`,
        outputSecrets: outputSecretName === undefined ? [] : [{ name: outputSecretName }],
        outputEnv: output === undefined ? [] : envOf(output),
        hasOutput: output !== undefined,
        isForward: output?.plugin === 'forward',
        isHTTP: output?.plugin === 'http',
        isLoki: output?.plugin === 'loki',
      },
    },
    settings: reasonsFor('Fluent Bit'),
  }
}

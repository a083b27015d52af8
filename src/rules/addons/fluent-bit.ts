// Fluent Bit: its image for the Windows build, and whether it can reach its output.
import { defineRule, when } from '../../model/rule.ts'

const fluentBit = ['cluster', 'fluentBit']

export const fluentBitWithoutImage = defineRule({
  id: 'fluent-bit-without-image',
  severity: 'error',
  summary: 'Fluent Bit has an image for the Windows release.',
  remedy: 'Set cluster.fluentBit.image to an image that you built for this Windows release.',
  see: 'https://github.com/fluent/fluent-bit/blob/v5.1.1/.github/workflows/call-build-images.yaml',
  check: ({ spec: { cluster }, windows }) =>
    when(
      cluster.fluentBit.enabled && cluster.fluentBit.image === undefined,
      [...fluentBit, 'enabled'],
      `Fluent Bit has images for Windows Server 2022 and 2025, and none for ${windows.name}`,
    ),
})

export const fluentBitOutput = defineRule({
  id: 'fluent-bit-needs-one-output',
  severity: 'error',
  summary: 'Fluent Bit has one output.',
  remedy: 'Set either cluster.fluentBit.output or cluster.fluentBit.outputSecretName.',
  see: 'https://docs.fluentbit.io/manual/data-pipeline/outputs',
  check: ({ spec: { cluster } }) => {
    const { enabled, output, outputSecretName } = cluster.fluentBit
    const both = output !== undefined && outputSecretName !== undefined
    const none = output === undefined && outputSecretName === undefined
    return when(
      enabled && (both || none),
      [...fluentBit, both ? 'outputSecretName' : 'output'],
      both
        ? 'output and outputSecretName are both set'
        : 'without an output, Fluent Bit sends nothing',
    )
  },
})

export const fluentBitOutputHost = defineRule({
  id: 'fluent-bit-output-not-resolved',
  severity: 'error',
  summary: 'The pods of Fluent Bit can resolve the host of its output.',
  remedy:
    'With event logs, use a name in the DNS of the nodes, or an address; without them, the full name, such as loki.monitoring.svc.cluster.local.',
  see: 'https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/#dns-windows',
  check: ({ spec: { cluster, network } }) => {
    const { enabled, output, eventLogs } = cluster.fluentBit
    if (!enabled || output === undefined) return []
    const host = output.host.toLowerCase().replace(/\.$/, '')
    const inCluster = host.endsWith('.svc') || host.endsWith(`.${network.clusterDomain}`)
    return when(
      host.endsWith('.svc') || (inCluster && eventLogs.length > 0),
      [...fluentBit, 'output', 'host'],
      eventLogs.length > 0
        ? `${host} is a name in the DNS of the cluster, which the HostProcess pods for event logs do not use`
        : `pods on Windows nodes do not resolve ${host}: they need the full name`,
    )
  },
})

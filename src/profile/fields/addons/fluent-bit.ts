// Fields of Fluent Bit.
import * as v from 'valibot'
import { field, group, open, subdomain, text, whole } from '../../../model/field.ts'
import { fluentBitOutputs } from '../../../addons/fluent-bit.ts'
import { hostPattern } from '../../../net/host.ts'
import { image } from '../../../model/image-field.ts'

export const fluentBit = group(
  {
    enabled: field(v.boolean(), false, {
      what: 'Run Fluent Bit as a DaemonSet in kube-system, which sends the logs of containers on nodes with this Windows release.',
      why: 'Logs on a node are lost with the node. See docs/around.md#fluent-bit.',
      example: true,
    }),
    image: open(image, {
      what: 'Image of Fluent Bit for the Windows release.',
      why: 'There is one for Windows Server 2022 and one for 2025; the image has an operating system.',
      when: 'with cluster.fluentBit.enabled',
      derived: 'the publisher’s image for the Windows release',
      example: 'registry.example.com/fluent/fluent-bit:windows-2022-5.1.1',
    }),
    eventLogs: field(
      v.array(
        text(
          /^[A-Za-z0-9](?:[A-Za-z0-9 ()/_.-]*[A-Za-z0-9)])?$/,
          'a channel of the event log, such as System or Microsoft-Windows-Hyper-V-Compute-Operational',
        ),
      ),
      [],
      {
        what: 'Channels of the event log that a second DaemonSet of HostProcess pods sends.',
        why: 'Other containers cannot see the event log of the node. A channel that a node lacks is ignored, and so is a misspelled one.',
        when: 'with cluster.fluentBit.enabled',
        example: ['System', 'Application'],
      },
    ),
    output: open(
      v.strictObject({
        plugin: v.picklist(fluentBitOutputs),
        host: text(new RegExp(`^${hostPattern}$`), 'a host name or an IPv4 address'),
        port: whole(1, 65_535),
        tls: v.optional(v.boolean(), false),
      }),
      {
        what: 'Where logs are sent, without credentials.',
        why: 'Pods on Windows nodes resolve the full name of a Service only. With credentials or other settings, use `outputSecretName`.',
        when: 'with cluster.fluentBit.enabled',
        example: {
          plugin: 'loki',
          host: 'loki.monitoring.svc.cluster.local',
          port: 3100,
        },
      },
    ),
    outputSecretName: open(subdomain, {
      what: 'Secret in kube-system whose key output.conf has the `[OUTPUT]` sections of Fluent Bit.',
      why: 'Credentials are not in a profile. Without the key the pods do not start.',
      when: 'with cluster.fluentBit.enabled',
      example: 'fluent-bit-output',
    }),
  },
  'Fluent Bit, which sends logs.',
)

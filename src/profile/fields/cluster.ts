// Fields of objects that a bundle adds to the cluster, beside those that its nodes need.
import * as v from 'valibot'
import { parseImage } from '../../go/image-reference.ts'
import { field, group, labelKey, labelValue, objectName, open } from '../../model/field.ts'
import { exporterCollectors, windowsExporterImage } from '../../model/windows-exporter.ts'

const image = v.pipe(
  v.string(),
  v.check(
    (written) => parseImage(written) !== undefined,
    'an image such as registry.example.com/name:1.0.0',
  ),
)

export const cluster = group(
  {
    policies: group(
      {
        nodeSelector: field(v.boolean(), false, {
          what: 'Require the node selector `kubernetes.io/os: windows` of pods with `os.name: windows`.',
          why: 'The scheduler ignores `os.name`: without the selector it can place the pod on a Linux node, where the kubelet rejects it. [Around the node](around.md#policies)',
          example: true,
        }),
        hostProcessNamespaces: open(v.array(objectName(63)), {
          what: 'Namespaces that may run HostProcess pods; with an empty list, none may.',
          why: 'A HostProcess container is a process on the node, with its files and its network. Without the field, Pod Security alone decides. [Around the node](around.md#policies)',
          example: ['kube-system', 'monitoring'],
        }),
        action: field(v.picklist(['Deny', 'Warn']), 'Deny', {
          what: 'What a policy does with a pod that violates it: `Deny` rejects it, `Warn` warns the client and writes to the audit log.',
          why: 'A policy applies to the whole cluster: with `Warn` first, workloads that it would stop are found before they stop.',
          example: 'Warn',
        }),
      },
      'Admission policies for pods on Windows nodes; the API server must be 1.30 or newer.',
    ),
    windowsExporter: group(
      {
        enabled: field(v.boolean(), false, {
          what: 'Run windows_exporter as a DaemonSet of HostProcess pods in kube-system, and open its port 9182 on the nodes.',
          why: 'Prometheus reads from it the metrics of Windows, and the metrics of `host.publishStatus`. Do not use it beside another installation: both need the port. [Around the node](around.md#windows_exporter)',
          example: true,
        }),
        image: field(image, windowsExporterImage, {
          what: 'Image of windows_exporter.',
          why: 'One image runs on all Windows builds. Its [publisher](https://github.com/prometheus-community/windows_exporter/releases) has it at ghcr.io, docker.io and quay.io.',
          when: 'with cluster.windowsExporter.enabled',
          example: 'registry.example.com/prometheus-community/windows-exporter:0.31.8',
        }),
        collectors: field(v.array(v.picklist(exporterCollectors)), ['container'], {
          what: 'Collectors beside the default ones (cpu, memory, logical_disk, physical_disk, net, os, service, system).',
          why: 'windows_exporter does not start with an unknown name. `textfile` is added with `host.publishStatus`.',
          when: 'with cluster.windowsExporter.enabled',
          example: ['container', 'tcp'],
        }),
        serviceMonitor: open(
          v.strictObject({
            labels: v.optional(v.record(labelKey, labelValue), {}),
          }),
          {
            what: 'Add a ServiceMonitor for the Prometheus Operator, with `labels` that its Prometheus selects.',
            why: 'The cluster needs the CRD of the ServiceMonitor, or `kubectl apply` rejects it. Without the field, configure Prometheus to read port 9182 of the nodes.',
            when: 'with cluster.windowsExporter.enabled',
            example: { labels: { release: 'kube-prometheus-stack' } },
          },
        ),
      },
      'windows_exporter, the Prometheus exporter of Windows.',
    ),
  },
  'Objects for the cluster, beside those that the nodes need.',
)

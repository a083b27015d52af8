// Fields of windows_exporter.
import * as v from 'valibot'
import { field, group, labelKey, labelValue, open } from '../../../model/field.ts'
import { exporterCollectors, windowsExporterImage } from '../../../addons/windows-exporter.ts'
import { image } from '../../../model/image-field.ts'

/** Labels of an object, which the Prometheus Operator selects by them. */
const labels = v.pipe(
  v.record(labelKey, labelValue),
  v.check(
    (written) => !Object.hasOwn(written, 'app.kubernetes.io/managed-by'),
    'labels without app.kubernetes.io/managed-by, which winnode sets',
  ),
)
const labelled = v.strictObject({ labels: v.optional(labels, {}) })

export const windowsExporter = group(
  {
    enabled: field(v.boolean(), false, {
      what: 'Run windows_exporter as a DaemonSet of HostProcess pods in kube-system, and open its port 9182 on the nodes.',
      why: 'Prometheus reads from it the metrics of Windows, and the metrics of `host.publishStatus`. Do not use it beside another installation: both need the port. See docs/around.md#windows_exporter.',
      example: true,
    }),
    image: field(image, windowsExporterImage, {
      what: 'Image of windows_exporter.',
      why: 'One image runs on all Windows builds. Its publisher, prometheus-community, has it at ghcr.io, docker.io and quay.io.',
      when: 'with cluster.windowsExporter.enabled',
      example: 'registry.example.com/prometheus-community/windows-exporter:0.31.8',
    }),
    collectors: field(v.array(v.picklist(exporterCollectors)), ['container'], {
      what: 'Collectors beside the default ones (cpu, memory, logical_disk, physical_disk, net, os, service, system).',
      why: 'windows_exporter does not start with an unknown name. `textfile` is added with `host.publishStatus`.',
      when: 'with cluster.windowsExporter.enabled',
      example: ['container', 'tcp'],
    }),
    serviceMonitor: open(labelled, {
      what: 'Add a ServiceMonitor for the Prometheus Operator, with `labels` that its Prometheus selects.',
      why: 'The cluster needs the CRD of the ServiceMonitor, or `kubectl apply` rejects it. Without the field, configure Prometheus to read port 9182 of the nodes.',
      when: 'with cluster.windowsExporter.enabled',
      example: { labels: { release: 'kube-prometheus-stack' } },
    }),
    prometheusRule: open(labelled, {
      what: 'Add a PrometheusRule for the Prometheus Operator with alerts on the health of nodes, with `labels` that its Prometheus selects.',
      why: 'The alerts read the metrics of `host.publishStatus`. The cluster needs the CRD of the PrometheusRule, or `kubectl apply` rejects it.',
      when: 'with cluster.windowsExporter.enabled',
      example: { labels: { release: 'kube-prometheus-stack' } },
    }),
  },
  'windows_exporter, the Prometheus exporter of Windows.',
)

// windows_exporter: its image, which addresses reach its port, and whether its alerts have metrics.
import { exporterRepositories } from '../../addons/windows-exporter.ts'
import { parseImage } from '../../go/image-reference.ts'
import { defineRule, when } from '../../model/rule.ts'

export const exporterTag = defineRule({
  id: 'windows-exporter-tag-unpublished',
  severity: 'error',
  summary: 'The tag of a published windows_exporter image has no v.',
  remedy: 'Remove the v from the tag.',
  see: 'https://github.com/prometheus-community/windows_exporter/blob/v0.31.8/.github/workflows/release.yml',
  check: ({ spec }) => {
    const { enabled, image } = spec.cluster.windowsExporter
    const { registry = '', repository = '', tag = '', digest } = parseImage(image) ?? {}
    return when(
      enabled &&
        exporterRepositories.includes(`${registry}/${repository}`) &&
        digest === undefined &&
        /^v\d/.test(tag),
      ['cluster', 'windowsExporter', 'image'],
      `${registry} has no image ${repository}:${tag}; the tags of windows_exporter have no v`,
    )
  },
})

export const exporterOpen = defineRule({
  id: 'metrics-port-open-to-all',
  severity: 'info',
  harm: 'exposes',
  exposure: true,
  countedAs: 'open metrics port',
  summary: 'Only Prometheus can connect to the port of windows_exporter.',
  remedy: 'Set host.firewall.metricsFrom to the subnets of Prometheus.',
  see: 'https://github.com/prometheus-community/windows_exporter/blob/v0.31.8/README.md',
  check: ({ spec }) =>
    when(
      spec.cluster.windowsExporter.enabled && spec.host.firewall.metricsFrom.length === 0,
      ['host', 'firewall', 'metricsFrom'],
      'port 9182 is open to all addresses, without authentication',
    ),
})

export const rulesWithoutMetrics = defineRule({
  id: 'prometheus-rule-without-metrics',
  severity: 'error',
  summary: 'The nodes write the metrics that the alerts read.',
  remedy: 'Set host.publishStatus to true.',
  see: 'https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/',
  check: ({ spec }) =>
    when(
      spec.cluster.windowsExporter.enabled &&
        spec.cluster.windowsExporter.prometheusRule !== undefined &&
        !spec.host.publishStatus,
      ['host', 'publishStatus'],
      'without host.publishStatus nodes write no metrics of their health, so no alert ever fires',
    ),
})
